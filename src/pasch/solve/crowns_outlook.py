"""Crowns: what a position promises, looking one roll ahead: alone, and in a race.

Both outlooks answer the same questions. `before_roll` is the exact mean over all rolls of what the best
placement leads to by the learned value (`after_roll`); `after_moves` is `before_roll` of the positions
after each move. So moves are compared by one more roll than the learned value knows of.

When the rounds may run out before the chips do, only so many chips count as left as can be placed in that
time. That is a rough guess but for the last round, when the score alone counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import OVER
from pasch.games.crowns import Crowns, CrownsState, placement_table
from pasch.solve.crowns_model import PACE, Model, RaceModel, Whole, rules_of

Reals = NDArray[np.float64]

#: chips that are placed in a round when rounds are short
PER_ROUND: Final = 2
#: boards whose next rolls are remembered
REMEMBERED: Final = 256
#: where the normal distribution is looked at, in standard deviations, and how much each place weighs
_PLACES: Final = np.linspace(-4, 4, 41)
_WEIGHTS: Final = np.exp(-(_PLACES**2) / 2) / np.exp(-(_PLACES**2) / 2).sum()


class Rolls(NamedTuple):
    """For every roll the chips that its best placement places, and its value."""

    chips: Whole
    values: Reals


class Outlook:
    """What is the same alone and in a race."""

    def __init__(self, game: Crowns, tables: NDArray[np.float32], net: Any) -> None:
        self.game = game
        self.rules = rules_of(game)
        self.tables, self.net = tables, net
        self._ahead = lru_cache(maxsize=REMEMBERED)(self._look)

    @cached_property
    def numbers(self) -> dict[tuple[int, ...], int]:
        """The number of each roll."""
        rolls = placement_table(self.game.options.split).rolls
        return {roll: number for number, roll in enumerate(rolls)}

    def turns_left(self, state: CrownsState, seat: int) -> int:
        """How many turns a seat has at most, the one under way included."""
        limit, rounds = self.game.options.round_limit, state.rounds
        return limit - rounds - (seat < state.seat)

    def _look(self, pace: int, board: int, chips: int, horizon: int) -> Rolls:
        from pasch.solve.crowns_kernel import rolls_ahead

        tables = self.tables[pace] if self.tables.ndim == 3 else self.tables
        choices, values = rolls_ahead(board, chips, horizon, tables, self.net, self.rules)
        return Rolls(self.rules.chips[choices], values)

    def mean(self, values: Reals) -> float:
        """The mean over all rolls."""
        return float(values @ self.rules.cases) / len(self.rules.lottery)


class Alone(Outlook):
    """The outlook of a single player."""

    def __init__(self, game: Crowns, model: Model) -> None:
        super().__init__(game, model.tables, model.net)
        self.model = model

    def before_roll(self, state: CrownsState) -> tuple[float, ...]:
        if state.actor == OVER:
            return tuple(map(float, state.scores()))
        return (self.mean(self._rolls(state).values),)

    def after_roll(self, state: CrownsState) -> tuple[float, ...]:
        return (float(self._rolls(state).values[self.numbers[state.rolled]]),)

    def after_moves(self, state: CrownsState) -> Reals:
        """[move, seat] expected final scores."""
        from pasch.solve.crowns_kernel import look_ahead

        after = [state.apply(move) for move in state.moves()]
        if after[0].rounds == self.game.options.round_limit:
            return np.array([position.scores() for position in after], np.float64)
        boards = np.array([position.boards[0] for position in after], np.int64)
        chips = np.array([position.left[0] for position in after], np.int64)
        found = look_ahead(boards, chips, self._horizon(after[0]), self.tables, self.net, self.rules)
        return found[:, None]

    def chances(self, positions: Sequence[CrownsState], points: Reals) -> Reals:
        """Alone one always wins."""
        return np.ones_like(points)

    def _rolls(self, state: CrownsState) -> Rolls:
        return self._ahead(0, state.boards[0], state.left[0], self._horizon(state))

    def _horizon(self, state: CrownsState) -> int:
        """How many chips can still be of use after the roll to come, or the one that lies there."""
        return min(PER_ROUND * (self.turns_left(state, 0) - 1), state.game.components.chips.number)


class Race(Outlook):
    """The outlook of every seat of a race."""

    def __init__(self, game: Crowns, model: RaceModel) -> None:
        super().__init__(game, model.tables, model.net)
        self.model = model

    def before_roll(self, state: CrownsState) -> tuple[float, ...]:
        if state.actor == OVER:
            return tuple(map(float, state.scores()))
        points, _ = self._before(state, state.seat, np.zeros(0, np.int64))
        return tuple(points)

    def after_roll(self, state: CrownsState) -> tuple[float, ...]:
        rolls, number = self._rolls(state), self.numbers[state.rolled]
        left = self._left_after(state, int(rolls.chips[number]))
        points = [self._waiting(state, seat, left) for seat in range(self.game.players)]
        points[state.seat] = float(rolls.values[number])
        return tuple(points)

    def after_moves(self, state: CrownsState) -> Reals:
        """[move, seat] expected final scores.

        The others' outlook follows from how many chips the mover has left, not from where they lie.
        """
        after = [state.apply(move) for move in state.moves()]
        found = np.zeros((len(after), self.game.players))
        left = np.array([position.left[state.seat] for position in after])
        boards = np.array([position.boards[state.seat] for position in after], np.int64)
        for chips in np.unique(left):
            places = np.flatnonzero(left == chips)
            position = after[places[0]]
            if position.actor == OVER:
                found[places] = [after[place].scores() for place in places]
                continue
            points, own = self._before(position, state.seat, boards[places])
            found[places] = points
            found[places, state.seat] = own
        return found

    def chances(self, positions: Sequence[CrownsState], points: Reals) -> Reals:
        """[position, seat] chance to be among the winners.

        Final scores are taken to lie about the points as far as they did in self-play, normally and
        independently of each other. They are whole numbers, so half a crown less is still a tie.
        """
        spread = np.array([self._spreads(position) for position in positions])
        found = np.zeros_like(points)
        for seat in range(points.shape[1]):
            scores = points[:, seat, None] + spread[:, seat, None] * _PLACES
            chance = np.ones_like(scores)
            for other in range(points.shape[1]):
                if other != seat:
                    ahead = scores + 0.5 - points[:, other, None]
                    chance *= _normal(ahead / np.maximum(spread[:, other, None], 0.05))
            found[:, seat] = chance @ _WEIGHTS
        return found

    def _before(self, state: CrownsState, seat: int, boards: Whole) -> tuple[Reals, Reals]:
        """Each seat's points before a roll; and those of `seat`, which waits, had it each of `boards`."""
        rolls = self._rolls(state)
        points, many = np.zeros(self.game.players), np.zeros(len(boards))
        often = np.bincount(rolls.chips, weights=self.rules.cases) / len(self.rules.lottery)
        for placed in np.flatnonzero(often):
            left = self._left_after(state, int(placed))
            for other in range(self.game.players):
                if other == state.seat:
                    continue
                if other == seat:
                    many += often[placed] * self._standing(state, seat, left, boards)
                else:
                    points[other] += often[placed] * self._waiting(state, other, left)
        points[state.seat] = self.mean(rolls.values)
        return points, many

    def _waiting(self, state: CrownsState, seat: int, left: tuple[int, ...]) -> float:
        board = np.array([state.boards[seat]], np.int64)
        return float(self._standing(state, seat, left, board)[0])

    def _standing(self, state: CrownsState, seat: int, left: tuple[int, ...], boards: Whole) -> Reals:
        """Points of a seat with each of `boards`, the others' turn having left so many chips to all."""
        from pasch.solve.crowns_kernel import look_ahead, values_as_they_stand

        turns = self.turns_left(state, seat) - (seat == state.seat)
        ended = 0 in left
        if ended:
            turns = min(turns, int(seat > state.seat))
        chips = np.full(len(boards), left[seat], np.int64)
        if not turns:
            chips[:] = 0
        elif ended or turns == 1:
            return look_ahead(boards, chips, 0, self.tables[0], self.net, self.rules)
        np.minimum(chips, PER_ROUND * turns, out=chips)
        pace = _pace(left, seat)
        found = values_as_they_stand(boards, chips, self.tables[pace], self.net, self.rules)
        return found.astype(np.float64)

    def _rolls(self, state: CrownsState) -> Rolls:
        """The rolls of the seat whose turn it is."""
        seat = state.seat
        horizon = min(PER_ROUND * (self.turns_left(state, seat) - 1), state.game.components.chips.number)
        return self._ahead(_pace(state.left, seat), state.boards[seat], state.left[seat], horizon)

    def _left_after(self, state: CrownsState, placed: int) -> tuple[int, ...]:
        seat = state.seat
        return (*state.left[:seat], state.left[seat] - placed, *state.left[seat + 1 :])

    def _spreads(self, state: CrownsState) -> list[float]:
        """How far each seat's final score lies about its points."""
        if state.actor == OVER:
            return [0.0] * self.game.players
        ended = 0 in state.left
        spreads = []
        for seat, left in enumerate(state.left):
            pace = _pace(state.left, seat)
            if ended and seat >= state.seat and left:  # one more roll, for the score alone
                values = self._ahead(0, state.boards[seat], left, 0).values
                spreads.append(max(0.0, self.mean(values**2) - self.mean(values) ** 2) ** 0.5)
            else:
                spreads.append(0.0 if ended else float(self.model.spread[pace, left]))
        return spreads


def _pace(left: tuple[int, ...], seat: int) -> int:
    """The pace that the others make."""
    fewest = min(chips for other, chips in enumerate(left) if other != seat)
    return PACE[min(fewest, len(PACE) - 1)]


def _normal(x: Reals) -> Reals:
    """The normal distribution's share below x, to three decimals."""
    found: Reals = 0.5 * (1 + np.tanh(0.7978846 * (x + 0.044715 * x**3)))
    return found
