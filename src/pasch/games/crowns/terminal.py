"""Crowns in the terminal: everybody's board with its crowns, covered fields in brackets."""

from __future__ import annotations

from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event
from pasch.core.typical import share_below
from pasch.games.crowns.box import COUNTS, LINES, VALUES, field, title
from pasch.games.crowns.rules import Discard, Place, Position, Roll, score
from pasch.terminal.board import guess_note, seat_name, seat_sign, spaced
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


def _board(state: Position, seat: int) -> Text:
    box, sign = state.game.components, seat_sign(state, seat)
    points = tn("{name}: {n} point", "{name}: {n} points", state.scores()[seat], name=seat_name(seat))
    drawn = Text(f"{sign:2}{points}\n", "bold" if sign else "")
    drawn.append(f"  {_left(state.left[seat])}\n")
    printed, sources, board = box.crowns(), box.sources(), state.boards[seat]
    rows, columns, diagonals = LINES[:5], LINES[5:10], LINES[10:]
    totals = {line: score(state.game.config, line) for line in LINES}
    wide = 2 + len(str(max(*printed, *totals.values())))
    margin = " " * (2 + wide)

    def add(number: int, covered: bool, arrow: str = " ") -> None:
        shown = str(number).rjust(wide - 2)
        drawn.append(f"[{shown}]" if covered else f" {shown}{arrow}", "bold green" if covered else "")

    def add_total(line: int, arrow: str) -> None:
        add(totals[line], line & ~board == 0, arrow)

    drawn.append(
        margin
        + "".join(("|" if count == 6 else "") + f"{count}x".rjust(wide - 1) + " " for count in COUNTS)
    )
    for value in reversed(VALUES):
        drawn.append(f"\n{value} ")
        if value == 6:
            drawn.append(" " * wide)
        else:
            add_total(rows[value - 1], "→")
        for count in COUNTS:
            drawn.append("|" if count == 6 else "")
            number = field(value, count)
            add(printed[number], bool(board >> number & 1), marked("", sources[number]) or " ")
        if value == 6:
            drawn.append("\n" + margin + "-" * (5 * wide) + "+" + "-" * wide)
    drawn.append("\n  ")
    for line, arrow in zip((diagonals[0], *columns), "↗↑↑↑↑↑", strict=True):
        add_total(line, arrow)
    drawn.append(" ")
    add_total(diagonals[1], "↖")
    return drawn


# --- words ----------------------------------------------------------------------------------------


def _left(number: int) -> str:
    return tn("{n} chip left", "{n} chips left", number)


def _fields(move: Place) -> list[str]:
    """The fields as players say them: 4x5 are four dice of value 5."""
    return [f"{count}x{value}" for value, count in move.place]


def tell(state: Position, event: Event) -> str:
    """What happens with `event`, and what follows from it at once."""
    who = seat_name(state.seat)
    if isinstance(event, Roll):
        return t("{name} rolls {dice}", name=who, dice=spaced(event.roll))
    after = state.apply(event)
    left = after.left[state.seat]
    if isinstance(event, Place) and event.place:
        said = _with_gain(
            t("{name} covers {fields}", name=who, fields=listed(_fields(event))), state, after
        )
    elif isinstance(event, Discard):
        said = f"{t('{name} can place nothing and gives back a chip', name=who)}, {_left(left)}"
    else:
        said = t("{name} places nothing", name=who)
    if after.over:
        return t("{what}. The game is over", what=said)
    return said if left else t("{what}: the last chip, so this round is the last", what=said)


def _with_gain(said: str, before: Position, after: Position) -> str:
    gained = after.scores()[before.seat] - before.scores()[before.seat]
    return tn("{what} (+{n} point)", "{what} (+{n} points)", gained, what=said) if gained else said


def heading(move: Event) -> str:
    """Placements are listed by the number of chips."""
    if isinstance(move, Place):
        chips = len(move.place)
        return tn("Place {n} chip", "Place {n} chips", chips) if chips else t("Pass")
    return t("Nothing can be placed")


def label(state: Position, move: Event) -> str:
    """The fields, and the points that they bring at once."""
    if not isinstance(move, Place):
        return t("give back a chip")
    if not move.place:
        return t("place nothing")
    return _with_gain(" ".join(_fields(move)), state, state.apply(move))
