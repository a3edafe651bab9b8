"""Values of Crowns: alone fitted to solved values, otherwise learned; all look a roll ahead.

**Alone, fitted.** Small weights (`model` says of what they are made) were fitted to the values of the game with its
edge relaxed, which `python -m research crowns` solves in a clone, on boards of all kinds of play, so that they are
right on average for weak players, too. Before a roll a position is worth the exact mean, over all 462 rolls, of the
best board's value by these weights; a move is worth what the position after it is worth before the next roll. `error`
is how far this usually corrects itself until the end of the game.

**Alone, learned.** For boxes of your own, tables are learned from self-play on first need, in about a
minute, and kept in the cache folder (`training`). They lack the net, play a little worse and know less of
boards that only weak players reach.

**Races.** With several players the end comes when somebody's last chip is down, so that the learned value
also knows the *pace*, the fewest chips that an opponent has left when one rolls. It was learned among
others who play for points and some who just place chips (`race`); everybody is taken to
play for points. Who waits is looked at when it will roll next: what the next seat does is averaged exactly,
and those who roll after it are taken to place two chips. What happens in the rest of the round in which the
last chip falls is exact.

**Chances to win a race** are estimates. The position is played on to its end in 256 worlds, by everybody
quickly and to win: who is ahead hurries, who is behind waits. Of the moves only those that look best are played on,
all in the same worlds (`chances`). An estimate's standard error is three hundredths at most, that
of a difference between moves is smaller.

**The ledger.** A roll's luck is measured by the value of boards, before and after alike, so that it averages
zero exactly. Then one roll more is looked ahead to judge the moves, which changes the estimate a little;
`corrections` keeps this correction apart from luck and from costs.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import CHANCE, State
from pasch.games.crowns.rules import Crowns, Position
from pasch.games.crowns.values.model import (
    Arrays,
    BoardTables,
    Model,
    RaceModel,
    model_key,
    seal_of,
    shipped,
    unpack,
)
from pasch.solve.keys import table_key
from pasch.solve.tables import read_table, table, table_path
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent

if TYPE_CHECKING:
    from pasch.games.crowns.values.chances import RaceChances

Reals = NDArray[np.float64]

#: the name of kept weights
NAME: Final = "crowns"
#: positions whose moves' values are remembered
REMEMBERED: Final = 256


def __getattr__(name: str) -> Any:
    """`worths` and `best_worths`, for batches: imported lazily, because their module needs the compiler."""
    if name in ("worths", "best_worths"):
        from pasch.games.crowns.values import lookahead

        return getattr(lookahead, name)
    raise AttributeError(name)


def weights(game: Crowns, report: Report = silent) -> Arrays:
    """The weights to be used for a game: those that ship with the package, or else learned now."""
    ours = shipped(game)
    if ours is not None:
        return ours

    def build(report: Report) -> Arrays:
        from pasch.games.crowns.values import training

        return training.quickly(game, report)

    learned = table(NAME, table_key(game, **model_key(game)), build, report)
    return {name: np.asarray(view) for name, view in learned.items()}


class Values(Valuer):
    """The values of one game with its options."""

    game: Crowns
    #: looking a roll ahead for every move, a game takes half a second
    games_at_once: Final = 4

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        self._model: Model | RaceModel | None = None
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

    def prepare(self, report: Report = silent) -> None:
        if self._model is None:
            self._model = unpack(self.game, weights(self.game, report))

    @property
    def remarks(self) -> tuple[str, ...]:
        return (
            "Crowns alone can be solved nearly exactly from a clone of the repository: `python -m research crowns`",
        )

    @property
    def model(self) -> Model | RaceModel:
        """What was learned."""
        self.prepare()
        assert self._model is not None
        return self._model

    def numbers(self) -> BoardTables:
        """The tables that `worths` reads."""
        return self.model.learned(self.game)

    @cached_property
    def _learned(self) -> BoardTables:
        return self.numbers()

    @cached_property
    def _race_chances(self) -> RaceChances:
        from pasch.games.crowns.values.chances import RaceChances

        assert isinstance(self.model, RaceModel)
        return RaceChances(self.game, self._learned, self.model.spread)

    # --- points

    def _after_moves(self, state: Position) -> Reals:
        """[move, seat] expected final scores after each move."""
        from pasch.games.crowns.values.lookahead import after_moves

        codes = state.codes()
        found = np.zeros((len(codes), self.game.players))
        after_moves(self.game.config, self._learned, state.unpack(), codes, len(codes), True, found)
        found.flags.writeable = False
        return found

    def before_roll(self, state: Position) -> tuple[float, ...]:
        """Each seat's expected final score before a roll, or when the game is over."""
        from pasch.games.crowns.values.lookahead import before_roll

        found = np.zeros(self.game.players)
        before_roll(self.game.config, self._learned, state.unpack(), found)
        return tuple(found.tolist())

    def after_roll(self, state: Position) -> tuple[float, ...]:
        """Each seat's expected final score with the dice that lie there, by the learned value."""
        from pasch.games.crowns.values.lookahead import after_roll

        found = np.zeros(self.game.players)
        after_roll(self.game.config, self._learned, state.unpack(), found)
        return tuple(found.tolist())

    def points(self, state: State) -> tuple[float, ...]:
        assert isinstance(state, Position)
        if state.phase != "place":
            return self.before_roll(state)
        after = self._after(state)
        return tuple(map(float, after[after[:, state.seat].argmax()]))

    def move_points(self, state: State) -> tuple[float, ...]:
        assert isinstance(state, Position)
        if state.phase != "place":
            return ()
        return tuple(map(float, self._after(state)[:, state.seat]))

    def corrections(self, state: State, event: Event) -> tuple[float, ...]:
        """What looking further changes once the dice lie there: neither luck nor anybody's mistake."""
        after = state.apply(event)
        if state.actor != CHANCE or not isinstance(after, Position):
            return (0.0,) * self.game.players
        quick = self.after_roll(after)
        return tuple(new - old for new, old in zip(self.points(after), quick, strict=True))

    # --- all that is known

    def worth(self, state: State) -> Worth:
        assert isinstance(state, Position)
        now = state.scores()
        if state.over:
            won = tuple(float(seat in state.winners()) for seat in range(self.game.players))
            exact = Exact(turn=True, value=True, win=True)
            return Worth(None, tuple(map(float, now)), won, exact)
        if state.phase == "place":
            after = self._after(state)
            chances = self._chances(state, after)
            points = after[after[:, state.seat].argmax()]
            win = chances[chances[:, state.seat].argmax()]
        else:
            points = np.array(self.before_roll(state))
            win = self._race_chances.before_roll(state) if self.game.players > 1 else np.ones(1)
        value = tuple(map(float, points))
        return Worth(
            value[state.seat] - now[state.seat], value, tuple(map(float, win)), Exact(), self._error(state)
        )

    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        assert isinstance(state, Position)
        moves = state.moves()
        if not moves:
            return ()
        after = self._after(state)
        chances = self._chances(state, after)
        now, seat = state.scores()[state.seat], state.seat
        return tuple(
            MoveWorth(move, float(points[seat]) - now, float(points[seat]), float(win[seat]))
            for move, points, win in zip(moves, after, chances, strict=True)
        )

    def _chances(self, state: Position, points: Reals) -> Reals:
        """[move, seat] chance to be among the winners; alone one always wins."""
        if self.game.players == 1:
            return np.ones_like(points)
        return self._race_chances.after_moves(state, points)

    def _error(self, state: Position) -> float | None:
        return float(self.model.error[state.left[0]]) if isinstance(self.model, Model) else None
