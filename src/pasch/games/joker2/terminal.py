"""Würfel Joker 2 in the terminal: the slides, the roll and what stopping would score."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core.events import Event, Roll
from pasch.games.joker2.box import SIGNS, SLIDES
from pasch.games.joker2.rules import Forgo, Position, Push, stopped
from pasch.games.joker2.ways import FIVE
from pasch.terminal.board import (
    next_label,
    next_words,
    rolls,
    rounds,
    seat_name,
    spaced,
    turn_ended,
    turn_score,
    two_rows,
)
from pasch.terminal.language import t


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
    ended = turn_ended(state, after)
    if isinstance(event, Roll):
        said = rolls(state, spaced(event.roll[::-1]))
        if ended:
            return turn_score(t("{what}: no slide fits", what=said), state, after)
        again = t("{what}: no slide fits, so the double is rolled again", what=said)
        return said if after.rolled else again
    if isinstance(event, Push):
        pushed = t("{name} pushes slide {n} ({how})", name=who, n=event.push, how=_written(event))
        return turn_score(pushed, state, after) if ended else pushed
    if isinstance(event, Forgo):
        return t("{name} forgoes the double", name=who)
    return next_words(state, event)


def label(state: Position, move: Event) -> str:
    """The move, short."""
    if isinstance(move, Push):
        return _written(move)
    return t("Roll again") if isinstance(move, Forgo) else next_label(move, 2, _points(state))


def _written(move: Push) -> str:
    """The calculation as people write it: 4×2−5 = 3."""
    if len(move.how) == 1:
        return t("{face} alone", face=move.how)
    return f"{move.how.translate(SIGNS)} = {move.push}"
