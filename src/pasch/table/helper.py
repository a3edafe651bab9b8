"""A helper process for what takes long: values, strong computer players, reports.

The server's own process never imports a compiler or a solver. The helper is started when it is first
needed, is asked one line of JSON at a time and ends by itself when its server has gone, because its input
ends.

A request names a game (id, players, options) and its events so far. Those sent for a computer player or a
hint are only what that seat was told, so that the helper cannot know more than the seat does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TextIO

import msgspec

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.solve.valuer import has_values

#: the longest answer, in bytes: a report of a long game
MOST_BYTES = 32 * 1024 * 1024


class HelperFailed(PaschError):
    """The helper has ended, did not answer in time, or could not do what was asked."""


class Helper:
    """One helper process, started on first need and again after it has died."""

    def __init__(self, module: str = __name__, *arguments: str, quiet: bool = True) -> None:
        self._command = ("-m", module, *arguments)
        self._complaints = asyncio.subprocess.DEVNULL if quiet else None
        self._process: asyncio.subprocess.Process | None = None
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count()
        self._starting = asyncio.Lock()
        self._listener: asyncio.Task[None] | None = None

    async def ask(self, do: str, timeout: float | None = None, **details: Any) -> Any:
        """What the function `do` below answers; HelperFailed if it does not."""
        process = await self._running()
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"number": number, "do": do, **details}).encode() + b"\n")
            await process.stdin.drain()
            return await asyncio.wait_for(answer, timeout)
        except (TimeoutError, OSError) as error:
            raise HelperFailed("no answer: {problem}", problem=repr(error)) from error
        finally:
            self._answers.pop(number, None)

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=self._complaints,
                    limit=MOST_BYTES,
                )
                self._listener = asyncio.create_task(self._listen(self._process))
            return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                read = json.loads(line)
                answer = self._answers.get(read["number"])
                if answer is None or answer.done():
                    continue
                if "problem" in read:
                    answer.set_exception(HelperFailed("{problem}", problem=read["problem"]))
                else:
                    answer.set_result(read["answer"])
        except ValueError:
            process.kill()
        await process.wait()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(HelperFailed("the helper has ended"))

    async def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._listener is not None:
            await self._listener


def described(game: Game[Any, Any], events: Iterable[Event], seat: int | None = None) -> dict[str, Any]:
    """A game and its events for a request; with a seat, as that seat was told of them."""
    told = events if seat is None else [event.view(seat) for event in events]
    return {
        "game": game.id,
        "players": game.players,
        "options": game.options.json(),
        "events": [event.json() for event in told],
        "seat": seat,
    }


# --- in the helper's own process ----------------------------------------------------------------------


def states_of(asked: dict[str, Any]) -> tuple[list[Event], list[State]]:
    """The events of a request, and the states between them, as seen by the seat if one is named."""
    game = find_game(asked["game"]).agree(asked["players"], asked["options"])
    state = game.start()
    if asked["seat"] is not None:
        state = state.view(asked["seat"])
    events = [game.read_event(written) for written in asked["events"]]
    states = [state]
    for event in events:
        states.append(states[-1].apply(event))
    return events, states


def choose(asked: dict[str, Any]) -> dict[str, Any]:
    """The move of a computer player; a greedy one while the player's tables are being made."""
    level = asked["level"]
    player = import_module("pasch.players.base").player(level)
    if level in import_module("pasch.players.levels").LEVELS:
        meanwhile = import_module("pasch.players.meanwhile").Meanwhile
        player = meanwhile(player, chances=level == "winner")
    _, states = states_of(asked)
    move: Event = player.choose(states[-1], KeyedGenerator(bytes.fromhex(asked["key"])))
    return move.json()


def _ready(game: Game[Any, Any], patience: float = 0.0) -> bool:
    """Whether the values of a game are at hand; if not, they begin to be made."""
    tables = import_module("pasch.players.meanwhile")
    if not has_values(game.id):
        raise HelperFailed("nobody knows the values of {title}", title=game.title)
    if not tables.at_hand(game):
        tables.make_tables(game).join(patience)
    ready: bool = tables.at_hand(game)
    return ready


def hint(asked: dict[str, Any]) -> dict[str, Any] | None:
    """Each legal move with its value, best first; None while the values are being made."""
    _, states = states_of(asked)
    state = states[-1]
    if not _ready(state.game):
        return None
    chances = import_module("pasch.players.meanwhile").at_hand(state.game, chances=True)
    advice = import_module("pasch.coach.judge").advise(state, chances=chances)
    return {
        "moves": [{"event": w.move.json(), "points": w.value, "win": w.win} for w in advice.moves],
        "sentences": msgspec.to_builtins(advice.sentences),
        "exact": advice.exact,
    }


def judge(asked: dict[str, Any]) -> list[dict[str, Any]] | None:
    """What is to be said of each event from number `first` (counted from 0) on; None as for `hint`."""
    game = find_game(asked["game"]).agree(asked["players"], asked["options"])
    if not _ready(game):
        return None
    match = Match(game, asked["events"])
    judge_one = import_module("pasch.coach.judge").judge
    judged = [judge_one(match, n, chances=False) for n in range(asked["first"] + 1, len(match) + 1)]
    found: list[dict[str, Any]] = msgspec.to_builtins([j for j in judged if j.seat is not None])
    return found


def value(asked: dict[str, Any]) -> dict[str, Any]:
    """To whom the game would be given now, by the value of the position."""
    _, states = states_of(asked)
    if not _ready(states[-1].game, asked["patience"]):
        raise HelperFailed("the values are not at hand yet")
    verdict = import_module("pasch.players.handover").adjudicate(states[-1])
    found: dict[str, Any] = msgspec.to_builtins(verdict)
    return found


def report(asked: dict[str, Any]) -> dict[str, Any] | None:
    """The coach's report of a finished game; None while the values are being made."""
    record = Record.from_json(asked["record"])
    if not _ready(record.agreed()):
        return None
    made: dict[str, Any] = msgspec.to_builtins(import_module("pasch.coach.report").report(record))
    return made


_DONE: dict[str, Callable[[dict[str, Any]], Any]] = {
    function.__name__: function for function in (choose, hint, judge, value, report)
}


def answer_lines(
    done: Mapping[str, Callable[[dict[str, Any]], Any]], questions: TextIO, answers: TextIO
) -> None:
    """Answer one question after the other, until there are no more."""
    for line in questions:
        asked = json.loads(line)
        try:
            answer = {"answer": done[asked["do"]](asked)}
        except Exception as error:  # noqa: BLE001 - whatever it is, the next question may go well
            answer = {"problem": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps({"number": asked["number"], **answer}) + "\n")
        answers.flush()


def main() -> None:
    answer_lines(_DONE, sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
