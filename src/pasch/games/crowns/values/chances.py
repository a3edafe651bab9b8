"""Chances to win a race of Crowns: positions are played on to their end in many worlds, to see who wins.

Everybody plays quickly and to win (`winning_move`). The dice of a world are the same for all moves that are
compared, so that luck does not decide between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart, highest
from pasch.core.state import OVER
from pasch.games.crowns.learned import ahead, pace_now, turns_after
from pasch.games.crowns.rules import (
    Config,
    Crowns,
    Position,
    cost,
    ends_game,
    place,
    roll_row,
    rounds_left,
    scores,
)
from pasch.games.crowns.values.kernel import (
    NO_LIMIT,
    Scratch,
    best_by_chips,
    choose,
    locate,
    new_scratch,
    table_value,
    value_placements,
)
from pasch.games.crowns.values.model import BoardTables
from pasch.games.crowns.values.net import IMPOSSIBLE
from pasch.games.crowns.values.placements import Floats, Number, Reals, Whole
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, record_of, record_type

#: the best move by points for each number of chips is played on, and so many others
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
def last_turn(g: Config, s: Any) -> bool:
    """Whether the turn of the seat that has to move is its last one for certain."""
    return turns_after(g, s.left, s.rounds, s.seat, s.seat) == 0


@compile_plain
def quick_move(g: Config, v: BoardTables, s: Any, scratch: Scratch) -> tuple[int, int]:
    """The move for most points without looking ahead, and the pace at which it was chosen."""
    # in the last turn the score alone counts, as it does at pace 0
    pace = 0 if last_turn(g, s) else pace_now(g, s.left, s.seat)
    code, _ = choose(v, pace, s.boards[s.seat], s.left[s.seat], roll_row(s), scratch)
    return code, pace


@compile_plain
def ahead_of(
    g: Config, v: BoardTables, spread: Floats, s: Any, points: Number, other: int, scratch: Scratch
) -> Number:
    """How likely the mover, who expects so many points, ends ahead of another seat, whose board was located, or equal.

    `s` already counts the chips that the mover has left. Final scores are taken to lie about what is expected as
    far as they did in self-play, independently of each other.
    """
    seat = s.seat
    if turns_after(g, s.left, s.rounds, seat, other) == 0:
        # at pace 0 the tables are the score
        pace, off = 0, 0.0
    else:
        pace = max(1, pace_now(g, s.left, other))
        off = np.float64(spread[pace, s.left[other]])
    if turns_after(g, s.left, s.rounds, seat, seat) > 0:
        own = np.float64(spread[pace_now(g, s.left, seat), s.left[seat]])
        off = np.sqrt(off * off + own * own)
    expects = table_value(v.tables[pace, s.left[other]], scratch.at, v.ways.table_steps[0])
    return ahead(points - np.float64(expects), off)


@compile_plain
def winning_move(g: Config, v: BoardTables, spread: Floats, s: Any, likely: Reals, scratch: Scratch) -> int:
    """The move that looks best for winning without looking ahead.

    How the others stand follows from how many chips the mover has left: the fewer, the sooner the race is over. So only
    the best move for each number of chips is of interest; `likely` gets how likely it wins.
    """
    seat, chips, last, roll = s.seat, s.left[s.seat], last_turn(g, s), roll_row(s)
    pace = 0 if last else pace_now(g, s.left, seat)
    value_placements(v, pace, s.boards[seat], chips, NO_LIMIT, roll, scratch)
    choices = scratch.choices
    best_by_chips(v.ways, roll, scratch.values, choices)
    for placed in range(DICE + 1):
        likely[placed] = 1.0
    for other in range(g.players):
        if other != seat and not last:
            locate(s.boards[other], v.ways.table_base, v.ways.table_fields, scratch.at)
            for placed in range(DICE + 1):
                if choices.points[placed] > IMPOSSIBLE:
                    s.left[seat] = chips - cost(g, placed)
                    points = np.float64(choices.points[placed])
                    likely[placed] *= ahead_of(g, v, spread, s, points, other, scratch)
    s.left[seat] = chips
    best, most = 0, -1.0
    for placed in range(DICE + 1):
        if choices.points[placed] > IMPOSSIBLE:
            # of moves that win equally often the one for most points
            chance = likely[placed] + 1e-6 * choices.points[placed]
            if chance > most:
                best, most = placed, chance
    return int(choices.code[best])


@compile_plain
def play_on(
    g: Config, v: BoardTables, spread: Floats, s: Any, dice: Whole, likely: Reals, scratch: Scratch
) -> None:
    """Play a race to its end. `dice` [round, seat] are the cases of the rolls to come."""
    first = s.rounds
    while s.actor != OVER:
        chance(g, s, dice[s.rounds - first, s.seat])
        place(g, s, winning_move(g, v, spread, s, likely, scratch))


@compile_plain
@apart
def who_wins(
    g: Config,
    v: BoardTables,
    spread: Floats,
    state: NDArray[np.void],
    codes: Whole,
    which: Whole,
    worlds: tuple[int, int],
    dice: Whole,
    won: Reals,
) -> None:
    """Make each of the moves in `which` and play on in each of these worlds; `won` gets 1 for those who win.

    A code below 0 is no move: the dice have to be rolled. `dice` is [world, round, seat], `won` [move, world, seat].
    """
    scratch, likely, room = new_scratch(v), np.zeros(DICE + 1), np.empty(1, STATE)
    points, best = np.zeros(g.players, np.int64), np.zeros(g.players, np.bool_)
    for number in which:
        for world in range(worlds[0], worlds[1]):
            room[0] = state[0]
            if codes[number] >= 0:
                place(g, room[0], codes[number])
            play_on(g, v, spread, room[0], dice[world], likely, scratch)
            scores(g, room[0], points)
            highest(points, g.players, best)
            for seat in range(g.players):
                won[number, world, seat] = best[seat]


# --- chances ------------------------------------------------------------------------------------------


class RaceChances:
    """The chances to win of positions of one game for several players."""

    def __init__(self, game: Crowns, v: BoardTables, spread: Floats) -> None:
        self.game, self.v = game, v
        #: [pace, chips left] standard deviation of the final score about its expectation
        self.spread = spread
        self._agreed = arrays(game.config)

    def before_roll(self, state: Position) -> Reals:
        """[seat] chance to be among the winners before a roll."""
        return self._played_on(state, [-1], [0])[0].mean(axis=0)

    def after_moves(self, state: Position, points: Reals) -> Reals:
        """[move, seat] chance to be among the winners after each move, which leads to so many points.

        The best ones by points are played on to the end in many worlds, all in the same ones. Of the others it is
        only told by how much they look worse than the best one that places as many chips: what the other seats do
        follows from that number alone. Moves that end the game are exact.
        """
        g, seat, codes = self.game.config, state.seat, state.codes()
        spent = [cost(g, g.chips[code]) for code in codes]
        found = (points >= points.max(axis=1)[:, None]).astype(np.float64)
        going = [n for n in range(len(codes)) if not self._ends(state, spent[n])]
        if not going:
            return found
        going.sort(key=lambda number: -points[number, seat])
        best = {spent[number]: number for number in reversed(going)}
        others = [number for number in going if number not in best.values()]
        played = self._played_on(state, codes, [*best.values(), *others[:OTHERS]])
        top = max(played.values(), key=lambda won: (len(won), won[:, seat].mean()))
        for number, won in played.items():
            found[number] = top.mean(axis=0) + (won - top[: len(won)]).mean(axis=0)
        pace = pace_now(g, state.left, seat)
        for number in others[OTHERS:]:
            like = best[spent[number]]
            off = max(1.0, float(self.spread[pace, state.left[seat] - spent[number]]))
            worse = (points[like, seat] - points[number, seat]) / (2**0.5 * off)
            chance = _shifted(float(found[like, seat]), -worse)
            found[number] = found[like] + (found[like, seat] - chance) / (self.game.players - 1)
            found[number, seat] = chance
        return found.clip(0.0, 1.0)

    def _ends(self, state: Position, spent: int) -> bool:
        """Whether the game is over when the mover has spent so many chips."""
        left = [*state.left]
        left[state.seat] -= spent
        return ends_game(self.game.config, left, state.rounds, state.seat)

    def _played_on(self, state: Position, codes: Sequence[int], tried: Sequence[int]) -> dict[int, Reals]:
        """For each move tried who wins: [world, seat]. The worse ones are given up on the way."""
        won = np.zeros((len(codes), WORLDS, self.game.players))
        start, moves, dice = np.array([record_of(state)]), np.array(codes), self._dice(state)
        played: dict[int, Reals] = {}
        done = 0
        for share in SHARES if len(tried) > 1 else (1.0,):
            until, which = round(WORLDS * share), np.array(tried)
            who_wins(self._agreed, self.v, self.spread, start, moves, which, (done, until), dice, won)
            done = until
            played |= {number: won[number, :done] for number in tried}
            order = sorted(tried, key=lambda number: -won[number, :done, state.seat].mean())
            tried = order[: max(2, (len(order) + 1) // 2)]
        return played

    def _dice(self, state: Position) -> Whole:
        """[world, round, seat] the dice of all worlds; they follow from what the mover cannot have changed."""
        others = [other for other in range(self.game.players) if other != state.seat]
        known = [number for other in others for number in (state.boards[other], state.left[other])]
        generator = np.random.default_rng([state.rounds, state.seat, *known])
        g, players = self.game.config, self.game.players
        return generator.integers(CASES, size=(WORLDS, rounds_left(g, state.rounds), players))


def _shifted(chance: float, by: float) -> float:
    """A chance after what it comes from has moved by so many standard deviations."""
    chance = min(max(chance, 0.5 / WORLDS), 1 - 0.5 / WORLDS)
    return NORMAL.cdf(NORMAL.inv_cdf(chance) + by)
