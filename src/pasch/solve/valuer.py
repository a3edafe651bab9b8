"""What every game's values have in common.

A game's values live in the module `values` of its folder as a class named `Values`; a game without one has
estimates by playouts. Two currencies occur: *points* (the expected final score of a seat) and *chances* (to
be among the winners). Points of turns add up, so the primitive of most games is the expected points of the
turn under way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.solve.playouts import game_estimate, greedy_policy, turn_estimate, turns_score

#: receives the progress of a long computation, from 0 to 1, and the name of its step
Progress = Callable[[float, str], None]


def no_progress(done: float, step: str) -> None:
    """A report that does nothing."""


class Exact(msgspec.Struct, frozen=True):
    """Which of a position's numbers are exact (to floating-point rounding)."""

    turn: bool = False
    value: bool = False
    win: bool = False


class Value(msgspec.Struct, frozen=True):
    """What a position is worth."""

    #: expected points of the current turn of the seat (or of its round, or of the rest of the game); None
    #: if no seat has the turn
    turn: float | None
    #: expected final score per seat
    value: tuple[float, ...] | None
    #: chance to be among the winners per seat
    win: tuple[float, ...] | None
    exact: Exact
    #: standard error of an estimate, in points
    error: float | None = None


def ended(state: State) -> Value:
    """What the end of a game is worth: the scores, and who has won."""
    winners = state.winners()
    won = tuple(float(seat in winners) for seat in range(state.game.players))
    return Value(None, tuple(map(float, state.scores())), won, Exact(turn=True, value=True, win=True))


class MoveValue(msgspec.Struct, frozen=True):
    """What a move is worth to the seat that makes it."""

    move: Event
    #: expected points of the turn after this move
    turn: float | None
    #: the seat's expected final score after this move
    value: float | None
    #: the seat's chance to be among the winners after this move
    win: float | None


class Valuer(ABC):
    """The values of one game with its options. Cheap to create; `prepare` opens or builds the tables."""

    #: whether rounds or turns count from their beginning, by `entering_expectation`
    counts_rounds: ClassVar[bool] = False

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    @property
    def plain(self) -> bool:
        """Whether a browser can compute them: with the standard library only, from tables of a few megabytes."""
        return False

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether the tables of points are open, so that no value takes a long computation."""

    @abstractmethod
    def prepare(self, report: Progress = no_progress) -> None:
        """Open the tables, or build and store them. Other methods call this if necessary."""

    def prepare_points(self, report: Progress = no_progress) -> None:
        """Like `prepare`, but without the tables that only chances to win need."""
        self.prepare(report)

    def solve(self, report: Progress = no_progress) -> None:
        """Like `prepare`, and build optional tables that improve the values but take long to compute."""
        self.prepare(report)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What `pasch solve` says about the values, in sentences."""
        return ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of points; each ends in the hash of the inputs of the table."""
        return ()

    def explain(self) -> str:
        """How the values are computed and which are exact, in lines of text."""
        exact = [name for name, known in msgspec.structs.asdict(self.exact).items() if known]
        return "\n".join(
            [f"{self.game.title}: exact are {', '.join(exact) or 'none of the values'}", *self.remarks]
        )

    @abstractmethod
    def points(self, state: State) -> tuple[float, ...]:
        """Each seat's expected final score: the ledger's currency.

        Before a decision it is that of the best move; at the end it is the score. For luck to average
        zero it has to be the exact mean before every chance event.
        """

    @abstractmethod
    def move_points(self, state: State) -> tuple[float, ...]:
        """For each of `state.moves()` the mover's expected final score after it."""

    def move_parts(self, state: State) -> tuple[tuple[float, ...], ...] | None:
        """For each of `state.moves()` what the mover still expects of each part of its score; None if unknown."""
        return None

    def entering_expectation(self, state: State, event: Event) -> tuple[float, ...]:
        """The expected points that this event adds to each seat's value because a round or turn begins.

        Zero unless the number of rounds or turns is unknown in advance: then the expectation of each is counted
        from its beginning.
        """
        return (0.0,) * self.game.players

    def corrections(self, state: State, event: Event) -> tuple[float, ...]:
        """The change of each seat's estimate at a chance event that comes from a deeper search after it.

        It is neither luck nor a mistake; zero where luck is the difference of the values themselves.
        """
        return (0.0,) * self.game.players

    @abstractmethod
    def worth(self, state: State) -> Value:
        """All values of a position."""

    @abstractmethod
    def moves(self, state: State) -> tuple[MoveValue, ...]:
        """All values of each of `state.moves()`."""

    @property
    @abstractmethod
    def exact(self) -> Exact:
        """Which of the values are exact at the start of a game; `Value.exact` is more precise."""


def chance_that(state: State, happens: Callable[[Any], bool]) -> float:
    """The probability that `happens` holds in the state after the chance event."""
    chance = state.chance()
    cases = sum(cases for outcome, cases in chance.outcomes() if happens(state.apply(outcome)))
    return float(Fraction(cases, chance.total))


def part_of(report: Progress, number: int, parts: int) -> Progress:
    """A report for one of several equal parts of a computation."""
    return lambda done, step: report((number + done) / parts, step)


def gain(state: State, move: Event, values: Valuer, than: Event) -> float:
    """The difference between the expected points of two moves."""
    moves, worth = state.moves(), values.move_points(state)
    return worth[moves.index(move)] - worth[moves.index(than)]


class PlayoutValues(Valuer):
    """Estimates by playouts, for games that cannot be solved: the average result of a heuristic player.

    The heuristic uses playouts of its own, so the estimate of its choice has no bias and the luck of rolls averages
    zero. Points are those at the end of the current turn, and the expectation of a turn is counted from its beginning.
    If turns do not change scores, points are those at the end of the game.
    """

    counts_rounds = True
    plain = True

    @property
    def ready(self) -> bool:
        return True

    def prepare(self, report: Progress = no_progress) -> None:
        report(1.0, "ready")

    @property
    def exact(self) -> Exact:
        return Exact()

    def points(self, state: State) -> tuple[float, ...]:
        seat = state.mover
        if state.actor < 0 or not state.moves():
            return self._estimate(state, seat)
        return self._estimate(state.apply(greedy_policy(state)), seat)

    def move_points(self, state: State) -> tuple[float, ...]:
        # the policy's move counts as the best: the maximum of noisy estimates would be biased upwards
        seat = state.actor
        best = self.points(state)[seat]
        return tuple([min(best, self._estimate(state.apply(move), seat)[seat]) for move in state.moves()])

    def entering_expectation(self, state: State, event: Event) -> tuple[float, ...]:
        if not self._by_turns or (after := state.apply(event)).over or after.mover == state.mover:
            return super().entering_expectation(state, event)
        begun = zip(self.points(after), after.scores(), strict=True)
        return tuple([points - score for points, score in begun])

    @property
    def _by_turns(self) -> bool:
        """Whether points are those at the end of the current turn."""
        return turns_score(self.game)

    def _win(self, state: State) -> tuple[float, ...] | None:
        return game_estimate(state).win

    def _estimate(self, state: State, seat: int | None) -> tuple[float, ...]:
        """Each seat's points at the end of the turn of `seat`, or of the game."""
        if not self._by_turns:
            return game_estimate(state).scores
        if seat is None or state.mover != seat:
            return tuple(map(float, state.scores()))
        return turn_estimate(state, seat).scores

    def worth(self, state: State) -> Value:
        seat = state.mover
        turn = None if seat is None else self.points(state)[seat] - state.scores()[seat]
        whole = game_estimate(state)
        value = None if whole.win is None else whole.scores
        exact = Exact(value=state.over, win=state.over)
        return Value(turn, value, self._win(state), exact, None if state.over else max(whole.errors))

    def moves(self, state: State) -> tuple[MoveValue, ...]:
        if state.actor < 0:
            return ()
        seat, score, points = state.actor, state.scores()[state.actor], self.move_points(state)
        turns, finals = [own - score for own in points], list[Any](points)
        wins: list[Any] = [None for _ in points]
        if self._by_turns:
            # within a turn moves differ by less than the error of random games
            whole = game_estimate(state)
            finals = (
                wins if whole.win is None else [whole.scores[seat] + own - max(points) for own in points]
            )
        if self.exact.win or not self._by_turns:
            chances = [self._win(state.apply(move)) for move in state.moves()]
            wins = [win and win[seat] for win in chances]
        return tuple(map(MoveValue, state.moves(), turns, finals, wins))


#: the values of games without a module `values`
_for_others: type[Valuer] = PlayoutValues


def use_for_others(values: type[Valuer]) -> None:
    """Set the values of games without a module `values`; the solver calls this when it is imported."""
    global _for_others  # noqa: PLW0603 - the solver imports this module, so that this one cannot import it
    _for_others = values


@lru_cache(maxsize=64)
def valuer(game: Game[Any, Any]) -> Valuer:
    """The values of this game: its own, solved from its rules, or estimates; the same object for equal games."""
    if part := find_part(game.id, "values"):
        made: Valuer = part.Values(game)
        return made
    # the solver needs positions without hidden information
    hidden = type(game).Position.view is not State.view
    return PlayoutValues(game) if hidden else _for_others(game)
