"""Crowns as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.games.crowns import DICE, FIELDS, Crowns, CrownsState, Discard, Place, placements
from pasch.lab.encoders import DICE_PART, Part, bits, counts, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("roll", "place", "over")


def moves(game: Crowns) -> Iterator[Event]:
    split = game.options.split
    every = (way.pairs for roll, _ in rolls(DICE) for way in placements(roll[::-1], split))
    for pairs in dict.fromkeys(every):
        yield Place(0, pairs)
    if game.minimum:
        yield Discard(0)


def score_range(game: Crowns) -> tuple[int, int]:
    return 0, max(1, sum(crowns for _, crowns in game.scoring))


def most_moves(game: Crowns) -> int:
    return game.players * game.options.round_limit


def layout(game: Crowns) -> tuple[Part, ...]:
    n = game.players
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("rounds", 1, 0, game.options.round_limit, "rounds completed"),
        Part("left", n, 0, game.components.chips.number, "by seat: chips not placed yet"),
        Part("boards", n * FIELDS, 0, 1, "by seat: fields covered, value by value, 1x to 6x"),
        Part("rolled", 6, 0, DICE, DICE_PART),
    )


def encode(view: CrownsState, seat: int) -> list[int]:
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        view.rounds,
        *turned(view.left, seat),
        *(bit for board in turned(view.boards, seat) for bit in bits(board, FIELDS)),
        *counts(view.rolled),
    ]
