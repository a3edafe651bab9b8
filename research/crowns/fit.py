"""Crowns alone: small weights fitted to the solved table, so that everybody has nearly its values.

Weights learned from one's own play know little of boards that others reach. The solved table knows all of them:
boards of many kinds of play, from the best to chance, and of games that change from one to the other, are fitted with
their solved values, first by the tables, then what is left by the net. Then boards are added that the fitted weights
themselves like, because the best of many placements is often one that they value too highly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.model import Model, Net, hopeful_tables, model_of
from pasch.games.crowns.values.placements import (
    NET_FIELDS,
    NET_GROUPS,
    TABLE_GROUPS,
    Floats,
    Reals,
    Steps,
    Whole,
    covered,
)
from pasch.games.crowns.values.training import draw_games, start_of
from pasch.solve.valuer import Progress, no_progress
from research.crowns.relaxation import TRACKED, fields_of
from research.crowns.solved import (
    SolvedBoards,
    boards_by_model,
    boards_by_table,
    solved_boards,
    wander_by_model,
    wander_by_table,
)


class Kind(NamedTuple):
    """A kind of play by how it misjudges moves, in crowns."""

    #: from turn to turn; below 0 it is as large as that of any other kind, another one every turn
    noise: float
    whim: float = 0.0  # for each field, the whole game long
    chip: float = 0.0  # for each chip
    edge: float = 0.0  # for each field of the edge


#: from the best play to chance, with plans of their own, and with too few or too many chips at a time
KINDS: Final = {
    "best": Kind(0.0),
    "careful": Kind(0.4),
    "usual": Kind(1.0),
    "careless": Kind(3.0),
    "wild": Kind(8.0),
    "chance": Kind(100.0),
    "changing": Kind(-1.0),
    "whims": Kind(0.4, whim=3.0),
    "wild whims": Kind(3.0, whim=8.0),
    "thrifty": Kind(1.0, chip=-3.0),
    "one chip": Kind(2.0, chip=-100.0),
    "one chip, whims": Kind(1.0, whim=5.0, chip=-100.0),
    "one chip, chance": Kind(100.0, chip=-1000.0),
    "spends": Kind(1.0, chip=3.0),
    "edge": Kind(1.0, edge=5.0),
    "edge, one chip": Kind(3.0, chip=-100.0, edge=8.0),
}
#: the hidden units of the net
HIDDEN: Final = (64, 16)
#: how often the tables are gone through; boards without an error that every entry is taken to have been seen with
SWEEPS: Final = 30
DOUBT: Final = 20.0
#: this many chips at most are taken to lie on the edge besides
MAX_SPENT: Final = 6
#: how often boards that the weights like are added
ROUNDS: Final = 2
#: how often the net goes through all boards in a round, the rate of the first and of the last time, boards to a step
TIMES: Final = 10
RATES: Final = (0.001, 0.00003)
BATCH: Final = 64


class Boards(NamedTuple):
    """Boards that were reached, their solved values, and by which kind of play."""

    boards: Whole
    chips: Whole
    goal: Reals
    kind: Whole


def boards_of(
    game: Crowns, solved: dict[str, Any], games: int, seed: int, player: Model | None = None
) -> Boards:
    """Boards of this many games, whose last chip has not been placed, played by solved values or by others."""
    chips, generator = game.components.chips.number, np.random.default_rng(seed)
    noise = generator.normal(size=(games, chips, 64)).astype(np.float32)
    kind = np.arange(games) % len(KINDS)
    noises, whim, chip, edge = np.array(list(KINDS.values()), np.float32)[kind].T
    scale = np.repeat(noises[:, None], chips, axis=1)
    changing = generator.choice(noises[noises >= 0], size=scale.shape)
    noise *= np.where(scale < 0, changing, scale)[:, :, None]
    whims = (whim[:, None] * generator.normal(size=(games, FIELDS)) + chip[:, None]).astype(np.float32)
    whims[:, list(EDGE)] += edge[:, None]
    reached = np.full((games, chips), -1)
    v, (g, start), dice = solved_boards(game, solved), start_of(game), draw_games(game, games, seed).dice
    if player is None:
        wander_by_table(g, v, start, dice, noise, whims, reached)
    else:
        wander_by_model(g, player, start, dice, noise, whims, reached)
    game_number, left = np.nonzero(reached >= 0)
    which = left > 0
    boards, left, kind = reached[game_number, left][which], left[which], kind[game_number[which]]
    order = generator.permutation(len(boards))
    return valued(v, boards[order], left[order], kind[order])


def valued(v: SolvedBoards, boards: Whole, chips: Whole, kind: Whole) -> Boards:
    """These boards with their solved values."""
    goal = np.zeros(len(boards))
    boards_by_table(v, boards, chips, goal)
    return Boards(boards, chips, goal, kind)


def with_fewer_chips(
    v: SolvedBoards, boards: Boards, seen: Sequence[int], generator: np.random.Generator
) -> Boards:
    """The same boards, but some of the chips left lie on the edge, as with players who are drawn to its crowns.

    `seen` are the fields by which the solved table distinguishes boards.
    """
    spent = generator.integers(1, MAX_SPENT + 1, len(boards.goal))
    which = boards.chips > spent
    kept = boards.boards & sum(1 << place for place in seen)
    return valued(v, kept[which], (boards.chips - spent)[which], boards.kind[which])


def shuffled(parts: Sequence[Boards], generator: np.random.Generator) -> Boards:
    """These boards in random order."""
    order = generator.permutation(sum([len(part.goal) for part in parts]))
    return Boards(*(np.concatenate(columns)[order] for columns in zip(*parts, strict=True)))


def lessons_of(tables: Floats, boards: Boards, seen: Sequence[int]) -> Lessons:
    """Training data of the net: the residual of the tables, on the fields `seen`."""
    bits = covered(boards.boards)
    shown = bits * np.isin(np.arange(FIELDS), seen)
    entries = TABLE_GROUPS.base + bits @ TABLE_GROUPS.fields
    known = tables[0, boards.chips[:, None], entries].sum(axis=1)
    return Lessons(
        (NET_GROUPS.base + shown @ NET_GROUPS.fields).astype(np.int32),
        boards.chips,
        (boards.goal - known).astype(np.float32),
    )


def fit(game: Crowns, solved: dict[str, Any], games: int, report: Progress = no_progress) -> Model:
    """A model fitted to a solved table on boards of this many games, and of half that number in each further round."""
    tables, seed = hopeful_tables(game, 0.0), 8
    net = new_net(tables.shape[1])
    boards, generator = boards_of(game, solved, games, seed), np.random.default_rng(seed)
    v, seen = solved_boards(game, solved), fields_of(TRACKED[game.config.minimum])
    boards = shuffled((boards, with_fewer_chips(v, boards, seen, generator)), generator)
    fit_tables(tables, boards, v.solved.edge, seen)
    for number in range(ROUNDS + 1):
        if number:
            model = model_of(game, tables, net=net)
            more = boards_of(game, solved, games // 2, seed + number, model)
            boards = shuffled((boards, more), generator)
        fit_net(net, lessons_of(tables, boards, seen), seen)
        report((number + 1) / (ROUNDS + 1), "fitting")
    return model_of(game, tables, net=net)


def new_net(chips: int) -> Net:
    """A net that is silent, for this many numbers of chips left."""
    rng, (one, two) = np.random.default_rng(1), HIDDEN
    entries = sum([1 << len(group) for group in NET_FIELDS])
    pattern, left = rng.normal(0, 0.3, (entries, one)), rng.normal(0, 0.3, (chips, one))
    mix = rng.normal(0, (2 / one) ** 0.5, (one, two)).T
    return Net(*(part.astype(np.float32) for part in (pattern, left, mix, np.zeros(two), np.zeros(two))))


def fit_net(net: Net, lessons: Lessons, seen: Sequence[int]) -> None:
    """Train the net on the residual of the tables, with a step of Adam after every `BATCH` boards."""
    # the gradient, and what Adam remembers: means of gradients and of their squares
    gradient, means, squares = (Net(*map(np.zeros_like, net)) for _ in range(3))
    for time in range(TIMES):
        rate = np.float32(RATES[0] * (RATES[1] / RATES[0]) ** (time / max(1, TIMES - 1)))
        for begin in range(0, len(lessons.goal) - BATCH + 1, BATCH):
            which = slice(begin, begin + BATCH)
            batch = Lessons(lessons.at[which], lessons.chips[which], lessons.goal[which])
            add_gradient(net, gradient, batch)
            for part, slope, mean, square in zip(net, gradient, means, squares, strict=True):
                mean[:] += KEEP[0] * (slope - mean)
                square[:] += KEEP[1] * (slope**2 - square)
                part[:] -= rate * mean / (np.sqrt(square) + TINY)
    # the other fields say nothing to the net
    for base, fields in zip(NET_GROUPS.base, NET_FIELDS, strict=True):
        shown = sum(1 << bit for bit, field in enumerate(fields) if field in seen)
        entries = base + np.arange(1 << len(fields))
        net.pattern[entries] = net.pattern[base + (entries - base & shown)]


def fit_tables(tables: Floats, boards: Boards, edge: Reals, seen: Sequence[int]) -> None:
    """Add to every entry of the tables the mean residual of the boards that have it, group after group.

    What the edge adds, [chips left, field], is known; it is the last group. If none of its fields is `seen`, that is
    all there is to it.
    """
    first, size = TABLE_GROUPS.base[-1], len(EDGE)
    patterns = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    entries = TABLE_GROUPS.base + covered(boards.boards) @ TABLE_GROUPS.fields
    for left in range(tables.shape[1]):
        which = boards.chips == left
        if not which.any():
            continue
        tables[0, left, first:] = patterns @ edge[left, list(EDGE)]
        at, table = entries[which], tables[0, left]
        rest = boards.goal[which] - table[at].sum(axis=1)
        table[:first] += np.float32(rest.mean() / (at.shape[1] - 1))
        rest -= rest.mean()
        groups = at.T if set(seen) & set(EDGE) else at.T[:-1]
        for _ in range(SWEEPS):
            for entry in groups:
                often = np.bincount(entry, minlength=len(table))
                step = np.bincount(entry, rest, minlength=len(table)) / (often + DOUBT)
                table += step.astype(np.float32)
                rest -= step[entry]


class Miss(NamedTuple):
    """The error of a model's values of boards: mean, and root mean square."""

    bias: float
    rms: float


def misses(game: Crowns, model: Model, boards: Boards) -> dict[str, Miss]:
    """Errors by kind of play and third of the chips, and over all boards."""
    found = np.zeros(len(boards.goal))
    boards_by_model(model, boards.boards, boards.chips, found)
    off, third = found - boards.goal, (boards.chips - 1) * 3 // (model.tables.shape[1] - 2)
    parts = {"all": np.ones(len(off), bool)}
    parts |= {
        f"{name}, third {stage}": (boards.kind == kind) & (third == stage)
        for kind, name in enumerate(KINDS)
        for stage in range(3)
    }
    return {
        name: Miss(float(off[which].mean()), float(np.sqrt((off[which] ** 2).mean())))
        for name, which in parts.items()
        if which.any()
    }


# --- a net that learns from given values of boards ---------------------------------------------------


#: of Adam: the share of a step's gradient, and of its square, in the means; and what keeps it from dividing by 0
KEEP: Final = (np.float32(0.1), np.float32(0.001))
TINY: Final = np.float32(1e-6)


class Lessons(NamedTuple):
    """Boards and the residuals that the net should predict."""

    at: Steps  # [board, group]
    chips: Whole  # [board] chips left
    goal: Floats  # [board]


def add_gradient(net: Net, grad: Net, lessons: Lessons) -> None:
    """Write the mean gradient of error² / 2 over these lessons."""
    at, chips, goal = lessons
    h1 = np.maximum(net.chips[chips] + net.pattern[at].sum(axis=1), 0)
    h2 = np.maximum(h1 @ net.mix.T + net.mix_bias, 0)
    error = (h2 @ net.out - goal) / np.float32(len(goal))
    grad.out[:] = error @ h2
    back_2 = np.where(h2 > 0, error[:, None] * net.out, np.float32(0))
    grad.mix_bias[:] = back_2.sum(axis=0)
    grad.mix[:] = back_2.T @ h1
    back_1 = np.where(h1 > 0, back_2 @ net.mix, np.float32(0))
    grad.chips[:] = grad.pattern[:] = 0
    np.add.at(grad.chips, chips, back_1)
    np.add.at(grad.pattern, at.ravel(), np.repeat(back_1, at.shape[1], axis=0))
