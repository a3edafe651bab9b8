"""Crowns with several players, compiled: self-play of races and learning from it.

A race is over with the round in which somebody has placed the last chip, so that the others' haste ends
one's own plans. Tables of a race therefore know the *pace* as well, the fewest chips that an opponent has
left, and foretell a seat's final score if it plays for points. At pace 0 a seat has had its last turn:
there the tables are the exact score.

Learning from nothing ends badly here: who knows no plan yet gains little by waiting, hurries, and so leaves
nobody the time to find one. So a race begins with what one player has learned alone
(`pasch.solve.crowns_training`). And players for points who only meet each other become ever more patient,
until they are surprised by anybody who is not; therefore up to half of the seats are taken by *steady*
opponents, who have no board and just place chips, each at a speed of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games.crowns import DICE
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
#: chips that a steady opponent places in a turn, on average: so many, more for each that it has left, both
#: times its own speed. People who plan take what comes at first and have to wait for their last fields.
STEADY, STEADY_MORE = 0.6, 0.09
#: the speeds of steady opponents lie between these
SLOWEST, FASTEST = 0.7, 1.3
_PACE = np.array(PACE, np.int64)


class Diary(NamedTuple):
    """What is remembered of a race, by seat and round."""

    at: Steps  # [seat, round, group] the board after the turn
    pace: Whole
    chips: Whole  # left after the turn


@compiled()
def new_diary(rules: Rules) -> Diary:
    """Room for any race."""
    return Diary(
        np.zeros((SEATS, ROUNDS, rules.table_base.shape[0]), dtype=np.int32),
        np.zeros((SEATS, ROUNDS), dtype=np.int64),
        np.zeros((SEATS, ROUNDS), dtype=np.int64),
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
def steadily(chips: int, speed: Number) -> int:
    """The chips that a steady opponent has left after its turn."""
    placed = np.random.poisson(speed * (STEADY + STEADY_MORE * chips))
    left: int = max(0, chips - min(placed, DICE))
    return left


@compiled(fastmath=True)
def play_race(
    speed: NDArray[np.float64], tables: Floats, net: Net, rules: Rules, scratch: Scratch, diary: Diary
) -> tuple[NDArray[np.float64], int]:
    """One race, kept in `diary`: final scores, and the number of rounds.

    A seat with a speed is a steady opponent and scores nothing; the others play by `tables`.
    """
    seats, most = speed.shape[0], tables.shape[1] - 1
    boards = np.zeros(seats, dtype=np.int64)
    chips = np.full(seats, most, dtype=np.int64)
    at = np.zeros((seats, rules.table_base.shape[0]), dtype=np.int32)
    at += rules.table_base
    scores = np.zeros(seats)
    rounds = 0
    while rounds < ROUNDS and chips.min() > 0:
        for s in range(seats):
            if speed[s] > 0:
                chips[s] = steadily(chips[s], speed[s])
                continue
            # in the last round the score alone counts, as it does at pace 0
            pace = pace_of(fewest_of_others(chips, s)) if rounds + 1 < ROUNDS else 0
            roll = draw(rules)
            choice, _ = choose(
                boards[s], at[s], at[s], chips[s], roll, tables[pace], net, rules, ALL, scratch
            )
            boards[s] |= rules.masks[choice]
            chips[s] -= rules.cost[choice]
            at[s] += rules.table_steps[choice]
            scores[s] = table_value(tables[0, 0], at[s], scratch.still)
            diary.at[s, rounds] = at[s]
            diary.pace[s, rounds] = pace
            diary.chips[s, rounds] = chips[s]
        rounds += 1
    return scores, rounds


@compiled(fastmath=True)
def learn_race(
    seat: int, score: Number, rounds: int, tables: Floats, rate: Number, scratch: Scratch, diary: Diary
) -> None:
    """Pull the boards of a seat towards the next one as just corrected, the last one to its score."""
    groups = diary.at.shape[2]
    goal = np.float32(score)
    for turn in range(rounds - 1, -1, -1):
        pace, chips = diary.pace[seat, turn], diary.chips[seat, turn]
        table, at = tables[pace, chips], diary.at[seat, turn]
        if pace > 0 and chips > 0:
            step = np.float32(rate * (goal - table_value(table, at, scratch.still)) / groups)
            for g in range(groups):
                table[at[g]] += step
        goal = table_value(table, at, scratch.still)


@compiled()
def new_speeds(seats: int) -> NDArray[np.float64]:
    """Who is steady, and how fast: every seat with even chances, but for one that plays for points."""
    speed = np.zeros(seats)
    hero = np.random.randint(0, seats)
    for s in range(seats):
        if s != hero and np.random.random() < 0.5:
            speed[s] = SLOWEST + (FASTEST - SLOWEST) * np.random.random()
    return speed


@compiled(fastmath=True)
def train_race(games: int, seed: int, tables: Floats, net: Net, rules: Rules, rate: Number) -> Number:
    """Races of 2 to 6 seats; the mean score of those that play for points."""
    np.random.seed(seed)
    scratch, diary = new_scratch(rules, net), new_diary(rules)
    total, counted = 0.0, 0
    for _ in range(games):
        speed = new_speeds(np.random.randint(2, SEATS + 1))
        scores, rounds = play_race(speed, tables, net, rules, scratch, diary)
        for s in range(speed.shape[0]):
            if speed[s] == 0:
                learn_race(s, scores[s], rounds, tables, rate, scratch, diary)
                total += scores[s]
                counted += 1
    return total / counted


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
        scores, rounds = play_race(np.zeros(seats), tables, net, rules, scratch, diary)
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
