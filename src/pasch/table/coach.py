"""The coach at live tables: hints, judgements of moves and rolls, verdicts, reports, puzzles.

Helper processes compute everything while the game continues. Failed jobs are retried, and slow results are sent when
they are ready.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from itertools import islice
from typing import Any, Final, Literal

import msgspec

from pasch.coach.puzzle_plan import Difficulty, puzzle_games
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.players.levels import LADDER
from pasch.table import schema
from pasch.table.helpers import Busy, Helpers, Job, describe_game, describe_state
from pasch.table.log import LiveTable
from pasch.table.messages import MAX_WAITING, Client, encode, encode_refusal
from pasch.table.redact import Page, Viewer, visible_judgements
from pasch.table.refusals import Refusal
from pasch.table.schema import Advice, Judgement

logger = logging.getLogger("pasch.table")

OLD_VERSION: Final = Refusal("old-version", "the game has moved on in the meantime")
NOT_READY: Final = Refusal("not-ready", "the coach cannot say anything about this position")
#: timeout of each stage of the verdict on an abandoned game: by chances, then by values
VERDICT_TIMEOUT_SECONDS: Final = 20.0
#: delay of the coach after a failure: the first, and the longest
RETRY_DELAY_SECONDS: Final = 2.0
MAX_RETRY_DELAY_SECONDS: Final = 60.0
#: jobs after the end of a game: the report, and what to practise
ReportKind = Literal["report", "practice"]
#: events judged at once; a few are a short job
MAX_JUDGED: Final = 16
SHORT_JUDGED: Final = 4


class _Puzzle(msgspec.Struct, frozen=True):
    """A helper's puzzle, or why there is none."""

    puzzle: msgspec.Raw = msgspec.Raw(b"null")
    refused: Sentence | None = None


class Coaching:
    """What the coach works out after a game and beside games: reports and puzzles."""

    def __init__(self, helpers: Helpers) -> None:
        self._helpers = helpers

    async def report(self, live: LiveTable, payer: str = "", kind: ReportKind = "report") -> bytes:
        """The report of a game that has ended, or what to practise, as JSON; HelperFailed if it fails."""
        chairs, verdict = live.agreement.chairs, live.current.verdict

        def arguments() -> dict[str, Any]:
            return {
                **describe_game(live.game),
                "record": live.record().to_json(),
                "seats": [seat for seat, chair in enumerate(chairs) if chair.kind != "computer"],
                "to_win": [seat for seat, chair in enumerate(chairs) if chair.level == LADDER[-1]],
                "given": live.agreement.given,
                "early_winners": None if verdict is None else live.current.winners,
            }

        return bytes(await self._helpers.ask(Job(kind, payer, arguments, live.game), "long"))

    async def puzzle(
        self, game: str, seed: str, difficulty: Difficulty | None, kind: str | None, payer: str = ""
    ) -> bytes:
        """The puzzle that follows from a seed, as JSON; Refusal if there is none."""
        first = puzzle_games(game)[0]
        wanted = {"seed": seed, "difficulty": difficulty, "kind": kind}
        job = Job("puzzle", payer, lambda: {**describe_game(first), **wanted}, first)
        # one of a certain kind may be rare
        answer = await self._helpers.ask(job, "short" if kind is None else "long")
        found = msgspec.json.decode(answer, type=_Puzzle)
        if found.refused is not None:
            raise Refusal("not-found", found.refused.template, **found.refused.details)
        return bytes(found.puzzle)


#: runs something in the background
Start = Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]


class TableCoach:
    """The coach of one table: its judgements of events, pending hints, and the verdict shown."""

    def __init__(
        self,
        live: LiveTable,
        helpers: Helpers,
        clients: Collection[Client],
        payer: Callable[[], str],
        start: Start,
    ) -> None:
        self.judgements: list[Judgement] = []
        self._live = live
        self._helpers = helpers
        self._clients = clients
        self._payer = payer
        self._start = start
        #: the number of lines of the log that were judged, the events among them, and the game's state after these
        self._lines = self._events = 0
        self._state: State = live.game.start()
        self._judging = False
        #: the hint for this version of the table, and the clients that wait for it, with the ids of their commands
        self._hint: asyncio.Task[Advice | Refusal] | None = None
        self._asked: list[tuple[Client, str]] = []
        #: the last verdict, or the one that is being worked out, and the number of events it is about
        self._deciding: asyncio.Task[dict[str, Any]] | None = None
        self._decided = 0

    def _log_failure(self, what: str, error: Exception) -> None:
        logger.warning(what, extra={"fields": {"table": self._live.id, "problem": str(error)}})

    # --- judgements ----------------------------------------------------------------------------------

    def follow(self) -> None:
        """Judge new events in the background, if the table's coach mode asks for it and a client is connected."""
        wanted = self._live.current.coach in ("moves", "hints") and self._clients
        if wanted and not self._judging and self._lines < self._live.version:
            self._judging = True
            self._start(self._judge())

    async def _judge(self) -> None:
        delay = RETRY_DELAY_SECONDS
        try:
            while self._lines < self._live.version and self._clients:
                try:
                    found = await self._judge_next()
                except (PaschError, msgspec.MsgspecError) as error:
                    self._log_failure("failed to judge", error)
                    await asyncio.sleep(delay)
                    delay = min(2 * delay, MAX_RETRY_DELAY_SECONDS)
                    continue
                delay = RETRY_DELAY_SECONDS
                self.judgements += found
                for client in tuple(self._clients):
                    visible = visible_judgements(self._live, client.viewer, found)
                    if visible:
                        client.send(encode(schema.Coached(visible)))
        finally:
            self._judging = False

    async def _judge_next(self) -> list[Judgement]:
        """The judgements of the next events that have not been judged, a few at a time."""
        live, undone, upto = self._live, len(self._live.undone), self._live.version
        further = (line for line in range(self._lines, upto) if live.lines[line].event is not None)
        lines = list(islice((line for line in further if line not in live.undone), MAX_JUDGED))
        if len(lines) == MAX_JUDGED:
            upto = lines[-1] + 1
        events = [event for line in lines if (event := live.lines[line].event) is not None]
        found = await self._ask_judgements(lines, events) if events else []
        if len(live.undone) > undone:
            return []  # a move was taken back in between: look again
        for event in events:
            self._state = self._state.apply(event)
        self._lines, self._events = upto, self._events + len(events)
        return found

    async def _ask_judgements(self, lines: list[int], events: list[Event]) -> list[Judgement]:
        before = self._state

        def arguments() -> dict[str, Any]:
            written = [event.json() for event in events]
            versions = [line + 1 for line in lines]
            return {**describe_state(before), "events": written, "versions": versions}

        job = Job("judge", self._payer(), arguments, self._live.game)
        answer = await self._helpers.ask(job, "short" if len(events) <= SHORT_JUDGED else "long")
        found = msgspec.json.decode(answer, type=list[dict[str, Any]])
        return msgspec.convert([{**one, "version": one.get("number")} for one in found], list[Judgement])

    def take_back(self) -> None:
        """Forget the judgements of events that were taken back."""
        live = self._live
        if self._events > len(live.events):
            self._events, self._state = len(live.events), live.state
        self.judgements = [one for one in self.judgements if one.version - 1 not in live.undone]

    def seen_by(self, viewer: Viewer, page: Page) -> tuple[Judgement, ...]:
        """The judgements of these entries that this viewer may see."""
        versions = {entry.version for entry in page.entries}
        found = (judgement for judgement in self.judgements if judgement.version in versions)
        return visible_judgements(self._live, viewer, found)

    # --- hints ---------------------------------------------------------------------------------------

    def ask_hint(self, client: Client, command: schema.Hint) -> None:
        """Send the hint for this version, now or when it is ready; Refusal if hints are not allowed."""
        current = self._live.current
        if current.coach != "hints":
            raise Refusal("not-agreed", "hints have not been agreed on at this table")
        if current.state.actor not in client.viewer.seats or current.phase != "playing":
            raise Refusal("not-now", "it is not your turn to choose")
        if len(self._asked) >= MAX_WAITING:
            raise Refusal("too-fast", "too much is going on at this table; try again in a moment")
        self._asked.append((client, command.id))
        if self._hint is None:
            self._hint = self._start(self._advise())
        elif self._hint.done():
            self._answer(self._hint.result())

    async def _advise(self) -> Advice | Refusal:
        """Send the values of the moves of the seat to choose, from what that seat knows, to all who ask."""
        version, state = self._live.version, self._live.state
        answer: Advice | Refusal = NOT_READY
        job = Job("hint", self._payer(), lambda: describe_state(state, state.actor), self._live.game)
        try:
            found = msgspec.json.decode(await self._helpers.ask(job))
            answer = msgspec.convert({"id": "", "version": version, **found}, Advice)
        except Busy as error:
            answer = Refusal.because("too-fast", error)
        except Exception as error:  # noqa: BLE001 - every command is answered
            self._log_failure("failed to give a hint", error)
        if isinstance(answer, Refusal):
            self._hint = None
        self._answer(answer)
        return answer

    def _answer(self, answer: Advice | Refusal) -> None:
        asked, self._asked = self._asked, []
        for client, command in asked:
            if isinstance(answer, Refusal):
                client.send(encode_refusal(answer, command, self._live.version))
            else:
                client.send(encode(msgspec.structs.replace(answer, id=command)))

    def table_changed(self) -> None:
        """Give up a hint about an outdated position."""
        if self._hint is not None:
            self._hint.cancel()
            self._hint = None
            self._answer(OLD_VERSION)

    # --- verdicts ------------------------------------------------------------------------------------

    async def verdict(self, again: bool = False) -> dict[str, Any]:
        """The verdict on the game as it stands, worked out once for all who ask before the next event.

        With `again` it is worked out anew if only the scores were known.
        """
        events = len(self._live.events)
        known = self._deciding if self._decided == events else None
        if known is not None and known.done():
            failed = known.exception() is not None
            if failed or (again and known.result()["by"] == "scores"):
                known = None
        if known is None:
            known = self._deciding = self._start(self._verdict())
            self._decided = events
        # shielded: if one of those who wait goes away, the others still want it
        return await asyncio.shield(known)

    async def preview(self, client: Client, command: schema.Preview) -> None:
        """Send the verdict on the game as if it ended now; it is the one that decides if people agree then."""
        version, verdict = self._live.version, await self.verdict(again=True)
        client.send(encode(schema.Verdict(command.id, version, **verdict)))

    async def _verdict(self) -> dict[str, Any]:
        """By the chances to win, else by values, else by the scores.

        It follows from what everybody can see, so it may be shown before anybody agrees to it.
        """
        state, payer = self._live.state.view(None), self._payer()
        for job in (
            Job("value", payer, lambda: describe_state(state), self._live.game),
            Job("value", payer, lambda: {**describe_state(state), "chances": False}),
        ):
            with suppress(PaschError, msgspec.MsgspecError):
                answer = await self._helpers.ask(job, limit=VERDICT_TIMEOUT_SECONDS)
                verdict = msgspec.json.decode(answer, type=dict[str, Any])
                return {name: verdict[name] for name in ("winners", "value", "win", "by")}
        # a later request may get more
        scores = state.scores()
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return {"winners": winners, "value": None, "win": None, "by": "scores"}
