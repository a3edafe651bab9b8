"""Crowns with several players, compiled: self-play of races and learning from it.

A race is over with the round in which somebody has placed the last chip, so that the others' haste ends
one's own plans. Tables of a race therefore know the *pace* as well, the fewest chips that an opponent has
left, and foretell a seat's final score if it plays for points. At pace 0 a seat has had its last turn:
there the tables are the exact score.

Players who all play for points would only ever meet patient opponents. So half of the games are played
with *rivals* at the table, who learn at the same time: they play for their own final score less what the
best of the others still gains, which makes a leader end the race and a trailer keep it open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compiled
from pasch.solve.crowns_kernel import Scratch, choose, new_scratch, table_value
from pasch.solve.crowns_model import PACE, Floats, Net, Number, Rules, Steps, Whole
from pasch.solve.crowns_play import draw

SEATS = 6
ROUNDS = 60
#: chips that are usually placed in a round when the end is near
PER_ROUND = 2
#: all placements are judged: there is no net to be spared
ALL = np.float32(1e9)
_PACE = np.array(PACE, np.int64)


class Diary(NamedTuple):
    """What is remembered of a race, by seat and round."""

    at: Steps  # [seat, round, group] the board after the turn
    pace: Whole
    chips: Whole  # left after the turn
    other: NDArray[np.float64]  # best score of the others at that time


@compiled()
def new_diary(rules: Rules) -> Diary:
    """Room for any race."""
    return Diary(
        np.zeros((SEATS, ROUNDS, rules.table_base.shape[0]), dtype=np.int32),
        np.zeros((SEATS, ROUNDS), dtype=np.int64),
        np.zeros((SEATS, ROUNDS), dtype=np.int64),
        np.zeros((SEATS, ROUNDS)),
    )


@compiled()
def pace_of(fewest: int) -> int:
    """The step of the pace at which an opponent has so many chips left."""
    step: int = _PACE[min(fewest, _PACE.shape[0] - 1)]
    return step


@compiled()
def fewest_of_others(chips: Whole, seat: int) -> int:
    """The fewest chips that an opponent has left."""
    fewest = chips[0] if seat else chips[1]
    for other in range(chips.shape[0]):
        if other != seat:
            fewest = min(fewest, chips[other])
    found: int = fewest
    return found


@compiled()
def pace_at_turn(left: Whole, seat: int, mover: int) -> int:
    """The pace when `seat` will roll, `mover` having just had its turn and all having so many chips left.

    Those who roll in between are taken to place as many chips as is usual, but not their last one.
    """
    seats = left.shape[0]
    fewest = _PACE.shape[0]
    for step in range(seats):
        other = (mover + step) % seats
        if other == seat:
            continue
        # from the seat on, nobody rolls before it does
        before = 0 < step < (seat - mover - 1) % seats + 1
        fewest = min(fewest, max(1, left[other] - PER_ROUND) if before else left[other])
    return pace_of(fewest)


@compiled()
def best_of_others(scores: NDArray[np.float64], seat: int) -> Number:
    """The highest score of an opponent."""
    best = 0.0
    for other in range(scores.shape[0]):
        if other != seat:
            best = max(best, scores[other])
    return best


@compiled(fastmath=True)
def play_race(
    rival: NDArray[np.bool_],
    tables: Floats,
    rivals: Floats,
    net: Net,
    rules: Rules,
    scratch: Scratch,
    diary: Diary,
) -> tuple[NDArray[np.float64], int]:
    """One race, kept in `diary`: final scores, and the number of rounds. `rival[seat]` play by `rivals`."""
    seats, most = rival.shape[0], tables.shape[1] - 1
    boards = np.zeros(seats, dtype=np.int64)
    chips = np.full(seats, most, dtype=np.int64)
    at = np.zeros((seats, rules.table_base.shape[0]), dtype=np.int32)
    at += rules.table_base
    scores = np.zeros(seats)
    rounds = 0
    while rounds < ROUNDS and chips.min() > 0:
        for s in range(seats):
            pace, roll = pace_of(fewest_of_others(chips, s)), draw(rules)
            own = rivals[pace] if rival[s] else tables[pace]
            choice, _ = choose(boards[s], at[s], at[s], chips[s], roll, own, net, rules, ALL, scratch)
            boards[s] |= rules.masks[choice]
            chips[s] -= rules.cost[choice]
            at[s] += rules.table_steps[choice]
            scores[s] = table_value(tables[0, 0], at[s], scratch.still)
            diary.at[s, rounds] = at[s]
            diary.pace[s, rounds] = pace
            diary.chips[s, rounds] = chips[s]
            diary.other[s, rounds] = best_of_others(scores, s)
        rounds += 1
    return scores, rounds


@compiled(fastmath=True)
def learn_race(
    seat: int,
    scores: NDArray[np.float64],
    rounds: int,
    rival: bool,
    tables: Floats,
    rate: Number,
    scratch: Scratch,
    diary: Diary,
) -> None:
    """Pull the boards of a seat towards the next one as just corrected, the last one to its score.

    For a rival, what the best of the others has gained meanwhile is subtracted.
    """
    groups = diary.at.shape[2]
    goal, other = np.float32(scores[seat]), best_of_others(scores, seat)
    for turn in range(rounds - 1, -1, -1):
        pace, chips = diary.pace[seat, turn], diary.chips[seat, turn]
        if rival:
            goal -= np.float32(other - diary.other[seat, turn])
        table, at = tables[pace, chips], diary.at[seat, turn]
        if pace > 0 and (chips > 0 or rival):
            step = np.float32(rate * (goal - table_value(table, at, scratch.still)) / groups)
            for g in range(groups):
                table[at[g]] += step
        goal, other = table_value(table, at, scratch.still), diary.other[seat, turn]


@compiled(fastmath=True)
def train_race(
    games: int, seed: int, tables: Floats, rivals: Floats, net: Net, rules: Rules, rate: Number
) -> Number:
    """Self-play of 2 to 6 seats; the mean score of those that play for points."""
    np.random.seed(seed)
    scratch, diary = new_scratch(rules, net), new_diary(rules)
    total, counted = 0.0, 0
    for _ in range(games):
        rival = np.zeros(np.random.randint(2, SEATS + 1), dtype=np.bool_)
        if np.random.random() < 0.5:
            for s in range(rival.shape[0]):
                rival[s] = np.random.random() < 0.5
        scores, rounds = play_race(rival, tables, rivals, net, rules, scratch, diary)
        for s in range(rival.shape[0]):
            own = rivals if rival[s] else tables
            learn_race(s, scores, rounds, rival[s], own, rate, scratch, diary)
            if not rival[s]:
                total += scores[s]
                counted += 1
    return total / max(1, counted)


@compiled(fastmath=True)
def measure_race(
    games: int, seed: int, tables: Floats, net: Net, rules: Rules
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Games of points players: mean score and rounds by seats; spread of the score [pace, chips left]."""
    np.random.seed(seed)
    scratch, diary = new_scratch(rules, net), new_diary(rules)
    means, lengths, played = np.zeros(SEATS + 1), np.zeros(SEATS + 1), np.zeros(SEATS + 1)
    squares, counts = np.zeros(tables.shape[:2]), np.zeros(tables.shape[:2])
    for _ in range(games):
        seats = np.random.randint(2, SEATS + 1)
        rival = np.zeros(seats, dtype=np.bool_)
        scores, rounds = play_race(rival, tables, tables, net, rules, scratch, diary)
        played[seats] += 1
        means[seats] += scores.mean()
        lengths[seats] += rounds
        for s in range(seats):
            for turn in range(rounds):
                pace, chips = diary.pace[s, turn], diary.chips[s, turn]
                gap = scores[s] - table_value(tables[pace, chips], diary.at[s, turn], scratch.still)
                squares[pace, chips] += gap * gap
                counts[pace, chips] += 1
    # a cell that is rarely seen takes over the whole's spread
    whole = squares[1:, 1:].sum() / max(1.0, counts[1:, 1:].sum())
    spread = np.sqrt((squares + 10 * whole) / (counts + 10))
    spread[0] = 0.0
    spread[:, 0] = 0.0
    return means / np.maximum(played, 1.0), lengths / np.maximum(played, 1.0), spread


@compiled(fastmath=True)
def contest(
    games: int, seed: int, seats: int, own: Floats, other: Floats, net: Net, rules: Rules
) -> tuple[Number, Number, Number]:
    """One seat with the tables `own` among others: its wins (ties shared), its score, theirs."""
    np.random.seed(seed)
    scratch, diary = new_scratch(rules, net), new_diary(rules)
    wins, mine, theirs = 0.0, 0.0, 0.0
    for i in range(games):
        others = np.ones(seats, dtype=np.bool_)
        others[i % seats] = False
        scores, _ = play_race(others, own, other, net, rules, scratch, diary)
        hero = scores[i % seats]
        if hero == scores.max():
            wins += 1.0 / (scores == scores.max()).sum()
        mine += hero
        theirs += (scores.sum() - hero) / (seats - 1)
    return wins / games, mine / games, theirs / games
