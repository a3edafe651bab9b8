"""Crowns in the terminal: everybody's board with its crowns, covered fields in brackets."""

from __future__ import annotations

import re
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.crowns.box import COUNTS, VALUES, field
from pasch.games.crowns.rules import CrownsState, Discard, Place, Roll, title
from pasch.games.crowns.ways import DICE
from pasch.terminal.words import seat_name

WIDTH: Final = 80
GAP: Final = 3

#: the titles of the game for one in words
_TITLES: Final = {
    "genius": "a genius",
    "professional": "a professional",
    "expert": "an expert",
    "advanced": "an advanced player",
    "good_beginner": "very good for a beginner",
    "try_again": "better luck with the next game",
}


def _own(state: State) -> CrownsState:
    if not isinstance(state, CrownsState):
        raise TypeError("this board is for Crowns only")
    return state


# --- drawing --------------------------------------------------------------------------------------


def draw(state: State) -> RenderableType:
    """The boards side by side as far as they fit, below a line that says what is going on."""
    state = _own(state)
    boards = [_board(state, seat) for seat in range(state.game.players)]
    wide = max(line.cell_len for board in boards for line in board.split("\n"))
    in_a_row = (WIDTH + GAP) // (wide + GAP)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for first in range(0, len(boards), in_a_row):
        if first:
            grid.add_row()
        grid.add_row(*boards[first : first + in_a_row])
    return Group(Text(_news(state)), Text(), grid)


def _news(state: CrownsState) -> str:
    if state.over:
        if state.game.players > 1:
            return "The game is over."
        return f"The game is over: {_points(state.scores()[0])}, {_TITLES[title(state.scores()[0])]}."
    news = f"Round {state.rounds + 1}, {seat_name(state.seat)}'s turn"
    return f"{news}: {_spaced(state.rolled)}" if state.rolled else f"{news} to roll"


def _board(state: CrownsState, seat: int) -> Text:
    here = not state.over and seat == state.seat
    won = seat in state.winners()
    mark = ">" if here else "*" if won else " "
    drawn = Text(
        f"{mark} {seat_name(seat)}: {_points(state.scores()[seat])}\n", "bold" if here or won else ""
    )
    drawn.append(f"  {_chips(state.left[seat])} left\n")
    wide = 2 + len(str(max(state.game.crowns)))
    drawn.append("  " + "".join(("|" if count == 6 else "") + f"{count}x".center(wide) for count in COUNTS))
    for value in VALUES:
        if value == 6:
            drawn.append("\n  " + "-" * (5 * wide) + "+" + "-" * wide)
        drawn.append(f"\n{value} ")
        for count in COUNTS:
            drawn.append("|" if count == 6 else "")
            covered = state.boards[seat] >> field(value, count) & 1
            crowns = str(state.game.crowns[field(value, count)]).rjust(wide - 2)
            drawn.append(f"[{crowns}]" if covered else f" {crowns} ", "bold green" if covered else "")
    return drawn


# --- words ----------------------------------------------------------------------------------------


def _spaced(roll: tuple[int, ...]) -> str:
    return " ".join(map(str, roll))


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _chips(number: int) -> str:
    return "1 chip" if number == 1 else f"{number} chips"


def _fields(move: Place) -> list[str]:
    """The fields as players say them: 4x5 are four dice of value 5."""
    return [f"{count}x{value}" for value, count in move.place]


def tell(state: State, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    state = _own(state)
    who = seat_name(state.seat)
    if isinstance(event, Roll):
        return f"{who} rolls {_spaced(event.roll)}"
    after = state.apply(event)
    left = after.left[state.seat]
    if isinstance(event, Place) and event.place:
        *others, last = _fields(event)
        said = f"{who} covers {', '.join(others)}{' and ' if others else ''}{last}{_gain(state, after)}"
    elif isinstance(event, Discard):
        said = f"{who} can place nothing and discards a chip, {_chips(left)} left"
    else:
        said = f"{who} places nothing"
    if after.over:
        return f"{said}. The game is over"
    return said if left else f"{said}: the last chip, so this round is the last"


def _gain(before: CrownsState, after: CrownsState) -> str:
    gained = after.scores()[before.seat] - before.scores()[before.seat]
    return f" (+{_points(gained)})" if gained else ""


def heading(move: Event) -> str:
    """Placements are listed by the number of chips."""
    if isinstance(move, Place):
        return f"Place {_chips(len(move.place))}" if move.place else "Pass"
    return "Nothing can be placed"


def label(state: State, move: Event) -> str:
    """The fields, and the points that they bring at once."""
    state = _own(state)
    if not isinstance(move, Place):
        return "discard a chip"
    return " ".join(_fields(move)) + _gain(state, state.apply(move)) if move.place else "place nothing"


# --- reading real dice ----------------------------------------------------------------------------


def prompt(state: State) -> str:
    """What to type for the dice that lie on the real table."""
    return f"The six dice of {seat_name(_own(state).seat)}, such as 6 6 5 5 3 2"


def read_outcome(state: State, text: str) -> Event:
    """The roll that was typed; the dice may come in any order, with or without something between."""
    faces = re.findall(r"\d", text)
    if re.sub(r"[\d\s,;.+-]", "", text) or len(faces) != DICE:
        raise EventError("expected the faces of six dice, such as {example}", example="6 6 5 5 3 2")
    return Roll(_own(state).seat, tuple(map(int, faces)))
