"""Shut the Lines as numbers, for the research interfaces."""

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
from pasch.games.lines.box import PLANS
from pasch.games.lines.events import ChosenPlan, Cover
from pasch.games.lines.rules import COVER, PHASES, PLAN, Agreed, Lines, Numbers, first_seat, reaches_target
from pasch.games.lines.ways import every_cover


def moves(game: Lines) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 would make it."""
    for groups in every_cover(tuple((plan.dice, plan.full) for plan in game.played)):
        yield Cover(0, groups)
    if game.agreed.chosen:
        for plan in game.agreed.choices:
            yield ChosenPlan(0, plan)


def action(g: Agreed, s: Numbers, code: int) -> int:
    """The number of a move in the order of `moves`."""
    return g.cover_count[0] + code if s.phase == PLAN else g.covers[s.roll][code]


def score_range(game: Lines) -> tuple[int, int]:
    """Numbers between which every score lies."""
    last = 0
    while not reaches_target(game.agreed, last + 1):
        last += 1
    return 0, last + max(plan.points(plan.full) for plan in game.played)


def most_moves(game: Lines) -> None:
    """A round can bring nobody a point, so that there is no last one."""


def _place(game: Lines) -> Iterator[ObservationPart]:
    """Where plans are chosen, their list has no order."""
    if not game.agreed.chosen:
        yield ObservationPart(
            "place", len(game.options.plans), 0, 1, "the round's place in the list of plans"
        )


def layout(game: Lines) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order."""
    n, dice = game.players, max(plan.dice for plan in game.played)
    return (
        phase_part(PHASES),
        turn_part(game),
        ObservationPart("first", n, 0, 1, "by seat: it began the round"),
        ObservationPart("totals", n, *score_range(game), "by seat"),
        ObservationPart("plan", PLANS, 0, 1, "the plan being played, if one lies there"),
        *_place(game),
        ObservationPart(
            "covered", n * game.agreed.highest, 0, 1, "by seat: the numbers covered, from 1 up"
        ),
        ObservationPart("out", n, 0, 1, "by seat: it is out of the round"),
        ObservationPart("rolled", 6, 0, dice, DICE_PART),
    )


def write(g: Agreed, s: Numbers, seat: int, out: Any) -> None:
    """Write an observation: what `seat` may know of `s`."""
    at = one_hot(out, 0, s.phase, 4)
    at = turn(out, at, s.actor, s.seat, seat, g.players)
    at = one_hot(out, at, (first_seat(g, s.round) - seat) % g.players, g.players)
    at = by_seat(out, at, s.totals, seat, g.players)
    at = one_hot(out, at, s.plan - 1, len(g.full))
    if not g.chosen:
        at = one_hot(out, at, s.round % len(g.order), len(g.order))
    for step in range(g.players):
        at = bits(out, at, s.covered[(seat + step) % g.players], g.highest)
    at = by_seat(out, at, s.out, seat, g.players)
    rolled = g.faces[s.roll]
    counts(out, at, rolled, len(rolled) if s.phase == COVER else 0)
