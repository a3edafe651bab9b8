"""Crowns: tables learned from self-play, for races and for what no weights come with the package for.

Each board after a turn is pulled towards the next one as just corrected, the last one to its score, so that one game
carries its result back through all its turns. Alone, hopeful tables learn from some 20,000 games a second.

A race is over with the round in which somebody has placed the last chip, so that the others' haste ends
one's own plans. Tables of a race therefore know the *pace* as well, the fewest chips that an opponent has
left, and foretell a seat's final score if it plays for points. At pace 0 a seat has had its last turn:
there the tables are the exact score.

Learning from nothing ends badly in a race: who knows no plan yet gains little by waiting, hurries, and so leaves
nobody the time to find one. So a race begins with what one player has learned alone. And players for points who only
meet each other become ever more patient, until they are surprised by anybody who is not; therefore up to half of the
seats are taken by *steady* opponents, who have no board and just place chips, each at a speed of its own.

`python -m research crowns --race` makes the weights of races that come with the package; those of games alone are
fitted to solved values instead (`--fit`). Compiled code draws no random numbers: dice come as arrays of cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.learned import PACE
from pasch.games.crowns.rules import (
    Config,
    Crowns,
    CrownsOptions,
    end_turn,
    moves,
    place,
    rounds_left,
    score,
)
from pasch.games.crowns.values.chances import CASES, STATE, chance, quick_move
from pasch.games.crowns.values.kernel import NO_LIMIT, Scratch, locate, look_ahead, new_scratch, table_value
from pasch.games.crowns.values.lookahead import look_at_favourites
from pasch.games.crowns.values.model import (
    PACES,
    Arrays,
    BoardTables,
    Model,
    RaceModel,
    learned,
    new_model,
    new_race_model,
    pack,
    score_entries,
)
from pasch.games.crowns.values.placements import TABLE_GROUPS, Floats, Number, Reals, Steps, Whole
from pasch.games.crowns.ways import DICE, most_moves
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records
from pasch.solve.valuer import Report, silent

#: the numbers of players in a race
RACERS: Final = range(2, Crowns.seats[-1] + 1)
#: chips that a steady opponent places in a turn, on average: so many, more for each that it has left, both
#: times its own speed. People who plan take what comes at first and have to wait for their last fields.
STEADY, STEADY_MORE = 0.6, 0.09
#: the speeds of steady opponents lie between these
SLOWEST, FASTEST = 0.7, 1.3
#: crowns that a chip promises at first
HOPE: Final = 5.0
#: games that measure a finished model, looking ahead
MEASURED_AHEAD: Final = 200


# --- games to play --------------------------------------------------------------------------------------


class Games(NamedTuple):
    """Games to be played: by game the number of seats, the steady ones' speeds, dice, and the steady ones' luck."""

    seats: Whole  # [game]
    speed: Reals  # [game, seat] 0 for a seat that plays for points
    dice: Whole  # [game, round, seat]
    luck: Reals  # [game, round, seat] from 0 to below 1


class Tables(NamedTuple):
    """The game for each number of players, up to the most: what was agreed, and its start."""

    g: tuple[Config, ...]
    start: NDArray[np.void]


@lru_cache(maxsize=16)
def tables_of(game: Crowns) -> Tables:
    """The game with the usual number of rounds, which weights are learned for; a race for every number of players."""
    options = msgspec.structs.replace(game.options, round_limit=CrownsOptions().round_limit)
    found = [Crowns(players, options) for players in ([1] if game.players == 1 else RACERS)]
    return Tables(
        tuple(arrays(each.config) for each in found), np.concatenate([records(each, 1) for each in found])
    )


def draw_games(game: Crowns, number: int, seed: int, steady: bool = False) -> Games:
    """Games for one, or races of 2 to 6 seats; with steady opponents or without."""
    generator = np.random.default_rng(seed)
    first, last = (1, 1) if game.players == 1 else (RACERS[0], RACERS[-1])
    seats = generator.integers(first, last + 1, size=number)
    speed = draw_speeds(generator, seats) if steady else np.zeros((number, last))
    size = (number, rounds_left(tables_of(game).g[0], 0), last)
    luck = generator.random(size) if steady else np.zeros(size)
    return Games(seats, speed, generator.integers(CASES, size=size), luck)


def draw_speeds(generator: np.random.Generator, seats: Whole) -> Reals:
    """Who is steady, and how fast: every seat with even chances, but for one that plays for points."""
    shape = (len(seats), RACERS[-1])
    steady = (generator.random(shape) < 0.5) & (np.arange(shape[1]) < seats[:, None])
    steady[np.arange(len(seats)), generator.integers(seats)] = False
    return np.where(steady, SLOWEST + (FASTEST - SLOWEST) * generator.random(shape), 0.0)


# --- playing and learning, compiled -----------------------------------------------------------------------


class Trace(NamedTuple):
    """The boards after each turn of a game, by seat and round."""

    at: Steps  # [seat, round, group]
    pace: Whole
    chips: Whole  # left after the turn


@compile_plain
@apart
def new_trace(v: BoardTables, dice: Whole) -> Trace:
    """Room for a game with these dice."""
    rounds, seats = dice.shape[1], dice.shape[2]
    return Trace(
        np.zeros((seats, rounds, v.ways.table_base.shape[0]), dtype=np.int32),
        np.zeros((seats, rounds), dtype=np.int64),
        np.zeros((seats, rounds), dtype=np.int64),
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
def play(
    g: Config,
    v: BoardTables,
    s: Any,
    speed: Reals,
    dice: Whole,
    luck: Reals,
    scratch: Scratch,
    trace: Trace,
) -> None:
    """Play a game to its end, kept in `trace`. A seat with a speed is steady; the others play for points."""
    while s.actor != OVER:
        seat, turn = s.seat, s.rounds
        if speed[seat] > 0:
            end_turn(g, s, steadily(s.left[seat], speed[seat], luck[turn, seat]))
            continue
        chance(g, s, dice[turn, seat])
        code, pace = quick_move(g, v, s, scratch)
        place(g, s, code)
        locate(s.boards[seat], v.ways.table_base, v.ways.table_fields, trace.at[seat, turn])
        trace.pace[seat, turn] = pace
        trace.chips[seat, turn] = s.left[seat]


@compile_plain
def learns(g: Config, pace: int, chips: int) -> bool:
    """Whether the value of a board is learned: without chips, and at pace 0 of a race, it is the score."""
    return chips > 0 and (pace > 0 or g.players == 1)


@compile_plain
def learn(
    g: Config, seat: int, points: int, rounds: int, tables: Floats, still: Steps, rate: Number, trace: Trace
) -> None:
    """Pull the boards of a seat towards the next one as just corrected, the last one to its score."""
    groups = trace.at.shape[2]
    goal = np.float32(points)
    for turn in range(rounds - 1, -1, -1):
        pace, chips = trace.pace[seat, turn], trace.chips[seat, turn]
        table, at = tables[pace, chips], trace.at[seat, turn]
        if learns(g, pace, chips):
            step = np.float32(rate * (goal - table_value(table, at, still)) / groups)
            for group in range(groups):
                table[at[group]] += step
        goal = table_value(table, at, still)


@compile_plain
@apart
def learn_games(of: Tables, v: BoardTables, tables: Floats, games: Games, rate: Number) -> Number:
    """Play games and learn; the mean score of those that play for points.

    `tables` are those of `v`, to be written to.
    """
    scratch, room, trace = new_scratch(v), np.empty(1, STATE), new_trace(v, games.dice)
    total, counted, first = 0.0, 0, of.g[0].players
    for i in range(games.seats.shape[0]):
        g, speed = of.g[games.seats[i] - first], games.speed[i]
        room[0] = of.start[games.seats[i] - first]
        s = room[0]
        play(g, v, s, speed, games.dice[i], games.luck[i], scratch, trace)
        for seat in range(g.players):
            if speed[seat] == 0:
                points = score(g, s.boards[seat])
                learn(g, seat, points, s.rounds, tables, v.ways.table_steps[0], rate, trace)
                total += points
                counted += 1
    return total / counted


@compile_plain
@apart
def watch_games(
    of: Tables, v: BoardTables, games: Games, scores: Reals, rounds: Whole, spread: Reals
) -> None:
    """See `quick_games`."""
    scratch, room, trace = new_scratch(v), np.empty(1, STATE), new_trace(v, games.dice)
    counts, whole, seen, first = np.zeros(spread.shape), 0.0, 0.0, of.g[0].players
    for i in range(games.seats.shape[0]):
        g = of.g[games.seats[i] - first]
        room[0] = of.start[games.seats[i] - first]
        s = room[0]
        play(g, v, s, games.speed[i], games.dice[i], games.luck[i], scratch, trace)
        rounds[i] = s.rounds
        for seat in range(g.players):
            scores[i, seat] = score(g, s.boards[seat])
            for turn in range(s.rounds):
                pace, chips = trace.pace[seat, turn], trace.chips[seat, turn]
                if learns(g, pace, chips):
                    value = table_value(v.tables[pace, chips], trace.at[seat, turn], v.ways.table_steps[0])
                    gap = scores[i, seat] - np.float64(value)
                    spread[pace, chips] += gap * gap
                    counts[pace, chips] += 1
                    whole += gap * gap
                    seen += 1
    # a cell that is rarely seen takes over the whole's spread
    whole /= max(1.0, seen)
    for pace in range(spread.shape[0]):
        for chips in range(1, spread.shape[1]):
            if learns(of.g[0], pace, chips):
                spread[pace, chips] = np.sqrt(
                    (spread[pace, chips] + 10 * whole) / (counts[pace, chips] + 10)
                )


class Played(NamedTuple):
    """Games of players for points who do not look ahead."""

    seats: Whole  # [game]
    scores: Reals  # [game, seat]
    rounds: Whole  # [game]
    spread: Reals  # [pace, chips left] standard deviation of the final score about the value


def quick_games(game: Crowns, model: Model | RaceModel, number: int, seed: int) -> Played:
    """Play games of players for points who do not look ahead."""
    v, games = model.learned(game), draw_games(game, number, seed)
    played = Played(
        games.seats, np.zeros(games.speed.shape), np.zeros_like(games.seats), np.zeros(v.tables.shape[:2])
    )
    watch_games(tables_of(game), v, games, played.scores, played.rounds, played.spread)
    return played


# --- looking a roll ahead ---------------------------------------------------------------------------------


def play_ahead(
    g: Config,
    v: BoardTables,
    start: NDArray[np.void],
    dice: Whole,
    scores: Reals,
    steady: Reals,
    error: Reals,
) -> None:
    """See `scores_ahead`."""
    scratch, room = new_scratch(v), np.empty(1, STATE)
    codes: Any = np.zeros(most_moves(g), np.int64)
    squares, counts, values = np.zeros(error.shape[0]), np.zeros(error.shape[0]), np.zeros(len(codes))
    corrections, seen = np.zeros(dice.shape[1]), np.zeros(dice.shape[1], dtype=np.int64)
    beginning = look_ahead(v, 0, start[0].boards[0], start[0].left[0], NO_LIMIT, scratch.often, scratch)
    for i in range(dice.shape[0]):
        room[0] = start[0]
        s = room[0]
        luck, mean, turns = 0.0, beginning, 0
        while s.actor != OVER:
            chance(g, s, dice[i, turns, 0])
            count = moves(g, s, codes)
            quick = look_at_favourites(g, v, s, codes, count, scratch, values)
            best = np.argmax(values[:count])
            luck += quick - mean
            mean = values[best]
            corrections[turns], seen[turns] = mean - quick, s.left[0]
            turns += 1
            place(g, s, codes[best])
        scores[i] = score(g, s.boards[0])
        steady[i] = scores[i] - luck
        later = 0.0
        for turn in range(turns - 1, -1, -1):
            later += corrections[turn]
            squares[seen[turn]] += later * later
            counts[seen[turn]] += 1
    for chips in range(error.shape[0]):
        error[chips] = np.sqrt(squares[chips] / max(counts[chips], 1.0))


run_ahead = compile_plain(apart(play_ahead))


def scores_ahead(game: Crowns, model: Model, games: int, seed: int) -> tuple[Reals, Reals, Reals]:
    """Scores of games looking a roll ahead; the same with the luck taken out; errors by chips left.

    The luck of a roll is its quick value less the exact mean over all rolls. It averages zero, so that
    scores without it have the same mean and a much smaller spread. What is then left between the first
    estimate and the score are the estimate's own corrections; by chips left their root mean square is
    how far estimates are off.
    """
    of, v = tables_of(game), model.learned(game)
    scores, steady, error = np.zeros(games), np.zeros(games), np.zeros(v.tables.shape[1])
    run_ahead(of.g[0], v, of.start, draw_games(game, games, seed).dice, scores, steady, error)
    return scores, steady, error


# --- training ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phase:
    """A stretch of learning, alone (`tables`) or in a `race`."""

    kind: str
    games: int
    #: the rate at first and in the end
    rates: tuple[float, float]
    #: games that are played with one rate
    chunk: int

    def rate(self, done: int) -> float:
        """Steady for the first 30 %, then falling by the same share all the time."""
        high, low = self.rates
        return float(high * (low / high) ** max(0.0, (done / self.games - 0.3) / 0.7))


#: what is learned alone
SOLO: Final = (Phase("tables", 1_000_000, (0.3, 0.005), 4_000),)
#: A race has tables alone, one set for every pace: opponents leave less time for plans that only a net would
#: understand, and looking ahead has to be quick for six seats.
RACE: Final = (*SOLO, Phase("race", 240_000, (0.1, 0.001), 1_000))
#: what a race with a box of your own gets on first need
QUICK_RACE: Final = tuple(replace(phase, games=phase.games * 3 // 10) for phase in RACE)


def begin(game: Crowns) -> Model | RaceModel:
    """A model that has learned nothing yet."""
    return new_model(game, HOPE, (0, 0)) if game.players == 1 else new_race_model(game, HOPE)


def train(
    game: Crowns, phases: tuple[Phase, ...], model: Model | RaceModel, report: Report = silent
) -> None:
    """Have a model learn in these phases; every chunk of games has its own seed and its own rate."""
    done, total = 0, sum([phase.games for phase in phases])
    for phase in phases:
        racing = phase.kind == "race"
        table = game if racing else _alone(game)
        # until a race begins, its last pace keeps what is learned alone
        learner = (
            model.tables[None]
            if isinstance(model, Model)
            else model.tables
            if racing
            else model.tables[-1:]
        )
        if racing:
            assert isinstance(model, RaceModel)
            _set_out(game, model)
        for played in range(0, phase.games, phase.chunk):
            games = draw_games(table, phase.chunk, done + 1, steady=racing)
            v = learned(table, learner)
            points = learn_games(tables_of(table), v, learner, games, phase.rate(played))
            done += phase.chunk
            report(done / total, f"{phase.kind}, {points:.1f} points")


def _alone(game: Crowns) -> Crowns:
    """The game for one by which a race learns at first: the usual one."""
    if game.players == 1:
        return game
    return Crowns(1, msgspec.structs.replace(game.options, solo_minimum=1))


def _set_out(game: Crowns, model: RaceModel) -> None:
    """Begin a race with what was learned alone.

    Alone every turn costs a chip or more, so chips are also a measure of time: who has more chips than an
    opponent is taken to have no more than that. With all of them left, which alone nobody has after a turn,
    the board is empty; it is worth what the game is worth.
    """
    alone, most = model.tables[-1].copy(), game.components.chips.number
    v = learned(_alone(game), alone[None])
    scratch = new_scratch(v)
    worth = look_ahead(v, 0, 0, most, NO_LIMIT, scratch.often, scratch)
    alone[most] = score_entries(game) + np.float32(worth / len(TABLE_GROUPS.fields))
    for pace in range(1, PACES):
        fewest = most if pace == PACE[-1] else max(n for n, step in enumerate(PACE) if step == pace)
        model.tables[pace] = alone[np.minimum(np.arange(most + 1), fewest)]


def finished(game: Crowns, model: Model | RaceModel, games: int = MEASURED_AHEAD) -> Arrays:
    """The model packed, with its own errors measured in `games` games; in a race in 20 times as many."""
    if isinstance(model, RaceModel):
        model.spread = quick_games(game, model, 20 * games, 1).spread.astype(np.float32)
    else:
        _, _, error = scores_ahead(game, model, games, 1)
        # numbers of chips that did not come up lie between those that did
        chips = np.arange(len(error))
        seen = (error > 0) | (chips == 0)
        model.error = np.interp(chips, chips[seen], error[seen])
    return pack(game, model)


def quickly(game: Crowns, report: Report = silent) -> Arrays:
    """Weights for a game that none come with the package for: made on first need."""
    model = begin(game)
    train(game, SOLO if game.players == 1 else QUICK_RACE, model, report)
    return finished(game, model)
