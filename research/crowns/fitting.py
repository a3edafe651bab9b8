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
from pasch.games.crowns.rules import Config, Crowns, moves, place, roll_row
from pasch.games.crowns.values.chances import STATE, chance
from pasch.games.crowns.values.kernel import NO_LIMIT, look_ahead, new_scratch, value_placements
from pasch.games.crowns.values.net import IMPOSSIBLE
from pasch.games.crowns.values.placements import Floats, Reals, Whole
from pasch.games.crowns.values.training import draw_games, tables_of
from pasch.games.crowns.ways import most_moves
from pasch.solve.compiled import compile_plain
from research.crowns.solved import by_table, play_ahead, solved_boards

#: games whose boards are fitted to, and what is added to the values of their moves, in crowns: from none to chance
GAMES: Final = 3_000
NOISES: Final = (0.0, 0.5, 2.0, 6.0, 50.0)
#: games that measure how well the values play
MEASURED: Final = 1_000


@apart
def wander(
    g: Config, v: Any, start: NDArray[np.void], dice: Whole, noise: Floats, whims: Floats, boards: Whole
) -> None:
    """Play games and write `boards` [game, chips left]: noise [game, turn, any] is added to the values of moves.

    `whims` [game, field] are added, too, for every field that a move covers.
    """
    scratch, states = new_scratch(v), np.empty(1, STATE)
    codes: Any = np.zeros(most_moves(g), np.int64)
    for game in range(dice.shape[0]):
        states[0] = start[0]
        s, turn = states[0], 0
        while s.actor != OVER:
            chance(g, s, dice[game, turn, 0])
            value_placements(v, 0, s.boards[0], s.left[0], NO_LIMIT, roll_row(s), scratch)
            best, choice = np.float64(IMPOSSIBLE), 0
            for number in range(moves(g, s, codes)):
                u = codes[number]
                value = np.float64(scratch.values[u] + noise[game, turn, number % noise.shape[2]])
                for field in range(whims.shape[1]):
                    if v.ways.masks[u] >> field & 1:
                        value += whims[game, field]
                if value > best:
                    best, choice = value, u
            place(g, s, choice)
            turn += 1
            boards[game, s.left[0]] = s.boards[0]


@apart
def value_ahead(v: Any, boards: Whole, chips: int, found: Reals) -> None:
    """Write what boards are worth with this many chips left, looking one roll ahead."""
    scratch = new_scratch(v)
    for which in range(boards.shape[0]):
        found[which] = look_ahead(v, 0, boards[which], chips, NO_LIMIT, scratch.often, scratch)


@apart
def value_boards(v: Any, boards: Whole, chips: int, found: Reals) -> None:
    """Write what boards are worth with this many chips left, without looking ahead."""
    scratch = new_scratch(v)
    for which in range(boards.shape[0]):
        # what the first placement leads to, which covers nothing
        value_placements(v, 0, boards[which], chips + v.ways.cost[0], NO_LIMIT, 0, scratch)
        found[which] = scratch.values[0]


#: by a model, and by a solved table
wander_by_model, wander_by_table = compile_plain(wander), by_table(wander)
value_by_model, value_by_table = compile_plain(value_boards), by_table(value_boards)
ahead_by_table = by_table(value_ahead)


def fit_losses(game: Crowns, solved: dict[str, Any], games: int = GAMES) -> tuple[Reals, Reals]:
    """[chips left, field] what a covered edge field takes away, and [chips left] what is taken off every board."""
    chips = game.components.chips.number
    losses, rest = np.zeros((chips + 1, FIELDS)), np.zeros(chips + 1)
    generator = np.random.default_rng(3)
    noise = generator.normal(size=(games, chips, 64)).astype(np.float32)
    noise *= np.array(NOISES, np.float32)[np.arange(games) % len(NOISES)][:, None, None]
    boards, whims = np.full((games, chips), -1), np.zeros((games, FIELDS), np.float32)
    v, of = solved_boards(game, {**solved, "losses": losses, "rest": rest}), tables_of(game)
    wander_by_table(of.g[0], v, of.start, draw_games(game, games, 4).dice, noise, whims, boards)
    for left in range(1, chips):
        reached = boards[boards[:, left] >= 0, left]
        covered = ((reached[:, None] >> np.array(EDGE)) & 1).astype(float)
        covered = np.column_stack([covered, np.ones(len(reached))])
        v = solved_boards(game, {**solved, "losses": losses, "rest": rest})
        real, relaxed = np.zeros(len(reached)), np.zeros(len(reached))
        ahead_by_table(v, reached, left, real)
        value_by_table(v, reached, left, relaxed)
        # a little weight on no loss at all, for fields that are seldom covered
        gram = covered.T @ covered + 0.5 * np.eye(len(EDGE) + 1)
        found = np.linalg.solve(gram, covered.T @ (relaxed - real))
        losses[left, list(EDGE)], rest[left] = found[:-1], found[-1]
    return losses, rest


def finished(game: Crowns, solved: dict[str, Any]) -> dict[str, Any]:
    """A solved table with losses, the bound, the average of the play, its standard error, and errors by chips left."""
    losses, rest = fit_losses(game, solved)
    made = {**solved, "losses": losses, "rest": rest}
    chips, of = game.components.chips.number, tables_of(game)
    scores, steady, error = np.zeros(MEASURED), np.zeros(MEASURED), np.zeros(chips + 1)
    dice = draw_games(game, MEASURED, 5).dice
    play_ahead(of.g[0], solved_boards(game, made), of.start, dice, scores, steady, error)
    bound = (int(solved["kept"][chips]) + chips / 2) * float(solved["unit"][0])
    play = [steady.mean(), steady.std() / MEASURED**0.5]
    return {**made, "error": error, "figures": np.array([bound, *play])}
