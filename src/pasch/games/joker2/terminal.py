"""Würfel Joker 2 in the terminal: the slides, the roll and what stopping would score."""

from __future__ import annotations

import re

from rich.console import RenderableType
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker2.box import SLIDES
from pasch.games.joker2.rules import (
    ALL,
    FIVE,
    Forgo,
    Joker2,
    Joker2State,
    Next,
    Push,
    Roll,
    numbers,
)
from pasch.terminal.words import seat_name

#: how people write the operators
_SIGNS = str.maketrans({"-": "−", "*": "×", "/": "÷"})


def draw(state: State) -> RenderableType:
    """The totals, the tableau and the roll."""
    state, game = _mine(state)
    rounds = game.options.rounds
    lines = [f"Round {min(state.round + 1, rounds)} of {rounds}"]
    for seat, total in enumerate(state.totals):
        here = ">" if seat == state.seat and not state.over else " "
        lines.append(f"{here} {seat_name(seat)} {total:6}")
    if not state.over:
        lines += ["", *_tableau(state, game)]
    return Text("\n".join(lines))


def _mine(state: State) -> tuple[Joker2State, Joker2]:
    assert isinstance(state, Joker2State) and isinstance(state.game, Joker2)
    return state, state.game


def _tableau(state: Joker2State, game: Joker2) -> list[str]:
    up = numbers(state.slides)
    lines = [
        "up    " + " ".join(str(slide) if slide in up else "." for slide in SLIDES),
        "down  " + " ".join("." if slide in up else str(slide) for slide in SLIDES),
        "",
    ]
    if state.rolled:
        lines.append(f"rolled: {state.rolled[1]} {state.rolled[0]}")
    counted = "the slides down and the last dice count" if state.pips else "the slides down count"
    lines.append(f"{counted} {game.score(state.slides, state.fivefold, state.pips)}")
    if state.fivefold:
        lines[-1] += f", times {game.components.factor} included"
    elif FIVE in up:
        lines.append(f"the 5 may help; then the minus counts {game.components.factor} times")
    return lines


def tell(state: State, event: Event) -> str:
    """The event in words, with what follows at once."""
    state, _ = _mine(state)
    after = state.apply(event)
    who = seat_name(state.seat)
    ended = after.seat != state.seat or after.round != state.round
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = f"{who} rolls {event.roll[1]} {event.roll[0]}"
        if ended:
            return f"{said}: no slide fits, the turn scores {points}"
        return said if after.rolled else f"{said}: no slide fits, but a double is rolled again"
    if isinstance(event, Push):
        pushed = f"{who} pushes slide {event.push}" + (
            "" if len(event.how) == 1 else f", {_written(event)}"
        )
        return f"{pushed}: all nine are up, the turn scores {points}" if ended else pushed
    if isinstance(event, Forgo):
        return f"{who} forgoes the double"
    assert isinstance(event, Next)
    return f"{who} stops and scores {points}" if event.next == "stop" else f"{who} rolls on"


def heading(move: Event) -> str:
    """The group of the menu that a move belongs to."""
    if isinstance(move, Push):
        return "With the dice alone" if len(move.how) < len("4*2-5") else "With the help of the 5"
    return "Forgo" if isinstance(move, Forgo) else "Go on?"


def label(state: State, move: Event) -> str:
    """The move, short."""
    state, game = _mine(state)
    if isinstance(move, Push):
        return _written(move)
    if isinstance(move, Forgo):
        return "forgo the double and roll again"
    assert isinstance(move, Next)
    if move.next == "stop":
        return f"stop and score {game.score(state.slides, state.fivefold, state.pips)}"
    return f"roll, with {len(numbers(ALL & ~state.slides))} slides to go"


def prompt(state: State) -> str:
    """What to type for the dice that are to be rolled."""
    state, _ = _mine(state)
    return f"{seat_name(state.seat)}, roll both dice and type the faces, such as 4 2"


def read_outcome(state: State, text: str) -> Event:
    """The roll that was typed; commas and spaces may be left out."""
    state, _ = _mine(state)
    faces = re.sub(r"[\s,;]+", "", text)
    if not re.fullmatch("[1-6][1-6]", faces):
        raise EventError("expected two dice from 1 to 6, got {got!r}", got=text.strip())
    return Roll(state.seat, tuple(map(int, faces)))


def _written(move: Push) -> str:
    """The calculation as people write it: 4×2−5 = 3."""
    if len(move.how) == 1:
        return f"{move.how} alone"
    return f"{move.how.translate(_SIGNS)} = {move.push}"
