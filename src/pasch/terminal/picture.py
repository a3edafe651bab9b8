"""Positions as drawn pictures, derived from the declaration: for notebooks (SVG) and as pixels for learning libraries.

Every seat has a panel with its score and what belongs to it; below lies what belongs to all. Sets are fields that are
covered or not, rolls are dice, numbers in rows are cards; dice with names have the colours that they are named after.
A picture is a list of shapes, so that it can be written as SVG or painted with Pillow. Fields have room for all they
can hold: all pictures of a game have the same size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import prod
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from pasch.core.errors import PaschError
from pasch.core.nodes import NamedDice
from pasch.core.position import Field, RollNumber, UpTo, position_fields, set_size
from pasch.core.rolls import MAX_DICE
from pasch.core.state import State

#: side of a die or a card, distance between two, height of a line of text, in pixels
SIDE, STEP, LINE = 26, 30, 20
#: side of a field of a set with the distance to the next
SMALL: Final = 24
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
    game, fields = state.game, [f for f in position_fields(type(state)) if not f.words and f.name != "seat"]
    own = [field for field in fields if _by_seat(field) and field.name != game.scores]
    names = {
        row: node.event.names
        for node in game.chances.values()
        if isinstance(node, NamedDice)
        for row in node.rows
    }
    shapes: list[Box | Label] = [Label(12, 24, game.title, 18), Label(12, 46, state.phase)]
    width = 20 + max(STEP * columns for columns in (4, *[_room(field, game)[0] for field in own]))
    height = 60 + sum(18 + _room(field, game)[1] for field in own)
    for seat, score in enumerate(state.scores()):
        x, active = 12 + seat * (width + 12), state.mover == seat
        shapes.append(Box(x, 58, width, height, TURN if active else PAPER, 8, INK if active else PALE))
        shapes += [Label(x + 8, 78, f"Player {seat + 1}"), Label(x + 8, 104, str(score), 22)]
        y = 114
        for field in own:
            values = getattr(state, field.name)
            shapes.append(Label(x + 8, y + 12, field.name.replace("_", " "), 11))
            shapes += _draw(values[seat] if values else 0, field, game, x + 8, y + 16)
            y += 18 + _room(field, game)[1]
    y = 58 + height + 12
    for field in fields:
        if not _by_seat(field):
            shapes.append(Label(12, y + 16, field.name.replace("_", " ")))
            shapes += _draw(getattr(state, field.name), field, game, 108, y, names.get(field.name, ()))
            y += _room(field, game)[1]
    wide = max(108 + STEP * _room(field, game)[0] for field in fields)
    return Picture(max(wide, game.players * (width + 12)) + 16, y + 8, tuple(shapes))


def _by_seat(field: Field) -> bool:
    return field.by_seat and not isinstance(field.mark, UpTo)


def _room(field: Field, game: Any) -> tuple[int, int]:
    """How many things stand side by side in a field, or in one of a seat's, at most; and its height in pixels."""
    if size := set_size(field, game):
        return SET_WIDTH, -(-size // SET_WIDTH) * SMALL + 8
    shape = (MAX_DICE,) if isinstance(field.mark, RollNumber) else field.shape(game)[_by_seat(field) :]
    return (shape[-1], STEP * prod(shape[:-1]) + 6) if shape else (0, LINE + 4)


def _draw(
    value: Any, field: Field, game: Any, x: float, y: float, names: Sequence[str] = ()
) -> Iterator[Box | Label]:
    """A field's value from this corner on; `names` of dice."""
    if size := set_size(field, game):
        last = (size - 1) // SET_WIDTH if getattr(field.mark, "upwards", False) else 0
        for thing in range(size):
            at, down = x + thing % SET_WIDTH * SMALL, y + abs(last - thing // SET_WIDTH) * SMALL
            there = bool(value >> thing & 1)
            yield Box(at, down, SMALL - 2, SMALL - 2, COVERED if there else "#fff", 3)
            yield Label(at + 11, down + 15, str(thing + 1), 10, True, "#fff" if there else INK)
    elif isinstance(value, tuple):
        die = bool(names) or isinstance(field.mark, RollNumber)
        for row, items in enumerate(value if value and isinstance(value[0], tuple) else (value,)):
            for place, item in enumerate(items):
                name = names[place] if names else ""
                yield from _thing(x + place * STEP, y + row * STEP, item, die, name)
    else:
        yield Label(x, y + 16, ("no", "yes")[value] if isinstance(value, bool) else str(value))


def _thing(x: float, y: float, item: int | None, die: bool, name: str) -> Iterator[Box | Label]:
    """A die or a card; one that is not known lies face down, a 0 is an empty place."""
    fill, ink = COLOURS.get(name, ("#fff", INK))
    if die and item:
        yield Box(x, y, SIDE, SIDE, fill, 6)
        for pip in map(int, PIPS[item]):
            yield Box(x + 3.5 + pip % 3 * 7, y + 3.5 + pip // 3 * 7, 5, 5, ink, 2.5, ink)
        return
    paper = COVERED if item is None else fill if item else PAPER
    yield Box(x, y, SIDE if die else SIDE - 6, SIDE, paper, 4, fill if name else INK)
    yield Label(x + 10, y + 18, str(item or ""), 13, True)


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
