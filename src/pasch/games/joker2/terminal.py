"""Würfel Joker 2 in the terminal: the slides, the roll and what stopping would score."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pasch.core.events import Event, Roll
from pasch.games.joker2.box import SIGNS, SLIDES
from pasch.games.joker2.rules import Forgo, Next, Position, Push, stopped
from pasch.games.joker2.ways import ALL, FIVE, numbers
from pasch.terminal.language import shown, t, tn
from pasch.terminal.words import seat_name


def draw(state: Position) -> RenderableType:
    """The totals, the tray and the roll."""
    game = state.game
    rounds = game.options.rounds
    lines = [t("Round {n} of {all}", n=min(state.round + 1, rounds), all=rounds)]
    for seat, total in enumerate(state.totals):
        here = ">" if seat == state.seat and not state.over else " "
        lines.append(f"{here} {seat_name(seat)} {shown(total):>6}")
    if not state.over:
        lines += ["", *_tray(state, game)]
    return Text("\n".join(lines))


def _tray(state: Position, game: Any) -> list[str]:
    up = numbers(state.slides)
    above, below = t("up"), t("down")
    wide = max(len(above), len(below)) + 2
    lines = [
        above.ljust(wide) + " ".join(str(slide) if slide in up else "." for slide in SLIDES),
        below.ljust(wide) + " ".join("." if slide in up else str(slide) for slide in SLIDES),
        "",
    ]
    if state.rolled:
        lines.append(t("rolled: {dice}", dice=f"{state.rolled[1]} {state.rolled[0]}"))
    factor, points = game.components.factor, stopped(game.config, state.slides, state.fivefold, state.pips)
    if state.pips:
        counted = t("the slides down and the last dice count {points}", points=points)
    else:
        counted = t("the slides down count {points}", points=points)
    if state.fivefold:
        return [*lines, t("{what}, times {factor} included", what=counted, factor=factor)]
    if FIVE in up:
        return [*lines, counted, t("the 5 may help; then the minus counts {factor} times", factor=factor)]
    return [*lines, counted]


def tell(state: Position, event: Event) -> str:
    """The event in words, with what follows at once."""
    after = state.apply(event)
    who = seat_name(state.seat)
    ended = after.seat != state.seat or after.round != state.round
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = t("{name} rolls {dice}", name=who, dice=f"{event.roll[1]} {event.roll[0]}")
        if ended:
            return t("{what}: no slide fits, the turn scores {points}", what=said, points=points)
        return (
            said if after.rolled else t("{what}: no slide fits, so the double is rolled again", what=said)
        )
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
        alone = len(move.how) < len("4*2-5")
        return t("With the dice alone") if alone else t("With the help of the 5")
    return t("Forgo") if isinstance(move, Forgo) else t("Go on?")


def label(state: Position, move: Event) -> str:
    """The move, short."""
    game = state.game
    if isinstance(move, Push):
        return _written(move)
    if isinstance(move, Forgo):
        return t("forgo the double and roll again")
    assert isinstance(move, Next)
    if move.next == "stop":
        points = stopped(game.config, state.slides, state.fivefold, state.pips)
        return t("stop and score {points}", points=points)
    left = len(numbers(ALL & ~state.slides))
    return tn("roll, with {n} slide to go", "roll, with {n} slides to go", left)


def _written(move: Push) -> str:
    """The calculation as people write it: 4×2−5 = 3."""
    if len(move.how) == 1:
        return t("{face} alone", face=move.how)
    return f"{move.how.translate(SIGNS)} = {move.push}"
