"""Chances to win a race of Crowns: positions are played to their end in many worlds, to see who wins.

Everybody plays quickly and to win (`winning_move`). The dice of a world are the same for all moves that are
compared, so that luck does not decide between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import highest, kernel
from pasch.core.state import OVER
from pasch.games.crowns.learned import ahead, pace_now, turns_after
from pasch.games.crowns.rules import (
    Config,
    Crowns,
    Position,
    cost,
    place,
    roll_row,
    rounds_left,
    scores,
)
from pasch.games.crowns.values.kernel import (
    IMPOSSIBLE,
    NO_LIMIT,
    Scratch,
    best_by_chips,
    best_of_roll,
    locate,
    new_scratch,
    table_value,
    value_placements,
)
from pasch.games.crowns.values.model import Model
from pasch.games.crowns.values.placements import Number, Reals, Whole
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain
from pasch.solve.records import record_of, record_type

#: the best move by points for each number of chips is played to the end, and this many others
OTHERS: Final = 4
#: in how many worlds
WORLDS: Final = 256
#: of the worlds, how many all of them are tried in, how many the better half, and so on
SHARES: Final = (1 / 8, 1 / 4, 1 / 2, 1.0)
NORMAL: Final = NormalDist()
#: states as compiled code takes them, whatever the number of players
STATE = record_type(Crowns(1))
#: the equally likely cases of a roll, and the rule that lets one of them come
CASES: Final = 6**DICE
chance = Crowns.rule_functions().chance


# --- compiled -----------------------------------------------------------------------------------------


@compile_plain
def value_roll(g: Config, v: Model, s: Any, scratch: Scratch) -> int:
    """Value the placements of the roll by the learned value, and return the pace at which that was done."""
    seat = s.seat
    # in the last turn the score alone counts, as it does at pace 0
    pace = 0 if turns_after(g, s.left, s.rounds, seat, seat) == 0 else pace_now(g, s.left, seat)
    value_placements(v, pace, s.boards[seat], s.left[seat], NO_LIMIT, roll_row(s), scratch)
    return pace


@compile_plain
def greedy_policy(g: Config, v: Model, s: Any, scratch: Scratch) -> tuple[int, int]:
    """The move for most points without looking ahead, and the pace at which it was chosen."""
    pace = value_roll(g, v, s, scratch)
    return best_of_roll(v.ways, roll_row(s), scratch)[0], pace


@compile_plain
def ahead_of(g: Config, v: Model, s: Any, points: Number, other: int, scratch: Scratch) -> Number:
    """How likely the mover, who expects these points, ends ahead of another seat, whose board was located, or equal.

    `s` already counts the chips that the mover has left. Final scores are taken to lie about what is expected as
    far as they did in self-play, independently of each other.
    """
    seat = s.seat
    if turns_after(g, s.left, s.rounds, seat, other) == 0:
        # at pace 0 the tables are the score
        pace, off = 0, 0.0
    else:
        pace = max(1, pace_now(g, s.left, other))
        off = np.float64(v.spread[pace, s.left[other]])
    if turns_after(g, s.left, s.rounds, seat, seat) > 0:
        own = np.float64(v.spread[pace_now(g, s.left, seat), s.left[seat]])
        off = np.sqrt(off * off + own * own)
    expects = table_value(v.tables[pace, s.left[other]], scratch.at, v.ways.table_steps[0])
    return ahead(points - np.float64(expects), off)


@compile_plain
def winning_move(g: Config, v: Model, s: Any, likely: Reals, scratch: Scratch) -> int:
    """The move that looks best for winning without looking ahead.

    How the others stand follows from how many chips the mover has left: the fewer, the sooner the race is over. So only
    the best move for each number of chips is of interest; `likely` gets how likely it wins.
    """
    seat, chips, points = s.seat, s.left[s.seat], scratch.points
    pace = value_roll(g, v, s, scratch)
    best_by_chips(v.ways, roll_row(s), scratch)
    for placed in range(DICE + 1):
        likely[placed] = 1.0
    for other in range(g.players):
        if other != seat and pace > 0:
            locate(s.boards[other], v.ways.table, scratch.at)
            for placed in range(DICE + 1):
                if points[placed] > IMPOSSIBLE:
                    s.left[seat] = chips - cost(g, placed)
                    likely[placed] *= ahead_of(g, v, s, np.float64(points[placed]), other, scratch)
    s.left[seat] = chips
    best, most = 0, -1.0
    for placed in range(DICE + 1):
        if points[placed] > IMPOSSIBLE:
            # of moves that win equally often the one for most points
            chance = likely[placed] + 1e-6 * points[placed]
            if chance > most:
                best, most = placed, chance
    return int(scratch.code[best])


@compile_plain
@kernel(allocates=True)
def rollout(
    g: Config,
    v: Model,
    state: NDArray[np.void],
    codes: Whole,
    which: Whole,
    worlds: tuple[int, int],
    dice: Whole,
    won: Reals,
) -> None:
    """Make each of the moves in `which` and play to the end in each of these worlds; `won` gets 1 for those who win.

    A code below 0 is no move: the dice have to be rolled. `dice` [world, round, seat] are the cases of the rolls to
    come, `won` is [move, world, seat].
    """
    scratch, likely, buffer = new_scratch(v), np.zeros(DICE + 1), np.empty(1, STATE)
    points, best = np.zeros(g.players, np.int64), np.zeros(g.players, np.bool_)
    for number in which:
        for world in range(worlds[0], worlds[1]):
            buffer[0] = state[0]
            s = buffer[0]
            if codes[number] >= 0:
                place(g, s, codes[number])
            first = s.rounds
            while s.actor != OVER:
                chance(g, s, dice[world, s.rounds - first, s.seat])
                place(g, s, winning_move(g, v, s, likely, scratch))
            scores(g, s, points)
            highest(points, g.players, best)
            for seat in range(g.players):
                won[number, world, seat] = best[seat]


# --- chances ------------------------------------------------------------------------------------------


def chances_before_roll(state: Position, g: Config, v: Model) -> Reals:
    """[seat] chance to be among the winners before a roll; `g` has arrays."""
    return _rollouts(state, g, v, [-1], [0])[0].mean(axis=0)


def chances_after_moves(state: Position, g: Config, v: Model, points: Reals) -> Reals:
    """[move, seat] chance to be among the winners after each move, which leads to these points.

    The best ones by points are played to the end in many worlds, all in the same ones. The others only get by how much
    they look worse than the best one that places as many chips: what the other seats do follows from that number alone.
    Moves that end the game are exact.
    """
    seat, codes = state.seat, state.codes()
    spent = [cost(g, g.chips[code]) for code in codes]
    found = (points >= points.max(axis=1)[:, None]).astype(np.float64)
    going = [number for number, move in enumerate(state.moves()) if not state.apply(move).over]
    if not going:
        return found
    going.sort(key=lambda number: -points[number, seat])
    best = {spent[number]: number for number in reversed(going)}
    others = [number for number in going if number not in best.values()]
    played = _rollouts(state, g, v, codes, [*best.values(), *others[:OTHERS]])
    top = max(played.values(), key=lambda won: (len(won), won[:, seat].mean()))
    for number, won in played.items():
        found[number] = top.mean(axis=0) + (won - top[: len(won)]).mean(axis=0)
    pace = pace_now(g, state.left, seat)
    for number in others[OTHERS:]:
        like = best[spent[number]]
        off = max(1.0, float(v.spread[pace, state.left[seat] - spent[number]]))
        worse = (points[like, seat] - points[number, seat]) / (2**0.5 * off)
        chance = _shifted(float(found[like, seat]), -worse)
        found[number] = found[like] + (found[like, seat] - chance) / (g.players - 1)
        found[number, seat] = chance
    return found.clip(0.0, 1.0)


def _rollouts(
    state: Position, g: Config, v: Model, codes: Sequence[int], tried: Sequence[int]
) -> dict[int, Reals]:
    """For each move tried who wins: [world, seat]. The worse ones are given up on the way."""
    players, seat = g.players, state.seat
    # the dice of all worlds follow from what the mover cannot have changed
    others = [other for other in range(players) if other != seat]
    known = [number for other in others for number in (state.boards[other], state.left[other])]
    generator = np.random.default_rng([state.rounds, seat, *known])
    dice = generator.integers(CASES, size=(WORLDS, rounds_left(g, state.rounds), players))
    won = np.zeros((len(codes), WORLDS, players))
    asked = g, v, np.array([record_of(state)]), np.array(codes)
    played: dict[int, Reals] = {}
    done = 0
    for share in SHARES if len(tried) > 1 else (1.0,):
        until = round(WORLDS * share)
        rollout(*asked, np.array(tried), (done, until), dice, won)
        done = until
        played |= {number: won[number, :done] for number in tried}
        order = sorted(tried, key=lambda number: -won[number, :done, seat].mean())
        tried = order[: max(2, (len(order) + 1) // 2)]
    return played


def _shifted(chance: float, by: float) -> float:
    """A chance after what it comes from has moved by this many standard deviations."""
    chance = min(max(chance, 0.5 / WORLDS), 1 - 0.5 / WORLDS)
    return NORMAL.cdf(NORMAL.inv_cdf(chance) + by)
