"""Würfel Joker, game 1, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pasch.core.encoding import (
    DICE_PART,
    ObservationPart,
    bits,
    by_seat,
    one_hot,
    phase_part,
    turn,
    turn_part,
)
from pasch.core.events import Event
from pasch.games.joker1.box import SLIDES
from pasch.games.joker1.rules import (
    ALL,
    NEXTS,
    PHASES,
    PUSH,
    Agreed,
    Joker1,
    Next,
    Numbers,
    Push,
    push_numbers,
    score,
)

#: a number, which compiled code reads more easily than a range
SLIDE_COUNT: Final = len(SLIDES)


def moves(game: Joker1) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for groups in push_numbers(game.components.dice):
        yield Push(0, groups)
    for word in NEXTS:
        yield Next(0, word)


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    return g.push_number[s.rolled][s.slides][code] if s.phase == PUSH else g.next_number[code]


def score_range(game: Joker1) -> tuple[int, int]:
    """Numbers between which every score lies."""
    g = game.agreed
    best = max(score(g, slides, g.jokers) for slides in range(ALL + 1))
    return 0, max(1, best * g.rounds)


def most_moves(game: Joker1) -> None:
    """A six stays in play for ever, so that a turn can last as long as one likes."""


def layout(game: Joker1) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    dice, jokers = game.components.dice, game.components.jokers
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("totals", game.players, *score_range(game), "by seat"),
        ObservationPart("round", 1, 0, game.options.rounds, "rounds completed"),
        ObservationPart("slides", len(SLIDES), 0, 1, "by slide: it is up"),
        ObservationPart("dice", 1, 0, dice, "how many are in play"),
        ObservationPart("rolled", 6, 0, dice, DICE_PART),
        ObservationPart("jokers", 1, 0, jokers, "how many are earned"),
    )


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    at = one_hot(out, 0, s.phase, len(PHASES))
    at = turn(out, at, s.actor, s.seat, seat, g.players)
    at = by_seat(out, at, s.totals, seat, g.players)
    out[at] = s.round
    at = bits(out, at + 1, s.slides, SLIDE_COUNT)
    out[at] = s.dice
    for face in range(1, 7):
        out[at + face] = g.shown[s.rolled][face]
    out[at + 7] = s.jokers
