"""Crowns: learning in phases, which can be stopped at any time and goes on where it was.

Alone:

1. `tables`: hopeful tables learn from self-play, some 20,000 games a second;
2. `net`: the net learns what the tables miss, from the rolls that came;
3. `exact`: the net goes on against exact means over all rolls, with little noise.

A race learns `tables` alone as well, and goes on from these in a phase of its own, `race`. For a box of
your own, or for split dice, no net is learned on first need, which takes a minute; `pasch train crowns`
does everything.

Every chunk of games has its own seed and its own rate, which follow from the number of games played
before; so a run that was stopped and resumed learns the same as one that was not.

For the net a chunk's games are played first, with the weights as they are, in parts that anybody may play
(`Assignment`, `play_assignment`); then the net learns from them in their order. So it learns the same with one process,
with many or on a cluster. Tables learn from each game before the next is played, one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from pasch.games.crowns.box import FIELDS
from pasch.games.crowns.learned import PACE
from pasch.games.crowns.research.learning import Lessons, gather, gather_exact, learn_net, train_tables
from pasch.games.crowns.research.play import draw_dice, practice, quick_scores, scores_ahead
from pasch.games.crowns.research.race import measure_race, train_race
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.kernel import ENDLESS, expected_value, new_memory
from pasch.games.crowns.values.model import (
    PACES,
    TABLE_GROUPS,
    Arrays,
    Floats,
    Model,
    RaceModel,
    learned,
    net_views,
    new_model,
    new_race_model,
    pack,
    score_entries,
    unpack,
)
from pasch.solve.tables import read_table, write_table
from pasch.solve.valuer import Report, silent

#: crowns that a chip promises at first
HOPE: Final = 5.0
#: parts in which the games of a chunk are played
PARTS: Final = 16
#: seconds between two checkpoints
EVERY: Final = 20.0
#: games that measure a finished model: quickly, and looking ahead
MEASURED: Final = 20_000
MEASURED_AHEAD: Final = 200


@dataclass(frozen=True)
class Phase:
    """A stretch of learning."""

    kind: str
    games: int
    #: the rate at first and in the end
    rates: tuple[float, float]
    #: games between two looks at the clock
    chunk: int
    #: games to a step of the net
    batch: int = 1
    #: crowns per field in every other game
    whim: float = 0.0

    def rate(self, done: int) -> float:
        """Steady for the first 30 %, then falling by the same share all the time."""
        high, low = self.rates
        return float(high * (low / high) ** max(0.0, (done / self.games - 0.3) / 0.7))


@dataclass(frozen=True)
class Recipe:
    """Everything that a run depends on, but for the game."""

    hidden: tuple[int, int]
    phases: tuple[Phase, ...]

    @property
    def games(self) -> int:
        return sum(phase.games for phase in self.phases)

    def scaled(self, share: float) -> Recipe:
        """The same with fewer games in every phase, in whole chunks."""
        return replace(
            self,
            phases=tuple(
                replace(phase, games=max(1, round(phase.games * share / phase.chunk)) * phase.chunk)
                for phase in self.phases
            ),
        )

    def at(self, games: int) -> tuple[Phase, int] | None:
        """The phase after so many games, and the games played in it; None after the last."""
        for phase in self.phases:
            if games < phase.games:
                return phase, games
            games -= phase.games
        return None


#: The recipe. The weights that come with the package were learned in these phases, in runs of other
#: lengths: for minimum 1 with 0.9 million, 0.4 million and 14 thousand games; for minimum 2 with 1.9
#: million, 1.2 million and 140 thousand, the net having been widened before the last 70 thousand. Then a
#: copy of it learned from 80 thousand more; the two stand side by side in one net that gives their mean.
SOLO: Final = Recipe(
    (64, 16),
    (
        Phase("tables", 2_000_000, (0.3, 0.005), 4_000),
        Phase("net", 1_200_000, (0.002, 0.00003), 4_000, 16, 0.7),
        Phase("exact", 102_400, (0.001, 0.00002), 512, 8, 0.5),
    ),
)
#: for minimum 2 a wider net was a little better
SOLO_TWO: Final = replace(SOLO, hidden=(128, 32))
#: A race has tables alone, one set for every pace: opponents leave less time for plans that only a net
#: would understand, and looking ahead has to be quick for six seats. The weights that come with the package
#: set out with the tables of those for minimum 1 instead of new ones.
RACE: Final = Recipe(
    (0, 0),
    (
        Phase("tables", 1_000_000, (0.3, 0.005), 4_000),
        Phase("race", 240_000, (0.1, 0.001), 1_000),
    ),
)
#: what a box of your own gets on first need
QUICK: Final = Recipe((0, 0), (Phase("tables", 1_000_000, (0.3, 0.005), 4_000),))
QUICK_RACE: Final = RACE.scaled(0.3)


@dataclass
class Progress:
    """What a checkpoint keeps: the model, what Adam remembers, and the games played."""

    model: Model | RaceModel
    mean: Floats
    square: Floats
    games: int = 0

    def save(self, path: Path) -> None:
        """Write it so that a stop never leaves half a file."""
        arrays: Arrays = {"tables": self.model.tables, "games": np.array([self.games])}
        if isinstance(self.model, Model):
            arrays |= {"flat": self.model.flat, "mean": self.mean, "square": self.square}
        write_table(path, arrays)


def recipe_of(game: Crowns, quick: bool = False) -> Recipe:
    """The recipe for such a game."""
    if game.players > 1:
        return QUICK_RACE if quick else RACE
    if quick:
        return QUICK
    return SOLO if game.options.solo_minimum == 1 else SOLO_TWO


def begin(game: Crowns, recipe: Recipe, checkpoint: Path | None = None) -> Progress:
    """Go on from the checkpoint, or afresh if there is none (or a damaged one)."""
    model: Model | RaceModel
    if game.players == 1:
        model = new_model(game, HOPE, recipe.hidden)
        size = model.flat.size
    else:
        model, size = new_race_model(game, HOPE), 0
    progress = Progress(model, np.zeros(size, np.float32), np.zeros(size, np.float32))
    kept = read_table(checkpoint) if checkpoint else None
    if kept is not None:
        model.tables[:] = kept["tables"]
        progress.games = int(kept["games"][0])
        if isinstance(model, Model):
            model.flat[:], progress.mean[:], progress.square[:] = kept["flat"], kept["mean"], kept["square"]
    return progress


def train(
    game: Crowns,
    recipe: Recipe,
    progress: Progress,
    report: Report = silent,
    checkpoint: Path | None = None,
    enough: Callable[[], bool] = lambda: False,
    spread: Spread = map,
) -> bool:
    """Learn until the recipe is done or `enough` says so; whether it is done.

    The checkpoint is written now and then and in the end, also when somebody presses Ctrl-C. `spread` has
    `play_assignment` done for every part, by whomever, and gives the results back in order.
    """
    saved = time.monotonic()
    try:
        while (place := recipe.at(progress.games)) is not None and not enough():
            phase, done = place
            score = _chunk(game, phase, done, progress, spread)
            progress.games += phase.chunk
            report(progress.games / recipe.games, f"{phase.kind}, {score:.1f} points")
            if checkpoint and time.monotonic() - saved > EVERY:
                progress.save(checkpoint)
                saved = time.monotonic()
    finally:
        if checkpoint:
            progress.save(checkpoint)
    return recipe.at(progress.games) is None


class Assignment(NamedTuple):
    """Games of a chunk to be played with the weights as they are."""

    kind: str
    game: Crowns
    hidden: tuple[int, int]
    tables: Floats
    flat: Floats
    #: number of the first game in its chunk, how many games, the seed of the chunk
    first: int
    games: int
    seed: int
    whim: float


#: does the function for every assignment; the results in order
Spread = Callable[[Callable[[Assignment], Any], Iterable[Assignment]], Iterable[Any]]


def play_assignment(work: Assignment) -> Any:
    """The lessons that the games teach; they follow from the assignment alone."""
    # copies: arrays that come from elsewhere may be read-only, which compiled code takes for another type
    model = Model(work.tables.copy(), work.flat.copy(), work.hidden)
    generator = np.random.default_rng([work.seed, work.first])
    dice, whims = draw_dice(generator, work.game, work.games), _whims(generator, work.games, work.whim)
    table, play = practice(work.game), gather if work.kind == "net" else gather_exact
    return play(table.g, model.learned(work.game), table.start, work.first, dice, whims)


def _whims(generator: np.random.Generator, games: int, size: float) -> Floats:
    """A random bonus for each field, game by game; empty if whims have no size."""
    return generator.normal(0, size, (games, FIELDS if size else 0)).astype(np.float32)


def _chunk(game: Crowns, phase: Phase, done: int, progress: Progress, spread: Spread) -> float:
    """Learn from one chunk of games; their mean score."""
    model, seed, rate = progress.model, progress.games + 1, phase.rate(done)
    if phase.kind == "race":
        assert isinstance(model, RaceModel)
        if not done:
            _set_out(game, model)
        return train_race(game, model, phase.chunk, seed, rate)
    if phase.kind == "tables":
        # until a race begins, its last pace keeps what is learned alone
        tables = model.tables[-1:] if isinstance(model, RaceModel) else model.tables[None]
        alone = _alone(game)
        table, generator = practice(alone), np.random.default_rng(seed)
        dice, whims = draw_dice(generator, alone, phase.chunk), _whims(generator, phase.chunk, phase.whim)
        v = learned(alone, tables)
        return float(train_tables(table.g, v, tables[0], table.start, dice, whims, rate))
    assert isinstance(model, Model)
    return _lessons(game, phase, rate, seed, progress, model, spread)


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
    worth = expected_value(v, 0, 0, most, ENDLESS, new_memory(v))
    alone[most] = score_entries(game) + np.float32(worth / len(TABLE_GROUPS.fields))
    for pace in range(1, PACES):
        fewest = most if pace == PACE[-1] else max(n for n, step in enumerate(PACE) if step == pace)
        model.tables[pace] = alone[np.minimum(np.arange(most + 1), fewest)]


def _lessons(
    game: Crowns, phase: Phase, rate: float, seed: int, progress: Progress, model: Model, spread: Spread
) -> float:
    """Have a chunk's games played, and teach the net; their mean score."""
    bounds = [phase.chunk * part // PARTS for part in range(PARTS + 1)]
    work = [
        Assignment(
            phase.kind, game, model.hidden, model.tables, model.flat, first, last - first, seed, phase.whim
        )
        for first, last in pairwise(bounds)
        if last > first
    ]
    found = [Lessons(*lessons) for lessons in spread(play_assignment, work)]
    before = np.cumsum([0, *(len(lessons.goal) for lessons in found)])
    whole = Lessons(
        np.concatenate([lessons.table_at for lessons in found]),
        np.concatenate([lessons.net_at for lessons in found]),
        np.concatenate([lessons.chips for lessons in found]),
        np.concatenate([lessons.goal for lessons in found]),
        np.concatenate([lessons.ends + boards for lessons, boards in zip(found, before, strict=False)]),
        sum(lessons.total for lessons in found),
        sum(lessons.counted for lessons in found),
    )
    grad = np.zeros_like(model.flat)
    views = net_views(grad, model.hidden, len(model.tables) - 1)
    learn_net(
        whole,
        phase.batch,
        model.learned(game),
        views,
        model.flat,
        grad,
        progress.mean,
        progress.square,
        rate,
    )
    return float(whole.total) / max(1, whole.counted)


def finished(game: Crowns, model: Model | RaceModel, games: int = MEASURED_AHEAD) -> Arrays:
    """The model packed, with its own errors measured in `games` games; in a race in 20 times as many."""
    if isinstance(model, RaceModel):
        _, _, spread = measure_race(game, model, 20 * games, 1)
        model.spread = spread.astype(np.float32)
    else:
        _, _, error = scores_ahead(game, model, games, 1)
        # numbers of chips that did not come up lie between those that did
        chips = np.arange(len(error))
        seen = (error > 0) | (chips == 0)
        model.error = np.interp(chips, chips[seen], error[seen])
    return pack(game, model)


def quality(game: Crowns, arrays: Arrays, games: int = MEASURED) -> tuple[float, float]:
    """Mean score of a packed model and its standard error; in a race among seats that play alike."""
    model = unpack(game, arrays)
    if isinstance(model, RaceModel):
        means, _, _ = measure_race(game, model, games // 10, 2)
        return float(means[2:].mean()), 0.0
    scores = quick_scores(game, model, games, 2)
    return float(scores.mean()), float(scores.std() / len(scores) ** 0.5)


def quickly(game: Crowns, report: Report = silent) -> Arrays:
    """Weights for a game that none come with the package for: made on first need."""
    recipe = recipe_of(game, quick=True)
    progress = begin(game, recipe)
    train(game, recipe, progress, report)
    return finished(game, progress.model)
