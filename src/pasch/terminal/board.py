"""Boards in the terminal: the default one, which shows fields as labelled values, and parts for those of games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.coach.reasons import scored as scored
from pasch.coach.reasons import turn_ended as turn_ended
from pasch.core.components import Provenance
from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.position import field_kinds
from pasch.core.registry import find_part
from pasch.core.rules import members
from pasch.core.state import State
from pasch.core.words import spaced as spaced
from pasch.terminal.language import shown, t, tn, word


class Board:
    """The default board. A game's `terminal.py` replaces each method for which it has a function of the same name."""

    def draw(self, state: State) -> RenderableType:
        """All that a seat or spectator sees: a row for each seat, and below the rows what belongs to all."""
        fields = state.snapshot()
        del fields["actor"], fields["seat"]
        for kind in field_kinds(state.game):
            if kind.kind == "set":
                value = fields[kind.name]
                fields[kind.name] = (
                    [[*members(mask)] for mask in value] if kind.by_seat else [*members(value)]
                )
        names = [kind.name for kind in field_kinds(state.game) if kind.by_seat and fields[kind.name]]
        by_seat = {name: fields.pop(name) for name in names}
        if list(state.scores()) not in by_seat.values():
            by_seat = {"score": state.scores(), **by_seat}
        columns = [(_words(name), [*map(_shown, values)]) for name, values in by_seat.items()]
        common = [f"{_words(name)}: {_shown(value)}" for name, value in fields.items()]
        return Group(standing(state, *columns), *map(Text, common))

    def tell(self, state: State, event: Event) -> str:
        """The event in words; `state` is the one before it."""
        return event_words(event)

    def label(self, state: State, move: Event) -> str:
        """The move, short: by default what is chosen."""
        return _content(move)

    def prompt(self, state: State) -> str:
        """What to type for the dice or cards awaited."""
        chance = state.chance()
        parts, values = chance.parts(), chance.readable()
        asked = tn(
            "type a number for the {what} ({values})",
            "type {n} numbers, for each {what} ({values})",
            len(parts),
            what=word(parts[0]),
            values=_range(values),
        )
        return (
            asked if state.mover is None else t("{name}, {what}", name=seat_name(state.mover), what=asked)
        )

    def read_outcome(self, state: State, text: str) -> Event:
        """The dice or cards that were typed, with something between the numbers; digits need none."""
        chance = state.chance()
        values = re.findall("[0-9]" if max(chance.readable()) < 10 else "[0-9]{1,9}", text)
        if not values or re.sub(r"[0-9\s,;/|.+]", "", text):
            raise EventError("expected numbers, got {got!r}", got=text.strip())
        return chance.read([int(value) for value in values])


def find_board(game: str) -> Board:
    """The board of the game with this id."""
    board, own = Board(), find_part(game, "terminal")
    names = [name for name in vars(Board) if not name.startswith("_") and hasattr(own, name)]
    vars(board).update({name: getattr(own, name) for name in names})
    return board


# --- drawings -------------------------------------------------------------------------------------


def standing(state: State, *columns: tuple[str, Sequence[str]]) -> Table:
    """A row for each seat, of whose turn it is or who has won in bold; the columns with heading and cells."""
    made = Table(box=None, pad_edge=False)
    made.add_column()
    made.add_column(t("player"))
    for heading, _ in columns:
        made.add_column(heading, justify="right")
    for seat in range(state.game.players):
        sign = seat_sign(state, seat)
        cells = (cells[seat] for _, cells in columns)
        made.add_row(sign, seat_name(seat), *cells, style="bold" if sign else "")
    return made


def seat_sign(state: State, seat: int) -> str:
    """The sign of the seat whose turn it is, or of a winner; otherwise nothing."""
    return ">" if seat == state.mover else "*" if seat in state.winners() else ""


def rounds(state: Any) -> Group:
    """Which round it is of how many, and everybody's score."""
    number, last = min(state.round + 1, state.game.config.rounds), state.game.config.rounds
    return Group(Text(t("Round {n} of {all}", n=number, all=last)), standing(state, scores(state)), Text())


def two_rows(mask: int, size: int) -> str:
    """Numbered things, those of a bit mask in the upper row and the others in the lower one."""
    above, below = t("up"), t("down")
    wide, up, every = max(len(above), len(below)) + 2, members(mask), range(1, size + 1)
    upper = spaced(number if number in up else "." for number in every)
    lower = spaced("." if number in up else number for number in every)
    return f"{above:{wide}}{upper}\n{below:{wide}}{lower}\n"


def scores(state: State) -> tuple[str, list[str]]:
    """The column of everybody's score."""
    return t("score"), [*map(shown, state.scores())]


def guess_note(sources: Iterable[Provenance]) -> list[Text]:
    """The footnote to the sign of reconstructed values, for a board that shows values of these sources."""
    guessed = "reconstructed" in sources
    return [Text(t("° our best guess; your box may show something else"), "dim")] if guessed else []


# --- words that games share, the same as in the browser -------------------------------------------


def rolls(state: Any, dice: str) -> str:
    """Who rolls what."""
    return t("{name} rolls {dice}", name=seat_name(state.seat), dice=dice)


def turn_score(said: str, before: Any, after: State) -> str:
    """The sentence about the end of a turn, and what the turn scores."""
    points = scored(before, after)
    return tn("{what}. The turn scores {n} point", "{what}. The turn scores {n} points", points, what=said)


def next_words(state: Any, event: Any) -> str:
    """Who rolls on, or stops and scores."""
    who = seat_name(state.seat)
    if event.next == "roll":
        return t("{name} rolls on", name=who)
    points = scored(state, state.apply(event))
    return tn("{name} stops and scores {n} point", "{name} stops and scores {n} points", points, name=who)


def next_label(event: Any, dice: int, points: int) -> str:
    """The choice to roll these dice, or to stop with these points."""
    if event.next == "roll":
        return tn("Roll {n} die", "Roll {n} dice", dice)
    return t("Stop: {points}", points=f"{points:+}" if points else "0")


# --- words ----------------------------------------------------------------------------------------


def seat_name(seat: int) -> str:
    """What a seat is called; people count from 1."""
    return t("Player {n}", n=seat + 1)


def scores_line(state: State) -> str:
    """All scores in one line."""
    return ", ".join(f"{seat_name(seat)} {shown(score)}" for seat, score in enumerate(state.scores()))


def result_line(state: State) -> str:
    """The sentence that names the winners, or the result of a solitary game."""
    scores = state.scores()
    if len(scores) == 1:
        return tn("{n} point.", "{n} points.", scores[0])
    winners = [seat_name(seat) for seat in state.winners()]
    if len(winners) == 1:
        return t("{name} wins.", name=winners[0])
    return t("{names} share the win.", names=winners)


def event_words(event: Event) -> str:
    """Any event in words, without knowing the state: `Player 1: roll 4`."""
    seat = getattr(event, "seat", None)
    return _content(event) if seat is None else f"{seat_name(seat)}: {_content(event)}"


def _content(event: Event) -> str:
    """What an event says besides its seat: `card 9, field 2`."""
    words = [f"{_words(name)} {_shown(value)}" for name, value in event.fields().items()]
    return ", ".join(words) or word(type(event).__name__.lower())


def _words(name: str) -> str:
    return word(name.replace("_", " "))


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, list):
        inside = [f"({_shown(item)})" if isinstance(item, list) else _shown(item) for item in value]
        return " ".join(inside) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{_words(name)} {_shown(item)}" for name, item in value.items())
    return str(value)


def _range(values: tuple[int, ...]) -> str:
    if values == tuple(range(values[0], values[-1] + 1)) and len(values) > 2:
        return t("{least} to {most}", least=values[0], most=values[-1])
    return ", ".join(map(str, values))
