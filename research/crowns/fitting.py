"""What the solved table leaves open, measured: what covered edge fields take away, and how well the values play.

The relaxed game forgets which edge fields are covered. By chips left, the fewest first, the real value of boards of
many kinds of play is found by looking one roll ahead with the values of fewer chips; a linear fit says what each
covered edge field takes away.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Config, Crowns, place, roll_row, score
from pasch.games.crowns.values.chances import CASES, STATE, chance
from pasch.games.crowns.values.kernel import (
    ENDLESS,
    LOWEST,
    WorkingMemory,
    board_value,
    choose,
    expected_value,
    new_memory,
)
from pasch.games.crowns.values.model import ALL, BoardTables, Floats, Number, Reals, Whole, solved_tables
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records
from research.crowns.solved import opened

#: games whose boards are fitted to, and what is added to the values of their moves, in crowns: from none to chance
GAMES: Final = 3_000
NOISES: Final = (0.0, 0.5, 2.0, 6.0, 50.0)
#: games that measure how well the values play
MEASURED: Final = 1_000
#: crowns below the favourite that a placement may be to be looked at further
GAP = np.float32(2.0)


@compile_plain
@apart
def wander(
    g: Config,
    v: BoardTables,
    start: NDArray[np.void],
    dice: Whole,
    noise: Floats,
    whims: Floats,
    boards: Whole,
) -> None:
    """Play games and write `boards` [game, chips left]: noise [game, turn, any] is added to the values of moves.

    `whims` [game, field] are added, too, for every field that a move covers.
    """
    memory, room = new_memory(v), np.empty(1, STATE)
    for game in range(dice.shape[0]):
        room[0] = start[0]
        s, turn = room[0], 0
        while s.actor != OVER:
            chance(g, s, dice[game, turn])
            choice, best = choose(v, 0, s.boards[0], s.left[0], roll_row(s), ALL, memory)
            best = LOWEST
            first = v.ways.start[roll_row(s)]
            for at in range(first, v.ways.start[roll_row(s) + 1]):
                u = v.ways.number[at]
                value = memory.values[u]
                if value > LOWEST:
                    value += noise[game, turn, (at - first) % noise.shape[2]]
                    for field in range(whims.shape[1]):
                        if v.ways.masks[u] >> field & 1:
                            value += whims[game, field]
                    if value > best:
                        best, choice = value, u
            place(g, s, choice)
            turn += 1
            boards[game, s.left[0]] = s.boards[0]


@compile_plain
@apart
def look_ahead(v: BoardTables, boards: Whole, chips: int, found: Reals) -> None:
    """Write what boards are worth with so many chips left, looking one roll ahead."""
    memory = new_memory(v)
    for which in range(boards.shape[0]):
        found[which] = expected_value(v, 0, boards[which], chips, ENDLESS, memory)


@compile_plain
def choose_ahead(
    v: BoardTables, board: Number, chips: int, roll: int, memory: WorkingMemory, inner: WorkingMemory
) -> tuple[int, Number, Number]:
    """The best move looking a roll ahead, its value, and the best value without looking."""
    ways = v.ways
    choice, quick = choose(v, 0, board, chips, roll, ALL, memory)
    best = np.float64(-1e30)
    for at in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[at]
        if memory.values[u] >= quick - GAP:
            value = expected_value(v, 0, board | ways.masks[u], chips - ways.cost[u], ENDLESS, inner)
            if value > best:
                best, choice = value, u
    return choice, best, quick


@compile_plain
@apart
def measure(
    g: Config,
    v: BoardTables,
    start: NDArray[np.void],
    dice: Whole,
    scores: Reals,
    steady: Reals,
    square: Reals,
    count: Reals,
) -> None:
    """Write scores of games played one roll ahead, the same without luck, and squares of later corrections by chips."""
    memory, inner, room = new_memory(v), new_memory(v), np.empty(1, STATE)
    corrections, seen = np.zeros(dice.shape[1]), np.zeros(dice.shape[1], dtype=np.int64)
    beginning = expected_value(v, 0, start[0].boards[0], start[0].left[0], ENDLESS, inner)
    for game in range(dice.shape[0]):
        room[0] = start[0]
        s = room[0]
        luck, mean, turns = 0.0, beginning, 0
        while s.actor != OVER:
            chance(g, s, dice[game, turns])
            code, value, quick = choose_ahead(v, s.boards[0], s.left[0], roll_row(s), memory, inner)
            luck += quick - mean
            mean = value
            corrections[turns], seen[turns] = value - quick, s.left[0]
            turns += 1
            place(g, s, code)
        scores[game] = score(g, s.boards[0])
        steady[game] = scores[game] - luck
        later = 0.0
        for turn in range(turns - 1, -1, -1):
            later += corrections[turn]
            square[seen[turn]] += later * later
            count[seen[turn]] += 1


def dice_of(game: Crowns, games: int, seed: int) -> Whole:
    """Dice for so many games, [game, turn]."""
    return np.random.default_rng(seed).integers(CASES, size=(games, game.components.chips.number))


def _tables(game: Crowns, solved: dict[str, Any]) -> BoardTables:
    return solved_tables(game, opened(game, solved))


def fit_losses(game: Crowns, solved: dict[str, Any], games: int = GAMES) -> tuple[Reals, Reals]:
    """[chips left, field] what a covered edge field takes away, and [chips left] what is taken off every board."""
    chips = game.components.chips.number
    losses, rest = np.zeros((chips + 1, FIELDS)), np.zeros(chips + 1)
    generator = np.random.default_rng(3)
    noise = generator.normal(size=(games, chips, 64)).astype(np.float32)
    noise *= np.array(NOISES, np.float32)[np.arange(games) % len(NOISES)][:, None, None]
    boards, whims = np.full((games, chips), -1), np.zeros((games, FIELDS), np.float32)
    v = _tables(game, {**solved, "losses": losses, "rest": rest})
    wander(arrays(game.config), v, records(game, 1), dice_of(game, games, 4), noise, whims, boards)
    for left in range(1, chips):
        reached = boards[boards[:, left] >= 0, left]
        covered = ((reached[:, None] >> np.array(EDGE)) & 1).astype(float)
        covered = np.column_stack([covered, np.ones(len(reached))])
        v = _tables(game, {**solved, "losses": losses, "rest": rest})
        real, relaxed = np.zeros(len(reached)), np.zeros(len(reached))
        look_ahead(v, reached, left, real)
        relax_all(v, reached, left, relaxed)
        # a little weight on no loss at all, for fields that are seldom covered
        gram = covered.T @ covered + 0.5 * np.eye(len(EDGE) + 1)
        found = np.linalg.solve(gram, covered.T @ (relaxed - real))
        losses[left, list(EDGE)], rest[left] = found[:-1], found[-1]
    return losses, rest


@compile_plain
@apart
def relax_all(v: BoardTables, boards: Whole, chips: int, found: Reals) -> None:
    """Write what boards are worth by the table alone."""
    memory = new_memory(v)
    for which in range(boards.shape[0]):
        found[which] = board_value(v, 0, boards[which], chips, memory)


def finished(game: Crowns, solved: dict[str, Any]) -> dict[str, Any]:
    """A solved table with losses, the bound, the average of the play, its standard error, and errors by chips left."""
    losses, rest = fit_losses(game, solved)
    made = {**solved, "losses": losses, "rest": rest}
    chips = game.components.chips.number
    scores, steady = np.zeros(MEASURED), np.zeros(MEASURED)
    square, count = np.zeros(chips + 1), np.zeros(chips + 1)
    measure(
        arrays(game.config),
        _tables(game, made),
        records(game, 1),
        dice_of(game, MEASURED, 5),
        scores,
        steady,
        square,
        count,
    )
    error = np.sqrt(square / np.maximum(count, 1))
    bound = (int(solved["kept"][chips]) + chips / 2) * float(solved["unit"][0])
    play = [steady.mean(), steady.std() / MEASURED**0.5]
    return {**made, "error": error, "figures": np.array([bound, *play])}
