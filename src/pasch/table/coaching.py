"""The coach at live tables: hints, judgements of moves and rolls, reports, and verdicts.

Everything is computed by helper processes, while the game goes on.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec

from pasch.coach.puzzle_plan import Difficulty, puzzle_games
from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.table.commands import Refusal
from pasch.table.helper import HelperFailed, TooSlow
from pasch.table.helper_pool import Busy, HelperPool, Need, NotYet
from pasch.table.helper_protocol import describe_game, describe_state
from pasch.table.log import LiveTable
from pasch.table.scheduling import Asker
from pasch.table.schema import Advice, Judgement

__all__ = ["Coaching", "Follower", "NotYet"]

#: how long to wait for the verdict on an abandoned game, and for what it needs to be built, in seconds
PATIENCE: Final = 10.0
#: the time limit for a hint, waiting for others included
HINT_PATIENCE: Final = 20.0
#: finished reports kept in memory
MOST_REPORTS: Final = 100
#: what is worked out when a game is over: the report, and what to practise
Afterwards = Literal["report", "practice"]
#: in place of a table, of those who ask for puzzles
PUZZLES: Final = "puzzles"
#: so many events are judged at once; a few are a short job
MOST_JUDGED: Final = 16
FEW_JUDGED: Final = 4


class Follower:
    """How far the coach has followed a game."""

    def __init__(self, live: LiveTable) -> None:
        #: so many lines of the log have been looked at, and so many events were among them
        self.lines = 0
        self.events = 0
        #: the game's state after these
        self.state: State = live.game.start()

    def align(self, live: LiveTable) -> None:
        """Go back to the last event that was not taken back."""
        if self.events > len(live.events):
            self.events, self.state = len(live.events), live.state


class Coaching:
    """The coach of all tables of a server."""

    def __init__(self, helpers: HelperPool) -> None:
        self._helpers = helpers
        self._reports: dict[tuple[Afterwards, str], asyncio.Task[dict[str, Any]]] = {}

    async def hint(self, live: LiveTable, payer: str = "") -> Advice:
        """The values of the moves of the seat to choose, from what that seat knows; it has no command's id yet."""
        version, state = live.version, live.state
        found = await self._helpers.ask(
            "hint",
            lambda: describe_state(state, state.actor),
            Asker(payer, live.id),
            need=Need.of(live.game, "hint"),
            patience=HINT_PATIENCE,
        )
        sentences = msgspec.convert(found["sentences"], tuple[Sentence, ...])
        return Advice("", version, tuple(found["moves"]), sentences, found["exact"])

    async def judge(self, live: LiveTable, follower: Follower, payer: str = "") -> list[Judgement]:
        """The judgements of the next events that have not been looked at, a few at a time."""
        lines: list[int] = []
        upto, number, undone = live.version, follower.lines, len(live.undone)
        while number < upto and len(lines) < MOST_JUDGED:
            if live.lines[number].event is not None and number not in live.undone:
                lines.append(number)
            number += 1
        events = [event for line in lines if (event := live.lines[line].event) is not None]
        before, after, first = follower.state, live.state, follower.events + 1
        found = []
        if events:
            found = await self._helpers.ask(
                "judge",
                lambda: {
                    **describe_state(before),
                    "events": [event.json() for event in events],
                    "first": first,
                },
                Asker(payer, live.id),
                need=Need.of(live.game, "judge"),
                lane="short" if len(events) <= FEW_JUDGED else "long",
            )
        if len(live.undone) > undone:
            return []  # something was taken back meanwhile: look again
        if number < upto:
            after = before
            for event in events:
                after = after.apply(event)
        follower.lines, follower.events, follower.state = number, follower.events + len(events), after
        return [
            Judgement(
                version=lines[judged["number"] - first] + 1,
                seat=judged["seat"],
                kind=judged["kind"],
                points=judged["points"],
                best=judged["best"],
                sentences=msgspec.convert(judged["sentences"], tuple[Sentence, ...]),
                exact=judged["exact"],
            )
            for judged in found
        ]

    async def verdict(self, live: LiveTable, payer: str = "") -> dict[str, Any]:
        """The verdict on a game that ends now: by chances to win, else by values, else by scores.

        It follows from what everybody can see, so that it may be told before anybody agrees to it.
        """
        state = live.state.view(None)
        asker, need = Asker(payer, live.id), Need.of(live.game, "value")
        with suppress(HelperFailed):
            try:
                best: dict[str, Any] = await self._helpers.ask(
                    "value", lambda: describe_state(state), asker, need=need, patience=PATIENCE
                )
                return best
            except NotYet:
                await self._helpers.built(need, PATIENCE)
            # whatever is known by now decides
            known: dict[str, Any] = await self._helpers.ask(
                "value", lambda: {**describe_state(state), "chances": False}, asker, patience=PATIENCE
            )
            return known
        scores = state.scores()
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return {"winners": winners, "value": None, "win": None, "by": "scores"}

    def report(
        self, live: LiveTable, payer: str = "", what: Afterwards = "report"
    ) -> asyncio.Task[dict[str, Any]]:
        """The task that makes the report of a finished game, or what to practise, started once.

        HelperFailed if it fails.
        """
        key = (what, live.id)
        task = self._reports.get(key)
        # what took too long once is not tried again
        if task is None or (task.done() and not isinstance(task.exception(), TooSlow | None)):
            while len(self._reports) >= MOST_REPORTS:
                self._reports.pop(next(iter(self._reports)))
            task = self._reports[key] = asyncio.create_task(self._report(live, payer, what))
        return task

    def forget_report(self, table: str, what: Afterwards = "report") -> None:
        """Keep the finished report of a table no longer."""
        self._reports.pop((what, table), None)

    async def puzzle(
        self, game: str, seed: str, difficulty: Difficulty | None, kind: str | None, payer: str = ""
    ) -> dict[str, Any]:
        """The puzzle that follows from a seed; Refusal if there is none."""
        agreed = puzzle_games(game)[0]
        wanted = {"seed": seed, "difficulty": difficulty, "kind": kind}
        found = await self._helpers.ask(
            "puzzle",
            lambda: {**describe_game(agreed), **wanted},
            Asker(payer, PUZZLES),
            need=Need.of(agreed, "puzzle"),
            # one of a certain kind may be rare
            lane="short" if kind is None else "long",
            patience=HINT_PATIENCE,
        )
        if "refused" in found:
            refused = msgspec.convert(found["refused"], Sentence)
            raise Refusal("not-found", refused.template, **refused.details)
        made: dict[str, Any] = found["puzzle"]
        return made

    async def _report(self, live: LiveTable, payer: str, what: Afterwards) -> dict[str, Any]:
        seats = [seat for seat, chair in enumerate(live.agreement.chairs) if chair.kind != "computer"]
        try:
            found: dict[str, Any] = await self._helpers.ask(
                what,
                lambda: {
                    **describe_game(live.game),
                    "record": live.record().to_json(),
                    "seats": seats,
                    "given": live.agreement.given,
                    "early_winners": None if live.current.verdict is None else live.current.winners,
                },
                Asker(payer, live.id),
                need=Need.of(live.game, "report"),
                lane="long",
            )
        except Busy as error:
            raise NotYet(error.template) from None
        return found
