"""Würfel Joker, game 2, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

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
from pasch.games.joker2.box import SLIDES
from pasch.games.joker2.rules import (
    ALL,
    DICE,
    FORGO,
    NEXT,
    PHASES,
    ROLLS,
    Agreed,
    Forgo,
    Joker2,
    Next,
    Numbers,
    Push,
    bust,
    push_numbers,
    stopped,
)

#: a number, which compiled code reads more easily than a range
SLIDE_COUNT: Final = len(SLIDES)


def moves(game: Joker2) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for way in push_numbers():
        yield Push(0, way.slide, way.how)
    yield Forgo(0)
    yield Next(0, "roll")
    yield Next(0, "stop")


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    if s.phase == NEXT:
        return g.push_count[0] + 1 + code
    return g.push_count[0] if code == FORGO else g.push_number[s.rolled][s.slides][code - 1]


def score_range(game: Joker2) -> tuple[int, int]:
    """Numbers between which every score lies."""
    g = game.agreed
    return bust(g, 0, True, len(ROLLS) - 1) * g.rounds, stopped(g, ALL, False, 0) * g.rounds


def most_moves(game: Joker2) -> None:
    """Doubles may be forgone again and again."""


def layout(game: Joker2) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("totals", game.players, *score_range(game), "by seat"),
        ObservationPart("round", 1, 0, game.options.rounds, "rounds completed"),
        ObservationPart("slides", len(SLIDES), 0, 1, "by slide: it is up"),
        ObservationPart("fivefold", 1, 0, 1, "the minus of this turn is multiplied"),
        ObservationPart("rolled", 6, 0, DICE, DICE_PART),
        *_pips(game),
    )


def _pips(game: Joker2) -> Iterator[ObservationPart]:
    """Only where the last dice can count on stopping."""
    if game.agreed.five_dice:
        yield ObservationPart("pips", 1, 0, 6 * DICE, "of the last roll, which stopping adds to the minus")


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    at = one_hot(out, 0, s.phase, len(PHASES))
    at = turn(out, at, s.actor, s.seat, seat, g.players)
    at = by_seat(out, at, s.totals, seat, g.players)
    out[at] = s.round
    at = bits(out, at + 1, s.slides, SLIDE_COUNT)
    out[at] = s.fivefold
    at = counts(out, at + 1, g.faces[s.rolled], DICE)
    if g.five_dice:
        out[at] = s.pips
