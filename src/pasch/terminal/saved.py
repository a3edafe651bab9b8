"""Saved games: one file per game under way, which holds every event before it is shown.

A file is JSON Lines: a header, then one event per line; `{"undo":2}` takes the last two events back. A file is replaced
as a whole.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, Self

import msgspec

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.fair import SEED_BYTES, dice_key
from pasch.core.files import atomic_path, atomic_text, data_folder
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State

FORMAT: Final = "pasch-saved/1"


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a game, fixed before its first event."""

    format: Literal["pasch-saved/1"] = FORMAT
    game: str
    options: dict[str, Any]
    players: int
    #: `me` or the name of a computer player, by seat
    seats: list[str]
    dice: Literal["pasch", "real"]
    #: the seed from which Pasch's dice and the computer players' chance follow, in hexadecimal
    seed: str = msgspec.field(name="key")

    def __post_init__(self) -> None:
        if len(bytes.fromhex(self.seed)) != SEED_BYTES:
            raise ValueError("the seed has a wrong length")
        if len(self.seats) != self.players:
            raise ValueError("the seats do not fit the number of players")


def _folder(name: str) -> Path:
    folder = data_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def saved_files() -> list[Path]:
    """The files of all unfinished games, the one played last first."""
    folder = data_folder() / "games"
    files = [(path.stat().st_mtime_ns, path) for path in folder.glob("[!.]*.jsonl")]
    return [path for _, path in sorted(files, reverse=True)]


def find_saved(name: str) -> Path:
    """The file of the game with this id, or of the one played last."""
    files = saved_files()
    if not files:
        raise PaschError("there is no unfinished game; begin one with `pasch play`")
    if name == "last":
        return files[0]
    by_name = {path.stem: path for path in files}
    if name not in by_name:
        said = "there is no unfinished game {name!r}; there are {names}"
        raise PaschError(said, name=name, names=", ".join(by_name))
    return by_name[name]


class SavedGame:
    """A match together with its file; both always hold the same events."""

    def __init__(self, path: Path, header: Header, game: Game[Any, Any], data: bytes = b"") -> None:
        self.path, self.header, self.match = path, header, Match(game)
        #: the key of all dice and cards; nobody adds to it, as a local game has no other party to distrust
        self.key = dice_key(bytes.fromhex(header.seed), self.id, (None,) * header.players)
        #: the number of events up to the last revealed roll or card, which cannot be undone
        self.fixed = 0
        #: what the file holds
        self._data = data

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def people(self) -> tuple[int, ...]:
        """The seats at which a person sits."""
        return tuple(seat for seat, who in enumerate(self.header.seats) if who == "me")

    @classmethod
    def create(
        cls,
        game: Game[Any, Any],
        seats: list[str],
        dice: Literal["pasch", "real"],
        seed: bytes | None = None,
    ) -> Self:
        """Begin a game and its file; without a seed it gets a random one."""
        header = Header(
            game=game.id,
            options=game.options.json(),
            players=game.players,
            seats=seats,
            dice=dice,
            seed=(seed or secrets.token_bytes(SEED_BYTES)).hex(),
        )
        saved = cls(_new_file(game.id), header, game)
        saved._append(header)
        return saved

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; PaschError names the line that is wrong."""
        data = path.read_bytes()
        first, _, lines = data.partition(b"\n")
        try:
            header = msgspec.json.decode(first, type=Header)
        except (msgspec.DecodeError, ValueError) as error:
            said = "{path} holds no saved game: {problem}"
            raise PaschError(said, path=path, problem=str(error)) from None
        game = find_game(header.game).agree(header.players, header.options, complete=True)
        saved = cls(path, header, game, data)
        for number, line in enumerate(lines.splitlines(), 2):
            try:
                saved._redo(msgspec.json.decode(line))
            except (PaschError, msgspec.DecodeError, RecursionError) as error:
                said = "{path}, line {number}: {problem}"
                raise PaschError(said, path=path, number=number, problem=error) from None
        return saved

    def _redo(self, line: Any) -> None:
        if isinstance(line, dict) and line.keys() == {"undo"}:
            steps = line["undo"]
            if type(steps) is not int or not 1 <= steps <= len(self.match):
                raise PaschError("{steps!r} events cannot be taken back", steps=steps)
            self.match.undo(steps)
        else:
            self._enter(self.match.game.read_event(line))

    def _enter(self, event: Event) -> None:
        before = self.state
        self.match.play(event)
        if reveals(before):
            self.fixed = len(self.match)

    def play(self, event: Event) -> None:
        """Add an event: checked by the rules, then written, then part of the game."""
        self.state.apply(event)
        self._append(event.json())
        self._enter(event)

    def undo(self, steps: int) -> None:
        """Take the last events back."""
        self._append({"undo": steps})
        self.match.undo(steps)

    def _append(self, line: Any) -> None:
        """Write the file anew with one more line."""
        if self.path.read_bytes() != self._data:
            raise PaschError("{id} has continued in another window; nothing was changed here", id=self.id)
        data = b"\n".join([*self._data.splitlines(), msgspec.json.encode(line), b""])
        with atomic_path(self.path) as temporary:
            temporary.write_bytes(data)
        self._data = data

    def finish(self) -> Path:
        """Write the record of the finished game and remove the saved one."""
        kept = _folder("records") / f"{self.id}.jsonl"
        with atomic_text(kept) as file:
            file.write(self.match.record().to_json() + "\n")
        self.path.unlink(missing_ok=True)
        return kept


def reveals(state: State) -> bool:
    """Whether the next event is a chance event with more than one outcome."""
    return state.actor == CHANCE and state.chance().total > 1


def _new_file(game: str) -> Path:
    """An empty file under the first free number; finished games count as well."""
    games, records = _folder("games"), _folder("records")
    for number in count(1):
        path = games / f"{game}-{number}.jsonl"
        if not (records / path.name).exists():
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                break
    return path
