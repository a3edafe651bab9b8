"""Crowns: what is learned, and how it is kept.

A board after a turn is worth a sum of table entries, one for every way in which a *group* of fields (a line, the edge)
can be covered and every number of chips left, plus what a small net adds. The net sees the same lines, and corrects
what no sum can say: that one chip serves two plans, or that there are too few chips for both.

With no chip left the tables are the exact score, whatever has been learned.
"""

from __future__ import annotations

import hashlib
import io
import json
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games.crowns.learned import FEWEST_CHIPS, GROUPS, PACES, UNIT
from pasch.games.crowns.rules import Crowns, score
from pasch.games.crowns.values.placements import NET_FIELDS, Floats, Reals, Ways, ways_of
from pasch.solve.records import arrays

#: counts up when the same weights would mean something else
SOLVER: Final = 1


class Net(NamedTuple):
    """Weights of the net, or their gradient. Without hidden units it adds nothing."""

    pattern: Floats  # [entry of a group, hidden 1]
    chips: Floats  # [chips left, hidden 1]
    mix: Floats  # [hidden 2, hidden 1]
    mix_bias: Floats  # [hidden 2]
    out: Floats  # [hidden 2]


class Model(NamedTuple):
    """All that compiled code needs to value boards: what was learned, and the rolls."""

    tables: Floats  # [pace, chips left, entry]; alone there is one pace
    #: races: [pace, chips left] standard deviation of the final score about its expectation
    spread: Floats
    #: alone, by chips left: how far the value is off, as its own later corrections show
    error: Reals
    net: Net
    ways: Ways


#: what a model lacks
NOTHING: Final = np.zeros((0, 0), np.float32)
NO_NET: Final = Net(NOTHING, NOTHING, NOTHING, NOTHING.ravel(), NOTHING.ravel())
NO_ERROR: Final = np.zeros(0)


def model_of(
    game: Crowns, tables: Floats, spread: Floats = NOTHING, error: Reals = NO_ERROR, net: Net = NO_NET
) -> Model:
    """The model with these parts; it sees what is written to them later."""
    made: Model = arrays(Model(tables, spread, error, net, ways_of(game)))
    return made


def score_entries(game: Crowns) -> Floats:
    """Table entries [entry] whose sum is the score of a board, because all that scores lies in one group each."""
    entries = []
    for group in GROUPS:
        for covered in range(1 << len(group)):
            board = sum([1 << place for bit, place in enumerate(group) if covered >> bit & 1])
            entries.append(score(game.config, board))
    return np.array(entries, np.float32)


def hopeful_tables(game: Crowns, hope: float) -> Floats:
    """Tables that promise `hope` crowns for every chip left.

    Without hope learning stays with the first plan that scores; what promises too much is tried and
    corrected. In a race tables of pace 0, when there is no turn left, are the score.
    """
    chips, paces = game.components.chips.number + 1, 1 if game.players == 1 else PACES
    promise = np.arange(chips, dtype=np.float32) * np.float32(hope / len(GROUPS))
    tables = np.repeat((score_entries(game) + promise[:, None])[None], paces, axis=0)
    if paces > 1:
        tables[0] = score_entries(game)
    return tables


# --- keeping it small -----------------------------------------------------------------------------

Arrays = dict[str, NDArray[Any]]


def model_key(game: Crowns) -> dict[str, Any]:
    """Everything that the weights follow from."""
    minimum = game.config.minimum
    paces = {} if minimum else {"pace": list(FEWEST_CHIPS)}
    return paces | {
        "rules": game.rules_version,
        "solver": SOLVER,
        "crowns": list(game.components.crowns()),
        "chips": game.components.chips.number,
        "split": game.options.split,
        "minimum": minimum,
    }


def pack(game: Crowns, model: Model) -> Arrays:
    """What was learned on top of the score in 64ths of a crown, the net rounded to half precision.

    Entries that cannot come up, more fields covered than chips used, are left out; zeros compress away.
    """
    learned = model.tables - score_entries(game)
    covered = np.concatenate([[n.bit_count() for n in range(1 << len(g))] for g in GROUPS])
    left = np.arange(learned.shape[-2])
    learned *= covered[None, :] <= (left[-1] - left)[:, None]
    units = np.round(learned / UNIT).clip(-32767, 32767).astype(np.int16)
    if game.players > 1:
        return {"tables": units, "spread": _halves(model.spread)}
    net, hidden = model.net, np.array(model.net.mix.shape[::-1], np.int64)
    flat = np.concatenate([part.ravel() for part in net._replace(mix=net.mix.T)])
    error = model.error.astype(np.float32)
    return {"tables": units[0], "net": _halves(flat), "hidden": hidden, "error": error}


def _halves(numbers: Floats) -> Floats:
    return numbers.astype(np.float16).astype(np.float32)


def unpack(game: Crowns, packed: Arrays) -> Model:
    """The model that was packed."""
    tables = packed["tables"].astype(np.float32) * np.float32(UNIT) + score_entries(game)
    if game.players > 1:
        return model_of(game, tables, spread=packed["spread"].astype(np.float32))
    one, two = (int(n) for n in packed["hidden"])
    entries = sum([1 << len(group) for group in NET_FIELDS])
    ends = np.cumsum([entries * one, len(tables) * one, one * two, two])
    pattern, chips, mix, mix_bias, out = np.split(packed["net"].astype(np.float32), ends)
    net = Net(
        pattern.reshape(entries, one),
        chips.reshape(len(tables), one),
        mix.reshape(one, two).T,
        mix_bias,
        out,
    )
    return model_of(game, tables[None], error=packed["error"].astype(np.float64), net=net)


def seal_of(game: Crowns, arrays: Arrays) -> str:
    """A fingerprint of the weights and of the game that they are for."""
    digest = hashlib.sha256(json.dumps(model_key(game), sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def shipped_name(game: Crowns) -> str:
    """The file of the weights that come with the package for such a game, if there are any."""
    split = "_split" if game.options.split else ""
    return f"{f'min{game.config.minimum}' if game.players == 1 else 'race'}{split}.npz"


def shipped(game: Crowns) -> Arrays | None:
    """The weights that come with the package; None if there are none for this game and this box."""
    file = resources.files(__package__).joinpath(shipped_name(game))
    if game.components != Crowns.default_components() or not file.is_file():
        return None
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as found:
        return {name: np.ascontiguousarray(found[name]) for name in found.files if name != "seal"}
