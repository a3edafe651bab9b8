"""Fiese 15 as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.events import Event
from pasch.games.fiese15 import DICE, Fiese15, Fiese15State, Keep, Next, keeps, points
from pasch.lab.encoders import Part, bits, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("strip", "roll", "keep", "next", "over")
ALL: Final = 0b111111
HIGHEST: Final = 6


def moves(game: Fiese15) -> Iterator[Event]:
    for mask in keeps(ALL):
        yield Keep(0, DICE[mask])
    yield Next(0, "roll")
    yield Next(0, "stop")


def score_range(game: Fiese15) -> tuple[int, int]:
    highest = max(sum(game.targets(strip, HIGHEST)) for strip in range(len(game.components.strips)))
    return 0, points(6, highest) * game.components.rounds


def most_moves(game: Fiese15) -> int:
    # each of six dice set aside alone, and a decision to go on after all but the last
    return game.players * game.components.rounds * (6 + 5)


def layout(game: Fiese15) -> tuple[Part, ...]:
    n, strips = game.players, len(game.components.strips)
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("totals", n, *score_range(game), "by seat"),
        Part("rounds", 1, 0, game.components.rounds, "rounds begun"),
        Part("drawn", strips, 0, 1, "by strip: it has been drawn"),
        Part("tiles", n, 0, HIGHEST, "by seat: white's tile; 0 without handicap"),
        Part("targets", 6, 0, HIGHEST, "by colour, of the seat whose turn it is"),
        Part("kept", 6, 0, 6, "by colour: the face set aside, or 0"),
        Part("rolled", 6, 0, 6, "by colour: the face on the table, or 0"),
    )


def encode(view: Fiese15State, seat: int) -> list[int]:
    game = view.game
    drawn = sum(1 << strip for strip in view.strips)
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        *turned(view.totals, seat),
        len(view.strips),
        *bits(drawn, len(game.components.strips)),
        *turned(view.tiles or (0,) * game.players, seat),
        *view.targets,
        *view.kept,
        *view.rolled,
    ]
