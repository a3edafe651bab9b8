"""Records: a finished game as one line of JSON, in the format `pasch/1`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, Self

import msgspec

from pasch.core.bounds import TooMuch, check_json
from pasch.core.errors import PaschError, RecordError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State

FORMAT: Final = "pasch/1"

#: no record is longer, or has more events and lists; what exceeds this is not even parsed
MAX_BYTES = 16 * 1024 * 1024
MAX_CONTAINERS = 1_000_000


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as it is written down. Nothing in here has been checked against the rules yet."""

    format: Literal["pasch/1"]
    game: str
    options: dict[str, Any]
    players: int
    events: list[dict[str, Any]]
    scores: list[int]
    winners: list[int]

    @classmethod
    def of(cls, game: Game[Any, Any], events: Iterable[Event], state: State) -> Self:
        """The record of a game with these events; scores and winners are those of `state`."""
        options, written = game.options.json(), [event.json() for event in events]
        scores, winners = list(state.scores()), list(state.winners())
        return cls(FORMAT, game.id, options, game.players, written, scores, winners)

    def to_json(self) -> str:
        """One line, without the line's end."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """A record from one line; RecordError if it is not valid."""
        return cls.from_plain(parse(line))

    @classmethod
    def from_plain(cls, written: Any) -> Self:
        """The record from parsed JSON."""
        try:
            return msgspec.convert(written, cls, strict=True)
        except msgspec.ValidationError as error:
            raise RecordError("this is not a record", detail=str(error)) from None

    def configured_game(self) -> Game[Any, Any]:
        """The recorded game with its options and components."""
        try:
            return find_game(self.game).agree(self.players, self.options, complete=True)
        except PaschError as error:
            raise RecordError(error.template, **error.details) from None

    def replay(self) -> Iterator[tuple[Event, State]]:
        """Each event with the state after it; RecordError at the first one that the rules forbid."""
        game = self.configured_game()
        state = game.start()
        for number, written in enumerate(self.events, 1):
            if state.over:
                raise RecordError("the game was over before this event", event=number)
            try:
                event = game.read_event(written)
                state = state.apply(event)
            except PaschError as error:
                raise RecordError(error.template, event=number, **error.details) from None
            yield event, state

    def verify(self) -> State:
        """Replay everything and check the end, the scores and the winners; the final state."""
        state = self.configured_game().start()
        for _, after in self.replay():
            state = after
        self.check_end(state)
        return state

    def check_end(self, state: State) -> None:
        """Raise RecordError unless the game ends with this state, the scores and the winners."""
        if not state.over:
            awaited = "dice or cards" if state.actor == CHANCE else f"a choice of seat {state.actor + 1}"
            said = "the record ends before the game does: {awaited} should follow"
            raise RecordError(said, event=len(self.events) + 1, awaited=awaited)
        for name, found in (("scores", state.scores()), ("winners", state.winners())):
            written, right = getattr(self, name), list(found)
            if written != right:
                said = "{name}: written {written}, by the rules {right}"
                raise RecordError(said, name=name, written=str(written), right=str(right))


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a file, one on each line that is not blank; RecordError names the line that is none."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_BYTES + 1), b""), 1):
            if line.strip():
                try:
                    yield Record.from_json(line)
                except RecordError as error:
                    raise RecordError("line {line}: {problem}", line=number, problem=error.reason) from None


def parse(line: str | bytes) -> Any:
    """JSON, read strictly: no key twice, no half characters, no numbers that JSON does not know."""
    try:
        check_json(line, max_bytes=MAX_BYTES, max_containers=MAX_CONTAINERS)
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        json.loads(text, object_pairs_hook=_once)
        return msgspec.json.decode(text)
    except TooMuch as error:
        raise RecordError("{problem}, so this is not a record", problem=error.reason) from None
    except UnicodeDecodeError as error:
        raise RecordError("not UTF-8 at byte {byte}", byte=error.start) from None
    except (ValueError, RecursionError) as error:
        raise RecordError("broken JSON", detail=str(error)) from None


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r} stands twice in one object")
