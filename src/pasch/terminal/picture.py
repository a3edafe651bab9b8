"""Positions as drawn pictures, derived from the declaration: for notebooks (SVG) and as pixels for learning libraries.

Every seat has a panel with its score and what belongs to it; below lies what belongs to all. Sets are fields that are
covered or not, rolls are dice, numbers in rows are cards; dice with names have the colours that they are named after.
A picture is a list of shapes, so that it can be written as SVG or painted with Pillow. Fields have room for all they
can hold: all pictures of a game have the same size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from pasch.core.errors import PaschError
from pasch.core.nodes import NamedDice
from pasch.core.position import Bits, Field, RollNumber, Row, Table, UpTo, by_seat_fields, size_in
from pasch.core.rolls import MAX_DICE
from pasch.core.state import State

#: side of a die or a card, distance between two, height of a line of text, in pixels
SIDE, STEP, LINE = 26, 30, 20
PAPER, INK, PALE, COVERED, TURN = "#fbfaf5", "#22231f", "#d9d6c8", "#2f6f4f", "#e7efe2"
#: where the pips of each face lie, in a square of three by three
PIPS: Final = ("", "4", "08", "048", "0268", "02468", "023568")
#: in a row of a set
SET_WIDTH: Final = 6
#: names of dice that are colours to be painted with, and the colour of their pips
COLOURS: Final = {
    "red": ("#c62828", "#fff"), "blue": ("#1e56a8", "#fff"), "yellow": ("#f2c230", INK),
    "black": ("#26272b", "#fff"), "white": ("#ffffff", INK), "green": ("#2e7d32", "#fff"),
}  # fmt: skip


class Box(NamedTuple):
    """A rectangle with round corners; a disc if the radius is half of its side."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 4
    stroke: str = INK


class Label(NamedTuple):
    """A line of text; `x` is its left end, or its middle."""

    x: float
    y: float
    text: str
    size: int = 13
    middle: bool = False
    colour: str = INK


class Picture(NamedTuple):
    """Shapes on paper of this size."""

    width: int
    height: int
    shapes: tuple[Box | Label, ...]


def picture(state: State) -> Picture:
    """A position, or a seat's view of it, as a picture."""
    game, by_seat = state.game, by_seat_fields(state)
    values = {
        name: getattr(state, name) for name in state.__struct_fields__ if name not in ("game", "actor")
    }
    marks = {field.name: field for field in game.Position.fields}
    dice = {name: node for node in _named_dice(game) for name in node.row_names}
    shapes: list[Box | Label] = [Label(12, 24, game.title, 18)]
    words = [str(value) for name, value in values.items() if isinstance(value, str)]
    shapes.append(Label(12, 46, " · ".join(words)))
    panels, width = [(name, values[name]) for name in by_seat if name in values], 132.0
    drawn = [_seat(state, seat, panels, marks) for seat in range(game.players)]
    for shape in (shape for panel in drawn for shape in panel):
        width = max(width, shape.x + (shape.width if isinstance(shape, Box) else 7.5 * len(shape.text)))
    height = max(_bottom(panel) for panel in drawn) + 10
    for seat, panel in enumerate(drawn):
        left = 12 + seat * (width + 20)
        active = state.mover == seat and not state.over
        shapes.append(
            Box(left, 58, width + 10, height, TURN if active else PAPER, 8, INK if active else PALE)
        )
        shapes += [shape._replace(x=shape.x + left + 6, y=shape.y + 58) for shape in panel]
    y = 58 + height + 24
    for name, value in values.items():
        if name in by_seat or isinstance(value, str) or name == "seat":
            continue
        shapes.append(Label(12, y, name.replace("_", " ")))
        made = [*_value(value, marks.get(name), game, dice.get(name))]
        shapes += [shape._replace(x=shape.x + 108, y=shape.y + y - 14) for shape in made]
        y += max(LINE + 4, _room(value, marks.get(name), game) + 6)
    right = max(
        shape.x + (shape.width if isinstance(shape, Box) else 8 * len(shape.text)) for shape in shapes
    )
    return Picture(int(max(right, 108 + 6 * STEP) + 14), int(y), tuple(shapes))


def _seat(
    state: State, seat: int, fields: Sequence[tuple[str, Any]], marks: dict[str, Field]
) -> list[Box | Label]:
    """What belongs to a seat, below its name and score."""
    known = f"{state.scores()[seat]}"
    shapes: list[Box | Label] = [Label(0, 18, f"Player {seat + 1}"), Label(0, 44, known, 22)]
    y = 56.0
    for name, values in fields:
        value = values[seat] if values else 0
        if name == state.game.scores:
            continue
        shapes.append(Label(0, y + 14, name.replace("_", " "), 11))
        made = [*_value(value, marks.get(name), state.game, None, of_seat=True)]
        one_line = all(isinstance(shape, Label) for shape in made)
        shapes += [
            s._replace(x=s.x + (64 if one_line else 0), y=s.y + y + 18 * (not one_line)) for s in made
        ]
        y += LINE if one_line else 22 + _room(value, marks.get(name), state.game, of_seat=True)
    return shapes


def _bottom(shapes: Sequence[Box | Label]) -> float:
    return max(shape.y + (shape.height if isinstance(shape, Box) else 4) for shape in shapes)


def _named_dice(game: Any) -> list[NamedDice]:
    return [node for node in game.chances.values() if isinstance(node, NamedDice)]


def _set_size(field: Field | None, game: Any) -> int:
    """Of how many things a field is a set; 0 if it is none."""
    mark = None if field is None else field.mark
    if isinstance(mark, Bits):
        return size_in(game.config, mark.size)
    return size_in(game.config, mark.bits) if isinstance(mark, Row) else 0


def _room(value: Any, field: Field | None, game: Any, of_seat: bool = False) -> float:
    """The height of what `_value` draws, with all that the field can hold."""
    if size := _set_size(field, game):
        return -(-size // SET_WIDTH) * (SIDE - 2)
    mark = None if field is None else field.mark
    if isinstance(mark, Table) and not of_seat:
        return STEP * size_in(game.config, mark.rows)
    if isinstance(value, tuple) and any(isinstance(item, tuple) for item in value):
        return STEP * len(value)
    return STEP if isinstance(value, tuple) or isinstance(mark, RollNumber | UpTo) else LINE


def _value(
    value: Any, field: Field | None, game: Any, dice: NamedDice | None, of_seat: bool = False
) -> Iterator[Box | Label]:
    """A field's value from the top left corner on."""
    if size := _set_size(field, game):
        last = (size - 1) // SET_WIDTH if field and getattr(field.mark, "upwards", False) else 0
        for thing in range(size):
            x, y = thing % SET_WIDTH * (SIDE - 2), abs(last - thing // SET_WIDTH) * (SIDE - 2)
            there = bool(value >> thing & 1)
            yield Box(x, y, SIDE - 4, SIDE - 4, COVERED if there else "#fff", 3)
            yield Label(x + 11, y + 15, str(thing + 1), 10, True, "#fff" if there else INK)
    elif isinstance(value, tuple) and any(isinstance(item, tuple) for item in value):
        for place, row in enumerate(value):
            yield from (shape._replace(y=shape.y + place * STEP) for shape in _value(row, None, game, None))
    elif isinstance(value, tuple):
        rolled = field is not None and isinstance(field.mark, RollNumber)
        for place, item in enumerate(value[:MAX_CARDS]):
            name = dice.event.names[place] if dice is not None else ""
            yield from _thing(place * STEP, item, rolled or dice is not None, name)
    else:
        shown = {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else str(value)
        yield Label(0, 14, shown)


#: no more cards or dice are drawn side by side
MAX_CARDS: Final = 2 * MAX_DICE


def _thing(x: float, item: int | None, die: bool, name: str) -> Iterator[Box | Label]:
    """A die or a card; one that is not known lies face down, a 0 is an empty place."""
    fill, ink = COLOURS.get(name, ("#fff", INK))
    if die and item:
        yield Box(x, 0, SIDE, SIDE, fill, 6)
        for pip in map(int, PIPS[item]):
            yield Box(x + 3.5 + pip % 3 * 7, 3.5 + pip // 3 * 7, 5, 5, ink, 2.5, ink)
    elif item is None:
        yield Box(x, 0, SIDE - 6, SIDE, COVERED)
    else:
        yield Box(
            x, 0, SIDE if die else SIDE - 6, SIDE, PAPER if not item else fill, 4, fill if name else INK
        )
        yield Label(x + (13 if die else 10), 18, str(item) if item else "", 13, True)


# --- as SVG, and as pixels --------------------------------------------------------------------------------


def to_svg(drawn: Picture, title: str, words: str) -> str:
    """A picture as SVG; `words` describe it to readers who do not see it."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{drawn.width}" height="{drawn.height}"'
        f' viewBox="0 0 {drawn.width} {drawn.height}" role="img" font-family="sans-serif">',
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>",
        f'<rect width="{drawn.width}" height="{drawn.height}" rx="8" fill="{PAPER}"/>',
    ]
    for shape in drawn.shapes:
        if isinstance(shape, Box):
            out.append(
                f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
                f' rx="{shape.radius:g}" fill="{shape.fill}" stroke="{shape.stroke}"/>'
            )
        elif shape.text:
            anchor = ' text-anchor="middle"' if shape.middle else ""
            out.append(
                f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size}" fill="{shape.colour}"{anchor}>'
                f"{escape(shape.text)}</text>"
            )
    return "\n".join([*out, "</svg>"])


def pixels(state: State) -> Any:
    """A position as an array of red, green and blue, [row, column, colour], which Pillow paints."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError:
        raise PaschError("pictures as pixels need Pillow: pip install pillow") from None
    import numpy as np

    drawn = picture(state)
    paper = Image.new("RGB", (drawn.width, drawn.height), PAPER)
    brush = ImageDraw.Draw(paper)
    for shape in drawn.shapes:
        if isinstance(shape, Box):
            corners = [shape.x, shape.y, shape.x + shape.width, shape.y + shape.height]
            brush.rounded_rectangle(corners, shape.radius, shape.fill, shape.stroke)
        elif shape.text:
            anchor, font = "ms" if shape.middle else "ls", ImageFont.load_default(shape.size)
            # Pillow's own font has plain letters only
            plain = normalize("NFKD", shape.text).encode("ascii", "ignore").decode()
            brush.text((shape.x, shape.y), plain, shape.colour, font, anchor)
    return np.asarray(paper)
