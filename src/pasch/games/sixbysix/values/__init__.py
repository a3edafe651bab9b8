"""Values of 6mal6: estimates, because the hands are hidden.

**Chips of a round** (`turn`, `points`, `move_points`). Worlds are drawn in which the cards that a seat does not know
lie somehow, and the round is played out in each of them (`search`) by a quick player that has learned from playing
with itself (`practice`). The worlds follow from what the seat knows and from nothing else. That the others had their
reasons to lay what they laid is left out, so hidden cards are taken to be a little better than they are.

**The ledger.** `points` are the chips at the end of the round under way, and a round's expectation begins to count
with its deal. While a seat waits, the quick player decides for it too; when its turn comes it does better, and what it
gains by thinking is no luck. `corrections` keeps that apart, so that luck averages zero.

**Final chips and chances to win** (`value`, `win`). The rest of the game is made of rounds that the quick player has
played with itself, several times for each world. Here it wants more chips than the others, not just many. Each seat's
chance is estimated from what this seat knows, so that the chances of all need not add up to one.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.games.sixbysix.rules import Position, SixBySix
from pasch.games.sixbysix.values.kernel import PRACTICE, Learned
from pasch.games.sixbysix.values.search import estimate, move_values
from pasch.solve.keys import table_key
from pasch.solve.records import arrays, record_of
from pasch.solve.tables import Arrays, read_table, table, table_path
from pasch.solve.valuer import Exact, MoveValue, Progress, Value, Valuer, ended, no_progress

__all__ = ["WAIT", "Estimate", "Values", "move_values"]

#: in how many worlds the best moves are tried
WORLDS = 384
#: of the worlds, in how many all moves are tried, in how many the better half, and so on
SHARES = (1 / 4, 1 / 2, 1)
#: answers that are remembered; a game has some hundreds of positions
REMEMBERED = 8192
#: no seat chooses: the quick player decides for all
WAIT = (-1,)


class Estimate(NamedTuple):
    """What moves are worth, in one measure or two."""

    #: by move; the first measure decides which move is best
    values: tuple[tuple[float, float], ...]
    #: the standard error of the best move's first measure
    error: float

    @property
    def best(self) -> tuple[float, float]:
        return max(self.values, key=lambda measures: measures[0])


class Values(Valuer):
    """The values of one game with its options. More worlds make them better and slower."""

    game: SixBySix
    counts_rounds = True
    #: searching for every move, a game takes seconds
    games_at_once = 1

    def __init__(self, game: Game[Any, Any], worlds: int = WORLDS) -> None:
        super().__init__(game)
        self.worlds = worlds
        self._learned: Learned | None = None
        self._config = arrays(game.config)
        self._estimate = lru_cache(maxsize=REMEMBERED)(self._search)

    # --- tables

    @property
    def exact(self) -> Exact:
        return Exact()

    @property
    def tables(self) -> tuple[str, ...]:
        return (self._file.stem,)

    @property
    def ready(self) -> bool:
        return self._learned is not None or read_table(self._file) is not None

    def prepare(self, report: Progress = no_progress) -> None:
        self.numbers(report)

    def numbers(self, report: Progress = no_progress) -> Learned:
        """What the search reads."""
        if self._learned is None:
            kept = table("sixbysix", self._key, self._practise, report)
            worlds = np.array([max(1, round(self.worlds * share)) for share in SHARES])
            # the kernels are compiled for arrays in memory, not for files
            learned = {name: np.array(array) for name, array in kept.items()}
            self._learned = arrays(Learned(worlds=worlds, **learned))
        return self._learned

    def _practise(self, report: Progress) -> Arrays:
        from pasch.games.sixbysix.values.practice import practise

        return practise(self.game, report)

    @property
    def _key(self) -> dict[str, Any]:
        game, streets = self.game, self.game.options.streets
        box, practice = msgspec.to_builtins(game.components), PRACTICE[streets]
        return table_key(game, components=box, streets=streets, practice=practice, players=game.players)

    @property
    def _file(self) -> Path:
        return table_path("sixbysix", self._key)

    # --- estimates, each from what the seat knows

    def _of(self, state: Position, seat: int, codes: tuple[int, ...], prospects: bool = False) -> Estimate:
        return self._estimate(state.view(seat), seat, codes, prospects)

    def _search(self, view: Position, seat: int, codes: tuple[int, ...], prospects: bool) -> Estimate:
        out = np.zeros((len(codes), 2))
        error = _compiled()(
            self._config, self.numbers(), record_of(view), seat, np.array(codes), prospects, out
        )
        return Estimate(tuple((float(first), float(second)) for first, second in out), float(error))

    # --- points

    def points(self, state: Any) -> tuple[float, ...]:
        """Each seat's expected chips at the end of the round under way, from what that seat knows."""
        if state.phase in ("deal", "over"):
            return tuple(map(float, state.chips))
        return tuple(
            self._points_of(state, seat, _codes_of(state, seat)) for seat in range(self.game.players)
        )

    def move_points(self, state: Any) -> tuple[float, ...]:
        """For each move the mover's expected chips at the end of the round; only its view is used."""
        codes = state.codes()
        return (
            tuple(chips for chips, _ in self._of(state, state.seat, tuple(codes)).values) if codes else ()
        )

    def entering_expectation(self, state: Any, event: Event) -> tuple[float, ...]:
        """With the deal what a round brings on average, from before anybody has seen a card."""
        if state.phase != "deal":
            return super().entering_expectation(state, event)
        chips = self.points(state)
        return tuple(self._points_of(state, seat, WAIT) - own for seat, own in enumerate(chips))

    def corrections(self, state: Any, event: Event) -> tuple[float, ...]:
        """What a seat gains by thinking when its turn has come."""
        after = state.apply(event)
        points = self.points(after)
        return tuple(best - self._points_of(after, seat, WAIT) for seat, best in enumerate(points))

    def _points_of(self, state: Position, seat: int, codes: tuple[int, ...]) -> float:
        """A seat's expected chips at the end of the round, if it has to choose among these moves."""
        if seat not in state.order or state.over:
            return float(state.chips[seat])
        return self._of(state, seat, codes).best[0]

    # --- all that is known

    def worth(self, state: Any) -> Value:
        if state.over:
            return ended(state)
        seats = range(self.game.players)
        win, value = zip(*(self._prospects_of(state, seat) for seat in seats), strict=True)
        concerned = self._of(state, state.seat, _codes_of(state, state.seat))
        turn = None if state.phase == "deal" else concerned.best[0] - state.chips[state.seat]
        return Value(turn, value, win, Exact(), concerned.error)

    def _prospects_of(self, state: Position, seat: int) -> tuple[float, float]:
        """A seat's chance to win and its expected final chips; who is out has none of either."""
        if seat not in state.order:
            return 0.0, 0.0
        return self._of(state, seat, _codes_of(state, seat), prospects=True).best

    def moves(self, state: Any) -> tuple[MoveValue, ...]:
        moves, codes = state.moves(), tuple(state.codes())
        if not moves:
            return ()
        prospects = self._of(state, state.seat, codes, prospects=True).values
        chips, points = state.chips[state.seat], self.move_points(state)
        return tuple(
            # a difference of estimates may be a little more than there is
            MoveValue(move, own - chips, max(0.0, value), min(max(0.0, win), 1.0))
            for move, own, (win, value) in zip(moves, points, prospects, strict=True)
        )


def _codes_of(state: Position, seat: int) -> tuple[int, ...]:
    """The moves of a seat, or waiting if it is not its turn."""
    return tuple(state.codes()) if state.actor == seat else WAIT


@lru_cache(maxsize=1)
def _compiled() -> Any:
    from pasch.solve.compiled import compile_plain

    return compile_plain(estimate)
