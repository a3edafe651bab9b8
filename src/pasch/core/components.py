"""Component data: the print on a box's boards, strips and cards, one TOML file per game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeVar

import msgspec

from pasch.core.bounds import TooMuch, check_toml
from pasch.core.errors import ComponentError
from pasch.core.words import Sentence, wrong_shape

#: the source of a piece of component data: the rulebook states it; it was read off a picture or a
#: box; it is our best guess
Provenance = Literal["printed", "seen", "reconstructed"]

#: stands behind every reconstructed value that people see, and before the footnote that explains it
GUESS: Final = "°"

#: a component file has no reason to be larger
MAX_BOX_BYTES = 256 * 1024


class Components(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every game's component data; itself an empty box."""

    #: by place the lowest and the highest number, or of a list the least and the greatest length, None: no limit.
    #: `strips[]` stands for each of the strips, `strips[0]` for the first, a part with fields for each of them
    bounds: ClassVar[Mapping[str, tuple[int, int | None]]] = {}
    #: how large a printed box of this kind may be: by place the highest; at most three times what is printed
    printed_bounds: ClassVar[Mapping[str, int]] = {}

    #: the game's id
    game: str
    #: what the user calls this box
    name: str = ""

    def check(self, players: int) -> None:
        """Raise ComponentError, naming the place, unless `players` can play with this box."""
        for path, (least, most) in self.bounds.items():
            _check_bounds(self, path, least, most)
        self.check_parts(players)

    def check_parts(self, players: int) -> None:
        """Raise ComponentError for what bounds cannot express; games override it to check how parts fit together."""

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        """Pairs (what, where it comes from), for people to read."""
        return iter(())

    def totals(self) -> tuple[Sentence, ...]:
        """What the values add up to where a real box shows it too: a check for people who enter their own."""
        return ()

    def table(self) -> tuple[tuple[Sentence | str, ...], ...]:
        """The table that replaces `<!-- table -->` in the rules' text: rows of cells, the headings first."""
        return ()


def demand(holds: bool, place: str, template: str, **details: object) -> None:
    """Raise ComponentError, naming the place, unless something holds."""
    if not holds:
        raise ComponentError(place, template, **details)


def check_printed_bounds(box: Components) -> None:
    """Raise ComponentError, naming the place, if a box is larger than a printed one may be.

    For boxes that strangers bring: values of a box at these bounds are built within half a minute. What `check` allows
    is more; it holds for records, logs and custom files.
    """
    for path, most in box.printed_bounds.items():
        _check_bounds(box, path, None, most)


def _check_bounds(box: Components, path: str, least: int | None, most: int | None) -> None:
    for place, found in _at(box, path, ""):
        got = found if isinstance(found, int) else len(found)
        said = "a box has to have at least {least} here, not {got}"
        demand(least is None or got >= least, place, said, least=least, got=got)
        said = "a box may have at most {most} here, not {got}"
        demand(most is None or got <= most, place, said, most=most, got=got)


def _at(thing: Any, path: str, place: str) -> Iterator[tuple[str, Any]]:
    """What is at a path, and at which place."""
    if not path:
        if isinstance(thing, msgspec.Struct):
            yield from ((f"{place}.{name}", value) for name, value in msgspec.structs.asdict(thing).items())
        else:
            yield place, thing
        return
    step, _, rest = path.partition(".")
    name, _, which = step.removesuffix("]").partition("[")
    found, place = getattr(thing, name), f"{place}.{name}".lstrip(".")
    if name == step:
        yield from _at(found, rest, place)
        return
    for number, entry in enumerate(found):
        if which in ("", str(number)):
            yield from _at(entry, rest, f"{place}[{number}]")


def marked(value: object, source: Provenance) -> str:
    """A value as people see it: with a sign if it was reconstructed."""
    return f"{value}{GUESS}" if source == "reconstructed" else str(value)


AnyComponents = TypeVar("AnyComponents", bound=Components)


def read_components(cls: type[AnyComponents], game: str, written: Any) -> AnyComponents:
    """Component data from plain values, of the right shape and for the right game."""
    try:
        components = msgspec.convert(written, cls, strict=True)
    except msgspec.ValidationError as error:
        place, said = wrong_shape(str(error))
        raise ComponentError(place or "the file", said.template, detail=str(error)) from None
    if components.game != game:
        detail = f"{components.game}, not {game}"
        raise ComponentError("game", "this box is for another game", detail=detail)
    return components


def parse_components(cls: type[AnyComponents], game: str, text: str | bytes) -> AnyComponents:
    """Component data from the text of a TOML file."""
    try:
        check_toml(text, max_bytes=MAX_BOX_BYTES)
        written = tomllib.loads(text.decode() if isinstance(text, bytes) else text)
    except TooMuch as error:
        raise ComponentError("the file", error.template, **error.details) from None
    except (ValueError, RecursionError) as error:
        # also raised for valid TOML: Python refuses integers with thousands of digits
        raise ComponentError("the file", "this is not a TOML file", detail=str(error)) from None
    return read_components(cls, game, written)


def load_components(cls: type[AnyComponents], game: str, path: Path) -> AnyComponents:
    """Component data from a user's file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BOX_BYTES + 1)
    except OSError as error:
        detail = error.strerror or str(error)
        raise ComponentError(str(path), "this file cannot be read", detail=detail) from None
    return parse_components(cls, game, data)
