"""Fiese 15 in the terminal: the strip with the dice on it, and the standing."""

from __future__ import annotations

import re
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import Provenance, marked
from pasch.core.errors import EventError
from pasch.core.events import Event, subsets
from pasch.games.fiese15.rules import (
    COLOURS,
    Keep,
    Next,
    Position,
    Roll,
    Strip,
    consolation,
    valid_dice,
    worth,
)
from pasch.terminal.language import shown, t, tn, word
from pasch.terminal.words import guess_note, seat_name

#: black is unreadable on most terminals, so it is shown as reversed text
_STYLES: Final = {
    "red": "red",
    "blue": "bright_blue",
    "yellow": "yellow",
    "black": "reverse",
    "white": "bold",
    "green": "green",
}

_COLOUR_AND_FACE: Final = re.compile(r"([^\W\d_]+)[\s:=]*(\d)(?!\d)")


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Position) -> RenderableType:
    """The round, the strip with the dice of the turn, and everybody's points."""
    if state.over:
        return Group(Text(t("The game is over.")), _standing(state))
    number = len(state.strips) + (state.phase == "strip")
    rounds = state.game.components.rounds
    if state.phase == "strip":
        title = t("Round {n} of {all}: a strip is drawn", n=number, all=rounds)
        return Group(Text(title), _standing(state))
    title = t(
        "Round {n} of {all}, strip {strip}: {name}'s turn",
        n=number,
        all=rounds,
        strip=state.strips[-1],
        name=seat_name(state.seat),
    )
    return Group(Text(title), _strip(state), Text(), _standing(state), *guess_note(_sources(state)))


def _sources(state: Position) -> tuple[Provenance, ...]:
    """Where the targets of the strip come from."""
    return state.game.components.strips[state.strips[-1]].sources(state.game.options.handicap)


def _strip(state: Position) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for colour in COLOURS:
        table.add_column(word(colour), justify="right", header_style=_STYLES[colour])
    table.add_row(t("target"), *map(marked, state.targets, _sources(state)))
    table.add_row(t("set aside"), *(str(face or "-") for face in state.kept))
    if state.phase == "keep":
        valid = subsets(COLOURS)[valid_dice(state.rolled, state.targets)]
        rolled = zip(COLOURS, state.rolled, strict=True)
        table.add_row(
            t("rolled (* valid)"),
            *(f"*{face}" if colour in valid else str(face or "-") for colour, face in rolled),
        )
    return table


def _standing(state: Position) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column(t("player"))
    table.add_column(t("score"), justify="right")
    if state.tiles:
        table.add_column(t("white's tile"), justify="right")
    playing = not state.over and state.phase != "strip"
    for seat, total in enumerate(state.totals):
        here = playing and seat == state.seat
        won = seat in state.winners()
        row = [">" if here else "*" if won else "", seat_name(seat), shown(total)]
        if state.tiles:
            row.append(str(state.tiles[seat]))
        table.add_row(*row, style="bold" if here or won else "")
    return table


# --- words ----------------------------------------------------------------------------------------


def tell(state: Position, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    if isinstance(event, Strip):
        return _tell_strip(state, event)
    who = seat_name(state.seat)
    if isinstance(event, Roll):
        said = t("{name} rolls {dice}", name=who, dice=_dice(COLOURS, event.roll))
        after = state.apply(event)
        if after.phase == "keep":
            return said
        points = _gained(state, after)
        if state.game.options.gambler:
            return tn(
                "{what}: nothing valid, {n} point", "{what}: nothing valid, {n} points", points, what=said
            )
        return tn(
            "{what}: nothing valid, {n} point for the missing targets",
            "{what}: nothing valid, {n} points for the missing targets",
            points,
            what=said,
        )
    if isinstance(event, Keep):
        said = t("{name} sets aside {dice}", name=who, dice=_dice(event.keep, state.rolled))
        after = state.apply(event)
        if after.phase == "next":
            return said
        points = _gained(state, after)
        return tn(
            "{what}: all six, doubled, {n} point",
            "{what}: all six, doubled, {n} points",
            points,
            what=said,
        )
    if isinstance(event, Next) and event.next == "roll":
        return t("{name} rolls on", name=who)
    points = _gained(state, state.apply(event))
    if state.kept.count(0) == 1:
        return tn(
            "{name} stops with five dice, {n} point",
            "{name} stops with five dice, {n} points",
            points,
            name=who,
        )
    return tn("{name} stops and scores {n} point", "{name} stops and scores {n} points", points, name=who)


def _tell_strip(state: Position, event: Strip) -> str:
    after = state.apply(event)
    printed = COLOURS if not after.tiles else [colour for colour in COLOURS if colour != "white"]
    said = t(
        "Round {n}: strip {strip}, {targets}",
        n=len(after.strips),
        strip=event.strip,
        targets=_dice(printed, after.targets),
    )
    if not after.tiles:
        return said
    tiles = ", ".join(f"{seat_name(seat)}: {tile}" for seat, tile in enumerate(after.tiles))
    return t("{what}; tiles for white: {tiles}", what=said, tiles=tiles)


def _dice(colours: list[str] | tuple[str, ...], faces: tuple[int, ...]) -> str:
    """Dice in words; those that are not there are left out."""
    there = [(colour, faces[COLOURS.index(colour)]) for colour in colours]
    return ", ".join(f"{word(colour)} {face}" for colour, face in there if face)


def _gained(before: Position, after: Position) -> int:
    return after.scores()[before.seat] - before.totals[before.seat]


def heading(move: Event) -> str:
    """Keeps are listed by the number of dice."""
    if isinstance(move, Keep):
        return tn("Set aside {n} die", "Set aside {n} dice", len(move.keep))
    return t("Go on?")


def label(state: Position, move: Event) -> str:
    """The move, short; with what is at stake."""
    if isinstance(move, Keep):
        return _dice(move.keep, state.rolled)
    if isinstance(move, Next) and move.next == "roll":
        dice = state.kept.count(0)
        return tn(
            "roll {n} die ({points} if nothing is valid)",
            "roll {n} dice ({points} if nothing is valid)",
            dice,
            points=consolation(state.game.config, state.targets, state.kept),
        )
    return t("stop ({points})", points=worth(state.kept))


# --- reading real dice and strips -----------------------------------------------------------------


def prompt(state: Position) -> str:
    """What to type for the strip or the dice that lie on the real table."""
    if state.phase == "strip":
        colours = ", ".join(map(word, _printed(state)))
        return t("The strip's targets for {colours} (or its number here)", colours=colours)
    missing = _missing(state)
    example = " ".join("314265"[: len(missing)])
    return t(
        "The faces of {colours}, such as {example} (or by colour: {colour} 3 …)",
        colours=", ".join(map(word, missing)),
        example=example,
        colour=word(missing[0]),
    )


def read_outcome(state: Position, text: str) -> Event:
    """The strip or roll that was typed."""
    typed = text.lower()
    return _read_strip(state, typed) if state.phase == "strip" else _read_roll(state, typed)


def _printed(state: Position) -> list[str]:
    """The colours that the strip itself gives a target."""
    return [colour for colour in COLOURS if colour != "white" or not state.game.options.handicap]


def _missing(state: Position) -> list[str]:
    return [colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face]


def _read_strip(state: Position, typed: str) -> Strip:
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


def _side(state: Position, strip: int) -> tuple[int, ...]:
    """The targets printed on the side that is played."""
    targets = zip(COLOURS, state.game.config.targets[strip], strict=True)
    printed = _printed(state)
    return tuple(target for colour, target in targets if colour in printed)


def _example(state: Position) -> str:
    return " ".join(map(str, _side(state, 0)))


def _read_roll(state: Position, typed: str) -> Roll:
    missing = _missing(state)
    if re.search(r"[^\W\d_]", typed):
        found = _read_colours(typed)
    else:
        faces = re.findall(r"\d", typed)
        if re.sub(r"[\d\s,;]", "", typed) or len(faces) != len(missing):
            raise EventError(
                "expected {dice} faces, for {colours}",
                dice=len(missing),
                colours=", ".join(map(word, missing)),
            )
        found = dict(zip(missing, map(int, faces), strict=True))
    return Roll.from_json({"seat": state.seat, "roll": found})


def _read_colours(typed: str) -> dict[str, int]:
    """Faces by colour; a colour may be abbreviated to any unique prefix."""
    if re.sub(r"[\s,;]", "", _COLOUR_AND_FACE.sub("", typed)):
        example = f"{word('red')} 3, {word('blue')} 1"
        raise EventError("expected each colour with its face, such as {example}", example=example)
    found: dict[str, int] = {}
    for name, face in _COLOUR_AND_FACE.findall(typed):
        colour = _colour(name)
        if colour in found:
            raise EventError("the {colour} die is named twice", colour=word(colour))
        found[colour] = int(face)
    return found


def _colour(name: str) -> str:
    """The colour with this prefix, in this language or else in English."""
    matching = [colour for colour in COLOURS if word(colour).startswith(name)]
    matching = matching or [colour for colour in COLOURS if colour.startswith(name)]
    if len(matching) == 1:
        return matching[0]
    raise EventError(
        "which die is {word!r}? The dice are {colours}",
        word=name,
        colours=", ".join(map(word, matching or COLOURS)),
    )
