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
from zlib import crc32

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
#: how many of the moves that look best are played on, by points and by a guess at the chances
CLOSEST: Final = 4
#: in how many worlds, and in how many if there is nothing to choose
WORLDS: Final = 256
WORLDS_OF_ONE: Final = 256
#: of the worlds, how many all of them are tried in, how many the better half, and so on
SHARES: Final = (1 / 4, 1 / 2, 1.0)
#: where the normal distribution is looked at, in standard deviations, and how much each place weighs
_PLACES: Final = np.linspace(-4, 4, 41)
_WEIGHTS: Final = np.exp(-(_PLACES**2) / 2) / np.exp(-(_PLACES**2) / 2).sum()


class Rolls(NamedTuple):
    """For every roll the chips that its best placement places, and its value."""

    chips: Whole
    values: Reals


class Future(NamedTuple):
    """What lies before a seat that waits: the pace when it rolls, its chips, how many are of use later."""

    pace: int
    chips: int
    horizon: int


#: no turn any more: without chips a board is worth its score
FINISHED: Final = Future(0, 0, 0)


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

    def chances(self, positions: Sequence[CrownsState], points: Reals, seat: int) -> Reals:
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
        return tuple(map(float, points))

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

    def chances(self, positions: Sequence[CrownsState], points: Reals, seat: int) -> Reals:
        """[position, seat] chance to be among the winners; `seat` has chosen between these positions.

        Those that look best to it are played on to the end in many worlds, all in the same ones. Of the
        others it is only told by how much they look worse, and none of them is better than those.
        """
        guess = self._guess(positions, points)
        tried = np.union1d(np.argsort(-guess[:, seat])[:CLOSEST], np.argsort(-points[:, seat])[:CLOSEST])
        played = self._played_on(positions, tried, seat)
        best = max(played, key=lambda number: (len(played[number]), played[number][:, seat].mean()))
        top, lowest = played[best], 1.0
        found = np.empty_like(guess)
        for number, won in played.items():
            found[number] = top.mean(axis=0) + (won - top[: len(won)]).mean(axis=0)
            lowest = min(lowest, found[number, seat])
        for number in set(range(len(positions))) - played.keys():
            found[number] = found[best] + guess[number] - guess[best]
            found[number, seat] = min(found[number, seat], lowest)
        for number, position in enumerate(positions):
            if position.actor == OVER:
                found[number] = [other in position.winners() for other in range(self.game.players)]
        return found.clip(0.0, 1.0)

    def _played_on(self, positions: Sequence[CrownsState], tried: Whole, seat: int) -> dict[int, Reals]:
        """For each position tried who wins: [world, seat]. The worse ones are given up on the way."""
        from pasch.solve.crowns_chances import who_wins

        then, worlds = positions[0], WORLDS if len(positions) > 1 else WORLDS_OF_ONE
        boards = np.array([position.boards for position in positions], np.int64)
        left = np.array([position.left for position in positions], np.int64)
        others = [
            (board, chips)
            for other, (board, chips) in enumerate(zip(then.boards, then.left, strict=True))
            if other != seat
        ]
        seed = crc32(repr((then.rounds, seat, others)).encode())
        won = np.zeros((len(positions), worlds, self.game.players))
        rounds, limit = then.rounds, self.game.options.round_limit
        played: dict[int, Reals] = {}
        done = 0
        for share in SHARES if len(tried) > 1 else (1.0,):
            until = round(worlds * share)
            who_wins(
                boards, left, then.seat, rounds, limit, tried, (done, until), seed,
                self.tables, self.net, self.rules, won,
            )  # fmt: skip
            done = until
            played |= {int(number): won[number, :done] for number in tried}
            order = sorted(tried, key=lambda number: -won[number, :done, seat].mean())
            tried = np.array(order[: max(2, (len(order) + 1) // 2)])
        return played

    def _guess(self, positions: Sequence[CrownsState], points: Reals) -> Reals:
        """A quick guess at the chances.

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
        points[state.seat] = self.mean(rolls.values)
        for other in range(self.game.players):
            if other == state.seat or (other == seat and not len(boards)):
                continue
            futures: dict[Future, float] = {}
            for placed in np.flatnonzero(often):
                future = self._future(state, other, self._left_after(state, int(placed)))
                futures[future] = futures.get(future, 0.0) + often[placed]
            for future, share in futures.items():
                if other == seat:
                    many += share * self._worth(future, boards)
                else:
                    points[other] += share * self._worth_of(future, state.boards[other])
        return points, many

    def _waiting(self, state: CrownsState, seat: int, left: tuple[int, ...]) -> float:
        return self._worth_of(self._future(state, seat, left), state.boards[seat])

    def _future(self, state: CrownsState, seat: int, left: tuple[int, ...]) -> Future:
        """What lies before a seat, the turn of `state.seat` having left all so many chips.

        The seat is looked at when it will roll next; who rolls before it is taken to do as is usual.
        """
        from pasch.solve.crowns_race import pace_at_turn

        turns = self.turns_left(state, seat) - (seat == state.seat)
        if 0 in left:  # the last round: who has been in it has finished
            return Future(0, left[seat], 0) if turns and seat > state.seat else FINISHED
        if not turns:
            return FINISHED
        horizon = min(PER_ROUND * (turns - 1), self.game.components.chips.number)
        return Future(pace_at_turn(np.array(left), seat, state.seat), left[seat], horizon)

    def _worth(self, future: Future, boards: Whole) -> Reals:
        """What each of these boards is worth with that future."""
        from pasch.solve.crowns_kernel import look_ahead

        chips = np.full(len(boards), future.chips)
        tables = self.tables[future.pace]
        return look_ahead(boards, chips, future.horizon, tables, self.net, self.rules)

    def _worth_of(self, future: Future, board: int) -> float:
        return float(self._worth(future, np.array([board], np.int64))[0])

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
