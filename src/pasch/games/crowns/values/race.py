"""Crowns with several players, compiled: self-play of races and learning from it.

A race is over with the round in which somebody has placed the last chip, so that the others' haste ends
one's own plans. Tables of a race therefore know the *pace* as well, the fewest chips that an opponent has
left, and foretell a seat's final score if it plays for points. At pace 0 a seat has had its last turn:
there the tables are the exact score.

Learning from nothing ends badly here: who knows no plan yet gains little by waiting, hurries, and so leaves
nobody the time to find one. So a race begins with what one player has learned alone
(`training`). And players for points who only meet each other become ever more patient,
until they are surprised by anybody who is not; therefore up to half of the seats are taken by *steady*
opponents, who have no board and just place chips, each at a speed of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.rules import Config, Crowns, end_turn, place, score
from pasch.games.crowns.values.chances import STATE, chance, quick_move
from pasch.games.crowns.values.kernel import WorkingMemory, locate, new_memory, table_value
from pasch.games.crowns.values.model import BoardTables, Floats, Number, RaceModel, Steps, Ways, Whole
from pasch.games.crowns.values.play import copy_row, draw_dice, practice
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain

Reals = NDArray[np.float64]

#: the numbers of players in a race
RACERS = range(2, Crowns.seats[-1] + 1)
SEATS = RACERS[-1]
#: chips that a steady opponent places in a turn, on average: so many, more for each that it has left, both
#: times its own speed. People who plan take what comes at first and have to wait for their last fields.
STEADY, STEADY_MORE = 0.6, 0.09
#: the speeds of steady opponents lie between these
SLOWEST, FASTEST = 0.7, 1.3


class RaceTrace(NamedTuple):
    """The boards after each turn of a race, by seat and round."""

    at: Steps  # [seat, round, group]
    pace: Whole
    chips: Whole  # left after the turn


class Races(NamedTuple):
    """Races to be run: by race the number of seats, the steady ones' speeds, dice, and the steady ones' luck."""

    seats: Whole  # [race]
    speed: Reals  # [race, seat] 0 for a seat that plays for points
    dice: Whole  # [race, round, seat]
    luck: Reals  # [race, round, seat] from 0 to below 1


def draw_races(game: Crowns, races: int, seed: int, steady: bool) -> Races:
    """Races of 2 to 6 seats; with steady opponents or without."""
    generator = np.random.default_rng(seed)
    seats = generator.integers(RACERS[0], SEATS + 1, size=races)
    speed = draw_speeds(generator, seats) if steady else np.zeros((races, SEATS))
    dice = draw_dice(generator, game, races, SEATS)
    return Races(seats, speed, dice, generator.random(dice.shape))


def draw_speeds(generator: np.random.Generator, seats: Whole) -> Reals:
    """Who is steady, and how fast: every seat with even chances, but for one that plays for points."""
    shape = (len(seats), SEATS)
    steady = (generator.random(shape) < 0.5) & (np.arange(SEATS) < seats[:, None])
    steady[np.arange(len(seats)), generator.integers(seats)] = False
    return np.where(steady, SLOWEST + (FASTEST - SLOWEST) * generator.random(shape), 0.0)


@compile_plain
@apart
def new_race_trace(ways: Ways, rounds: int) -> RaceTrace:
    """Room for a race of so many rounds."""
    return RaceTrace(
        np.zeros((SEATS, rounds, ways.table_base.shape[0]), dtype=np.int32),
        np.zeros((SEATS, rounds), dtype=np.int64),
        np.zeros((SEATS, rounds), dtype=np.int64),
    )


@compile_plain
def steadily(chips: int, speed: Number, luck: Number) -> int:
    """The chips that a steady opponent spends in its turn: Poisson's distribution, but not more than it can."""
    mean = speed * (STEADY + STEADY_MORE * chips)
    spent, share = 0, np.exp(-mean)
    below = share
    while luck >= below and spent < min(chips, DICE):
        spent += 1
        share *= mean / spent
        below += share
    return spent


@compile_plain
def play_race(
    g: Config,
    v: BoardTables,
    s: Any,
    speed: Reals,
    dice: Whole,
    luck: Reals,
    memory: WorkingMemory,
    trace: RaceTrace,
) -> None:
    """Run a race to its end, kept in `trace`. A seat with a speed is steady; the others play for points."""
    while s.actor != OVER:
        seat, turn = s.seat, s.rounds
        if speed[seat] > 0:
            end_turn(g, s, steadily(s.left[seat], speed[seat], luck[turn, seat]))
            continue
        chance(g, s, dice[turn, seat])
        code, pace = quick_move(g, v, s, memory)
        place(g, s, code)
        locate(v, s.boards[seat], memory)
        copy_row(memory.at, trace.at[seat, turn])
        trace.pace[seat, turn] = pace
        trace.chips[seat, turn] = s.left[seat]


@compile_plain
def learn_race(
    seat: int, points: int, rounds: int, tables: Floats, still: Steps, rate: Number, trace: RaceTrace
) -> None:
    """Pull the boards of a seat towards the next one as just corrected, the last one to its score."""
    groups = trace.at.shape[2]
    goal = np.float32(points)
    for turn in range(rounds - 1, -1, -1):
        pace, chips = trace.pace[seat, turn], trace.chips[seat, turn]
        table, at = tables[pace, chips], trace.at[seat, turn]
        if pace > 0 and chips > 0:
            step = np.float32(rate * (goal - table_value(table, at, still)) / groups)
            for group in range(groups):
                table[at[group]] += step
        goal = table_value(table, at, still)


@compile_plain
@apart
def learn_races(
    agreed: tuple[Config, ...],
    starts: NDArray[np.void],
    v: BoardTables,
    tables: Floats,
    races: Races,
    rate: Number,
) -> Number:
    """Run races and learn; the mean score of those that play for points.

    `agreed` and `starts` are by seats; `tables` are those of `v`, to be written to.
    """
    memory, room = new_memory(v), np.empty(1, STATE)
    trace = new_race_trace(v.ways, races.dice.shape[1])
    total, counted = 0.0, 0
    for i in range(races.seats.shape[0]):
        g, speed = agreed[races.seats[i] - 2], races.speed[i]
        room[0] = starts[races.seats[i] - 2]
        s = room[0]
        play_race(g, v, s, speed, races.dice[i], races.luck[i], memory, trace)
        for seat in range(g.players):
            if speed[seat] == 0:
                points = score(g, s.boards[seat])
                learn_race(seat, points, s.rounds, tables, v.ways.table_steps[0], rate, trace)
                total += points
                counted += 1
    return total / counted


@compile_plain
@apart
def watch_races(
    agreed: tuple[Config, ...],
    starts: NDArray[np.void],
    v: BoardTables,
    races: Races,
    means: Reals,
    lengths: Reals,
    spread: Reals,
) -> None:
    """See `measure_race`."""
    memory, room = new_memory(v), np.empty(1, STATE)
    trace, still = new_race_trace(v.ways, races.dice.shape[1]), v.ways.table_steps[0]
    played, counts = np.zeros(SEATS + 1), np.zeros(spread.shape)
    whole, seen = 0.0, 0.0
    for i in range(races.seats.shape[0]):
        g = agreed[races.seats[i] - 2]
        room[0] = starts[races.seats[i] - 2]
        s = room[0]
        play_race(g, v, s, races.speed[i], races.dice[i], races.luck[i], memory, trace)
        played[g.players] += 1
        lengths[g.players] += s.rounds
        for seat in range(g.players):
            points = score(g, s.boards[seat])
            means[g.players] += points / g.players
            for turn in range(s.rounds):
                pace, chips = trace.pace[seat, turn], trace.chips[seat, turn]
                if pace > 0 and chips > 0:
                    gap = points - np.float64(
                        table_value(v.tables[pace, chips], trace.at[seat, turn], still)
                    )
                    spread[pace, chips] += gap * gap
                    counts[pace, chips] += 1
                    whole += gap * gap
                    seen += 1
    for seats in range(SEATS + 1):
        means[seats] /= max(played[seats], 1.0)
        lengths[seats] /= max(played[seats], 1.0)
    # a cell that is rarely seen takes over the whole's spread
    whole /= max(1.0, seen)
    for pace in range(1, spread.shape[0]):
        for chips in range(1, spread.shape[1]):
            spread[pace, chips] = np.sqrt((spread[pace, chips] + 10 * whole) / (counts[pace, chips] + 10))


def train_race(game: Crowns, model: RaceModel, races: int, seed: int, rate: float) -> float:
    """Learn from races of 2 to 6 seats; the mean score of those that play for points."""
    agreed, starts = race_games(game)
    drawn = draw_races(game, races, seed, steady=True)
    return float(learn_races(agreed, starts, model.learned(game), model.tables, drawn, rate))


def measure_race(game: Crowns, model: RaceModel, races: int, seed: int) -> tuple[Reals, Reals, Reals]:
    """Races of points players: mean score and rounds by seats; spread of the score [pace, chips left]."""
    agreed, starts = race_games(game)
    means, lengths, spread = np.zeros(SEATS + 1), np.zeros(SEATS + 1), np.zeros(model.tables.shape[:2])
    drawn = draw_races(game, races, seed, steady=False)
    watch_races(agreed, starts, model.learned(game), drawn, means, lengths, spread)
    return means, lengths, spread


def race_games(game: Crowns) -> tuple[tuple[Config, ...], NDArray[np.void]]:
    """The game for each number of players in a race: what was agreed, and its start."""
    found = [practice(game, players) for players in RACERS]
    return tuple(table.g for table in found), np.concatenate([table.start for table in found])
