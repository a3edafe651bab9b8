"""Crowns alone, compiled: whole games played by value, for learning and for measuring.

Compiled code draws no random numbers: dice come as arrays of cases.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.rules import (
    Config,
    Crowns,
    CrownsOptions,
    place,
    roll_row,
    rounds_left,
    score,
)
from pasch.games.crowns.values.chances import CASES, STATE, chance
from pasch.games.crowns.values.kernel import (
    ENDLESS,
    LOWEST,
    WorkingMemory,
    choose,
    expected_value,
    locate,
    new_memory,
)
from pasch.games.crowns.values.model import BoardTables, Floats, Model, Number, Steps, Ways, Whole
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records

Reals = NDArray[np.float64]

#: how many placements are looked at further, and how many crowns below the favourite they may be
WIDTH, GAP = 6, np.float32(2.0)


# --- games to play --------------------------------------------------------------------------------------


class Practice(NamedTuple):
    """A game to be played many times: what was agreed, and its start."""

    g: Config
    start: NDArray[np.void]


@lru_cache(maxsize=16)
def practice(game: Crowns, players: int = 0, **options: Any) -> Practice:
    """The game with the usual number of rounds, which weights are learned for; if wanted for other players."""
    changed = msgspec.structs.replace(game.options, round_limit=CrownsOptions().round_limit, **options)
    agreed = Crowns(players or game.players, changed)
    return Practice(arrays(agreed.config), records(agreed, 1))


def draw_dice(generator: np.random.Generator, game: Crowns, games: int, *seats: int) -> Whole:
    """Dice for so many games: [game, round], or [game, round, seat]."""
    rounds = rounds_left(Crowns(game.players).config, 0)
    return generator.integers(CASES, size=(games, rounds, *seats))


# --- playing --------------------------------------------------------------------------------------------


class Trace(NamedTuple):
    """The boards after each turn of a game."""

    table_at: Steps  # [turn, group]
    chips: Whole  # [turn] chips left
    best: Floats  # [turn] value of the roll before the move


@compile_plain
@apart
def new_trace(ways: Ways, turns: int) -> Trace:
    """Room for a game of so many turns."""
    return Trace(
        np.zeros((turns, ways.table_base.shape[0]), dtype=np.int32),
        np.zeros(turns, dtype=np.int64),
        np.zeros(turns, dtype=np.float32),
    )


@compile_plain
def copy_row(numbers: Steps, out: Steps) -> None:
    """Write down the entries of a board."""
    for group in range(numbers.shape[0]):
        out[group] = numbers[group]


@compile_plain
def play(
    g: Config,
    v: BoardTables,
    s: Any,
    dice: Whole,
    margin: Number,
    memory: WorkingMemory,
    trace: Trace,
) -> int:
    """Play a game to its end, kept in `trace`; the number of its turns."""
    turns = 0
    while s.actor != OVER:
        chance(g, s, dice[turns])
        code, best = choose(v, 0, s.boards[0], s.left[0], roll_row(s), margin, memory)
        trace.best[turns] = best
        place(g, s, code)
        locate(v, s.boards[0], memory)
        copy_row(memory.at, trace.table_at[turns])
        trace.chips[turns] = s.left[0]
        turns += 1
    return turns


@compile_plain
@apart
def play_quickly(g: Config, v: BoardTables, start: NDArray[np.void], dice: Whole, scores: Floats) -> None:
    """Write the scores of games in which nobody looks ahead."""
    memory, trace, room = new_memory(v), new_trace(v.ways, dice.shape[1]), np.empty(1, STATE)
    for i in range(dice.shape[0]):
        room[0] = start[0]
        play(g, v, room[0], dice[i], v.margin, memory, trace)
        scores[i] = score(g, room[0].boards[0])


def quick_scores(game: Crowns, model: Model, games: int, seed: int) -> Floats:
    """Scores of games in which nobody looks ahead."""
    table, scores = practice(game), np.zeros(games, np.float32)
    dice = draw_dice(np.random.default_rng(seed), game, games)
    play_quickly(table.g, model.learned(game), table.start, dice, scores)
    return scores


# --- looking a roll ahead ---------------------------------------------------------------------------------


@compile_plain
def choose_ahead(
    v: BoardTables, board: Number, chips: int, roll: int, memory: WorkingMemory, inner: WorkingMemory
) -> tuple[int, Number, Number]:
    """The best move looking a roll ahead, its value, and the best value without looking.

    Only a few favourites are looked at, to save time; `pasch.games.crowns.values` looks at more.
    """
    ways = v.ways
    choice, quick = choose(v, 0, board, chips, roll, v.margin, memory)
    best = np.float64(-1e30)
    first, last = ways.start[roll], ways.start[roll + 1]
    for _ in range(WIDTH):
        u = ways.number[first]
        for i in range(first, last):
            if memory.values[ways.number[i]] > memory.values[u]:
                u = ways.number[i]
        if memory.values[u] < quick - GAP:
            break
        memory.values[u] = LOWEST
        value = expected_value(v, 0, board | ways.masks[u], chips - ways.cost[u], ENDLESS, inner)
        if value > best:
            best, choice = value, u
    return choice, best, quick


@compile_plain
@apart
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
    memory, inner, room = new_memory(v), new_memory(v), np.empty(1, STATE)
    squares, counts = np.zeros(error.shape[0]), np.zeros(error.shape[0])
    corrections, seen = np.zeros(dice.shape[1]), np.zeros(dice.shape[1], dtype=np.int64)
    beginning = expected_value(v, 0, start[0].boards[0], start[0].left[0], ENDLESS, inner)
    for i in range(dice.shape[0]):
        room[0] = start[0]
        s = room[0]
        luck, mean, turns = 0.0, beginning, 0
        while s.actor != OVER:
            chance(g, s, dice[i, turns])
            code, value, quick = choose_ahead(v, s.boards[0], s.left[0], roll_row(s), memory, inner)
            luck += quick - mean
            mean = value
            corrections[turns] = value - quick
            seen[turns] = s.left[0]
            turns += 1
            place(g, s, code)
        scores[i] = score(g, s.boards[0])
        steady[i] = scores[i] - luck
        later = 0.0
        for turn in range(turns - 1, -1, -1):
            later += corrections[turn]
            squares[seen[turn]] += later * later
            counts[seen[turn]] += 1
    for chips in range(error.shape[0]):
        error[chips] = np.sqrt(squares[chips] / max(counts[chips], 1.0))


def scores_ahead(game: Crowns, model: Model, games: int, seed: int) -> tuple[Reals, Reals, Reals]:
    """Scores of games looking a roll ahead; the same with the luck taken out; errors by chips left.

    The luck of a roll is its quick value less the exact mean over all rolls. It averages zero, so that
    scores without it have the same mean and a much smaller spread. What is then left between the first
    estimate and the score are the estimate's own corrections; by chips left their root mean square is
    how far estimates are off.
    """
    table, v = practice(game), model.learned(game)
    scores, steady, error = np.zeros(games), np.zeros(games), np.zeros(v.tables.shape[1])
    dice = draw_dice(np.random.default_rng(seed), game, games)
    play_ahead(table.g, v, table.start, dice, scores, steady, error)
    return scores, steady, error
