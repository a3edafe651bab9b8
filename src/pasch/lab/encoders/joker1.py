"""Würfel Joker, game 1, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.games.joker1 import ALL, SLIDES, Joker1, Joker1State, Next, Push, pushes
from pasch.lab.encoders import DICE_PART, Part, bits, counts, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("roll", "push", "next", "joker roll", "joker next", "over")


def moves(game: Joker1) -> Iterator[Event]:
    every = (
        grouping.groups
        for dice in range(1, game.components.dice + 1)
        for roll, _ in rolls(dice)
        for slides in range(ALL + 1)
        for grouping in pushes(roll, slides)
    )
    for groups in dict.fromkeys(every):
        yield Push(0, groups)
    yield Next(0, "roll")
    yield Next(0, "stop")
    yield Next(0, "jokers")


def score_range(game: Joker1) -> tuple[int, int]:
    best = max(game.score(slides, game.components.jokers) for slides in range(ALL + 1))
    return 0, max(1, best * game.options.rounds)


def most_moves(game: Joker1) -> None:
    """A six stays in play for ever, so that a turn can last as long as one likes."""


def layout(game: Joker1) -> tuple[Part, ...]:
    dice, jokers = game.components.dice, game.components.jokers
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("totals", game.players, *score_range(game), "by seat"),
        Part("round", 1, 0, game.options.rounds, "rounds completed"),
        Part("slides", len(SLIDES), 0, 1, "by slide: it is up"),
        Part("dice", 1, 0, dice, "how many are in play"),
        Part("rolled", 6, 0, dice, DICE_PART),
        Part("jokers", 1, 0, jokers, "how many are earned"),
    )


def encode(view: Joker1State, seat: int) -> list[int]:
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        *turned(view.totals, seat),
        view.round,
        *bits(view.slides, len(SLIDES)),
        view.dice,
        *counts(view.rolled),
        view.jokers,
    ]
