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
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games.crowns.learned import PACE, UNIT
from pasch.games.crowns.rules import Crowns, score
from pasch.games.crowns.values.placements import NET_GROUPS, TABLE_GROUPS, Floats, Ways, ways_of
from pasch.solve.records import arrays

#: counts up when the same weights would mean something else
SOLVER: Final = 1
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


class BoardTables(NamedTuple):
    """All that compiled code needs to value boards: what was learned, and the rolls."""

    tables: Floats  # [pace, chips left, entry]; alone there is one pace
    net: Net
    ways: Ways


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

    @property
    def net(self) -> Net:
        return net_views(self.flat, self.hidden, len(self.tables) - 1)

    def learned(self, game: Crowns) -> BoardTables:
        """The model as compiled code reads it: views that see what is learned later."""
        return learned(game, self.tables[None], self.net)


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


def learned(game: Crowns, tables: Floats, net: Net | None = None) -> BoardTables:
    """Views of tables [pace, chips left, entry] and of a net that can only be read; no net adds nothing."""
    net = net or silent_net(tables.shape[1] - 1)
    made: BoardTables = arrays(BoardTables(tables, net, ways_of(game)))
    return made


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
    return {"tables": units, "net": net, "hidden": hidden, "error": model.error.astype(np.float32)}


def _halves(numbers: Floats) -> Floats:
    return numbers.astype(np.float16).astype(np.float32)


def unpack(game: Crowns, packed: Arrays) -> Model | RaceModel:
    """The model that was packed."""
    tables = packed["tables"].astype(np.float32) * np.float32(UNIT) + score_entries(game)
    if game.players > 1:
        return RaceModel(tables, packed["spread"].astype(np.float32))
    one, two = (int(n) for n in packed["hidden"])
    return Model(tables, packed["net"].astype(np.float32), (one, two), packed["error"].astype(np.float64))


def written(game: Crowns, arrays: Arrays) -> bytes:
    """A file of weights as it ships with the package; neighbouring paces, much alike, lie side by side."""
    small = {name: array.astype(np.float16) if name in HALVES else array for name, array in arrays.items()}
    seal = np.array([seal_of(game, small)])
    file, turned = io.BytesIO(), {name: np.asfortranarray(array) for name, array in small.items()}
    np.savez_compressed(file, allow_pickle=False, seal=seal, **turned)
    return file.getvalue()


def seal_of(game: Crowns, arrays: Arrays) -> str:
    """A fingerprint of the weights and of the game that they are for."""
    digest = hashlib.sha256(json.dumps(model_key(game), sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


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
