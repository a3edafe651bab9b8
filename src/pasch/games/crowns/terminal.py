"""Crowns in the terminal: everybody's board with its crowns, covered fields in brackets."""

from __future__ import annotations

from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event
from pasch.core.typical import share_below
from pasch.games.crowns.box import COUNTS, LINES, VALUES, field, title
from pasch.games.crowns.rules import Discard, Place, Position, Roll, score
from pasch.terminal.board import guess_note, rolls, scored, seat_name, seat_sign, spaced
from pasch.terminal.language import listed, t, tn

#: the titles of the game for one in words
_TITLES: Final = {
    "genius": "You are a genius!",
    "professional": "You are a professional!",
    "expert": "You are an expert.",
    "advanced": "You are an advanced player.",
    "good_beginner": "Very good for a beginner.",
    "try_again": "Better luck with the next game.",
}


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Position) -> RenderableType:
    """The boards side by side as far as they fit, below a line that says what is going on."""
    boards = [_board(state, seat) for seat in range(state.game.players)]
    sources = state.game.components.sources()
    return Group(Text(_news(state)), Text(), Columns(boards, padding=(1, 3)), *guess_note(sources))


def _news(state: Position) -> str:
    if state.over:
        over = t("The game is over.")
        if state.game.players > 1:
            return over
        points = state.scores()[0]
        below = share_below(state.game, points)
        said = "" if below is None else t("Better than {n} of 100 typical games.", n=round(100 * below))
        return f"{over} {t(_TITLES[title(points)])} {said}".rstrip()
    who, number = seat_name(state.seat), state.rounds + 1
    if state.rolled:
        return t("Round {n}, {name}'s turn: {dice}", n=number, name=who, dice=spaced(state.rolled))
    return t("Round {n}, {name}'s turn to roll", n=number, name=who)


def _board(state: Position, seat: int) -> RenderableType:
    """The fields of the edge stand by themselves; an arrow leads from the total of a line to its fields."""
    box, sign, board = state.game.components, seat_sign(state, seat), state.boards[seat]
    printed, sources = box.crowns(), box.sources()
    rows, columns, (rising, falling) = LINES[:5], LINES[5:10], LINES[10:]

    def cell(number: int, covered: bool, mark: str = "") -> Text:
        return Text(f"[{number}]", "bold green") if covered else Text(f"{number}{mark or ' '}")

    def total(line: int, arrow: str) -> Text:
        return cell(score(state.game.config, line), line & ~board == 0, arrow)

    def fields(value: int) -> list[Text]:
        places = [field(value, count) for count in COUNTS]
        return [cell(printed[at], bool(board >> at & 1), marked("", sources[at])) for at in places]

    drawn = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for _ in range(9):
        drawn.add_column(justify="right")
    head = [f"{count}x " for count in COUNTS]
    drawn.add_row("", "", *head[:5], "|", head[5])
    for value in reversed(VALUES):
        inner, edge = fields(value)[:5], fields(value)[5]
        drawn.add_row(str(value), total(rows[value - 1], "→") if value < 6 else "", *inner, "|", edge)
    ups = [total(line, "↑") for line in columns]
    drawn.add_row("", total(rising, "↗"), *ups, "", total(falling, "↖"))
    points = tn("{name}: {n} point", "{name}: {n} points", state.scores()[seat], name=seat_name(seat))
    left = tn("{n} chip left", "{n} chips left", state.left[seat])
    return Group(Text(f"{sign:2}{points}", "bold" if sign else ""), f"  {left}", drawn)


# --- words ----------------------------------------------------------------------------------------


def _fields(move: Place) -> list[str]:
    """The fields as players say them: 4x5 are four dice of value 5."""
    return [f"{count}x{value}" for value, count in move.place]


def tell(state: Position, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    who = seat_name(state.seat)
    if isinstance(event, Roll):
        return rolls(state, spaced(event.roll))
    if isinstance(event, Discard):
        return t("{name} can place nothing and loses a chip", name=who)
    assert isinstance(event, Place)
    if not event.place:
        return t("{name} places nothing", name=who)
    said = t("{name} covers {fields}", name=who, fields=listed(_fields(event)))
    return _with_gain(said, state, event)


def _with_gain(said: str, state: Position, move: Place) -> str:
    points = scored(state, state.apply(move))
    return tn("{what} (+{n} point)", "{what} (+{n} points)", points, what=said) if points else said


def label(state: Position, move: Event) -> str:
    """The fields, and the points that they bring at once."""
    if not isinstance(move, Place):
        return t("Lose a chip")
    return _with_gain(" ".join(_fields(move)), state, move) if move.place else t("Place nothing")
