"""Würfel Joker 2 in the terminal: the slides, the roll and what stopping would score."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core.events import Event, Roll
from pasch.games.joker2.box import SIGNS, SLIDES
from pasch.games.joker2.rules import Forgo, Next, Position, Push, stopped
from pasch.games.joker2.ways import ALL, FIVE, uses_five
from pasch.terminal.board import rounds, seat_name, spaced, two_rows
from pasch.terminal.language import t, tn


def draw(state: Position) -> RenderableType:
    """The totals, the tray and the roll."""
    return Group(rounds(state), Text("" if state.over else _tray(state)))


def _points(state: Position) -> int:
    """What stopping now scores."""
    return stopped(state.game.config, state.slides, state.fivefold, state.pips)


def _tray(state: Position) -> str:
    lines = [two_rows(state.slides, len(SLIDES))]
    if state.rolled:
        lines.append(t("rolled: {dice}", dice=spaced(state.rolled[::-1])))
    factor, points = state.game.components.factor, _points(state)
    if state.pips:
        counted = t("the slides down and the last dice count {points}", points=points)
    else:
        counted = t("the slides down count {points}", points=points)
    if state.fivefold:
        counted = t("{what}, times {factor} included", what=counted, factor=factor)
    lines.append(counted)
    if state.slides >> FIVE - 1 & 1 and not state.fivefold:
        lines.append(t("the 5 may help; then what you lose counts {factor} times", factor=factor))
    return "\n".join(lines)


def tell(state: Position, event: Event) -> str:
    """The event in words, with what follows at once."""
    after, who = state.apply(event), seat_name(state.seat)
    ended = (after.seat, after.round) != (state.seat, state.round)
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = t("{name} rolls {dice}", name=who, dice=spaced(event.roll[::-1]))
        if ended:
            return t("{what}: no slide fits, the turn scores {points}", what=said, points=points)
        again = t("{what}: no slide fits, so the double is rolled again", what=said)
        return said if after.rolled else again
    if isinstance(event, Push):
        pushed = t("{name} pushes slide {n} ({how})", name=who, n=event.push, how=_written(event))
        if not ended:
            return pushed
        return t("{what}: all nine are up, the turn scores {points}", what=pushed, points=points)
    if isinstance(event, Forgo):
        return t("{name} forgoes the double", name=who)
    assert isinstance(event, Next)
    if event.next == "roll":
        return t("{name} rolls on", name=who)
    return tn("{name} stops and scores {n} point", "{name} stops and scores {n} points", points, name=who)


def heading(move: Event) -> str:
    """The group of the menu that a move belongs to."""
    if isinstance(move, Push):
        return t("With the help of the 5") if uses_five(move.how) else t("With the dice alone")
    return t("Forgo") if isinstance(move, Forgo) else t("Go on?")


def label(state: Position, move: Event) -> str:
    """The move, short."""
    if isinstance(move, Push):
        return _written(move)
    if isinstance(move, Forgo):
        return t("forgo the double and roll again")
    assert isinstance(move, Next)
    if move.next == "stop":
        return t("stop and score {points}", points=_points(state))
    left = (ALL & ~state.slides).bit_count()
    return tn("roll, with {n} slide to go", "roll, with {n} slides to go", left)


def _written(move: Push) -> str:
    """The calculation as people write it: 4×2−5 = 3."""
    if len(move.how) == 1:
        return t("{face} alone", face=move.how)
    return f"{move.how.translate(SIGNS)} = {move.push}"
