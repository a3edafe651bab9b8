"""Würfel Joker, game 2, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.games.joker2 import DICE, FIVE, SLIDES, Forgo, Joker2, Joker2State, Next, Push, pushes
from pasch.lab.encoders import DICE_PART, Part, bits, counts, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("roll", "push", "next", "over")
HIGHEST_ROLL: Final = (6,) * DICE


def moves(game: Joker2) -> Iterator[Event]:
    # of the slides that are up only the five allows anything new
    fives = (0, 1 << FIVE - 1)
    every = (way for slides in fives for roll, _ in rolls(DICE) for way in pushes(roll, slides))
    for way in dict.fromkeys(every):
        yield Push(0, way.slide, way.how)
    yield Forgo(0)
    yield Next(0, "roll")
    yield Next(0, "stop")


def score_range(game: Joker2) -> tuple[int, int]:
    rounds = game.options.rounds
    return game.score(0, True, HIGHEST_ROLL) * rounds, game.components.bonus * rounds


def most_moves(game: Joker2) -> None:
    """Doubles may be forgone again and again."""


def layout(game: Joker2) -> tuple[Part, ...]:
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("totals", game.players, *score_range(game), "by seat"),
        Part("round", 1, 0, game.options.rounds, "rounds completed"),
        Part("slides", len(SLIDES), 0, 1, "by slide: it is up"),
        Part("fivefold", 1, 0, 1, "the minus of this turn is multiplied"),
        Part("rolled", 6, 0, DICE, DICE_PART),
    )


def encode(view: Joker2State, seat: int) -> list[int]:
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        *turned(view.totals, seat),
        view.round,
        *bits(view.slides, len(SLIDES)),
        int(view.fivefold),
        *counts(view.rolled),
    ]
