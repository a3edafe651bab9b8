"""Options of a game: typed, bounded, each with a one-line explanation."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import inspect

from pasch.core.errors import OptionError
from pasch.core.events import plain
from pasch.core.words import wrong_shape

#: `extra` of an option that newcomers need not see: a reading of the printed words, or a limit that seldom matters
HOUSE: Final[dict[str, Any]] = {"house": True}


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every game's options, and the options of a game without any.

    Fields are `Annotated[type, msgspec.Meta(ge=, le=, description=, extra=)]` with a default; `extra` may be HOUSE,
    `{"players": …}` (numbers of players for which it has a meaning) or `{"before": …}` (what a record means that is
    older than the option: reading and hashing use it, so that the default may change without changing older games), or
    several of these, as in `HOUSE | {"before": "bust"}`. A game with custom boxes has
    `components: ItsComponents | None = None` among them.
    """

    def json(self) -> dict[str, Any]:
        """All options as the record writes them; the default components are left out."""
        built: dict[str, Any] = plain(self)
        if built.get("components") is None:
            built.pop("components", None)
        return built

    def hashed(self) -> dict[str, Any]:
        """The options as hashed for receipts and tables.

        An option added later is left out at the value that older records mean, so that their hashes still fit.
        """
        built = self.json()
        for spec in option_specs(type(self)):
            if built[spec.name] == spec.before:
                del built[spec.name]
        return built


class OptionSpec(msgspec.Struct, frozen=True):
    """The description of one option for users."""

    name: str
    kind: Literal["number", "switch", "choice", "list"]
    default: Any
    explanation: str
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] = ()
    #: a house rule: newcomers need not see it
    house: bool = False
    #: what a record made before the option existed means; None if there are no such records
    before: Any = None
    #: the numbers of players for which it has a meaning; empty: all
    players: tuple[int, ...] = ()


@cache
def option_specs(options: type[Options]) -> tuple[OptionSpec, ...]:
    """The options of a game in the order of its declaration, without the components."""
    info = inspect.type_info(options)
    assert isinstance(info, inspect.StructType)
    return tuple(_spec(field) for field in info.fields if field.name != "components")


def _spec(field: inspect.Field) -> OptionSpec:
    kind: inspect.Type = field.type
    explanation, flags = "", {}
    if isinstance(kind, inspect.Metadata):
        explanation = (kind.extra_json_schema or {}).get("description", "")
        flags = kind.extra or {}
        kind = kind.type
    name, default = field.name, field.default
    if isinstance(kind, inspect.BoolType):
        return OptionSpec(name, "switch", default, explanation, **flags)
    if isinstance(kind, inspect.IntType):
        return OptionSpec(name, "number", default, explanation, kind.ge, kind.le, **flags)
    if isinstance(kind, inspect.LiteralType):
        # the type forgets the order of its values; the default comes first
        values = sorted(kind.values, key=lambda value: (value != default, str(value)))
        return OptionSpec(name, "choice", default, explanation, choices=tuple(values), **flags)
    if isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.LiteralType):
        choices = tuple(sorted(kind.item_type.values, key=str))
        least, most = kind.min_length, kind.max_length
        return OptionSpec(name, "list", default, explanation, least, most, choices, **flags)
    raise TypeError(f"option {name} is of a kind that no user interface knows")


AnyOptions = TypeVar("AnyOptions", bound=Options)


def read_options(cls: type[AnyOptions], written: Any, *, complete: bool = False) -> AnyOptions:
    """Check options given as JSON values. `complete`: they have to be all there, as in a record.

    Only those added later may be missing then; they have the value that older records mean.
    """
    if not isinstance(written, dict):
        said = "options are written as an object with a value for each name"
        raise OptionError(said, detail=type(written).__name__)
    specs = {spec.name: spec for spec in option_specs(cls)}
    for name in written:
        if name not in specs and name != "components":
            said = "there is no option {name!r}; this game has {names}"
            raise OptionError(said, name=name, names=list(specs))
    if complete:
        for name, spec in specs.items():
            if name not in written and spec.before is None:
                raise OptionError("the option {name} is missing", name=name)
        written = {name: spec.before for name, spec in specs.items() if spec.before is not None} | written
    try:
        return msgspec.convert(written, cls, strict=True)
    except msgspec.ValidationError as error:
        place, _ = wrong_shape(str(error))
        wrong = specs.get(place.partition("[")[0])
        if wrong is None:
            # a component file's shape is checked here, what it means by the game
            template = "this box cannot be read: something in it is missing or of the wrong kind"
            raise OptionError(template, detail=f"{place}: {error}") from None
        raise OptionError(
            _EXPECTED[wrong.kind],
            name=wrong.name,
            least=wrong.least,
            most=wrong.most,
            choices=list(wrong.choices),
            got=msgspec.json.encode(written[wrong.name]).decode(),
        ) from None


#: what to say of a wrong value, by the kind of the option
_EXPECTED = {
    "number": "the option {name} is a whole number from {least} to {most}, not {got}",
    "switch": "the option {name} is true or false, not {got}",
    "choice": "the option {name} is one of {choices}, not {got}",
    "list": "the option {name} is a list of {least} to {most} of the numbers {choices}, not {got}",
}
