"""6mal6: what the quick player learns from playing with itself.

The player of `kernel` knows nothing at first but the rules. It practises for each
number of players and each pack by playing rounds with itself. By fields, every position after one of its
cards is a sum of entries of a few small tables, and each entry moves a little towards how the round ended: its
chips, or for chances to win how many more they are than the others' on average.
By streets it learns what each kind of street brings. The ends of the last few thousand rounds are kept: of
these the rest of a game is made when chances to win are estimated. Practice takes a few seconds,
follows from fixed numbers alone, and is kept as a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.rules import DRAW, Config, SixBySix, code_of, lay, next_to_lay
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, RANK, best_rank, dues, prize, rank
from pasch.games.sixbysix.values.kernel import (
    Known,
    Scratch,
    begin,
    below,
    choose,
    draw,
    expect_cards,
    highest_sum,
    lay_out,
    lowest_beside,
    observe,
    player_of,
    risk,
    room,
    share_out,
    shuffle,
)
from pasch.games.sixbysix.values.tables import (
    CODES,
    LEARNED,
    PRACTICE,
    RIVALRY,
    Floats,
    Ints,
    Policy,
    policy,
)
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records

#: how far an entry moves at first and at last
PACE = (0.03, 0.002)
#: how often chance chooses at first; from the middle on it never does
STRAY = 0.2
#: rounds whose ends are kept
KEPT = 4096


def practise(game: SixBySix, players: int) -> dict[str, NDArray[Any]]:
    """Learn by playing, once for each of RIVALRY; of the last one the rows are kept with which rounds ended."""
    ends = np.zeros((KEPT, players, FIELDS), np.int64)
    pack = np.repeat(np.arange(1, HIGHEST + 1), game.config.pack)
    table = SixBySix(players, game.options)
    g, start = arrays(table.config), records(table, 1)
    dealt = Known(np.zeros((players, HIGHEST + 1), np.int64), np.full(players, DEALT), pack)
    rounds = PRACTICE[game.options.streets] // players
    play = compile_plain(play_rounds)
    learned = list[dict[str, Floats]]()
    for rivalry in RIVALRY:
        if learned and game.options.streets:  # whose practice does not ask for it
            learned.append(learned[0])
            continue
        learned.append(beginner())
        taught = policy(game, rivalry, learned[-1])
        play(g, taught, start, dealt, room(players, len(pack)), rounds, PACE, STRAY, ends)
    return {name: np.stack([arrays[name] for arrays in learned]) for name in LEARNED} | {"ends": ends}


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


@apart
def play_rounds(
    g: Config,
    policy: Policy,
    start: NDArray[np.void],
    dealt: Known,
    work: Scratch,
    rounds: int,
    pace: tuple[float, float],
    stray: float,
    ends: Ints,
) -> None:
    """Play rounds and move every entry that was used towards how they ended; keep the last ends."""
    players, cards = g.players, dealt.unseen.copy()
    expect_cards(work, dealt.unseen)
    # of each player and turn what the tables were asked about, and what they said
    beside = np.zeros((players, FIELDS, FIELDS), np.int64)
    hands = np.zeros((players, FIELDS, HIGHEST + 1), np.int64)
    sums = np.zeros((players, FIELDS, 3), np.int64)
    guess, results = np.zeros((players, FIELDS)), np.zeros(players)
    filled = np.zeros((players, FIELDS), np.int64)
    wanted = share_out(g, start[0], dealt, work)
    for number in range(rounds):
        state = work.random
        begin(state, 0, number)
        done = number / rounds
        rate = pace[0] * (pace[1] / pace[0]) ** done
        shuffle(state, cards, wanted)
        lay_out(g, start[0], dealt, cards, work)
        s = work.state[0]
        while s.rounds == start[0].rounds:
            if s.phase == DRAW:
                draw(g, s, player_of(work, s.seat), DRAWN, cards, work)
                next_to_lay(g, s)
                continue
            player = observe(g, s, work)
            card, place = choose(policy, work, player)
            if below(state, 1000) < 1000 * stray * (1 - 2 * done):
                card, place = _any_move(state, work)
            left = work.empty[player] - 1
            filled[player, FIELDS - 1 - left] = place
            if not policy.streets:
                work.rows[player, place] = card
                work.hand[card] -= 1
                _note(work, player, beside[player, left], hands[player, left], sums[player, left])
                guess[player, left] = _guess(
                    policy,
                    work,
                    player,
                    left,
                    beside[player, left],
                    hands[player, left],
                    sums[player, left],
                )
            lay(g, s, code_of(card, place))
        for player in range(players):
            for place in range(FIELDS):
                work.rows[player, place] = s.rows[work.order[player]][place]
        ends[number % len(ends)] = work.rows
        best = best_rank(policy.streets, work.rows, work.order, players)
        most = prize(policy.streets, g.bonus, work.rows, work.order, players)
        everybody = 0.0
        for player in range(players):
            won = rank(policy.streets, work.rows[player]) == best
            paid = dues(policy.streets, work.rows, work.order, players, player)
            results[player] = most * won - paid
            everybody += results[player]
        for player in range(players):
            result = results[player]
            if policy.streets:
                worth = rank(policy.streets, work.rows[player])
                policy.result[worth] += rate * (result - policy.result[worth])
                continue
            result -= policy.rivalry * (everybody - result) / (players - 1)
            _note_cards(policy, work.rows[player], filled[player], rate)
            for left in range(FIELDS):
                change = rate * (result - guess[player, left])
                _learn(policy, left, beside[player, left], hands[player, left], sums[player, left], change)


def _any_move(state: Any, work: Scratch) -> tuple[int, int]:
    """A move by chance: a card of the hand, then a field for it."""
    card = place = 0
    while not work.hand[card]:
        card = 1 + below(state, HIGHEST)
    while True:
        place = below(state, FIELDS)
        if work.legal[code_of(card, place)]:
            return card, place


def _note(work: Scratch, player: int, beside: Ints, hand: Ints, sums: Ints) -> None:
    """What the tables are asked about: cards beside empty fields (else -1), the hand, fields 1 and 6."""
    row = work.rows[player]
    for place in range(FIELDS):
        beside[place] = -1 if row[place] else lowest_beside(work.rows, player, place)
    for card in range(HIGHEST + 1):
        hand[card] = work.hand[card]
    sums[0], sums[1], sums[2] = row[0], row[FIELDS - 1], highest_sum(work.rows, player)


def _guess(
    policy: Policy, work: Scratch, player: int, left: int, beside: Ints, hand: Ints, sums: Ints
) -> float:
    """What the tables say of a position after a card has been laid."""
    value = float(policy.bonus[left, sums[0], sums[1], sums[2]])
    for place in range(FIELDS):
        if beside[place] < 0:
            value -= risk(policy, work, player, place, work.rows[player, place])
        else:
            value -= policy.open_cost[left, place, beside[place]]
    held = 0
    for card in range(HIGHEST, 0, -1):
        for _ in range(hand[card]):
            if held < left:
                value += policy.hold[left, held, card]
                held += 1
    return value


def _learn(policy: Policy, left: int, beside: Ints, hand: Ints, sums: Ints, change: float) -> None:
    """Move what `_guess` added up."""
    policy.bonus[left, sums[0], sums[1], sums[2]] += change
    for place in range(FIELDS):
        if beside[place] >= 0:
            policy.open_cost[left, place, beside[place]] -= change
    held = 0
    for card in range(HIGHEST, 0, -1):
        for _ in range(hand[card]):
            if held < left:
                policy.hold[left, held, card] += change
                held += 1


def _note_cards(policy: Policy, row: Ints, filled: Ints, rate: float) -> None:
    """What was laid at last on fields that were empty for so long."""
    for turn in range(FIELDS):
        place = filled[turn]
        for left in range(FIELDS - turn, FIELDS + 1):
            reach = policy.reach[left, place]
            for card in range(1, HIGHEST + 1):
                reach[card] += rate * ((row[place] >= card) - reach[card])
