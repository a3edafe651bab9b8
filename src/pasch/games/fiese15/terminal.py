"""Fiese 15 in the terminal: the strip with the dice on it, and the standing."""

from __future__ import annotations

import re
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15.rules import (
    COLOURS,
    DICE,
    Fiese15State,
    Keep,
    Next,
    Roll,
    Strip,
)
from pasch.terminal.words import seat_name

#: black is unreadable on most terminals, so it is shown as reversed text
_STYLES: Final = {
    "red": "red",
    "blue": "bright_blue",
    "yellow": "yellow",
    "black": "reverse",
    "white": "bold",
    "green": "green",
}

_COLOUR_AND_FACE: Final = re.compile(r"([a-z]+)[\s:=]*(\d)(?!\d)")


def _own(state: State) -> Fiese15State:
    if not isinstance(state, Fiese15State):
        raise TypeError("this board is for Fiese 15 only")
    return state


# --- drawing --------------------------------------------------------------------------------------


def draw(state: State) -> RenderableType:
    """The round, the strip with the dice of the turn, and everybody's points."""
    state = _own(state)
    if state.over:
        return Group(Text("The game is over."), _standing(state))
    number = len(state.strips) + (state.phase == "strip")
    title = f"Round {number} of {state.game.components.rounds}"
    if state.phase == "strip":
        return Group(Text(f"{title}: a strip is drawn"), _standing(state))
    title += f", strip {state.strips[-1]}: {seat_name(state.seat)}'s turn"
    return Group(Text(title), _strip(state), Text(), _standing(state))


def _strip(state: Fiese15State) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for colour in COLOURS:
        table.add_column(colour, justify="right", header_style=_STYLES[colour])
    table.add_row("target", *map(str, state.targets))
    table.add_row("set aside", *(str(face or "-") for face in state.kept))
    if state.phase == "keep":
        valid = DICE[state.valid]
        rolled = zip(COLOURS, state.rolled, strict=True)
        table.add_row(
            "rolled (* valid)",
            *(f"*{face}" if colour in valid else str(face or "-") for colour, face in rolled),
        )
    return table


def _standing(state: Fiese15State) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("player")
    table.add_column("points", justify="right")
    if state.tiles:
        table.add_column("white's tile", justify="right")
    playing = not state.over and state.phase != "strip"
    for seat, total in enumerate(state.totals):
        here = playing and seat == state.seat
        won = seat in state.winners()
        row = [">" if here else "*" if won else "", seat_name(seat), str(total)]
        if state.tiles:
            row.append(str(state.tiles[seat]))
        table.add_row(*row, style="bold" if here or won else "")
    return table


# --- words ----------------------------------------------------------------------------------------


def tell(state: State, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    state = _own(state)
    if isinstance(event, Strip):
        return _tell_strip(state, event)
    who = seat_name(state.seat)
    if isinstance(event, Roll):
        said = f"{who} rolls {_dice(COLOURS, event.roll)}"
        after = state.apply(event)
        if after.phase == "keep":
            return said
        for_what = "" if state.game.options.gambler else " for the missing targets"
        return f"{said}: nothing valid, {_gained(state, after)}{for_what}"
    if isinstance(event, Keep):
        said = f"{who} sets aside {_dice(event.keep, state.rolled)}"
        after = state.apply(event)
        return said if after.phase == "next" else f"{said}: all six, doubled, {_gained(state, after)}"
    if isinstance(event, Next) and event.next == "roll":
        return f"{who} rolls on"
    five = " with five dice" if state.kept.count(0) == 1 else ""
    return f"{who} stops{five}, {_gained(state, state.apply(event))}"


def _tell_strip(state: Fiese15State, event: Strip) -> str:
    after = state.apply(event)
    said = f"Round {len(after.strips)}: strip {event.strip}, "
    if not after.tiles:
        return said + _dice(COLOURS, after.targets)
    printed = [colour for colour in COLOURS if colour != "white"]
    tiles = ", ".join(f"{seat_name(seat)}: {tile}" for seat, tile in enumerate(after.tiles))
    return f"{said}{_dice(printed, after.targets)}; tiles for white: {tiles}"


def _dice(colours: list[str] | tuple[str, ...], faces: tuple[int, ...]) -> str:
    """Dice in words; those that are not there are left out."""
    shown = [(colour, faces[COLOURS.index(colour)]) for colour in colours]
    return ", ".join(f"{colour} {face}" for colour, face in shown if face)


def _gained(before: Fiese15State, after: State) -> str:
    gained = after.scores()[before.seat] - before.totals[before.seat]
    return "1 point" if gained == 1 else f"{gained} points"


def heading(move: Event) -> str:
    """Keeps are listed by the number of dice."""
    if isinstance(move, Keep):
        return "Set aside 1 die" if len(move.keep) == 1 else f"Set aside {len(move.keep)} dice"
    return "Go on?"


def label(state: State, move: Event) -> str:
    """The move, short; with what is at stake."""
    state = _own(state)
    if isinstance(move, Keep):
        return _dice(move.keep, state.rolled)
    if isinstance(move, Next) and move.next == "roll":
        dice = state.kept.count(0)
        return f"roll {dice} {'die' if dice == 1 else 'dice'} ({state.missed} if nothing is valid)"
    return f"stop ({state.worth})"


# --- reading real dice and strips -----------------------------------------------------------------


def prompt(state: State) -> str:
    """What to type for the strip or the dice that lie on the real table."""
    state = _own(state)
    if state.phase == "strip":
        return f"The strip's targets for {', '.join(_printed(state))} (or its number here)"
    missing = _missing(state)
    example = " ".join("314265"[: len(missing)])
    return f"The faces of {', '.join(missing)}, such as {example} (or by colour: {missing[0]} 3 …)"


def read_outcome(state: State, text: str) -> Event:
    """The strip or roll that was typed."""
    state = _own(state)
    typed = text.lower()
    return _read_strip(state, typed) if state.phase == "strip" else _read_roll(state, typed)


def _printed(state: Fiese15State) -> list[str]:
    """The colours that the strip itself gives a target."""
    return [colour for colour in COLOURS if colour != "white" or not state.game.options.handicap]


def _missing(state: Fiese15State) -> list[str]:
    return [colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face]


def _read_strip(state: Fiese15State, typed: str) -> Strip:
    numbers = re.findall(r"\d+", typed)
    if re.sub(r"[\d\s,;]", "", typed) or not numbers:
        raise EventError("expected the targets in order, such as {example}", example=_example(state))
    dice = len(_printed(state))
    if len(numbers) == 1 and len(numbers[0]) < dice:
        return Strip(int(numbers[0]))
    targets = tuple(map(int, "".join(numbers)))
    if len(targets) != dice:
        raise EventError(
            "a strip has {dice} targets, not {got}; expected something such as {example}",
            dice=dice,
            got=len(targets),
            example=_example(state),
        )
    alike = [strip for strip in range(len(state.game.components.strips)) if _side(state, strip) == targets]
    if not alike:
        raise EventError(
            "no strip has the targets {targets}; is the box another one? Then load its own file",
            targets=" ".join(map(str, targets)),
        )
    # of two equal strips the one that has not been drawn; if there is none the rules say so
    return Strip(min(alike, key=lambda strip: strip in state.strips))


def _side(state: Fiese15State, strip: int) -> tuple[int, ...]:
    """The targets printed on the side that is played."""
    targets = zip(COLOURS, state.game.agreed.targets[strip], strict=True)
    printed = _printed(state)
    return tuple(target for colour, target in targets if colour in printed)


def _example(state: Fiese15State) -> str:
    return " ".join(map(str, _side(state, 0)))


def _read_roll(state: Fiese15State, typed: str) -> Roll:
    missing = _missing(state)
    if re.search(r"[a-z]", typed):
        found = _read_colours(typed)
    else:
        faces = re.findall(r"\d", typed)
        if re.sub(r"[\d\s,;]", "", typed) or len(faces) != len(missing):
            raise EventError(
                "expected {dice} faces, for {colours}", dice=len(missing), colours=", ".join(missing)
            )
        found = dict(zip(missing, map(int, faces), strict=True))
    return Roll.from_json({"seat": state.seat, "roll": found})


def _read_colours(typed: str) -> dict[str, int]:
    """Faces by colour; a colour may be shortened as long as it is clear which one is meant."""
    if re.sub(r"[\s,;]", "", _COLOUR_AND_FACE.sub("", typed)):
        raise EventError("expected each colour with its face, such as {example}", example="red 3, blue 1")
    found: dict[str, int] = {}
    for word, face in _COLOUR_AND_FACE.findall(typed):
        colour = _colour(word)
        if colour in found:
            raise EventError("the {colour} die is named twice", colour=colour)
        found[colour] = int(face)
    return found


def _colour(word: str) -> str:
    meant = [colour for colour in COLOURS if colour.startswith(word)]
    if len(meant) == 1:
        return meant[0]
    raise EventError(
        "which die is {word!r}? The dice are {colours}",
        word=word,
        colours=", ".join(meant or COLOURS),
    )
