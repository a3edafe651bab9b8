"""The coach at a live table: hints, judgements of moves and rolls, reports, and the value of a position.

Everything is computed in a helper process of its own. Until it has answered the game goes on, and the
coach follows.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from pasch.table.helper import Helper, HelperFailed, described
from pasch.table.log import Course
from pasch.table.schema import Advice, Judgement, Sentence

#: how long somebody who ends an abandoned game waits for its value, in seconds
PATIENCE: Final = 10.0
#: finished reports kept in memory
MOST_REPORTS: Final = 100


class NotYet(HelperFailed):
    """The values are being made; it will work later."""


class Coaching:
    """The coach of all tables of a server."""

    def __init__(self, helper: Helper) -> None:
        self._helper = helper
        self._reports: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def hint(self, course: Course, command: str) -> Advice:
        """The values of the moves of the seat to choose, from what that seat knows."""
        version = course.version
        asked = described(course.game, course.events, course.state.actor)
        found = _at_hand(await self._helper.ask("hint", **asked))
        sentences = msgspec.convert(found["sentences"], tuple[Sentence, ...])
        return Advice(command, version, tuple(found["moves"]), sentences, found["exact"])

    async def judge(self, course: Course, first: int) -> list[Judgement]:
        """What the coach says of the events from line number `first` on."""
        # the lines of the log also hold what is no event, so both are counted
        lines = [number for number, (_, event) in enumerate(course.lines) if event is not None]
        begin = sum(number < first for number in lines)
        asked = described(course.game, course.events)
        found = _at_hand(await self._helper.ask("judge", first=begin, **asked))
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

    async def verdict(self, course: Course) -> dict[str, Any]:
        """How a game that ends now is decided: by chances to win, else by values, else by scores."""
        asked = described(course.game, course.events)
        try:
            found: dict[str, Any] = await self._helper.ask(
                "value", PATIENCE, patience=PATIENCE / 2, **asked
            )
        except HelperFailed:
            scores = course.state.scores()
            winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
            return {"winners": winners, "value": None, "win": None, "by": "scores"}
        return found

    def report(self, course: Course) -> asyncio.Task[dict[str, Any]]:
        """The report of a finished game, begun when first asked for; it may fail with HelperFailed."""
        task = self._reports.get(course.id)
        if task is None or (task.done() and task.exception() is not None):
            while len(self._reports) >= MOST_REPORTS:
                self._reports.pop(next(iter(self._reports)))
            task = self._reports[course.id] = asyncio.create_task(self._report(course))
        return task

    async def _report(self, course: Course) -> dict[str, Any]:
        found: dict[str, Any] = _at_hand(await self._helper.ask("report", record=course.record().to_json()))
        return found


def _at_hand(answer: Any) -> Any:
    """An answer that is one; the helper says None while the values are being made."""
    if answer is None:
        raise NotYet("the coach is still working the values out; ask again in a moment")
    return answer
