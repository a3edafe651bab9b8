"""Players that a user has written: `mybot.py:MyBot` is the class or function `MyBot` in `mybot.py`.

A class has a method `choose(view, generator)` and is made without arguments; a function takes the same two.
Either answers with one of `view.moves()`. It is shown only what its seat may know.

A bot runs with its user's rights, but it cannot bring a game to a stop by failing: what went wrong is
reported with the position, and `greedy` has its seat for the rest of the game. Here it cannot be kept from
looping for ever; at a table in the browser, where it has a process of its own (`pasch.table.bots`), it can.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

from pasch.core.chance import Generator
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.state import State

logger = logging.getLogger("pasch.players")

#: what stands between the file and the name in it
MARK: Final = ".py:"
#: the number of games whose failures are logged with the position; a simulation may have a million
MAX_REPORTS: Final = 5

Choose = Callable[[State, Generator], Event]


def is_bot(name: str) -> bool:
    """Whether a player's name is that of a file and something in it."""
    return MARK in name


class BotFailed(PaschError):
    """A bot raised an exception or answered with no legal move. `kind` names which."""

    def __init__(self, kind: str, problem: str) -> None:
        self.kind = kind
        super().__init__("{problem}", problem=problem)


class BotPlayer:
    """Plays the moves of the user's bot; after a failure greedily, until the next game begins."""

    def __init__(self, name: str, bot: Choose, greedy: Choose) -> None:
        self.name = name
        self._bot = bot
        self._greedy = greedy
        #: why `greedy` has its seat for the rest of this game
        self.failed: str | None = None
        #: whether failures are logged
        self.logs = True
        self._failures = 0

    def begin(self) -> None:
        """A new game begins: a bot that failed in the last one has another chance."""
        self.failed = None

    def choose(self, view: State, generator: Generator) -> Event:
        view = view.view(view.actor)  # in case the caller passed more than that
        if self.failed is None:
            try:
                return self.ask(view, generator)
            except BotFailed as error:
                self.failed = error.reason
                self._failures += 1
                if self.logs and self._failures <= MAX_REPORTS:
                    self._report(view, error)
        return self._greedy(view, generator)

    def ask(self, view: State, generator: Generator) -> Event:
        """The bot's own move; BotFailed if it has none."""
        view = view.view(view.actor)
        try:
            # its output must not mix with records, or with messages of a helper
            with redirect_stdout(sys.stderr):
                move = self._bot(view, generator)
            legal = move in view.moves()
        except (Exception, SystemExit) as error:
            raise BotFailed("error", words(error)) from error
        if not legal:
            raise BotFailed("illegal", f"this is no legal move now: {_shown(move)}")
        return move

    def _report(self, view: State, error: BotFailed) -> None:
        last = "; further failures are not reported" if self._failures == MAX_REPORTS else ""
        position = json.dumps(view.snapshot(), separators=(",", ":"))
        logger.warning(
            "%s failed, greedy has its seat for the rest of this game (seat %d of %s): %s; position: %s%s",
            self.name, view.actor, view.game.id, error.reason, position, last,
            exc_info=error.__cause__,
            extra={"fields": {"player": self.name, "problem": error.reason, "position": position}},
        )  # fmt: skip


def load_bot(name: str, greedy: Choose) -> BotPlayer:
    """The player `FILE.py:NAME`, with `greedy` as its fallback; PaschError if it cannot be loaded."""
    file, _, wanted = name.rpartition(":")
    path = Path(file).expanduser()
    if not path.is_file():
        raise PaschError("{name}: there is no file {file}", name=name, file=file)
    module = _load(path.resolve(), path.stat().st_mtime_ns)
    found = getattr(module, wanted, None)
    if found is None:
        raise PaschError(
            "{name}: there is nothing named {wanted!r} in {file}", name=name, wanted=wanted, file=file
        )
    if isinstance(found, type):
        try:
            found = getattr(found(), "choose", None)
        except (Exception, SystemExit) as error:
            said = "{name}: it cannot be made: {problem}"
            raise PaschError(said, name=name, problem=words(error)) from error
    if not callable(found):
        said = "{name}: neither a function nor a class with a method choose(view, generator)"
        raise PaschError(said, name=name)
    return BotPlayer(name, found, greedy)


@cache
def _load(path: Path, changed: int) -> ModuleType:
    """The module in a file; read again only when the file has changed."""
    spec = importlib.util.spec_from_file_location(f"pasch_bot_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # what lies beside the file can be imported, but hides nothing
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    # classes look themselves up by the name of their module
    sys.modules[spec.name] = module
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise PaschError("{file}: {problem}", file=path.name, problem=words(error)) from error
    return module


def _shown(move: object) -> str:
    """A bot's answer as text; it may be anything, even unprintable."""
    try:
        return repr(move)[:200]
    except (Exception, SystemExit):  # noqa: BLE001 - it is the bot's own code that runs here
        return f"something of the type {type(move).__name__}"


def words(error: BaseException) -> str:
    """An error in one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
