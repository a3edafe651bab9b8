"""A game: its rules together with its settings."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from pasch.core import nodes, state
from pasch.core.components import Components, load_components, parse_components
from pasch.core.errors import ArgumentError, EventError, OptionError, PositionError
from pasch.core.events import Event, plain, unreadable_event
from pasch.core.nodes import ChanceNode, Choice, Moves, Node, nodes_of
from pasch.core.options import Options, read_options
from pasch.core.position import check_position, declare
from pasch.core.rules import RuleFunctions
from pasch.core.state import CHANCE, State
from pasch.core.templates import Rule, bind, by_phase, cases_in, row_scores, rule_in

O = TypeVar("O", bound=Options)  # noqa: E741
C = TypeVar("C", bound=Components)


class Game(ABC, Generic[O, C]):
    """A configured game: number of players, options, component data.

    A subclass declares its `Position` (`pasch.core.position`) and its `phases` (`pasch.core.nodes`), and answers
    `configure`: what the rule functions read of players, options and box. A game without `Options` or `Components`
    has none. Games with the same settings are equal.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    #: one sentence for the list of games
    pitch: ClassVar[str]
    #: the numbers of players allowed, for example range(1, 7)
    seats: ClassVar[range]
    #: the shortest and longest usual duration of a game
    minutes: ClassVar[tuple[int, int]]
    Options: ClassVar[type[Options]] = Options
    Components: ClassVar[type[Components]] = Components
    #: counts up when the rules change; receipts state it
    rules_version: ClassVar[int] = 1
    Position: ClassVar[type[State]]
    #: what comes next, by phase; the phase in which the game is over is not among them
    phases: ClassVar[Mapping[str, Node]]
    #: a rule function `(g, s)` that completes the first position, in which every number is 0, every word the first
    #: and chance the next to act
    begin: ClassVar[Rule | None] = None
    #: each seat's score: a field by seat, or a rule function `(g, s, out)`
    scores: ClassVar[str | Rule] = "totals"
    #: a rule function `(g, s, scores, out)` that sets whether each seat has won; by default the highest score wins
    winners: ClassVar[Rule | None] = None
    #: the parts of a score; rule functions write what an event brought in `s.scored`, in this order
    parts: ClassVar[tuple[str, ...]] = ()

    # what follows from the phases
    #: all events of the game
    events: ClassVar[tuple[type[Event], ...]]

    players: int
    options: O
    components: C
    #: players, options and box as the rule functions read them, a named tuple with `players` among them
    config: Any
    #: by phase: what chance brings, and the moves
    chances: Mapping[str, ChanceNode]
    choices: Mapping[str, Moves]
    #: the last state whose moves were listed, their codes, and its `s` if that was not used otherwise
    listed: tuple[State | None, list[int], Iterator[Any]] = (None, [], iter(()))

    def __init__(self, players: int, options: O | None = None) -> None:
        if not isinstance(players, int):
            raise ArgumentError("players: expected a whole number, got {got!r}", got=players)
        if players not in self.seats or isinstance(players, bool):
            least, most = self.seats[0], self.seats[-1]
            said = "{title} is for {least} to {most} players, not for {got}"
            raise OptionError(said, title=self.title, least=least, most=most, got=players)
        chosen = self.Options() if options is None else options
        # options made in Python have not been checked yet
        self.options = read_options(type(chosen), msgspec.to_builtins(chosen))  # type: ignore[assignment]
        self.players = players
        self.components = getattr(self.options, "components", None) or self.default_components()
        if self.components.game != self.id:
            raise OptionError("this box is for another game", detail=self.components.game)
        self.components.check(players)
        self._key = (type(self), players, self.options)
        self._hash = hash(self._key)
        self.config = self.configure()
        self.chances = nodes_of(self.phases, ChanceNode)
        self.choices = {phase: Moves(node, self) for phase, node in nodes_of(self.phases, Choice).items()}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Derive what follows from `Position` and `phases`; TypeError if they do not fit together."""
        super().__init_subclass__(**kwargs)
        if not hasattr(cls, "phases"):
            raise TypeError(f"{cls.__name__} declares no phases (see pasch.core.nodes)")
        if "phases" not in vars(cls):
            return
        declare(cls.Position, len(cls.parts))
        *words, _ = cls.Position.phases()
        if [*cls.phases] != words:
            raise TypeError(f"{cls.id} has the phases {words}, but describes {[*cls.phases]}")
        chances, choices = nodes_of(cls.phases, ChanceNode), nodes_of(cls.phases, Choice)
        events: list[type[Event]] = []
        for phase in words:
            events += [chances[phase].event] if phase in chances else []
            events += choices[phase].events if phase in choices else []
        cls.events = tuple(dict.fromkeys(events))
        cls._reader = {event.keys(): event for event in cls.events}
        if len(cls._reader) != len(cls.events):
            raise TypeError(f"{cls.id}: two classes of events have the same keys")

    @classmethod
    @cache
    def rule_functions(cls) -> RuleFunctions:
        """What compiled code calls: the phases' rules as one set of functions (`pasch.core.rules`)."""
        words, scores, choices = cls.Position.phases(), cls.scores, nodes_of(cls.phases, Choice)
        chances = {
            word: node.rules(cls.Position) for word, node in nodes_of(cls.phases, ChanceNode).items()
        }
        return RuleFunctions(
            cases=by_phase(cases_in, words, {word: cases for word, (cases, _) in chances.items()}),
            chance=by_phase(rule_in, words, {word: land for word, (_, land) in chances.items()}),
            moves=by_phase(rule_in, words, {word: node.moves for word, node in choices.items()}),
            move=by_phase(rule_in, words, {word: node.then for word, node in choices.items()}),
            scores=bind(row_scores, {"field_scores": scores}) if isinstance(scores, str) else scores,
            winners=cls.winners,
        )

    def configure(self) -> Any:
        """What the rule functions read of players, options and box: a named tuple, as `g`."""
        raise NotImplementedError

    @cached_property
    def max_moves(self) -> int:
        """The maximum number of legal moves in a position; the size of a move buffer."""
        return max((moves.most for moves in self.choices.values()), default=0)

    @cached_property
    def zeros(self) -> dict[str, list[int]]:
        """By field of the position that is a row in `s`: zeros of its maximum length. Not to be changed."""
        shapes = {field.name: field.shape(self) for field in self.Position.fields}
        return {name: [0] * shape[0] for name, shape in shapes.items() if len(shape) == 1}

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
        components: str | Path | None = None,
        complete: bool = False,
    ) -> Self:
        """A game from options as JSON values and, perhaps, a user's component file."""
        read = read_options(cls.Options, dict(options or {}), complete=complete)
        if components is not None:
            if "components" not in cls.Options.__struct_fields__:
                raise OptionError("{title} has no box that could be changed", title=cls.title)
            own = load_components(cls.Components, cls.id, Path(components))
            read = msgspec.structs.replace(read, components=own)
        return cls(players, read)  # type: ignore[arg-type]

    @classmethod
    def chance_description(cls) -> dict[str, Any] | None:
        """What a browser needs to check dice, as JSON: all events' keys with their shapes, and the usual box.

        None if no event has a shape: then only `pasch verify` can check the game.
        """
        shapes = {
            node.event: node.shape for node in nodes_of(cls.phases, ChanceNode).values() if node.shape
        }
        if not shapes:
            return None
        events = [{"keys": sorted(event.keys()), "shape": shapes.get(event)} for event in cls.events]
        data: dict[str, Any] = plain({"game": cls.id, "box": cls.default_components(), "events": events})
        return data

    def start(self) -> State:
        """The state before the first event."""
        first = {field.name: field.first(self) for field in self.Position.fields}
        blank = self.Position(self, CHANCE, **first)
        begin = type(self).begin
        if begin is None:
            return blank
        s = blank.unpack()
        begin(self.config, s)
        return blank.pack(s)

    @classmethod
    def read_event(cls, written: Any) -> Event:
        """An event from its JSON; EventError if it is not valid."""
        if not isinstance(written, dict):
            raise unreadable_event(type(written).__name__)
        found = cls._reader.get(frozenset(written))
        if found is None:
            known = ", ".join("+".join(event.__struct_fields__) for event in cls.events)
            detail = f"it has {'+'.join(map(str, written)) or 'no keys'}; events have {known}"
            raise EventError("this game has no such move, roll or card", detail=detail)
        return found.from_json(written)

    def read_state(self, snapshot: Mapping[str, Any], *, strict: bool = True) -> State:
        """The state, or a seat's view of it, from what `State.snapshot` wrote; PositionError if it is none.

        Where it is not `strict`, numbers may be strings.
        """
        written = {**snapshot, "game": self}
        try:
            found = msgspec.convert(written, self.Position, strict=strict, dec_hook=lambda kind, game: game)
        except msgspec.ValidationError as error:
            said = "this is no position of {title}: {problem}"
            raise PositionError(said, title=self.title, problem=str(error)) from None
        check_position(found)
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # only the settings are pickled; other processes rebuild the tables
        return type(self), (self.players, self.options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(players={self.players}, options={self.options})"


# these modules are imported before this one and name its class in their types; `help`, `inspect.signature` and
# `typing.get_type_hints` look it up there
for _module in (nodes, state):
    vars(_module)["Game"] = Game
vars(nodes)["State"] = State
