"""A game: its rules together with what was agreed before the first roll."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, get_type_hints

import msgspec

from pasch.core.components import Components, load_components, parse_components
from pasch.core.errors import EventError, OptionError
from pasch.core.events import Event, event_reader, plain
from pasch.core.options import Options, read_options
from pasch.core.shapes import Shape
from pasch.core.state import State

O = TypeVar("O", bound=Options)  # noqa: E741
C = TypeVar("C", bound=Components)


class Game(ABC, Generic[O, C]):
    """One game as agreed: number of players, options, component data.

    A subclass states the class attributes, builds in `__init__` (after calling ours) whatever tables
    its rules read, and answers `start`. One that states no `Options` or `Components` has none. Games that
    agree in everything are equal.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    #: one sentence for somebody who chooses a game
    pitch: ClassVar[str]
    #: the numbers of players allowed, for example range(1, 7)
    seats: ClassVar[range]
    #: how long a game takes, from and to
    minutes: ClassVar[tuple[int, int]]
    events: ClassVar[tuple[type[Event], ...]]
    Options: ClassVar[type[Options]] = Options
    Components: ClassVar[type[Components]] = Components
    #: counts up when the rules change, so that tables of values computed before are not used any more
    rules_version: ClassVar[int] = 1
    #: the shapes of the events that chance brings, for the browser's check of the dice (see `pasch.core.shapes`);
    #: without them only `pasch verify` can check the game
    chance_shapes: ClassVar[Mapping[type[Event], Shape]] = {}

    players: int
    options: O
    components: C
    #: players, options and box as the rule functions read them (see `pasch.core.rules`); None without such functions
    agreed: Any = None

    def __init__(self, players: int, options: O | None = None) -> None:
        if players not in self.seats or isinstance(players, bool):
            raise OptionError(
                "{title} is for {least} to {most} players, not for {got}",
                title=self.title,
                least=self.seats[0],
                most=self.seats[-1],
                got=players,
            )
        chosen = self.Options() if options is None else options
        # options made in Python have not been checked yet
        self.options = read_options(type(chosen), msgspec.to_builtins(chosen))  # type: ignore[assignment]
        self.players = players
        own = getattr(self.options, "components", None)
        self.components = own or self.default_components()
        if own is not None and own.game != self.id:
            raise OptionError("this box is for another game", detail=own.game)
        self.components.check(players)
        self._key = (type(self), players, self.options)
        self._hash = hash(self._key)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._reader = event_reader(cls.events)

    _reader: ClassVar[dict[frozenset[str], type[Event]]]

    @classmethod
    @cache
    def default_components(cls) -> C:
        """The box that comes with the game: `box.toml` beside its rules, or a box without data."""
        file = resources.files(cls.__module__.rpartition(".")[0]).joinpath("box.toml")
        if not file.is_file():
            return cls.Components(game=cls.id)  # type: ignore[return-value]
        return parse_components(cls.Components, cls.id, file.read_text("utf-8"))  # type: ignore[return-value]

    @classmethod
    def usual_players(cls) -> int:
        """Two, or the nearest number that the game allows."""
        return min(max(2, cls.seats[0]), cls.seats[-1])

    @classmethod
    def agree(
        cls,
        players: int,
        options: Mapping[str, Any] | None = None,
        *,
        components: Path | None = None,
        complete: bool = False,
    ) -> Self:
        """A game from options as JSON values and, perhaps, a user's component file."""
        read = read_options(cls.Options, dict(options or {}), complete=complete)
        if components is not None:
            if "components" not in cls.Options.__struct_fields__:
                raise OptionError("{title} has no box that could be changed", title=cls.title)
            own = load_components(cls.Components, cls.id, components)
            read = msgspec.structs.replace(read, components=own)
        return cls(players, read)  # type: ignore[arg-type]

    @classmethod
    def chance_description(cls) -> dict[str, Any] | None:
        """What a browser needs to check dice, as JSON: all events' keys with their shapes, and the usual box."""
        if not cls.chance_shapes:
            return None
        events = [
            {"keys": sorted(event.keys()), "shape": cls.chance_shapes.get(event)} for event in cls.events
        ]
        told: dict[str, Any] = plain({"game": cls.id, "box": cls.default_components(), "events": events})
        return told

    @abstractmethod
    def start(self) -> State:
        """The state before the first event."""

    @classmethod
    def read_event(cls, written: Any) -> Event:
        """An event from its JSON; EventError says what is wrong with it."""
        if not isinstance(written, dict):
            raise EventError(
                "this is not written as a move, a roll or a card", detail=type(written).__name__
            )
        found = cls._reader.get(frozenset(written))
        if found is None:
            raise EventError(
                "this game knows no such move, roll or card",
                detail=f"it has {'+'.join(map(str, written)) or 'no keys'}; events have "
                + ", ".join("+".join(c.__struct_fields__) for c in cls.events),
            )
        return found.from_json(written)

    def read_state(self, snapshot: Mapping[str, Any]) -> State:
        """The state, or a seat's view of it, from what `State.snapshot` wrote."""
        kind = type(self.start())
        fields = {name: msgspec.convert(snapshot[name], of) for name, of in _state_fields(kind).items()}
        return kind(game=self, **fields)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # what was agreed travels to other processes; tables are made anew there
        return type(self), (self.players, self.options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(players={self.players}, options={self.options})"


@cache
def _state_fields(kind: type[State]) -> dict[str, Any]:
    """The fields of a state with their types, less the game itself."""
    types = get_type_hints(kind, localns={"Game": Game}, include_extras=True)
    return {name: types[name] for name in kind.__struct_fields__ if name != "game"}
