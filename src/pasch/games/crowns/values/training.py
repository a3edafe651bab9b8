"""Crowns: tables learned from self-play, for races and for what no weights come with the package for.

Each board after a turn is pulled towards the next one as just corrected, the last one to its score. Tables of a race
also know the *pace*, the fewest chips that an opponent has left, and foretell a seat's final score if it plays for
points. At pace 0 a seat has had its last turn: there the tables are the exact score.

A race begins with what one player has learned alone, because who knows no plan yet hurries and leaves nobody the time
to find one. Players for points who only meet each other become ever more patient; therefore up to half of the seats are
taken by *steady* opponents, who have no board and just place chips, each at a speed of its own.

Compiled code draws no random numbers: dice come as arrays of cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import kernel
from pasch.core.state import OVER
from pasch.games.crowns.learned import FEWEST_CHIPS, GROUPS, PACES
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
from pasch.games.crowns.values.chances import CASES, STATE, chance, greedy_policy
from pasch.games.crowns.values.kernel import (
    NET_GAP,
    NO_LIMIT,
    after_moves,
    locate,
    look_ahead,
    new_scratch,
    table_value,
)
from pasch.games.crowns.values.model import (
    Arrays,
    Model,
    hopeful_tables,
    model_of,
    pack,
    score_entries,
)
from pasch.games.crowns.values.placements import ANY_ROLL, Floats, Number, Reals, Whole
from pasch.games.crowns.ways import DICE, max_moves
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records
from pasch.solve.valuer import Progress, no_progress

#: chips that a steady opponent places in a turn, on average: this number, more for each that it has left, both
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
    """Games to be played: the steady opponents' speeds, dice, and the steady ones' luck."""

    speed: Reals  # [game, seat] 0 for a seat that plays for points
    dice: Whole  # [game, round, seat]
    luck: Reals  # [game, round, seat] from 0 to below 1


@lru_cache(maxsize=16)
def start_of(game: Crowns) -> tuple[Config, NDArray[np.void]]:
    """Config and start of a game as compiled code takes them; with as many rounds as usual, for which weights are."""
    options = msgspec.structs.replace(game.options, round_limit=CrownsOptions().round_limit)
    usual = Crowns(game.players, options)
    return arrays(usual.config), records(usual, 1)


def draw_games(game: Crowns, number: int, seed: int, steady: bool = False) -> Games:
    """Games with steady opponents, every seat with even chances but for one that plays for points, or without."""
    generator, speed = np.random.default_rng(seed), np.zeros((number, game.players))
    size = number, rounds_left(start_of(game)[0], 0), game.players
    dice, luck = generator.integers(CASES, size=size), np.zeros(size)
    if steady:
        chosen, luck = generator.random(speed.shape) < 0.5, generator.random(size)
        chosen[np.arange(number), generator.integers(game.players, size=number)] = False
        speed[chosen] = generator.uniform(SLOWEST, FASTEST, chosen.sum())
    return Games(speed, dice, luck)


# --- playing and learning, compiled -----------------------------------------------------------------------


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


class QuickGames(NamedTuple):
    """Games of players for points who do not look ahead."""

    scores: Reals  # [game, seat]
    rounds: Whole  # [game]
    squares: Reals  # [pace, chips left] how far the final score lies from the value: squares, and how many
    counts: Reals


@compile_plain
@kernel(allocates=True)
def play_games(
    g: Config, v: Model, start: NDArray[np.void], tables: Floats, games: Games, rate: Number
) -> QuickGames:
    """Play games of players for points who do not look ahead, and learn if there is a rate.

    Each board is pulled towards the next one as just corrected, the last one to its score, in `tables`: those of `v`,
    to be written to.
    """
    paces_and_chips = v.tables.shape[:2]
    found = QuickGames(
        np.zeros(games.speed.shape),
        np.zeros(len(games.dice), np.int64),
        np.zeros(paces_and_chips),
        np.zeros(paces_and_chips),
    )
    scores, rounds, squares, counts = found
    groups, still = v.ways.table.base.shape[0], v.ways.table_steps[0]
    scratch, buffer, turns = new_scratch(v), np.empty(1, STATE), games.dice.shape[1]
    # the boards after each turn of a game: [seat, round]
    trace = np.zeros((g.players, turns, groups), np.int32)
    paces, left = np.zeros((g.players, turns), np.int64), np.zeros((g.players, turns), np.int64)
    for i in range(games.dice.shape[0]):
        buffer[0] = start[0]
        s = buffer[0]
        while s.actor != OVER:
            seat, turn = s.seat, s.rounds
            if games.speed[i, seat] > 0:
                end_turn(g, s, steadily(s.left[seat], games.speed[i, seat], games.luck[i, turn, seat]))
                continue
            chance(g, s, games.dice[i, turn, seat])
            code, paces[seat, turn] = greedy_policy(g, v, s, scratch)
            place(g, s, code)
            locate(s.boards[seat], v.ways.table, trace[seat, turn])
            left[seat, turn] = s.left[seat]
        rounds[i] = s.rounds
        for seat in range(g.players):
            scores[i, seat] = score(g, s.boards[seat])
            goal = np.float32(scores[i, seat])
            for turn in range(s.rounds - 1, -1, -1) if games.speed[i, seat] == 0 else range(0, 0, -1):
                pace, chips, at = paces[seat, turn], left[seat, turn], trace[seat, turn]
                table = tables[pace, chips]
                # without chips, and at pace 0 of a race, the value is the score
                if chips > 0 and (pace > 0 or g.players == 1):
                    gap = goal - table_value(table, at, still)
                    step = np.float32(rate * gap / groups)
                    for group in range(groups):
                        table[at[group]] += step
                    far = scores[i, seat] - np.float64(table_value(v.tables[pace, chips], at, still))
                    squares[pace, chips] += far * far
                    counts[pace, chips] += 1
                goal = table_value(table, at, still)
    return found


def quick_games(
    game: Crowns, v: Model, games: Games, rate: float = 0.0, tables: Floats | None = None
) -> QuickGames:
    """Play games of players for points who do not look ahead; with a rate `tables`, the model's, learn from them."""
    g, start = start_of(game)
    found: QuickGames = play_games(g, v, start, v.tables.copy() if tables is None else tables, games, rate)
    return found


# --- looking a roll ahead ---------------------------------------------------------------------------------


class Ahead(NamedTuple):
    """Games alone, looking a roll ahead."""

    scores: Reals
    #: scores with the luck taken out
    steady: Reals
    #: [chips left] how far estimates are off
    error: Reals


@kernel(allocates=True)
def play_ahead(g: Config, v: Model, start: NDArray[np.void], dice: Whole) -> Ahead:
    """See `scores_ahead`."""
    scores, steady, error = np.zeros(len(dice)), np.zeros(len(dice)), np.zeros(v.tables.shape[1])
    scratch, buffer = new_scratch(v), np.empty(1, STATE)
    codes: Any = np.zeros(max_moves(g), np.int64)
    squares, counts, values = np.zeros(error.shape[0]), np.zeros(error.shape[0]), np.zeros((len(codes), 1))
    corrections, seen = np.zeros(dice.shape[1]), np.zeros(dice.shape[1], dtype=np.int64)
    begins = 0, start[0].boards[0], start[0].left[0], NO_LIMIT
    beginning = look_ahead(v, *begins, ANY_ROLL, scratch.often, scratch)
    for i in range(dice.shape[0]):
        buffer[0] = start[0]
        s = buffer[0]
        luck, mean, turns = 0.0, beginning, 0
        while s.actor != OVER:
            chance(g, s, dice[i, turns, 0])
            count = moves(g, s, codes)
            quick = after_moves(g, v, s, codes, count, False, NET_GAP, scratch, values)
            best = np.argmax(values[:count, 0])
            luck += quick - mean
            mean = values[best, 0]
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
    return Ahead(scores, steady, error)


run_ahead = compile_plain(play_ahead)


def scores_ahead(game: Crowns, v: Any, games: int, seed: int, play: Any = run_ahead) -> Ahead:
    """Games alone, looking a roll ahead, their scores with the luck taken out, and errors by chips left.

    The luck of a roll is its quick value less the exact mean over all rolls. It averages zero, so that
    scores without it have the same mean and a much smaller spread. What is then left between the first
    estimate and the score are the estimate's own corrections; by chips left their root mean square is
    how far estimates are off.
    """
    g, start = start_of(game)
    found: Ahead = play(g, v, start, draw_games(game, games, seed).dice)
    return found


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
RACE: Final = (*SOLO, Phase("race", 240_000, (0.1, 0.001), 50))
#: what a race with a box of your own gets on first need
QUICK_RACE: Final = tuple(replace(phase, games=phase.games * 3 // 10) for phase in RACE)


def train(game: Crowns, phases: tuple[Phase, ...], report: Progress = no_progress) -> Model:
    """What is learned in these phases; every chunk of games has a seed, a rate and a number of players of its own."""
    tables, done, total = hopeful_tables(game, HOPE), 0, sum([phase.games for phase in phases])
    for phase in phases:
        # until a race begins, its last pace keeps what is learned alone
        kinds, learning = [_alone(game)], tables[-1:]
        if phase.kind == "race":
            kinds, learning = races_of(game), tables
            _set_out(game, tables)
        v = model_of(kinds[0], learning)
        for played in range(0, phase.games, phase.chunk):
            kind = kinds[played // phase.chunk % len(kinds)]
            games = draw_games(kind, phase.chunk, done + 1, steady=len(kinds) > 1)
            scores = quick_games(kind, v, games, phase.rate(played), learning).scores
            done += phase.chunk
            report(done / total, f"{phase.kind}, {scores[games.speed == 0].mean():.1f} points")
    return model_of(game, tables)


def _alone(game: Crowns) -> Crowns:
    """The game for one by which a race learns at first: the usual one."""
    if game.players == 1:
        return game
    return Crowns(1, msgspec.structs.replace(game.options, solo_minimum=1))


def races_of(game: Crowns) -> list[Crowns]:
    """The races of all numbers of players with the options of one of them."""
    return [Crowns(players, game.options) for players in range(2, Crowns.seats[-1] + 1)]


def _set_out(game: Crowns, tables: Floats) -> None:
    """Begin a race with what was learned alone.

    Alone every turn costs a chip or more, so chips are also a measure of time: who has more chips than an
    opponent is taken to have no more than that. With all of them left, which alone nobody has after a turn,
    the board is empty; it is worth what the game is worth.
    """
    alone, most = tables[-1].copy(), game.components.chips.number
    v = model_of(_alone(game), alone[None])
    scratch = new_scratch(v)
    worth = look_ahead(v, 0, 0, most, NO_LIMIT, ANY_ROLL, scratch.often, scratch)
    alone[most] = score_entries(game) + np.float32(worth / len(GROUPS))
    for pace in range(1, PACES):
        fewest = max(n for n, step in enumerate(FEWEST_CHIPS) if step == pace)
        chips = most if pace == FEWEST_CHIPS[-1] else fewest
        tables[pace] = alone[np.minimum(np.arange(most + 1), chips)]


def finished(game: Crowns, model: Model, games: int = MEASURED_AHEAD) -> Arrays:
    """The model packed, with its own errors measured in `games` games; in a race in 20 times as many."""
    if game.players > 1:
        races = races_of(game)
        played = [quick_games(race, model, draw_games(race, 20 * games // len(races), 1)) for race in races]
        squares, counts = np.sum([(one.squares, one.counts) for one in played], axis=0)
        # a cell that is rarely seen takes over the whole's spread; without chips, and at pace 0, there is none
        spread = np.sqrt((squares + 10 * squares.sum() / max(1.0, counts.sum())) / (counts + 10))
        spread[0] = spread[:, 0] = 0.0
        return pack(game, model._replace(spread=spread.astype(np.float32)))
    error = scores_ahead(game, model, games, 1).error
    # numbers of chips that did not come up lie between those that did
    chips = np.arange(len(error))
    seen = (error > 0) | (chips == 0)
    return pack(game, model._replace(error=np.interp(chips, chips[seen], error[seen])))


def quickly(game: Crowns, report: Progress = no_progress) -> Arrays:
    """Weights for a game that none come with the package for: made on first need."""
    return finished(game, train(game, SOLO if game.players == 1 else QUICK_RACE, report))
