"""Crowns as numbers, for the research interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pasch.core.encoding import (
    DICE_PART,
    ObservationPart,
    bits,
    by_seat,
    counts,
    one_hot,
    phase_part,
    turn,
    turn_part,
)
from pasch.core.events import Event
from pasch.games.crowns.box import FIELDS
from pasch.games.crowns.rules import PHASES, Agreed, Crowns, Discard, Numbers, Place, rounds_left
from pasch.games.crowns.ways import DICE, every_placement


def moves(game: Crowns) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for pairs in every_placement(game.options.split):
        yield Place(0, pairs)
    if game.players == 1:
        yield Discard(0)


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    return g.numbers[s.roll][code]


def score_range(game: Crowns) -> tuple[int, int]:
    """Numbers between which every score lies."""
    return 0, max(1, game.score((1 << FIELDS) - 1))


def most_moves(game: Crowns) -> int:
    """The most moves that a game can have."""
    return game.players * rounds_left(game.agreed, 0)


def layout(game: Crowns) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    n = game.players
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("rounds", 1, 0, rounds_left(game.agreed, 0), "rounds completed"),
        ObservationPart("left", n, 0, game.components.chips.number, "by seat: chips not placed yet"),
        ObservationPart("boards", n * FIELDS, 0, 1, "by seat: fields covered, value by value, 1x to 6x"),
        ObservationPart("rolled", 6, 0, DICE, DICE_PART),
    )


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    at = one_hot(out, 0, s.phase, len(PHASES))
    at = turn(out, at, s.actor, s.seat, seat, g.players)
    out[at] = s.rounds
    at = by_seat(out, at + 1, s.left, seat, g.players)
    for step in range(g.players):
        at = bits(out, at, s.boards[(seat + step) % g.players], FIELDS)
    counts(out, at, s.rolled, DICE)
