"""The coach at live tables: hints, judgements of moves and rolls, reports, and verdicts.

Everything is computed by a helper process, while the game goes on.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from pasch.core.words import Sentence
from pasch.table.helper import Helper, HelperFailed
from pasch.table.helper_protocol import describe_game
from pasch.table.log import LiveTable
from pasch.table.schema import Advice, Judgement

#: the time limit for the verdict on an abandoned game, in seconds
PATIENCE: Final = 10.0
#: finished reports kept in memory
MOST_REPORTS: Final = 100


class NotYet(HelperFailed):
    """The values are still being built; ask again later."""


class Coaching:
    """The coach of all tables of a server."""

    def __init__(self, helper: Helper) -> None:
        self._helper = helper
        self._reports: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def hint(self, live: LiveTable, command: str) -> Advice:
        """The values of the moves of the seat to choose, from what that seat knows."""
        version = live.version
        asked = describe_game(live.game, live.events, live.state.actor)
        found = _ready(await self._helper.ask("hint", **asked))
        sentences = msgspec.convert(found["sentences"], tuple[Sentence, ...])
        return Advice(command, version, tuple(found["moves"]), sentences, found["exact"])

    async def judge(self, live: LiveTable, first: int) -> list[Judgement]:
        """The judgements of the events from line number `first` on."""
        # the log also holds lines that are no events, so the numbers differ
        lines = [number for number, line in enumerate(live.lines) if line.event is not None]
        begin = sum(number < first for number in lines)
        asked = describe_game(live.game, live.events)
        found = _ready(await self._helper.ask("judge", first=begin, **asked))
        return [
            Judgement(
                version=lines[judged["number"] - 1] + 1,
                seat=judged["seat"],
                kind=judged["kind"],
                points=judged["points"],
                best=judged["best"],
                sentences=msgspec.convert(judged["sentences"], tuple[Sentence, ...]),
                exact=judged["exact"],
            )
            for judged in found
        ]

    async def verdict(self, live: LiveTable) -> dict[str, Any]:
        """The verdict on a game that ends now: by chances to win, else by values, else by scores."""
        asked = describe_game(live.game, live.events)
        try:
            found: dict[str, Any] = await self._helper.ask(
                "value", PATIENCE, patience=PATIENCE / 2, **asked
            )
        except HelperFailed:
            scores = live.state.scores()
            winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
            return {"winners": winners, "value": None, "win": None, "by": "scores"}
        return found

    def report(self, live: LiveTable) -> asyncio.Task[dict[str, Any]]:
        """The task that makes the report of a finished game, started once; HelperFailed if it fails."""
        task = self._reports.get(live.id)
        if task is None or (task.done() and task.exception() is not None):
            while len(self._reports) >= MOST_REPORTS:
                self._reports.pop(next(iter(self._reports)))
            task = self._reports[live.id] = asyncio.create_task(self._report(live))
        return task

    async def _report(self, live: LiveTable) -> dict[str, Any]:
        found: dict[str, Any] = _ready(await self._helper.ask("report", record=live.record().to_json()))
        return found


def _ready(answer: Any) -> Any:
    """The answer, unless it is None, which the helper says while the values are being built."""
    if answer is None:
        raise NotYet("the coach is still working the values out; ask again in a moment")
    return answer
