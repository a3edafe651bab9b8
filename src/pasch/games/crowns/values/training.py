"""Crowns: tables learned from self-play, for races and for what no weights come with the package for.

Alone, hopeful tables learn from some 20,000 games a second. A race learns alone as well, and goes on from there in a
phase of its own. `python -m research crowns --race` makes the weights of races that come with the package; those of
games alone are fitted to solved values instead (`python -m research crowns --fit`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import msgspec
import numpy as np

from pasch.games.crowns.learned import PACE
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.kernel import ENDLESS, expected_value, new_memory
from pasch.games.crowns.values.learning import train_tables
from pasch.games.crowns.values.model import (
    PACES,
    TABLE_GROUPS,
    Arrays,
    Model,
    RaceModel,
    learned,
    new_model,
    new_race_model,
    pack,
    score_entries,
)
from pasch.games.crowns.values.play import draw_dice, practice, scores_ahead
from pasch.games.crowns.values.race import measure_race, train_race
from pasch.solve.valuer import Report, silent

#: crowns that a chip promises at first
HOPE: Final = 5.0
#: games that measure a finished model, looking ahead
MEASURED_AHEAD: Final = 200


@dataclass(frozen=True)
class Phase:
    """A stretch of learning, `tables` or `race`."""

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
RACE: Final = (*SOLO, Phase("race", 240_000, (0.1, 0.001), 1_000))
#: what a race with a box of your own gets on first need
QUICK_RACE: Final = tuple(replace(phase, games=phase.games * 3 // 10) for phase in RACE)


def begin(game: Crowns) -> Model | RaceModel:
    """A model that has learned nothing yet."""
    return new_model(game, HOPE, (0, 0)) if game.players == 1 else new_race_model(game, HOPE)


def train(
    game: Crowns, phases: tuple[Phase, ...], model: Model | RaceModel, report: Report = silent
) -> None:
    """Have a model learn in these phases; every chunk of games has its own seed and its own rate."""
    games, total = 0, sum([phase.games for phase in phases])
    for phase in phases:
        for done in range(0, phase.games, phase.chunk):
            score = _chunk(game, phase, done, games + 1, model)
            games += phase.chunk
            report(games / total, f"{phase.kind}, {score:.1f} points")


def _chunk(game: Crowns, phase: Phase, done: int, seed: int, model: Model | RaceModel) -> float:
    """Learn from one chunk of games; their mean score."""
    rate = phase.rate(done)
    if phase.kind == "race":
        assert isinstance(model, RaceModel)
        if not done:
            _set_out(game, model)
        return train_race(game, model, phase.chunk, seed, rate)
    # until a race begins, its last pace keeps what is learned alone
    tables = model.tables[-1:] if isinstance(model, RaceModel) else model.tables[None]
    alone = _alone(game)
    table, dice = practice(alone), draw_dice(np.random.default_rng(seed), alone, phase.chunk)
    return float(train_tables(table.g, learned(alone, tables), tables[0], table.start, dice, rate))


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


def quickly(game: Crowns, report: Report = silent) -> Arrays:
    """Weights for a game that none come with the package for: made on first need."""
    model = begin(game)
    train(game, SOLO if game.players == 1 else QUICK_RACE, model, report)
    return finished(game, model)
