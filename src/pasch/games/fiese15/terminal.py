"""Fiese 15 in the terminal: the strip with the dice on it, and the standing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import Provenance, marked
from pasch.core.errors import EventError
from pasch.core.events import Event
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
from pasch.terminal.board import (
    Board,
    guess_note,
    next_label,
    next_words,
    rolls,
    scores,
    seat_name,
    spaced,
    standing,
    turn_score,
)
from pasch.terminal.language import t, word

# --- drawing --------------------------------------------------------------------------------------


def draw(state: Position) -> RenderableType:
    """The round, the strip with the dice of the turn, and everybody's points."""
    columns = [scores(state)]
    if state.tiles:
        columns.append((t("white's tile"), [*map(str, state.tiles)]))
    points = standing(state, *columns)
    if state.over:
        return Group(Text(t("The game is over.")), points)
    number, rounds = len(state.strips), state.game.components.rounds
    if state.phase == "strip":
        return Group(Text(t("Round {n} of {all}: a strip is drawn", n=number + 1, all=rounds)), points)
    said = "Round {n} of {all}, strip {strip}: {name}'s turn"
    title = t(said, n=number, all=rounds, strip=state.strips[-1], name=seat_name(state.seat))
    return Group(Text(title), _strip(state), Text(), points, *guess_note(_sources(state)))


def _sources(state: Position) -> tuple[Provenance, ...]:
    """Where the targets of the strip come from."""
    return state.game.components.strips[state.strips[-1]].sources(state.game.options.handicap)


def _strip(state: Position) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for colour in COLOURS:
        table.add_column(word(colour), justify="right")
    table.add_row(t("target"), *map(marked, state.targets, _sources(state)))
    table.add_row(t("set aside"), *(str(face or "-") for face in state.kept))
    if state.phase == "keep":
        valid = valid_dice(state.rolled, state.targets)
        faces = (
            f"*{face}" if valid >> die & 1 else str(face or "-") for die, face in enumerate(state.rolled)
        )
        table.add_row(t("rolled (* valid)"), *faces)
    return table


# --- words ----------------------------------------------------------------------------------------


def tell(state: Position, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    after, who = state.apply(event), seat_name(state.seat)
    if isinstance(event, Strip):
        return t("New strip: {targets}", targets=_dice(_printed(after), after.targets))
    if isinstance(event, Roll):
        said = rolls(state, _dice(COLOURS, event.roll))
        if after.phase != "keep":
            said = t("{what}: no die is valid", what=said)
    elif isinstance(event, Keep):
        said = t("{name} sets aside {dice}", name=who, dice=_dice(event.keep, state.rolled))
    else:
        return next_words(state, event)
    return said if after.phase in ("keep", "next") else turn_score(said, state, after)


def _dice(colours: Sequence[str], faces: tuple[int, ...]) -> str:
    """Dice in words; those that are not there are left out."""
    there = [(colour, faces[COLOURS.index(colour)]) for colour in colours]
    return ", ".join(f"{word(colour)} {face}" for colour, face in there if face)


def label(state: Position, move: Event) -> str:
    """The move, short; with the points that it brings or risks."""
    if isinstance(move, Keep):
        return _dice(move.keep, state.rolled)
    assert isinstance(move, Next)
    said = next_label(move, state.kept.count(0), worth(state.kept))
    if move.next == "stop":
        return said
    missed = consolation(state.game.config, state.targets, state.kept)
    return t("{what} ({points} if nothing is valid)", what=said, points=missed)


# --- reading real dice and strips -----------------------------------------------------------------


def prompt(state: Position) -> str:
    """What to type for the strip or the dice that lie on the real table."""
    if state.phase == "strip":
        return t("The strip's targets for {colours} (or its number here)", colours=_words(_printed(state)))
    missing = [colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face]
    example = spaced("314265"[: len(missing)])
    return t("The faces of {colours}, such as {example}", colours=_words(missing), example=example)


def read_outcome(state: Position, text: str) -> Event:
    """The roll that was typed; or the strip, by its targets or its number here."""
    if state.phase != "strip":
        return Board().read_outcome(state, text)
    places = [COLOURS.index(colour) for colour in _printed(state)]
    sides = ["".join(str(side[place]) for place in places) for side in state.game.config.targets]
    typed = re.sub(r"[\s,;]", "", text)
    if re.fullmatch("[0-9]{1,4}", text.strip()):
        return Strip(int(typed))
    # of equal strips the one that has not been drawn, or else the rules refuse it
    alike = [strip for strip, side in enumerate(sides) if side == typed]
    if not alike:
        said = "expected the {dice} targets of a strip of this box, such as {example}"
        raise EventError(said, dice=len(places), example=spaced(sides[0]))
    return Strip(min(alike, key=lambda strip: strip in state.strips))


def _words(colours: Iterable[str]) -> str:
    return ", ".join(map(word, colours))


def _printed(state: Position) -> list[str]:
    """The colours that the strip itself gives a target."""
    return [colour for colour in COLOURS if colour != "white" or not state.game.options.handicap]
