"""Würfel Joker 1 in the terminal: the slides, the dice in play and the table of combinations."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker1.box import SLIDES, Combination
from pasch.games.joker1.rules import (
    Joker1,
    Joker1State,
    Next,
    Push,
    Roll,
    mask_of,
    numbers,
)
from pasch.terminal.words import seat_name


def draw(state: State) -> RenderableType:
    """The totals and the tableau on the left, the combinations on the right."""
    state, game = _mine(state)
    columns = Table.grid(padding=(0, 6, 0, 0))
    left = [_totals(state, game)]
    if not state.over:
        left.append(_tableau(state, game))
    columns.add_row(Group(*left), _combinations(state, game))
    return columns


def _mine(state: State) -> tuple[Joker1State, Joker1]:
    assert isinstance(state, Joker1State) and isinstance(state.game, Joker1)
    return state, state.game


def _totals(state: Joker1State, game: Joker1) -> Text:
    rounds = game.options.rounds
    lines = [f"Round {min(state.round + 1, rounds)} of {rounds}"]
    for seat, total in enumerate(state.totals):
        here = ">" if seat == state.seat and not state.over else " "
        lines.append(f"{here} {seat_name(seat)} {total:6}")
    return Text("\n".join([*lines, ""]))


def _tableau(state: Joker1State, game: Joker1) -> Text:
    up = numbers(state.slides)
    lines = [
        "up    " + " ".join(str(slide) if slide in up else "." for slide in SLIDES),
        "down  " + " ".join("." if slide in up else str(slide) for slide in SLIDES),
        "",
        f"dice in play: {state.dice}",
    ]
    if state.rolled:
        lines[-1] = f"rolled: {_spaced(state.rolled)}"
    if state.phase.startswith("joker"):
        score = game.score(state.slides, state.jokers)
        lines.append(f"jokers: {state.jokers} of {game.components.jokers}, worth {score} now")
    return Text("\n".join(lines))


def _combinations(state: Joker1State, game: Joker1) -> Table:
    """The table of the score pad: what stands, what can still come, what cannot any more."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    standing = state.combination
    for combination in game.components.combinations:
        stands = standing is not None and combination.name == standing[0]
        lost = not stands and not _possible(combination, state.slides)
        table.add_row(
            "*" if stands else "-" if lost else " ",
            Text(combination.name),
            _spaced(combination.slides) + ("" if combination.exact else " ..."),
            str(combination.value),
            style="bold" if stands else "dim" if lost else None,
        )
    table.add_row("", Text("* stands   - out of reach", style="dim"), "... more may be up", "")
    return table


def _possible(combination: Combination, slides: int) -> bool:
    """Slides never come down again, so an exact combination may be spoilt."""
    return not combination.exact or not slides & ~mask_of(combination.slides)


def tell(state: State, event: Event) -> str:
    """The event in words, with what follows at once."""
    state, game = _mine(state)
    after = state.apply(event)
    who = seat_name(state.seat)
    ended = after.seat != state.seat or after.round != state.round
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = f"{who} rolls {_spaced(event.roll)}"
        if state.phase == "joker roll":
            left = game.components.jokers - state.jokers
            ones = min(event.roll.count(1), left)
            return said + _told_joker_roll(after, ones, 6 in event.roll, ended, points)
        return f"{said}: nothing can be pushed, the turn scores 0" if ended else said
    if isinstance(event, Push):
        standing = f" ({after.combination[0]} stands)" if after.combination else ""
        return f"{who} pushes {_listed(event.push) or 'nothing'}{standing}"
    assert isinstance(event, Next)
    standing = state.combination[0] if state.combination else "nothing"
    if event.next == "stop":
        return f"{who} stops with {standing} and scores {points}"
    if event.next == "jokers":
        return f"{who} takes {standing} into the jokers"
    return f"{who} rolls on with {_counted(state.dice)}"


def _told_joker_roll(after: Joker1State, ones: int, six: bool, ended: bool, points: int) -> str:
    if ones:
        earned = "a joker" if ones == 1 else f"{ones} jokers"
        return f": {earned}" + (f", the turn scores {points}" if ended else "")
    if ended:
        missed = "no 1 in the first joker roll" if six else "neither a 1 nor a 6"
        return f": {missed}, the turn scores 0"
    return f": no 1, but {_counted(after.dice)} showing 6"


def heading(move: Event) -> str:
    """The group of the menu that a move belongs to."""
    if isinstance(move, Push):
        slides = len(move.push)
        return (
            "Push nothing" if not slides else "Push one slide" if slides == 1 else f"Push {slides} slides"
        )
    return "Go on?"


def label(state: State, move: Event) -> str:
    """The move, short."""
    state, game = _mine(state)
    if isinstance(move, Push):
        return _listed(move.push) or "leave every 6 alone"
    assert isinstance(move, Next)
    if move.next == "stop":
        return f"stop and score {game.score(state.slides, state.jokers)}"
    if move.next == "jokers":
        return f"into the jokers with {_counted(state.dice)}"
    return f"roll {_counted(state.dice)}"


def prompt(state: State) -> str:
    """What to type for the dice that are to be rolled."""
    state, _ = _mine(state)
    example = _spaced((1, 2, 4, 4)[: state.dice])
    return f"{seat_name(state.seat)}, roll {_counted(state.dice)} and type the faces, such as {example}"


def read_outcome(state: State, text: str) -> Event:
    """The roll that was typed; commas and spaces may be left out."""
    state, _ = _mine(state)
    faces = re.sub(r"[\s,;]+", "", text)
    if len(faces) != state.dice or not re.fullmatch("[1-6]+", faces):
        raise EventError(
            "expected {dice} from 1 to 6, got {got!r}", dice=_counted(state.dice), got=text.strip()
        )
    return Roll(state.seat, tuple(map(int, faces)))


def _spaced(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _counted(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


def _listed(groups: tuple[tuple[int, ...], ...]) -> str:
    """The groups with the slides they push: 1, 2+4=6."""
    written = ["+".join(map(str, g)) + (f"={sum(g)}" if len(g) > 1 else "") for g in groups]
    return ", ".join(written)
