"""Saved games: one file per game under way, to which every event is appended before it is shown.

A file is JSON Lines: a header, then one event per line; `{"undo":2}` takes the last two events back.
A crash can leave the last line incomplete only, and an incomplete line is cut off.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, Self

import msgspec

from pasch.core.atomic_file import atomic_text
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.fair import SEED_BYTES, dice_key
from pasch.core.folders import data_folder
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State

FORMAT: Final = "pasch-saved/1"


class SavedError(PaschError):
    """A saved game cannot be found, read or written."""


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


def _folder(name: str) -> Path:
    folder = data_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def saved_files() -> list[Path]:
    """The files of all unfinished games, the one played last first."""
    folder = data_folder() / "games"
    files = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.jsonl")] if folder.is_dir() else []
    return [path for _, path in sorted(files, reverse=True)]


def find_saved(name: str) -> Path:
    """The file of the game with this id, or of the one played last."""
    files = saved_files()
    if not files:
        raise SavedError("there is no unfinished game; begin one with `pasch play`")
    if name == "last":
        return files[0]
    for path in files:
        if path.stem == name:
            return path
    raise SavedError(
        "there is no unfinished game {name!r}; there are {names}",
        name=name,
        names=", ".join(path.stem for path in files),
    )


class SavedGame:
    """A match together with its file; both always hold the same events."""

    def __init__(self, path: Path, header: Header, match: Match) -> None:
        self.path = path
        self.header = header
        self.match = match
        self.seed = bytes.fromhex(header.seed)
        #: no contributions to the dice: a local game has no other party to distrust
        self.contributions = (None,) * header.players
        #: the key of all dice and cards
        self.key = dice_key(self.seed, self.id, self.contributions)
        #: the number of events up to the last revealed roll or card, which cannot be undone
        self.fixed = 0
        self._size = 0

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
        cls, game: Game[Any, Any], seats: list[str], dice: Literal["pasch", "real"], seed: bytes
    ) -> Self:
        """Begin a game and its file."""
        header = Header(
            game=game.id,
            options=game.options.json(),
            players=game.players,
            seats=seats,
            dice=dice,
            seed=seed.hex(),
        )
        saved = cls(_new_file(game.id), header, Match(game))
        saved._append(msgspec.to_builtins(header))
        return saved

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; an incomplete last line is left out."""
        lines = _lines(path)
        size, written = next(lines, (0, None))
        try:
            header = msgspec.convert(written, Header, strict=True)
            if len(bytes.fromhex(header.seed)) != SEED_BYTES:
                raise ValueError("the seed has a wrong length")
            if len(header.seats) != header.players:
                raise ValueError("the seats do not fit the number of players")
        except (msgspec.ValidationError, ValueError) as error:
            raise SavedError(
                "{path} holds no saved game: {problem}", path=path, problem=str(error)
            ) from None
        game = find_game(header.game).agree(header.players, header.options, complete=True)
        saved = cls(path, header, Match(game))
        saved._size = size
        for number, (end, line) in enumerate(lines, 2):
            try:
                saved._redo(line)
            except PaschError as error:
                raise SavedError(
                    "{path}, line {number}: {problem}", path=path, number=number, problem=error
                ) from None
            saved._size = end
        return saved

    def _redo(self, line: Any) -> None:
        if isinstance(line, dict) and line.keys() == {"undo"}:
            steps = line["undo"]
            if type(steps) is not int or not 1 <= steps <= len(self.match):
                raise SavedError("{steps!r} events cannot be taken back", steps=steps)
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

    def mend(self) -> None:
        """Truncate an incomplete last line, before anything is appended."""
        os.truncate(self.path, self._size)

    def _append(self, line: Any) -> None:
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with self.path.open("r+b") as file:
            if file.seek(0, os.SEEK_END) != self._size:
                raise SavedError("{id} has gone on in another window; nothing was changed here", id=self.id)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(data)

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
    folder = _folder("games")
    taken = [
        int(found[1])
        for path in (*folder.iterdir(), *_folder("records").iterdir())
        if (found := re.fullmatch(rf"{re.escape(game)}-([0-9]{{1,9}})\.jsonl", path.name))
    ]
    number = max(taken, default=0) + 1
    while True:
        path = folder / f"{game}-{number}.jsonl"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return path


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The lines of a file as JSON, each with the number of bytes up to its end."""
    data = path.read_bytes()
    start = 0
    while (end := data.find(b"\n", start) + 1) > 0:
        try:
            yield end, json.loads(data[start:end])
        except (ValueError, RecursionError):
            if end == len(data):
                return  # incomplete after a crash
            number = data.count(b"\n", 0, end)
            raise SavedError("{path}, line {number}: no valid JSON", path=path, number=number) from None
        start = end
