"""Fiese 15 as numbers, for the research interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pasch.core.encoding import ObservationPart, by_seat, one_hot, phase_part, turn, turn_part
from pasch.core.events import Event
from pasch.games.fiese15.rules import (
    DICE,
    KEEP,
    PHASES,
    Agreed,
    Fiese15,
    Keep,
    Next,
    Numbers,
    points,
    target,
)

HIGHEST: Final = 6
#: sets of dice that may be set aside: any but none
KEEPS: Final = DICE[1:]


def moves(game: Fiese15) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for dice in KEEPS:
        yield Keep(0, dice)
    yield Next(0, "roll")
    yield Next(0, "stop")


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    return code - 1 if s.phase == KEEP else 63 + code


def score_range(game: Fiese15) -> tuple[int, int]:
    """Numbers between which every score lies."""
    g = game.agreed
    highest = max(
        sum(target(g, strip, die, HIGHEST) for die in range(6)) for strip in range(len(g.targets))
    )
    return 0, points(6, highest) * g.rounds


def most_moves(game: Fiese15) -> int:
    """The most moves that a game can have."""
    # each of six dice set aside alone, and a decision to go on after all but the last
    return game.players * game.components.rounds * (6 + 5)


def layout(game: Fiese15) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    n, strips = game.players, len(game.components.strips)
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("totals", n, *score_range(game), "by seat"),
        ObservationPart("rounds", 1, 0, game.components.rounds, "rounds begun"),
        ObservationPart("drawn", strips, 0, 1, "by strip: it has been drawn"),
        ObservationPart("tiles", n, 0, HIGHEST, "by seat: white's tile; 0 without handicap"),
        ObservationPart("targets", 6, 0, HIGHEST, "by colour, of the seat whose turn it is"),
        ObservationPart("kept", 6, 0, 6, "by colour: the face set aside, or 0"),
        ObservationPart("rolled", 6, 0, 6, "by colour: the face on the table, or 0"),
    )


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    at = one_hot(out, 0, s.phase, 5)
    at = turn(out, at, s.actor, s.seat, seat, g.players)
    at = by_seat(out, at, s.totals, seat, g.players)
    out[at] = s.round
    at += 1
    for strip in range(len(g.targets)):
        out[at + strip] = 0
    for earlier in range(s.round):
        out[at + s.strips[earlier]] = 1
    at = by_seat(out, at + len(g.targets), s.tiles, seat, g.players)
    for die in range(6):
        out[at + die] = s.targets[die]
        out[at + 6 + die] = s.kept[die]
        out[at + 12 + die] = s.rolled[die]
