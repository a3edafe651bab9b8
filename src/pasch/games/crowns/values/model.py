"""Crowns: what is learned, and how it is kept.

A *board* after a turn, with so many chips left, is worth a sum of table entries plus what a small net
adds. The tables have one entry for every way in which a *group* of fields can be covered, and for every
number of chips left; the groups are the twelve lines and the edge, because that is what scores. The net
sees the same lines, and corrects what no sum can say: that one chip serves two plans, or that there are
too few chips for both.

With no chip left the tables are the exact score, whatever has been learned.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.learned import GROUPS, LINE_FIELDS, PACE, UNIT
from pasch.games.crowns.rules import Crowns, cost, required, score
from pasch.games.crowns.values.program import flat, program_of
from pasch.games.crowns.values.solved import Solved
from pasch.games.crowns.ways import DICE, ROLLS
from pasch.solve.records import arrays

Floats = NDArray[np.float32]
Steps = NDArray[np.int32]
Whole = NDArray[np.int64]
Reals = NDArray[np.float64]
#: in compiled code: a number of the width that it happens to have
Number = Any

#: counts up when the same weights would mean something else
SOLVER: Final = 1
#: the usual margin of weights that were learned, see `BoardTables`; with the other one the net judges all placements
MARGIN: Final = 3.0
ALL: Final = 1e9
#: packed arrays that are kept in half precision
HALVES: Final = ("net", "spread")
#: how many steps of the pace there are
PACES: Final = PACE[-1] + 1


class Net(NamedTuple):
    """Weights of the net, or their gradient. Without hidden units it adds nothing."""

    pattern: Floats  # [entry of a group, hidden 1]
    chips: Floats  # [chips left, hidden 1]
    mix: Floats  # [hidden 1, hidden 2]
    mix_bias: Floats  # [hidden 2]
    out: Floats  # [hidden 2]


class Parts(NamedTuple):
    """What placements do to single groups of fields: all are made up of such parts, one for each group touched.

    The parts of placements with more or fewer chips differ where the chips left count, that is in tables.
    """

    group: Steps  # [part]
    step: Steps  # [part] how it moves the group's entry
    fields: Whole  # [part] the fields of the group that it covers
    chips: Whole  # [part] the chips that the placements place whose part it is; 0 where they do not count
    first: Steps  # [placement] where its parts begin
    of: Steps  # [place, 4] parts of a placement, in fours; the number of all parts is none


class Ways(NamedTuple):
    """The rolls and what they allow, the rules' tables made fit for sums.

    The rolls share a thousand placements, whose numbers are their codes in the rules, the fewest chips first. A roll's
    number is `rules.roll_row`; `number[start[r]]` to before `number[start[r + 1]]` are the placements of roll r.
    """

    cases: Whole  # [roll]
    total: int  # all cases
    start: Whole  # [roll]
    least: Whole  # [chips placed at best] how many have to be placed
    number: Steps  # [place in a roll's list] the placement's number
    order: Steps  # rolls in the order in which their best placements are found, see `program.Program`
    before_start: Steps  # [step] where the rolls begin whose placements are this one's, too
    before: Steps
    #: [step] where its other placements begin, of those that place as much as can be required
    more_start: Steps
    more: Steps
    rows_start: Steps  # [step] where both begin in the next table
    rows: Steps  # [place, 4] placements, then rolls behind them; the number of all of them is none
    masks: Whole  # [placement] the fields that it covers; the first one covers none
    chips: Whole  # [placement] chips that it places
    cost: Whole  # [placement] chips that it costs
    costs: Whole  # [chips placed] the same
    parts: Parts  # of the tables
    net_parts: Parts
    table_steps: Steps  # [placement, group] how it moves the entries
    net_steps: Steps
    table_fields: Steps  # [field, group] how covering one field moves the entries
    net_fields: Steps
    table_base: Steps  # [group] the entries of the empty board
    net_base: Steps


class SolvedTables(NamedTuple):
    """The solved table (`solved`), and what each placement does to what it is read by; empty without one."""

    table: Solved
    sets: Whole  # [placement] the tracked fields that it covers
    edge: Reals  # [chips left, placement] what the edge fields that it covers are worth


class BoardTables(NamedTuple):
    """All that compiled code needs to value boards: what was learned or solved, and the rolls."""

    tables: Floats  # [pace, chips left, entry]; alone there is one pace
    by_pace: Floats  # [chips left and entry, pace] the same, for looking at several paces
    net: Net
    #: crowns below the tables' favourite that a placement may be for the net to judge it
    margin: Number
    ways: Ways
    solved: SolvedTables


@dataclass(frozen=True)
class FieldGroups:
    """Groups of fields and where the entries of each begin."""

    fields: tuple[tuple[int, ...], ...]

    @property
    def base(self) -> Steps:
        sizes = [0, *(1 << len(group) for group in self.fields)]
        return np.cumsum(sizes)[:-1].astype(np.int32)

    @property
    def size(self) -> int:
        return sum(1 << len(group) for group in self.fields)

    def field_steps(self) -> Steps:
        """How covering each field moves the entry of every group."""
        step = np.zeros((FIELDS, len(self.fields)), np.int32)
        for number, group in enumerate(self.fields):
            for bit, place in enumerate(group):
                step[place, number] = 1 << bit
        return step

    def steps(self, masks: Whole) -> Steps:
        """How covering these fields moves the entry of every group."""
        bits = (masks[:, None] >> np.arange(FIELDS)) & 1
        return (bits @ self.field_steps()).astype(np.int32)


#: of the tables: each line, and the whole edge
TABLE_GROUPS: Final = FieldGroups(GROUPS)
#: of the net: each line, the row of the sixes, the rest of the column 6x
NET_GROUPS: Final = FieldGroups((*LINE_FIELDS, EDGE[5:], EDGE[:5]))


@lru_cache(maxsize=16)
def ways_of(game: Crowns) -> Ways:
    """The rolls of a game and what they allow."""
    g = game.config
    cases = {roll[::-1]: number for roll, number in rolls(DICE)}
    start, number = (np.array(part) for part in flat([*g.codes]))
    masks, chips = np.array(g.masks), np.array(g.chips)
    least = [required(g, most) for most in range(DICE + 1)]
    order, before_start, before, more_start, more, rows_start, rows = _program(g.codes, chips, max(least))
    return Ways(
        np.array([cases[roll] for roll in ROLLS]),
        sum(cases.values()),
        start,
        np.array(least),
        number.astype(np.int32),
        order,
        before_start,
        before,
        more_start,
        more,
        rows_start,
        rows,
        masks,
        chips,
        np.array([cost(g, int(placed)) for placed in chips]),
        np.array([cost(g, placed) for placed in range(DICE + 1)]),
        _parts(TABLE_GROUPS, masks, chips),
        _parts(NET_GROUPS, masks, 0 * chips),
        TABLE_GROUPS.steps(masks),
        NET_GROUPS.steps(masks),
        TABLE_GROUPS.field_steps(),
        NET_GROUPS.field_steps(),
        TABLE_GROUPS.base,
        NET_GROUPS.base,
    )


def _program(rows: Sequence[Sequence[int]], chips: Whole, least: int) -> tuple[Steps, ...]:
    """How the best placement of every roll is found among those that place so many chips or more."""
    made = program_of([{(u, 0): 0 for u in row if chips[u] >= least} for row in rows])
    before_start, before = flat(made.before)
    placed = [[element.fields for element in row] for row in made.elements]
    more_start, more = flat(placed)
    both = [
        [*here, *[len(chips) + roll for roll in rolls]]
        for here, rolls in zip(placed, made.before, strict=True)
    ]
    parts = (made.order, before_start, before, more_start, more, *fours(both, len(chips) + len(rows)))
    return tuple(np.array(part, np.int32) for part in parts)


def fours(rows: Sequence[Sequence[int]], none: int) -> tuple[Steps, Steps]:
    """Rows of numbers cut into fours, filled with a number for none: where each begins, and the fours."""
    sizes = [max(1, -(-len(row) // 4)) for row in rows]
    start, cut = np.cumsum([0, *sizes], dtype=np.int32), np.full((sum(sizes), 4), none, np.int32)
    for begin, row in zip(start[:-1], rows, strict=True):
        cut.reshape(-1)[4 * begin : 4 * begin + len(row)] = row
    return start, cut


def _parts(groups: FieldGroups, masks: Whole, chips: Whole) -> Parts:
    """The parts of placements."""
    found: dict[tuple[int, int, int, int], int] = {}
    rows = []
    boards = [sum([1 << place for place in group]) for group in groups.fields]
    for fields, placed, steps in zip(masks, chips, groups.steps(masks), strict=True):
        touched = [
            (group, int(step), int(fields) & boards[group], int(placed))
            for group, step in enumerate(steps)
            if step
        ]
        rows.append([found.setdefault(part, len(found)) for part in touched])
    group, step, covered, number = np.array([*found]).T
    return Parts(group.astype(np.int32), step.astype(np.int32), covered, number, *fours(rows, len(found)))


def score_entries(game: Crowns) -> Floats:
    """Table entries [entry] whose sum is the score of a board, because all that scores lies in one group each."""
    entries = []
    for group in TABLE_GROUPS.fields:
        for covered in range(1 << len(group)):
            board = sum([1 << place for bit, place in enumerate(group) if covered >> bit & 1])
            entries.append(score(game.config, board))
    return np.array(entries, np.float32)


@dataclass
class Model:
    """The value of one player's boards alone: tables [chips left, entry] and the memory behind the net."""

    tables: Floats
    flat: Floats
    hidden: tuple[int, int]
    #: by chips left: how far the value is off, as its own later corrections show
    error: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    #: see `BoardTables`
    margin: float = MARGIN

    @property
    def net(self) -> Net:
        return net_views(self.flat, self.hidden, len(self.tables) - 1)

    def learned(self, game: Crowns) -> BoardTables:
        """The model as compiled code reads it: views that see what is learned later."""
        return learned(game, self.tables[None], self.net, self.margin)


@dataclass
class RaceModel:
    """The value of a player's boards in a race: tables [pace, chips left, entry]."""

    tables: Floats
    #: [pace, chips left] standard deviation of the final score about its expectation
    spread: Floats

    def learned(self, game: Crowns) -> BoardTables:
        """The model as compiled code reads it: views that see what is learned later."""
        return learned(game, self.tables)


def net_views(flat: Floats, hidden: tuple[int, int], chips: int) -> Net:
    """Cut a flat array into the parts of a net (no copy)."""
    shapes = _shapes(hidden, chips)
    ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    parts = zip(pairwise(ends), shapes, strict=True)
    return Net(*(flat[begin:end].reshape(shape) for (begin, end), shape in parts))


def learned(game: Crowns, tables: Floats, net: Net | None = None, margin: float = MARGIN) -> BoardTables:
    """Views of tables [pace, chips left, entry] and of a net that can only be read; no net adds nothing."""
    return board_tables(game, tables, net or silent_net(tables.shape[1] - 1), margin, NOT_SOLVED)


def board_tables(game: Crowns, tables: Floats, net: Net, margin: float, solved: Solved) -> BoardTables:
    """What compiled code reads; it takes the solved table if there is one."""
    ways = ways_of(game)
    bits = (ways.masks[:, None] >> np.arange(FIELDS)) & 1
    sets = bits @ np.array(solved.bits, np.int64)
    edge = np.array(solved.edge, np.float64) @ bits.T
    tables_of = SolvedTables(solved, sets, edge)
    by_pace = np.ascontiguousarray(np.moveaxis(tables, 0, -1)).reshape(-1, len(tables))
    made: BoardTables = arrays(BoardTables(tables, by_pace, net, np.float32(margin), ways, tables_of))
    return made


def solved_tables(game: Crowns, solved: Solved) -> BoardTables:
    """A solved game as compiled code reads it; without chips left the tables are the score."""
    chips = game.components.chips.number
    tables = np.repeat(score_entries(game)[None], chips + 1, axis=0)[None]
    return board_tables(game, tables, silent_net(chips), MARGIN, solved)


#: the table of a game that is not solved
NOT_SOLVED: Final = Solved(
    np.zeros(0, np.uint16), np.zeros(0, np.int32), np.zeros((1, 1), np.int64), 0, 0.0, 0,
    np.zeros(FIELDS, np.int64), np.zeros((1, FIELDS)), np.zeros(1),
)  # fmt: skip


def silent_net(chips: int) -> Net:
    """A net that adds nothing."""
    return net_views(np.zeros(0, np.float32), (0, 0), chips)


def _shapes(hidden: tuple[int, int], chips: int) -> list[tuple[int, ...]]:
    one, two = hidden
    return [(NET_GROUPS.size if one else 0, one), (chips + 1, one), (one, two), (two,), (two,)]


def new_model(game: Crowns, hope: float, hidden: tuple[int, int], seed: int = 1) -> Model:
    """Tables that promise `hope` crowns for every chip left, and a net that is silent.

    Without hope learning stays with the first plan that scores; what promises too much is tried and
    corrected.
    """
    chips = game.components.chips.number
    promise = np.arange(chips + 1, dtype=np.float32) * np.float32(hope / len(TABLE_GROUPS.fields))
    tables = score_entries(game)[None, :] + promise[:, None]
    flat = np.zeros(sum(int(np.prod(shape)) for shape in _shapes(hidden, chips)), np.float32)
    model = Model(tables, flat, hidden)
    rng, net = np.random.default_rng(seed), model.net
    net.pattern[:] = rng.normal(0, 0.3, net.pattern.shape)
    net.chips[:] = rng.normal(0, 0.3, net.chips.shape)
    net.mix[:] = rng.normal(0, (2 / max(1, hidden[0])) ** 0.5, net.mix.shape)
    return model


def new_race_model(game: Crowns, hope: float) -> RaceModel:
    """Tables of a race that know nothing yet but hope, see `new_model`."""
    chips = game.components.chips.number
    tables = np.repeat(new_model(game, hope, (0, 0)).tables[None], PACES, axis=0)
    tables[0] = score_entries(game)
    return RaceModel(tables, np.zeros((PACES, chips + 1), np.float32))


# --- keeping it small -----------------------------------------------------------------------------

Arrays = dict[str, NDArray[Any]]


def model_key(game: Crowns) -> dict[str, Any]:
    """Everything that the weights follow from."""
    minimum = game.config.minimum
    paces = {} if minimum else {"pace": list(PACE)}
    return paces | {
        "rules": game.rules_version,
        "solver": SOLVER,
        "crowns": list(game.components.crowns()),
        "chips": game.components.chips.number,
        "split": game.options.split,
        "minimum": minimum,
    }


def pack(game: Crowns, model: Model | RaceModel) -> Arrays:
    """What was learned on top of the score in 64ths of a crown, the net rounded to half precision.

    Entries that cannot come up, more fields covered than chips used, are left out; zeros compress away.
    """
    learned = model.tables - score_entries(game)
    covered = np.concatenate([[n.bit_count() for n in range(1 << len(g))] for g in TABLE_GROUPS.fields])
    left = np.arange(learned.shape[-2])
    learned *= covered[None, :] <= (left[-1] - left)[:, None]
    units = np.round(learned / UNIT).clip(-32767, 32767).astype(np.int16)
    if isinstance(model, RaceModel):
        return {"tables": units, "spread": _halves(model.spread)}
    net, hidden = _halves(model.flat), np.array(model.hidden, np.int64)
    error, margin = model.error.astype(np.float32), np.array([model.margin], np.float32)
    return {"tables": units, "net": net, "hidden": hidden, "error": error, "margin": margin}


def _halves(numbers: Floats) -> Floats:
    return numbers.astype(np.float16).astype(np.float32)


def unpack(game: Crowns, packed: Arrays) -> Model | RaceModel:
    """The model that was packed."""
    tables = packed["tables"].astype(np.float32) * np.float32(UNIT) + score_entries(game)
    if game.players > 1:
        return RaceModel(tables, packed["spread"].astype(np.float32))
    one, two = (int(n) for n in packed["hidden"])
    error = packed["error"].astype(np.float64)
    margin = float(packed["margin"][0]) if "margin" in packed else MARGIN
    return Model(tables, packed["net"].astype(np.float32), (one, two), error, margin)


def written(game: Crowns, arrays: Arrays) -> bytes:
    """A file of weights as it ships with the package; neighbouring paces, much alike, lie side by side."""
    small = {name: array.astype(np.float16) if name in HALVES else array for name, array in arrays.items()}
    seal = np.array([seal_of(game, small)])
    file, turned = io.BytesIO(), {name: np.asfortranarray(array) for name, array in small.items()}
    np.savez_compressed(file, allow_pickle=False, seal=seal, **turned)
    return file.getvalue()


def seal_of(game: Crowns, arrays: Arrays) -> str:
    """A fingerprint of the weights and of the game that they are for."""
    told = hashlib.sha256(json.dumps(model_key(game), sort_keys=True).encode())
    for name in sorted(arrays):
        told.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return told.hexdigest()


def read(game: Crowns, data: bytes) -> Arrays | None:
    """The weights in a file; None if they are damaged, changed or for another game."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays = {name: np.ascontiguousarray(found[name]) for name in found.files}
        seal = str(arrays.pop("seal")[0])
    except (ValueError, KeyError, IndexError, EOFError, OSError, zipfile.BadZipFile, zlib.error):
        return None
    return arrays if seal == seal_of(game, arrays) else None


def shipped_name(game: Crowns) -> str:
    """The file of the weights that come with the package for such a game, if there are any."""
    split = "_split" if game.options.split else ""
    return f"{f'min{game.config.minimum}' if game.players == 1 else 'race'}{split}.npz"


def shipped(game: Crowns) -> Arrays | None:
    """The weights that come with the package; None if there are none for this game and this box."""
    file = resources.files(__package__).joinpath(shipped_name(game))
    return read(game, file.read_bytes()) if file.is_file() else None
