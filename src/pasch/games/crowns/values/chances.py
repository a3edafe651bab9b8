"""Chances to win a race of Crowns: positions are played on to their end in many worlds, to see who wins.

Everybody plays quickly and for points. The dice of a world are the same for all positions that are compared, so that
luck does not decide between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart, highest
from pasch.core.state import OVER
from pasch.games.crowns.learned import pace_now
from pasch.games.crowns.rules import (
    Agreed,
    Crowns,
    CrownsState,
    Numbers,
    cases,
    chance,
    move,
    rounds_left,
    scores,
    turns_after,
)
from pasch.games.crowns.values.kernel import (
    WorkingMemory,
    choose,
    new_memory,
    value_of_roll,
    value_placements,
)
from pasch.games.crowns.values.model import BoardTables, Floats, Number, Whole
from pasch.games.crowns.values.outlook import Reals
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, record_of, record_type

#: how many of the moves that look best are played on, by points and by a guess at the chances
CLOSEST: Final = 4
#: in how many worlds
WORLDS: Final = 256
#: of the worlds, how many all of them are tried in, how many the better half, and so on
SHARES: Final = (1 / 4, 1 / 2, 1.0)
#: all placements are judged: there is no net to be spared
ALL = np.float32(1e9)
#: states as compiled code takes them, whatever the number of players
STATE = record_type(Crowns(1))
#: where the normal distribution is looked at, in standard deviations, and how much each place weighs
_PLACES: Final = np.linspace(-4, 4, 41)
_WEIGHTS: Final = np.exp(-(_PLACES**2) / 2) / np.exp(-(_PLACES**2) / 2).sum()


# --- compiled -----------------------------------------------------------------------------------------


@compile_plain
def quick_move(g: Agreed, v: BoardTables, s: Numbers, memory: WorkingMemory) -> tuple[int, int]:
    """The move that looks best without looking ahead, and the pace at which it was chosen."""
    # in the last round the score alone counts, as it does at pace 0
    last = turns_after(g, s.left, s.rounds, s.seat, s.seat) == 0
    pace = 0 if last else pace_now(g, s.left, s.seat)
    code, _ = choose(v, pace, s.boards[s.seat], s.left[s.seat], s.roll, ALL, memory)
    return code, pace


@compile_plain
def play_on(g: Agreed, v: BoardTables, s: Numbers, dice: Whole, memory: WorkingMemory) -> None:
    """Play a race to its end. `dice` [round, seat] are the cases of the rolls to come."""
    first = s.rounds
    while s.actor != OVER:
        chance(g, s, dice[s.rounds - first, s.seat])
        move(g, s, quick_move(g, v, s, memory)[0])


@compile_plain
@apart
def who_wins(
    g: Agreed,
    v: BoardTables,
    states: NDArray[np.void],
    which: Whole,
    worlds: tuple[int, int],
    dice: Whole,
    won: Reals,
) -> None:
    """Play on from each state in `which` in each of these worlds; `won` gets 1 for those who win.

    `dice` is [world, round, seat], `won` is [state, world, seat].
    """
    memory, room = new_memory(v), np.empty(1, STATE)
    points, best = np.zeros(g.players, np.int64), np.zeros(g.players, np.bool_)
    for number in which:
        for world in range(worlds[0], worlds[1]):
            room[0] = states[number]
            play_on(g, v, room[0], dice[world], memory)
            scores(g, room[0], points)
            highest(points, g.players, best)
            for seat in range(g.players):
                won[number, world, seat] = best[seat]


@compile_plain
def spread_of_roll(v: BoardTables, board: Number, chips: int, memory: WorkingMemory) -> Number:
    """Standard deviation of the score if one more roll is made for the score alone."""
    value_placements(v, 0, board, chips, 0, memory)
    mean, square = 0.0, 0.0
    for roll in range(v.ways.cases.shape[0]):
        value = np.float64(value_of_roll(v.ways, roll, memory.values))
        mean += v.ways.cases[roll] * value / v.ways.total
        square += v.ways.cases[roll] * value * value / v.ways.total
    return np.sqrt(max(0.0, square - mean * mean))


# --- chances ------------------------------------------------------------------------------------------


class RaceChances:
    """The chances to win of positions of one game for several players."""

    def __init__(self, game: Crowns, v: BoardTables, spread: Floats) -> None:
        self.game, self.v = game, v
        #: [pace, chips left] standard deviation of the final score about its expectation
        self.spread = spread
        self._agreed = arrays(game.agreed)

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
        won = np.zeros((len(positions), WORLDS, self.game.players))
        states, dice = (
            np.array([record_of(position) for position in positions]),
            self._dice(positions[0], seat),
        )
        played: dict[int, Reals] = {}
        done = 0
        for share in SHARES if len(tried) > 1 else (1.0,):
            until = round(WORLDS * share)
            who_wins(self._agreed, self.v, states, tried, (done, until), dice, won)
            done = until
            played |= {int(number): won[number, :done] for number in tried}
            order = sorted(tried, key=lambda number: -won[number, :done, seat].mean())
            tried = np.array(order[: max(2, (len(order) + 1) // 2)])
        return played

    def _dice(self, position: CrownsState, seat: int) -> Whole:
        """[world, round, seat] the dice of all worlds; they follow from what `seat` cannot have changed."""
        others = [other for other in range(self.game.players) if other != seat]
        known = [(position.boards[other], position.left[other]) for other in others]
        generator = np.random.default_rng(
            [position.rounds, seat, *(number for both in known for number in both)]
        )
        g, players = self.game.agreed, self.game.players
        total = cases(g, position.numbers())
        return generator.integers(total, size=(WORLDS, rounds_left(g, position.rounds), players))

    def _guess(self, positions: Sequence[CrownsState], points: Reals) -> Reals:
        """A quick guess at the chances.

        Final scores are taken to lie about the points as far as they did in self-play, normally and
        independently of each other. They are whole numbers, so half a crown less is still a tie.
        """
        spread = np.array([self._spreads(position) for position in positions])
        found = np.zeros_like(points)
        for seat in range(points.shape[1]):
            totals = points[:, seat, None] + spread[:, seat, None] * _PLACES
            likely = np.ones_like(totals)
            for other in range(points.shape[1]):
                if other != seat:
                    ahead = totals + 0.5 - points[:, other, None]
                    likely *= _normal(ahead / np.maximum(spread[:, other, None], 0.05))
            found[:, seat] = likely @ _WEIGHTS
        return found

    def _spreads(self, position: CrownsState) -> list[float]:
        """How far each seat's final score lies about its points, before a roll."""
        if position.actor == OVER:
            return [0.0] * self.game.players
        g, left, roller = self.game.agreed, position.left, position.seat
        spreads = []
        for seat in range(self.game.players):
            turns = turns_after(g, left, position.rounds, roller, seat) + (seat == roller)
            if turns > 1:
                spreads.append(float(self.spread[pace_now(g, left, seat), left[seat]]))
            elif turns == 1:
                memory = new_memory(self.v)
                spreads.append(float(spread_of_roll(self.v, position.boards[seat], left[seat], memory)))
            else:
                spreads.append(0.0)
        return spreads


def _normal(x: Reals) -> Reals:
    """The normal distribution's share below x, to three decimals."""
    found: Reals = 0.5 * (1 + np.tanh(0.7978846 * (x + 0.044715 * x**3)))
    return found
