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
from typing import Any

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.solve.playouts import by_thumb, game_estimate, turn_estimate, turns_score

#: told how far a long computation has come, from 0 to 1, and in which step
Report = Callable[[float, str], None]


def silent(done: float, step: str) -> None:
    """A report that nobody reads."""


class Exact(msgspec.Struct, frozen=True):
    """Which of a position's numbers are exact (to floating-point rounding)."""

    turn: bool = False
    value: bool = False
    win: bool = False


class Worth(msgspec.Struct, frozen=True):
    """What a position is worth."""

    #: expected points of the turn under way of the seat concerned (or of its round, or all points still to
    #: come), None between turns that are nobody's
    turn: float | None
    #: expected final score per seat
    value: tuple[float, ...] | None
    #: chance to be among the winners per seat
    win: tuple[float, ...] | None
    exact: Exact
    #: standard error of an estimate, in points
    error: float | None = None


class MoveWorth(msgspec.Struct, frozen=True):
    """What a move is worth to the seat that makes it."""

    move: Event
    #: expected points of the turn after this move
    turn: float | None
    #: the seat's expected final score after this move
    value: float | None
    #: the seat's chance to be among the winners after this move
    win: float | None


class Valuer(ABC):
    """The values of one game as agreed. Cheap to make; tables are opened or built by `prepare`."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    @property
    def plain(self) -> bool:
        """Whether a browser can read them: with the standard library alone, from tables of a few megabytes."""
        return False

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether everything the points need is at hand, so that an answer takes no long computation."""

    @abstractmethod
    def prepare(self, report: Report = silent) -> None:
        """Open the tables, or build and keep them. Every answer does this first if need be."""

    @property
    def chances_ready(self) -> bool:
        """Whether the chances to win, too, can be told without a long computation."""
        return self.ready

    def prepare_points(self, report: Report = silent) -> None:
        """As `prepare`, but only what points need, where winning chances have tables of their own."""
        self.prepare(report)

    def solve(self, report: Report = silent) -> None:
        """As `prepare`, and whatever improves the answers but takes too long to be made on first need."""
        self.prepare(report)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What `pasch solve` says about the values, in sentences."""
        return ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that points come from; each name ends in the hash of what its numbers follow from."""
        return ()

    def explain(self) -> str:
        """How the values came about and how exact they are, in lines of text."""
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

    def stakes(self, state: State, event: Event) -> tuple[float, ...]:
        """The expectation that begins to count for each seat with this event.

        Not zero only where nobody can say beforehand how many rounds or turns there will be: there the
        expectation of each is counted from its beginning.
        """
        return (0.0,) * self.game.players

    def corrections(self, state: State, event: Event) -> tuple[float, ...]:
        """What estimates change for each seat with a chance event by looking further than before it.

        It is neither luck nor anybody's mistake; zero where luck is measured by the values themselves.
        """
        return (0.0,) * self.game.players

    @abstractmethod
    def worth(self, state: State) -> Worth:
        """All that is known of a position."""

    @abstractmethod
    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        """Each of `state.moves()` with all that is known of it."""

    @property
    @abstractmethod
    def exact(self) -> Exact:
        """Which of the answers are exact at the start of a game; `Worth.exact` is more precise."""


def chance_that(state: State, happens: Callable[[Any], bool]) -> float:
    """The probability that `happens` holds in the state after the dice."""
    chance = state.chance()
    cases = sum(cases for outcome, cases in chance.outcomes() if happens(state.apply(outcome)))
    return float(Fraction(cases, chance.total))


def gain(state: State, move: Event, values: Valuer, than: Event) -> float:
    """The difference between the expected points of two moves."""
    moves, worth = state.moves(), values.move_points(state)
    return worth[moves.index(move)] - worth[moves.index(than)]


class PlayoutValues(Valuer):
    """Estimates by playouts, for games that cannot be solved: what play by a rule of thumb brings on average.

    The rule of thumb chooses by playouts of its own, so that the estimates of what it chooses have no bias and the luck
    of rolls averages zero. Points are those that a seat has when the turn under way ends; the expectation of a turn
    begins to count with it. Where turns change no score they are those at the end of the game.
    """

    @property
    def plain(self) -> bool:
        return True

    @property
    def ready(self) -> bool:
        return True

    def prepare(self, report: Report = silent) -> None:
        report(1.0, "ready")

    @property
    def exact(self) -> Exact:
        return Exact()

    def points(self, state: State) -> tuple[float, ...]:
        seat = state.mover
        if state.actor < 0 or not state.moves():
            return self._estimate(state, seat)
        return self._estimate(state.apply(by_thumb(state)), seat)

    def move_points(self, state: State) -> tuple[float, ...]:
        # the move that the policy makes is the best: to take the largest of noisy numbers for it would promise too much
        seat = state.actor
        best = self.points(state)[seat]
        return tuple([min(best, self._estimate(state.apply(move), seat)[seat]) for move in state.moves()])

    def stakes(self, state: State, event: Event) -> tuple[float, ...]:
        after = state.apply(event)
        if after.over or after.mover == state.mover or not turns_score(self.game):
            return super().stakes(state, event)
        begun = zip(self.points(after), after.scores(), strict=True)
        return tuple([points - score for points, score in begun])

    def _estimate(self, state: State, seat: int | None) -> tuple[float, ...]:
        """Everybody's points when the turn of `seat` ends, or the game."""
        if not turns_score(self.game):
            return game_estimate(state).scores
        if seat is None or state.mover != seat:
            return tuple(map(float, state.scores()))
        return turn_estimate(state, seat).scores

    def worth(self, state: State) -> Worth:
        seat = state.mover
        turn = None if seat is None else self.points(state)[seat] - state.scores()[seat]
        whole = game_estimate(state)
        value = None if whole.win is None else whole.scores
        exact = Exact(value=state.over, win=state.over)
        return Worth(turn, value, whole.win, exact, None if state.over else max(whole.errors))

    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        if state.actor < 0:
            return ()
        seat, score, points = state.actor, state.scores()[state.actor], self.move_points(state)
        if not turns_score(self.game):
            chances = [game_estimate(state.apply(move)).win for move in state.moves()]
            return tuple(
                MoveWorth(move, own - score, own, None if win is None else win[seat])
                for move, own, win in zip(state.moves(), points, chances, strict=True)
            )
        # within a turn moves differ by less than whole games at random can tell
        whole, best = game_estimate(state), max(points)
        value = None if whole.win is None else whole.scores[seat]
        return tuple(
            MoveWorth(move, own - score, None if value is None else value + own - best, None)
            for move, own in zip(state.moves(), points, strict=True)
        )


#: the values of games that have none of their own
_for_others: type[Valuer] = PlayoutValues


def use_for_others(values: type[Valuer]) -> None:
    """Have games without values of their own valued like this; the solver says so when it is imported."""
    global _for_others  # noqa: PLW0603 - the solver imports this module, so that this one cannot import it
    _for_others = values


@lru_cache(maxsize=64)
def valuer(game: Game[Any, Any]) -> Valuer:
    """The values of this game, its own or estimates by playouts; the same object for equal games."""
    part = find_part(game.id, "values")
    made: Valuer
    if part is not None:
        made = part.Values(game)
    elif type(game).Position.view is not State.view:
        made = PlayoutValues(game)  # of a game with secrets nobody knows the whole position
    else:
        made = _for_others(game)
    return made
