"""States and events as text without colours and as pictures: what `str`, notebooks and learning libraries show.

A picture is derived from the declaration of a position. Every seat has a panel with its score and what belongs to it;
below lies what belongs to all. Sets are fields that are covered or not, rolls are dice, numbers in rows are cards; dice
with names have the colours that they are named after. A picture is an SVG element, which can be written or painted with
Pillow. Fields have space for all they can hold: all pictures of a game have the same size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from math import prod
from typing import Any, Final
from unicodedata import normalize
from xml.etree.ElementTree import Element, SubElement, tostring

from rich.console import Console

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.nodes import NamedDice
from pasch.core.position import Field, RollNumber, UpTo, position_fields, set_size
from pasch.core.rolls import MAX_DICE
from pasch.core.state import State
from pasch.terminal.board import event_words, find_board

#: the maximum columns of a text
WIDTH: Final = 120
#: side of a die or a card, distance between two, height of a line of text, in pixels
SIDE, STEP, LINE = 26, 30, 20
#: side of a field of a set with the distance to the next
SMALL: Final = 24
NAMESPACE: Final = "http://www.w3.org/2000/svg"
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


def text(thing: State | Event) -> str:
    """A state as its game's board in the terminal, an event as the usual board tells it; the same everywhere."""
    if isinstance(thing, Event):  # a game's own board would have to know the state before it
        return event_words(thing)
    drawn = StringIO()
    screen = Console(
        file=drawn,
        width=WIDTH,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    screen.print(find_board(thing.game.id).draw(thing))
    return "\n".join(row.rstrip() for row in drawn.getvalue().splitlines()).strip("\n")


def svg(thing: State | Event) -> str:
    """A state as a picture of its position, an event as a line of text."""
    words = text(thing)
    if isinstance(thing, State):
        drawn = picture(thing)
    else:
        drawn = _paper(24 + 8 * len(words), 32, type(thing).__name__, [_label(12, 21, words)])
    SubElement(drawn, "desc").text = words  # for readers who do not see it
    return tostring(drawn, "unicode")


def _box(
    x: float, y: float, width: float, height: float, fill: str, radius: float = 4, stroke: str = INK
) -> Element:
    """A rectangle with round corners; a disc if the radius is half of its side."""
    return _element("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=stroke)


def _label(
    x: float, y: float, text: str, size: int = 13, anchor: str = "start", fill: str = INK
) -> Element:
    """A line of text; `x` is its left end, or its middle."""
    return _element("text", text, x=x, y=y, font_size=size, fill=fill, text_anchor=anchor)


def _element(tag: str, text: str | None = None, **attributes: Any) -> Element:
    made = Element(tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})
    made.text = text
    return made


def _paper(width: float, height: float, title: str, shapes: Iterable[Element]) -> Element:
    style = {"xmlns": NAMESPACE, "role": "img", "font_family": "sans-serif"}
    made = _element("svg", width=width, height=height, **style)
    SubElement(made, "title").text = title
    made.extend([_box(0, 0, width, height, PAPER, 8, PAPER), *shapes])
    return made


def picture(state: State) -> Element:
    """A position, or a seat's view of it, as an SVG element."""
    game, fields = state.game, [f for f in position_fields(type(state)) if not f.words and f.name != "seat"]
    own = [field for field in fields if _by_seat(field) and field.name != game.scores]
    named = [node for node in game.chances.values() if isinstance(node, NamedDice)]
    names = {row: node.event.names for node in named for row in node.rows}
    shapes: list[Element] = [_label(12, 24, game.title, 18), _label(12, 46, state.phase)]
    width = 20 + max(STEP * columns for columns in (4, *[_extent(field, game)[0] for field in own]))
    height = 60 + sum(18 + _extent(field, game)[1] for field in own)
    for seat, score in enumerate(state.scores()):
        x, active = 12 + seat * (width + 12), state.mover == seat
        shapes.append(_box(x, 58, width, height, TURN if active else PAPER, 8, INK if active else PALE))
        shapes += [_label(x + 8, 78, f"Player {seat + 1}"), _label(x + 8, 104, str(score), 22)]
        y = 114
        for field in own:
            values = getattr(state, field.name)
            shapes.append(_label(x + 8, y + 12, field.name.replace("_", " "), 11))
            shapes += _draw(values[seat] if values else 0, field, game, x + 8, y + 16)
            y += 18 + _extent(field, game)[1]
    y = 58 + height + 12
    for field in fields:
        if not _by_seat(field):
            shapes.append(_label(12, y + 16, field.name.replace("_", " ")))
            shapes += _draw(getattr(state, field.name), field, game, 108, y, names.get(field.name, ()))
            y += _extent(field, game)[1]
    wide = max(108 + STEP * _extent(field, game)[0] for field in fields)
    return _paper(max(wide, game.players * (width + 12)) + 16, y + 8, game.title, shapes)


def _by_seat(field: Field) -> bool:
    return field.by_seat and not isinstance(field.mark, UpTo)


def _extent(field: Field, game: Any) -> tuple[int, int]:
    """The maximum number of things side by side in a field, or in that of a seat, and its height in pixels."""
    if size := set_size(field, game):
        return SET_WIDTH, -(-size // SET_WIDTH) * SMALL + 8
    shape = (MAX_DICE,) if isinstance(field.mark, RollNumber) else field.shape(game)[_by_seat(field) :]
    return (shape[-1], STEP * prod(shape[:-1]) + 6) if shape else (0, LINE + 4)


def _draw(
    value: Any, field: Field, game: Any, x: float, y: float, names: Sequence[str] = ()
) -> Iterator[Element]:
    """A field's value from this corner on; `names` of dice."""
    if size := set_size(field, game):
        last = (size - 1) // SET_WIDTH if getattr(field.mark, "upwards", False) else 0
        for thing in range(size):
            at, down = x + thing % SET_WIDTH * SMALL, y + abs(last - thing // SET_WIDTH) * SMALL
            there = bool(value >> thing & 1)
            yield _box(at, down, SMALL - 2, SMALL - 2, COVERED if there else "#fff", 3)
            yield _label(at + 11, down + 15, str(thing + 1), 10, "middle", "#fff" if there else INK)
    elif isinstance(value, tuple):
        die = bool(names) or isinstance(field.mark, RollNumber)
        for row, items in enumerate(value if value and isinstance(value[0], tuple) else (value,)):
            for place, item in enumerate(items):
                name = names[place] if names else ""
                yield from _thing(x + place * STEP, y + row * STEP, item, die, name)
    else:
        yield _label(x, y + 16, ("no", "yes")[value] if isinstance(value, bool) else str(value))


def _thing(x: float, y: float, item: int | None, die: bool, name: str) -> Iterator[Element]:
    """A die or a card; one that is not known lies face down, a 0 is an empty place."""
    fill, ink = COLOURS.get(name, ("#fff", INK))
    if die and item:
        yield _box(x, y, SIDE, SIDE, fill, 6)
        for pip in map(int, PIPS[item]):
            yield _box(x + 3.5 + pip % 3 * 7, y + 3.5 + pip // 3 * 7, 5, 5, ink, 2.5, ink)
        return
    paper = COVERED if item is None else fill if item else PAPER
    yield _box(x, y, SIDE if die else SIDE - 6, SIDE, paper, 4, fill if name else INK)
    yield _label(x + 10, y + 18, str(item or ""), 13, "middle")


def pixels(state: State) -> Any:
    """A position as an array of red, green and blue, [row, column, colour], which Pillow paints."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError:
        raise PaschError("pictures as pixels need Pillow: pip install pillow") from None
    import numpy as np

    drawn = picture(state)
    paper = Image.new("RGB", (int(drawn.attrib["width"]), int(drawn.attrib["height"])), PAPER)
    brush = ImageDraw.Draw(paper)
    for shape in drawn:
        at = {name: float(shape.get(name, 0)) for name in ("x", "y", "width", "height", "rx", "font-size")}
        if shape.tag == "rect":
            corners = [at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]]
            brush.rounded_rectangle(corners, at["rx"], shape.attrib["fill"], shape.attrib["stroke"])
        elif shape.tag == "text" and shape.text:
            # Pillow's own font has plain letters only
            plain = normalize("NFKD", shape.text).encode("ascii", "ignore").decode()
            font, anchor = ImageFont.load_default(at["font-size"]), f"{shape.attrib['text-anchor'][0]}s"
            brush.text((at["x"], at["y"]), plain, shape.attrib["fill"], font, anchor.replace("ss", "ls"))
    return np.asarray(paper)
