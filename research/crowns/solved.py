"""The solved table of Crowns alone: the values of the relaxed game (`relaxation`), kept in the cache folder.

A board is worth what its inner and tracked fields are worth in the relaxed game, plus the crowns of its covered edge
fields. In the real game an edge field can be covered only once: so what a covered one usually takes away later, and
what the others will take away, is fitted to the real game and taken off. By chips left, the fewest first, the real
value of boards of many kinds of play is found by looking one roll ahead with the values of fewer chips; a linear fit
says what each covered edge field takes away.

By these values the package's own functions choose and look ahead: they are compiled here once more, with
`value_by_table` in place of `value_placements`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import count_bits, kernel
from pasch.core.state import OVER
from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Config, Crowns, fits, moves, place, roll_row
from pasch.games.crowns.values import kernel as crowns_kernel
from pasch.games.crowns.values import training
from pasch.games.crowns.values.chances import STATE, chance
from pasch.games.crowns.values.kernel import (
    IMPOSSIBLE,
    NO_LIMIT,
    Scratch,
    locate,
    look_ahead,
    new_scratch,
    table_value,
    value_placements,
)
from pasch.games.crowns.values.model import NO_NET, Net, score_entries
from pasch.games.crowns.values.placements import (
    ANY_ROLL,
    Floats,
    Number,
    Reals,
    Ways,
    Whole,
    covered,
    ways_of,
)
from pasch.games.crowns.values.training import draw_games, scores_ahead, start_of
from pasch.games.crowns.ways import max_moves
from pasch.solve.compiled import compile_plain
from pasch.solve.keys import source_digest
from pasch.solve.records import arrays
from pasch.solve.tables import table, table_path
from pasch.solve.valuer import Progress, no_progress
from research.crowns.making import solve
from research.crowns.relaxation import INNER, TRACKED, NotRelaxed, Numbering, fields_of, numbering, relax

#: the name of kept tables
NAME: Final = "crowns-solved"
#: maximum size of a table
MAX_BYTES: Final = 2**31
#: games whose boards are fitted to, and what is added to the values of their moves, in crowns: from none to chance
GAMES: Final = 3_000
NOISES: Final = (0.0, 0.5, 2.0, 6.0, 50.0)
#: games that measure how well the values play
MEASURED: Final = 1_000


# --- reading a table ----------------------------------------------------------------------------------------


class Solved(NamedTuple):
    """A solved table as the functions below read it."""

    kept: Any  # values of sets in units, see `Numbering`
    base: Any  # [high bits] where a block begins
    within: Any  # [fields among the high bits, low bits]
    low: int
    unit: float
    inner: int  # how many bits of a set are inner fields: above them are those of tracked ones
    bits: Any  # [field] its bit in a set as a number, 0 if it is neither
    edge: Any  # [chips left, field] what a covered edge field is worth
    rest: Any  # [chips left] what every board is worth less than the table says


def set_of(t: Solved, board: int) -> int:
    """The tracked fields of a board as a set."""
    fields = 0
    for number in range(FIELDS):
        if board >> number & 1:
            fields |= t.bits[number]
    return fields


def edge_value(t: Solved, board: int, chips: int) -> float:
    """What the edge of a board adds to the value of its set with this many chips left."""
    value: float = -t.rest[chips]
    for number in range(FIELDS):
        if board >> number & 1:
            value += t.edge[chips][number]
    return value


def set_value(t: Solved, fields: int, chips: int) -> float:
    """What a set is worth in the relaxed game with this many chips left."""
    # a tracked field is remembered only if those before it are covered
    tracked = fields >> t.inner
    fields = fields & ((1 << t.inner) - 1) | (tracked & ~(tracked + 1)) << t.inner
    high = fields >> t.low
    at = t.base[high] + t.within[count_bits(high)][fields & ((1 << t.low) - 1)] + chips
    value: float = t.unit * t.kept[at]
    return value


# --- choosing and looking ahead by a table -------------------------------------------------------------------


class SolvedBoards(NamedTuple):
    """A solved game in place of `model.Model`; without chips left the tables are the score."""

    tables: Floats  # [1, chips left, entry]
    net: Net
    ways: Ways
    solved: Solved
    sets: Whole  # [placement] the tracked fields that it covers
    edge: Reals  # [chips left, placement] what the edge fields that it covers are worth
    now: Reals  # [chips left] buffer for what the covered edge fields of a board are worth


def value_by_table(
    v: SolvedBoards, pace: int, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch
) -> None:
    """As `kernel.value_placements`, by the solved table."""
    ways, values, fields = v.ways, scratch.values, set_of(v.solved, board)
    values[:] = IMPOSSIBLE
    locate(board, ways.table, scratch.at)
    for left in range(chips):
        v.now[left] = edge_value(v.solved, board, left)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            left = max(0, chips - ways.cost[u])
            if left > 0:
                values[u] = set_value(v.solved, fields | v.sets[u], left) + v.now[left] + v.edge[left, u]
            else:
                values[u] = table_value(v.tables[pace, 0], scratch.at, ways.table_steps[u])


#: what the package's functions call instead, by name
REPLACED: Final[dict[str, Any]] = {"value_placements": compile_plain(value_by_table)}


def by_table(function: Any) -> Any:
    """A function compiled to value placements by a solved table."""
    return compile_plain(getattr(function, "py_func", function), replace=REPLACED, name="solved")


for each in (look_ahead, crowns_kernel.rolling, crowns_kernel.waiting, crowns_kernel.after_moves):
    REPLACED[each.__name__] = by_table(each)
ahead_by_table: Final = by_table(training.play_ahead)


# --- boards of many kinds of play ------------------------------------------------------------------------------


@kernel(allocates=True)
def wander(
    g: Config, v: Any, start: NDArray[np.void], dice: Whole, noise: Floats, whims: Floats, boards: Whole
) -> None:
    """Play games and write `boards` [game, chips left]: noise [game, turn, any] is added to the values of moves.

    `whims` [game, field] are added, too, for every field that a move covers.
    """
    scratch, states = new_scratch(v), np.empty(1, STATE)
    codes: Any = np.zeros(max_moves(g), np.int64)
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


@kernel(allocates=True)
def value_boards(v: Any, boards: Whole, chips: Whole, found: Reals) -> None:
    """Write what boards are worth with this many chips left, without looking ahead."""
    scratch = new_scratch(v)
    for which in range(boards.shape[0]):
        # what the first placement leads to, which covers nothing
        value_placements(v, 0, boards[which], chips[which] + v.ways.cost[0], NO_LIMIT, 0, scratch)
        found[which] = scratch.values[0]


@kernel(allocates=True)
def value_ahead(v: Any, boards: Whole, chips: Whole, found: Reals) -> None:
    """As `value_boards`, looking one roll ahead."""
    scratch = new_scratch(v)
    for which in range(boards.shape[0]):
        asked = 0, boards[which], chips[which], NO_LIMIT, ANY_ROLL
        found[which] = look_ahead(v, *asked, scratch.often, scratch)


#: by a model, and by a solved table
wander_by_model, wander_by_table = compile_plain(wander), by_table(wander)
boards_by_model, boards_by_table = compile_plain(value_boards), by_table(value_boards)
rolls_by_table = by_table(value_ahead)


# --- tables that are kept ------------------------------------------------------------------------------------


def solved_path(game: Crowns) -> Path:
    """The file of a game's solved table."""
    return table_path(NAME, _key(game))


def _key(game: Crowns) -> dict[str, Any]:
    """Everything that the values follow from."""
    return {
        "research": source_digest(type(game), "research.crowns"),
        "crowns": list(game.components.crowns()),
        "chips": game.components.chips.number,
        "split": game.options.split,
        "minimum": game.config.minimum,
    }


def numbering_of(game: Crowns) -> Numbering:
    """The numbering of a game's sets."""
    tracked = len(TRACKED[game.config.minimum])
    return numbering(game.components.chips.number, len(INNER) + tracked, tracked)


def solved_boards(game: Crowns, kept: dict[str, Any]) -> SolvedBoards:
    """A solved game as compiled code reads it, by the arrays that are kept."""
    chips, ways, ids = game.components.chips.number, ways_of(game), numbering_of(game)
    fields, losses = fields_of(TRACKED[game.config.minimum]), np.asarray(kept["losses"])
    on_edge = np.isin(np.arange(FIELDS), EDGE)
    edge = np.where(on_edge, np.array(game.components.crowns()) - losses, 0.0)
    bits = np.array([1 << fields.index(n) if n in fields else 0 for n in range(FIELDS)])
    unit = float(kept["unit"][0])
    solved = Solved(
        kept["kept"], kept["base"], ids.within(), ids.low, unit, len(INNER), bits, edge, kept["rest"]
    )
    tables = np.repeat(score_entries(game)[None], chips + 1, axis=0)[None]
    placed = covered(ways.masks)
    made = SolvedBoards(tables, NO_NET, ways, solved, placed @ bits, edge @ placed.T, np.zeros(0))
    fixed: SolvedBoards = arrays(made)
    return fixed._replace(now=np.zeros(chips + 1))


def fit_losses(game: Crowns, solved: dict[str, Any], games: int = GAMES) -> dict[str, Any]:
    """A solved table with `losses` of covered edge fields [chips left, field] and `rest` of all boards [chips left]."""
    chips = game.components.chips.number
    losses, rest = np.zeros((chips + 1, FIELDS)), np.zeros(chips + 1)
    made = {**solved, "losses": losses, "rest": rest}
    generator = np.random.default_rng(3)
    noise = generator.normal(size=(games, chips, 64)).astype(np.float32)
    noise *= np.array(NOISES, np.float32)[np.arange(games) % len(NOISES)][:, None, None]
    boards, whims = np.full((games, chips), -1), np.zeros((games, FIELDS), np.float32)
    v, (g, start) = solved_boards(game, made), start_of(game)
    wander_by_table(g, v, start, draw_games(game, games, 4).dice, noise, whims, boards)
    for left in range(1, chips):
        reached = boards[boards[:, left] >= 0, left]
        lying = np.column_stack([covered(reached)[:, EDGE].astype(float), np.ones(len(reached))])
        v = solved_boards(game, made)
        real, relaxed = np.zeros(len(reached)), np.zeros(len(reached))
        chips_left = np.full(len(reached), left)
        rolls_by_table(v, reached, chips_left, real)
        boards_by_table(v, reached, chips_left, relaxed)
        # a little weight on no loss at all, for fields that are seldom covered
        gram = lying.T @ lying + 0.5 * np.eye(len(EDGE) + 1)
        found = np.linalg.solve(gram, lying.T @ (relaxed - real))
        losses[left, list(EDGE)], rest[left] = found[:-1], found[-1]
    return made


def solved(game: Crowns, report: Progress = no_progress) -> dict[str, Any]:
    """The solved table of a game for one, made if it is not there; NotRelaxed says why there is none.

    With it are kept the bound, the average of the play and its standard error (`figures`), and errors by chips left.
    """
    chips, size = game.components.chips.number, 2 * numbering_of(game).total()
    if game.players > 1 or game.config.round_limit < chips:
        raise NotRelaxed("the rounds may end before the chips do, so that this game is not solved")
    if size > MAX_BYTES:
        said = "with {chips} chips the table would have {size} GiB, so that this box is not solved"
        raise NotRelaxed(said, chips=chips, size=round(size / 2**30, 1))

    def build(report: Progress) -> dict[str, Any]:
        made = fit_losses(game, solve(relax(game), report))
        _, steady, error = scores_ahead(game, solved_boards(game, made), MEASURED, 5, ahead_by_table)
        bound = (int(made["kept"][chips]) + chips / 2) * float(made["unit"][0])
        return {
            **made,
            "error": error,
            "figures": np.array([bound, steady.mean(), steady.std() / MEASURED**0.5]),
        }

    return table(NAME, _key(game), build, report)
