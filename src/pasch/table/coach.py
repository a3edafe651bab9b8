"""The coach at live tables: hints, judgements of moves and rolls, verdicts, reports, puzzles.

Helper processes compute everything while the game continues. Failed jobs are retried, and slow results are sent when
they are ready.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import msgspec

from pasch.coach.puzzle_plan import Difficulty, puzzle_games
from pasch.core.errors import PaschError
from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.players.levels import LADDER
from pasch.table import schema
from pasch.table.helpers import Helpers, Job, describe_game, describe_state
from pasch.table.log import LiveTable
from pasch.table.messages import encode
from pasch.table.redact import Page, Viewer, visible_judgements
from pasch.table.refusals import Refusal
from pasch.table.schema import Advice, Judgement

if TYPE_CHECKING:
    from pasch.table.authority import Authority

T = TypeVar("T")
logger = logging.getLogger("pasch.table")

#: timeout of each stage of the verdict on an abandoned game: by chances, then by values
VERDICT_TIMEOUT_SECONDS: Final = 20.0
#: delay of the coach after a failure
RETRY_DELAY_SECONDS: Final = 10.0
#: jobs after the end of a game: the report, and what to practise
ReportKind = Literal["report", "practice"]


class _Puzzle(msgspec.Struct, frozen=True):
    """A helper's puzzle, or why there is none."""

    puzzle: msgspec.Raw = msgspec.Raw(b"null")
    refused: Sentence | None = None


async def report(helpers: Helpers, live: LiveTable, payer: str = "", kind: ReportKind = "report") -> bytes:
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

    return bytes(await helpers.ask(Job(kind, payer, arguments, live.game), "long"))


async def puzzle(
    helpers: Helpers,
    game: str,
    seed: str,
    difficulty: Difficulty | None,
    kind: str | None,
    payer: str = "",
) -> bytes:
    """The puzzle that follows from a seed, as JSON; Refusal if there is none."""
    first = puzzle_games(game)[0]
    wanted = {"seed": seed, "difficulty": difficulty, "kind": kind}
    job = Job("puzzle", payer, lambda: {**describe_game(first), **wanted}, first)
    # one of a certain kind may be rare
    answer = await helpers.ask(job, "short" if kind is None else "long")
    found = msgspec.json.decode(answer, type=_Puzzle)
    if found.refused is not None:
        raise Refusal("not-found", found.refused.template, **found.refused.details)
    return bytes(found.puzzle)


class TableCoach:
    """The coach of one table: its judgements of events, hints, and the verdict shown."""

    def __init__(self, table: Authority, helpers: Helpers) -> None:
        self.judgements: list[Judgement] = []
        self._table = table
        self._live = live = table.live
        self._helpers = helpers
        #: the number of events that were judged, and the game's state after these
        self._judged = 0
        self._state: State = live.game.start()
        self._judging = False
        #: what is known of the present position, or is being worked out: its hint, its verdict
        self._known: dict[str, asyncio.Task[Any]] = {}

    def _log_failure(self, what: str, error: Exception) -> None:
        logger.warning(what, extra={"fields": {"table": self._live.id, "problem": str(error)}})

    def position_changed(self) -> None:
        """Forget what was about an earlier position, and the judgements of events that were taken back."""
        live = self._live
        for task in self._known.values():
            task.cancel()
        self._known.clear()
        if self._judged > len(live.events):
            self._judged, self._state = len(live.events), live.state
            self.judgements = [one for one in self.judgements if one.version - 1 not in live.undone]

    # --- judgements ----------------------------------------------------------------------------------

    def follow(self) -> None:
        """Judge new events in the background, if the table's coach mode asks for it and a client is connected."""
        wanted = self._live.current.coach in ("moves", "hints") and self._table.clients
        if wanted and not self._judging and self._judged < len(self._live.events):
            self._judging = True
            self._table.start_task(self._judge())

    async def _judge(self) -> None:
        try:
            while self._judged < len(self._live.events) and self._table.clients:
                try:
                    found = await self._judge_next()
                except (PaschError, msgspec.MsgspecError) as error:
                    self._log_failure("failed to judge", error)
                    await asyncio.sleep(RETRY_DELAY_SECONDS)
                    continue
                self.judgements += found
                for client in self._table.clients:
                    visible = visible_judgements(self._live, client.viewer, found)
                    if visible:
                        client.send(encode(schema.Coached(visible)))
        finally:
            self._judging = False

    async def _judge_next(self) -> list[Judgement]:
        """The judgement of the next event that has not been judged, if it is a seat's."""
        live, before, number = self._live, self._state, self._judged
        event, place = live.events[number], live.places[number]
        found: list[Judgement] = []
        if event.seat is not None:
            asked = {"event": event.json(), "number": number + 1}
            job = Job("judge", self._table.payer, lambda: {**describe_state(before), **asked}, live.game)
            answer = await self._helpers.ask(job)
            judged = msgspec.json.decode(answer, type=dict[str, Any])
            found = [msgspec.convert({**judged, "version": place + 1}, Judgement)]
        if live.places[number : number + 1] != [place]:
            return []  # the move was taken back in between: look again
        self._state, self._judged = before.apply(event), number + 1
        return found

    def seen_by(self, viewer: Viewer, page: Page) -> tuple[Judgement, ...]:
        """The judgements of these entries that this viewer may see."""
        versions = {entry.version for entry in page.entries}
        found = (judgement for judgement in self.judgements if judgement.version in versions)
        return visible_judgements(self._live, viewer, found)

    # --- hints and verdicts --------------------------------------------------------------------------

    async def once(self, what: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What is worked out once for all who ask about this position; Refusal if it changes meanwhile.

        A failure is not remembered.
        """
        known = self._known.get(what)
        if known is None or (known.done() and known.exception() is not None):
            known = self._known[what] = self._table.start_task(work())
        try:
            # shielded: if one of those who wait goes away, the others still want it
            found: T = await asyncio.shield(known)
            return found
        except asyncio.CancelledError:
            if known.cancelled():
                raise Refusal("old-version", "the game has moved on in the meantime") from None
            raise

    async def hint(self, command: str) -> Advice:
        """The values of the moves of the seat to choose, from what that seat knows; Refusal if there are none."""
        advice = await self.once("hint", self._advise)
        return msgspec.structs.replace(advice, id=command, version=self._live.version)

    async def _advise(self) -> Advice:
        state = self._live.state
        job = Job("hint", self._table.payer, lambda: describe_state(state, state.actor), self._live.game)
        try:
            found = msgspec.json.decode(await self._helpers.ask(job))
            return msgspec.convert({"id": "", "version": 0, **found}, Advice)
        except Refusal:
            raise
        except Exception as error:  # noqa: BLE001 - every command is answered
            self._log_failure("failed to give a hint", error)
            raise Refusal("not-ready", "the coach cannot say anything about this position") from None

    async def preview(self, command: str) -> schema.Verdict:
        """The verdict on the game as if it ended now; it is the one that decides if people agree then."""
        verdict = await self.verdict(again=True)
        return schema.Verdict(command, self._live.version, **verdict)

    async def verdict(self, again: bool = False) -> dict[str, Any]:
        """The verdict on the game as it stands; with `again` anew if only the scores were known."""
        known = self._known.get("verdict")
        found = known is not None and known.done() and known.exception() is None
        if again and known is not None and found and known.result()["by"] == "scores":
            del self._known["verdict"]
        return await self.once("verdict", self._verdict)

    async def _verdict(self) -> dict[str, Any]:
        """By the chances to win, else by values, else by the scores.

        It follows from what everybody can see, so it may be shown before anybody agrees to it.
        """
        state, payer = self._live.state.view(None), self._table.payer
        for job in (
            Job("value", payer, lambda: describe_state(state), self._live.game),
            Job("value", payer, lambda: {**describe_state(state), "chances": False}),
        ):
            with suppress(PaschError, msgspec.MsgspecError, KeyError):
                answer = await self._helpers.ask(job, limit=VERDICT_TIMEOUT_SECONDS)
                verdict = msgspec.json.decode(answer, type=dict[str, Any])
                return {name: verdict[name] for name in ("winners", "value", "win", "by")}
        scores = state.scores()
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return {"winners": winners, "value": None, "win": None, "by": "scores"}
