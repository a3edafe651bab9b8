"""Values of Crowns: alone fitted to solved values, otherwise learned; all look a roll ahead (docs/values.md).

Before a roll a position is worth the exact mean, over all 462 rolls, of the best board's value by the weights
(`model`); a move is worth what the position after it is worth before the next roll. For boxes of your own the weights
are learned from self-play on first need and kept in the cache folder (`training`); they lack the net.

**Races.** Everybody is taken to play for points. Who waits is looked at when it will roll next: what the next seat does
is averaged exactly, and those who roll after it are taken to place two chips. What happens in the rest of the round in
which the last chip falls is exact. Chances to win are estimates (`chances`).

**The ledger.** A roll's luck is measured by the value of boards, before and after alike, so that it averages
zero exactly. Then one roll more is looked ahead to judge the moves, which changes the estimate a little;
`corrections` keeps this correction apart from luck and from costs.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import CHANCE
from pasch.games.crowns.rules import Config, Crowns, Position
from pasch.games.crowns.values.model import Arrays, Model, model_key, seal_of, shipped, unpack
from pasch.games.crowns.values.placements import Reals
from pasch.solve.keys import table_key
from pasch.solve.records import arrays, record_of
from pasch.solve.tables import read_table, table, table_path
from pasch.solve.valuer import Exact, MoveValue, Progress, Value, Valuer, ended, no_progress

#: the name of kept weights
NAME: Final = "crowns"
#: positions whose moves' values are remembered
REMEMBERED: Final = 256


def __getattr__(name: str) -> Any:
    """`move_values` and `best_worths`, for batches: imported lazily, because their module needs the compiler."""
    if name in ("move_values", "best_worths"):
        from pasch.games.crowns.values import kernel

        return getattr(kernel, name)
    raise AttributeError(name)


def weights(game: Crowns, report: Progress = no_progress) -> Arrays:
    """The weights to be used for a game: those that ship with the package, or else learned now."""
    ours = shipped(game)
    if ours is not None:
        return ours

    def build(report: Progress) -> Arrays:
        from pasch.games.crowns.values import training

        return training.quickly(game, report)

    learned = table(NAME, table_key(game, **model_key(game)), build, report)
    return {name: np.asarray(view) for name, view in learned.items()}


@lru_cache(maxsize=2)
def _compiled(name: str) -> Any:
    """A function of `kernel`, compiled."""
    from pasch.games.crowns.values import kernel
    from pasch.solve.compiled import compile_plain

    return compile_plain(getattr(kernel, name))


class Values(Valuer):
    """The values of one game with its options."""

    game: Crowns
    #: looking a roll ahead for every move, a game takes half a second
    games_at_once: Final = 4

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        self._model: Model | None = None
        # player, coach and ledger ask about the same position one after the other
        self._after = lru_cache(maxsize=REMEMBERED)(self._after_moves)

    # --- weights

    @property
    def exact(self) -> Exact:
        return Exact()

    @cached_property
    def tables(self) -> tuple[str, ...]:
        # weights learned on first need are others on every machine
        return (f"{NAME}-{seal_of(self.game, weights(self.game))[:20]}",)

    @property
    def ready(self) -> bool:
        if self._model is not None or shipped(self.game) is not None:
            return True
        return read_table(table_path(NAME, table_key(self.game, **model_key(self.game)))) is not None

    def prepare(self, report: Progress = no_progress) -> None:
        self.numbers(report)

    @property
    def remarks(self) -> tuple[str, ...]:
        return (
            "Crowns alone can be solved nearly exactly from a clone of the repository: `python -m research crowns`",
        )

    def numbers(self, report: Progress = no_progress) -> Model:
        """What was learned, as `move_values` reads it."""
        if self._model is None:
            self._model = unpack(self.game, weights(self.game, report))
        return self._model

    @cached_property
    def _asked(self) -> tuple[Config, Model]:
        """What compiled code reads of game and model."""
        return arrays(self.game.config), self.numbers()

    # --- points

    def _after_moves(self, state: Position) -> Reals:
        """[move, seat] expected final scores after each move."""
        from pasch.games.crowns.values.kernel import EVERY, new_scratch

        codes, scratch = np.array(state.codes()), new_scratch(self._asked[1])
        found = np.zeros((len(codes), self.game.players))
        _compiled("after_moves")(
            *self._asked, record_of(state), codes, len(codes), True, EVERY, scratch, found
        )
        found.flags.writeable = False
        return found

    def quick_points(self, state: Position) -> tuple[float, ...]:
        """Each seat's expected final score by the learned value: before a roll, with its dice, or at the end."""
        found = np.zeros(self.game.players)
        _compiled("quick_values")(*self._asked, record_of(state), found)
        return tuple(found.tolist())

    def points(self, state: Any) -> tuple[float, ...]:
        return self._best(self._after(state), state) if state.phase == "place" else self.quick_points(state)

    def _best(self, after: Reals, state: Position) -> tuple[float, ...]:
        """What the move leads to that brings the mover most."""
        return tuple(map(float, after[after[:, state.seat].argmax()]))

    def move_points(self, state: Any) -> tuple[float, ...]:
        if state.phase != "place":
            return ()
        return tuple(map(float, self._after(state)[:, state.seat]))

    def corrections(self, state: Any, event: Event) -> tuple[float, ...]:
        """What looking further changes once the dice lie there: neither luck nor anybody's mistake."""
        after = state.apply(event)
        if state.actor != CHANCE or not isinstance(after, Position):
            return (0.0,) * self.game.players
        quick = self.quick_points(after)
        return tuple(new - old for new, old in zip(self.points(after), quick, strict=True))

    # --- all that is known

    def worth(self, state: Any) -> Value:
        if state.over:
            return ended(state)
        now, value = state.scores(), self.points(state)
        if self.game.players == 1:
            error = float(self.numbers().error[state.left[0]])
            return Value(value[0] - now[0], value, (1.0,), Exact(), error)
        if state.phase == "place":
            win = self._best(self._chances(state), state)
        else:
            from pasch.games.crowns.values.chances import chances_before_roll

            win = tuple(map(float, chances_before_roll(state, *self._asked)))
        return Value(value[state.seat] - now[state.seat], value, win, Exact())

    def moves(self, state: Any) -> tuple[MoveValue, ...]:
        moves = state.moves()
        if not moves:
            return ()
        now, seat = state.scores()[state.seat], state.seat
        return tuple(
            MoveValue(move, points - now, points, float(win[seat]))
            for move, points, win in zip(moves, self.move_points(state), self._chances(state), strict=True)
        )

    def _chances(self, state: Position) -> Reals:
        """[move, seat] chance to be among the winners; alone one always wins."""
        from pasch.games.crowns.values.chances import chances_after_moves

        points = self._after(state)
        if self.game.players == 1:
            return np.ones_like(points)
        return chances_after_moves(state, *self._asked, points)
