"""6mal6: what the quick player of `kernel` learns from playing rounds with itself, for each number of players and pack.

By fields, every position after one of its cards is a sum of entries of a few small tables, and each entry moves a
little towards how the round ended: its chips, or for chances to win how many more they are than the others' on average.
By streets it learns what each kind of street brings. The ends of the last few thousand rounds are kept: of
these the rest of a game is made when chances to win are estimated. Practice follows from fixed numbers alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import kernel
from pasch.games.sixbysix.rules import Config, SixBySix, lay, lays
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, RANK, street_worth
from pasch.games.sixbysix.values.kernel import (
    CODES,
    PRACTICE,
    RIVALRY,
    Floats,
    Ints,
    Known,
    Learned,
    Policy,
    Scratch,
    begin,
    below,
    draw_or_choose,
    expect_cards,
    highest_sum,
    known_cards,
    lay_out,
    lowest_beside,
    new_scratch,
    policy_of,
    risk,
    shuffle,
)
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records
from pasch.solve.valuer import Progress, no_progress

#: how far an entry moves at first and at last
RATES = (0.03, 0.002)
#: how often chance chooses at first; from the middle on it never does
STRAY = 0.2
#: rounds whose ends are kept
KEPT = 4096
#: more chips than a round can cost
MANY = 10**6


def practise(game: SixBySix, report: Progress = no_progress) -> dict[str, NDArray[Any]]:
    """Learn by playing, for each number of players and of RIVALRY; with the rows with which the last rounds ended."""
    most, play = game.players, compile_plain(play_rounds)
    ends = np.zeros((most + 1, KEPT, most, FIELDS), np.int64)
    tables = {
        name: np.tile(array, (most - 1, len(RIVALRY), *[1] * array.ndim))
        for name, array in beginner().items()
    }
    found = Learned(ends=ends, worlds=np.zeros(0, np.int64), **tables)
    for players in range(2, most + 1):
        report((players - 2) / (most - 1), f"practice with {players} players")
        table = SixBySix(players, game.options)
        g, start = arrays(table.config), records(table, 1)[0]
        # chips never run short: a round brings what it brings
        start.chips[:] = start.pot = MANY
        dealt = known_cards(table.config, start, 0)
        # the practice of streets does not ask for rivalry
        for which in range(1 if g.streets else len(RIVALRY)):
            rounds = PRACTICE[g.streets] // players
            play(g, policy_of(g, found, players, which), dealt, rounds, ends[players])
    return tables | {"ends": ends}


def beginner() -> dict[str, Floats]:
    """The tables before any practice: cards are as they come, and streets are better if longer."""
    reach = np.zeros((FIELDS + 1, FIELDS, HIGHEST + 1))
    reach[:] = np.clip((HIGHEST + 1 - np.arange(HIGHEST + 1)) / HIGHEST, 0, 1)
    open_cost = np.zeros((FIELDS, FIELDS, HIGHEST + 1))
    open_cost[:] = 0.3 * np.arange(1, FIELDS + 1)[None, :, None]
    hold = np.zeros((FIELDS, FIELDS, HIGHEST + 1))
    bonus = np.zeros((FIELDS, HIGHEST + 1, HIGHEST + 1, 2 * HIGHEST + 1))
    result = np.arange(CODES) / RANK - 3.0
    return {"reach": reach, "open_cost": open_cost, "hold": hold, "bonus": bonus, "result": result}


@kernel(allocates=True)
def play_rounds(g: Config, policy: Policy, dealt: Known, rounds: int, ends: Ints) -> None:
    """Play rounds and move every entry that was used towards how they ended; keep the last ends."""
    players, start, work = g.players, dealt.state[0], new_scratch(g, len(dealt.unseen))
    work.cards[:] = dealt.unseen
    wanted = expect_cards(dealt, work)
    # of each player and turn what the tables were asked about, and what they said
    beside = np.zeros((players, FIELDS, FIELDS), np.int64)
    hands = np.zeros((players, FIELDS, HIGHEST + 1), np.int64)
    sums = np.zeros((players, FIELDS, 3), np.int64)
    guess, results = np.zeros((players, FIELDS)), np.zeros(players)
    filled = np.zeros((players, FIELDS), np.int64)
    for number in range(rounds):
        begin(work.random, 0, number)
        done = number / rounds
        rate = RATES[0] * (RATES[1] / RATES[0]) ** done
        shuffle(work.random, work.cards, wanted)
        lay_out(g, dealt, work)
        s = work.world[0]
        while s.rounds == start.rounds:
            code = draw_or_choose(g, policy, s, work)
            seat = s.seat
            if below(work.random, 1000) < 1000 * STRAY * (1 - 2 * done):
                code = work.codes[below(work.random, lays(g, s, work.codes))]
            left, place = work.empty[seat] - 1, code % FIELDS
            filled[seat, FIELDS - 1 - left] = place
            if not policy.streets:
                s.rows[seat][place] = code // FIELDS + 1
                work.hand[code // FIELDS + 1] -= 1
                asked = beside[seat, left], hands[seat, left], sums[seat, left]
                risks = _note(policy, s, work, seat, *asked)
                guess[seat, left] = _add_up(policy, left, *asked, 0.0) - risks
            lay(g, s, code)
        everybody = 0.0
        for seat in range(players):
            for place in range(FIELDS):
                ends[number % len(ends), seat, place] = s.rows[seat][place]
            results[seat] = s.chips[seat] - start.chips[seat]
            everybody += results[seat]
        for seat in range(players):
            result = results[seat]
            if policy.streets:
                worth = street_worth(s.rows[seat])
                policy.result[worth] += rate * (result - policy.result[worth])
                continue
            result -= policy.rivalry * (everybody - result) / (players - 1)
            _note_cards(policy, s.rows[seat], filled[seat], rate)
            for left in range(FIELDS):
                asked = beside[seat, left], hands[seat, left], sums[seat, left]
                _add_up(policy, left, *asked, rate * (result - guess[seat, left]))


def _note(policy: Policy, s: Any, work: Scratch, seat: int, beside: Ints, hand: Ints, sums: Ints) -> float:
    """Note what the tables are asked about: cards beside empty fields (else -1), the hand, fields 1 and 6.

    The risk of the cards laid.
    """
    row, risks = s.rows[seat], 0.0
    for place in range(FIELDS):
        beside[place] = -1 if row[place] else lowest_beside(s, seat, place)
        if row[place]:
            risks += risk(policy, s, work, seat, place, row[place])
    for card in range(HIGHEST + 1):
        hand[card] = work.hand[card]
    sums[0], sums[1], sums[2] = row[0], row[FIELDS - 1], highest_sum(s, seat)
    return risks


def _add_up(policy: Policy, left: int, beside: Ints, hand: Ints, sums: Ints, change: float) -> float:
    """Move each entry that was asked about by `change`; what they then say, without the risk of the cards laid."""
    policy.bonus[left, sums[0], sums[1], sums[2]] += change
    value = float(policy.bonus[left, sums[0], sums[1], sums[2]])
    for place in range(FIELDS):
        if beside[place] >= 0:
            policy.open_cost[left, place, beside[place]] -= change
            value -= policy.open_cost[left, place, beside[place]]
    held = 0
    for card in range(HIGHEST, 0, -1):
        for _ in range(min(hand[card], left - held)):
            policy.hold[left, held, card] += change
            value += policy.hold[left, held, card]
            held += 1
    return value


def _note_cards(policy: Policy, row: Ints, filled: Ints, rate: float) -> None:
    """What was laid at last on fields that were empty for so long."""
    for turn in range(FIELDS):
        place = filled[turn]
        for left in range(FIELDS - turn, FIELDS + 1):
            reach = policy.reach[left, place]
            for card in range(1, HIGHEST + 1):
                reach[card] += rate * ((row[place] >= card) - reach[card])
