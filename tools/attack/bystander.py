"""The bystander: plays at tables of its own, from an address of its own, and notes how long everything takes.

Some pairs move back and forth; others ask for hints, play against the computer, open pages or
reconnect with their token; and at the stage, where the attacker plays too, honest people come and go.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

from tools.attack.attacker import Stage
from tools.attack.games import ENDLESS_GAME, long_game
from tools.attack.person import Gone, LockedOut, Person
from tools.attack.target import Caller, Target

#: how many pairs play
PAIRS = 4
#: seconds between two moves, hints, pages and returns
MOVE, HINT, PAGE, RETURN = 0.07, 0.7, 0.4, 0.7
#: the game of hints and of the computer: its values are there within seconds
QUICK = "fiese15"
PAGES = ("/", "/static/index.html", "/api/games", "/i18n/de.json")


class Felt(msgspec.Struct):
    """The seconds that everything took, and what went wrong."""

    moves: list[float] = []
    hints: list[float] = []
    computer: list[float] = []
    pages: list[float] = []
    returns: list[float] = []
    health: list[float] = []
    #: tables that refused a person who may join, and other failures
    locked_out: list[str] = []
    errors: list[str] = []


class Bystander:
    """Honest people at one address, for the time of one attack."""

    def __init__(self, target: Target, address: str, stage_address: str, *, short: bool = False) -> None:
        self.felt = Felt()
        self._caller = Caller(target, address)
        self._host = Caller(target, stage_address)
        #: without hints, for which values have to be worked out, and with few tables
        self._short = short
        self._tasks: list[asyncio.Task[None]] = []
        self._pairs: list[tuple[Person, Person]] = []
        self._thinker: Person | None = None
        self._rival: Person | None = None
        self._honest: list[Person] = []
        #: whether what happens counts
        self._counting = False

    # --- before --------------------------------------------------------------------------------------

    async def prepare(self) -> Stage:
        """Make the tables, sit down, and wait until hints are there; the stage is the attacker's too."""
        endless: dict[str, Any] = {"game": ENDLESS_GAME, "options": long_game(0).options}
        for _ in range(1 if self._short else PAIRS):
            one, two = await self._table(self._caller, [[0], [1]], **endless)
            self._pairs.append((one, two))
        (self._rival,) = await self._table(self._caller, [[0]], game=QUICK, levels=["hard"])
        if not self._short:
            (self._thinker,) = await self._table(self._caller, [[0]], game=QUICK, coach="hints")
            await self._first_hint(self._thinker)
        return await self._set_stage(endless)

    async def _table(
        self, caller: Caller, people: list[list[int]], levels: list[str] | None = None, **wish: Any
    ) -> list[Person]:
        """A table with people who hold these seats, welcomed and ready to begin."""
        made = await self._made(caller, sum(map(len, people)), levels or [], wish)
        came = [
            Person(caller, made["id"], [made["seats"][str(seat)] for seat in seats]) for seats in people
        ]
        for person in came:
            await person.come()
            await person.contribute()
        return came

    async def _made(
        self, caller: Caller, here: int, levels: list[str], wish: dict[str, Any]
    ) -> dict[str, Any]:
        seats = [{"kind": "here"}] * here + [{"kind": "computer", "level": level} for level in levels]
        answer = await caller.ask("/api/tables", {"coach": "off", "seats": seats, **wish})
        if answer.status != 201:
            raise LockedOut(f"no table: {answer.code}")
        made: dict[str, Any] = answer.data
        return made

    async def _first_hint(self, person: Person) -> None:
        """Wait until the server has the values for hints."""
        until = time.monotonic() + 90
        while time.monotonic() < until:
            await self._until_turn(person)
            if (await person.command("hint"))["type"] == "advice":
                return
            await asyncio.sleep(0.3)
        raise Gone("no hint in 90 seconds")

    async def _set_stage(self, wish: dict[str, Any]) -> Stage:
        made = await self._made(self._host, 3, [], wish)
        first, own, last = (made["seats"][str(seat)] for seat in range(3))
        self._honest = [Person(self._host, made["id"], [token]) for token in (first, last)]
        attacker = Person(self._host, made["id"], [own])
        for person in (*self._honest, attacker):
            await person.come()
            await person.contribute()
        attacker.leave()
        return Stage(made["id"], own, made["maker"], made["watch"])

    # --- meanwhile -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to play and to count."""
        self._counting = True
        work: list[tuple[Callable[[], Awaitable[None]], float]] = [
            *((self._mover(*pair), MOVE) for pair in self._pairs),
            (self._page, PAGE),
            (self._return, RETURN),
            (self._health, 0.1),
            (self._play_computer, MOVE),
        ]
        if not self._short:
            work.append((self._ask_hint, HINT))
        self._tasks = [asyncio.create_task(self._repeat(*one)) for one in work]

    async def stop(self) -> None:
        """Stop; then everybody must still be let in to every table."""
        self._counting = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        everybody = [person for pair in self._pairs for person in pair] + self._honest
        everybody += [person for person in (self._rival, self._thinker) if person is not None]
        await asyncio.gather(*(self._comes_back(person) for person in everybody))
        self.check_stage()
        for person in everybody:
            person.leave()

    def check_stage(self) -> None:
        """Check that the honest people still have their seats and the coach mode that they chose."""
        if not self._honest or not self._honest[0].here:
            return  # which is noted already
        info = self._honest[0].info
        for person in self._honest:
            seat = info["seats"][person.yours[0]] if person.yours else {"kind": "none"}
            if seat["kind"] == "computer":
                self.felt.locked_out.append("a person's seat was given to a computer")
        if info["coach"] != "off":
            self.felt.errors.append(f"the coach was set to {info['coach']} without everybody's consent")
        if info["phase"] != "playing":
            self.felt.errors.append(f"the game of others is {info['phase']}")

    async def _repeat(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        while self._counting:
            try:
                await work()
            except LockedOut as error:
                self._note(self.felt.locked_out, str(error))
            except (Gone, OSError, EOFError) as error:
                self._note(self.felt.errors, f"{type(error).__name__}: {error}")
            await asyncio.sleep(pause)

    def _note(self, errors: list[str], text: str) -> None:
        if self._counting and len(errors) < 100:
            errors.append(text)

    def _mover(self, one: Person, two: Person) -> Callable[[], Awaitable[None]]:
        async def move() -> None:
            for person, other in ((one, two), (two, one)):
                choice = person.choice()
                if choice is None:
                    continue
                began, seen = time.perf_counter(), None
                try:
                    answer = await person.command(choice[0], **choice[1])
                    if answer["type"] == "refused":
                        raise Gone(f"a move was refused: {answer['code']}")
                    seen = await other.sees(answer["version"])
                    await person.sees(answer["version"])
                except Gone:
                    await asyncio.gather(self._comes_back(one), self._comes_back(two))
                    raise
                finally:
                    # one that was never seen, or not until the end, counts for as long as it was waited for
                    self.felt.moves.append(max(0.0, (seen or time.perf_counter()) - began))
                return

        return move

    async def _comes_back(self, person: Person) -> None:
        for attempt in range(3):
            try:
                await person.come()
            except LockedOut as error:
                if attempt == 2:
                    self.felt.locked_out.append(str(error))
                await asyncio.sleep(0.3)
            else:
                return

    async def _until_turn(self, person: Person) -> None:
        """Play until this person has to choose among moves; make a new table if the game is over."""
        while not person.position.get("moves"):
            choice = person.choice()
            if choice is not None:
                answer = await person.command(choice[0], **choice[1])
                if answer["type"] == "accepted":
                    await person.sees(answer["version"])
                else:
                    await asyncio.sleep(0.1)
            elif person.position.get("actor") == -2:
                raise Gone("the game is over")
            else:
                await person.sees(person.version + 1)

    async def _ask_hint(self) -> None:
        assert self._thinker is not None
        person = self._thinker
        try:
            await self._until_turn(person)
        except Gone:
            (self._thinker,) = await self._table(self._caller, [[0]], game=QUICK, coach="hints")
            return
        began = time.perf_counter()
        try:
            answer = await person.command("hint")
            while answer["type"] == "refused" and time.perf_counter() - began < 20:
                await asyncio.sleep(0.2)
                answer = await person.command("hint")
        finally:
            self.felt.hints.append(time.perf_counter() - began)
        await self._choose(person)

    async def _choose(self, person: Person) -> None:
        choice = person.choice()
        if choice is not None:
            answer = await person.command(choice[0], **choice[1])
            if answer["type"] == "accepted":
                await person.sees(answer["version"])

    async def _play_computer(self) -> None:
        """Measure the seconds from a person's move until it is their turn again."""
        assert self._rival is not None
        person = self._rival
        if person.position.get("actor") == -2:
            (self._rival,) = await self._table(self._caller, [[0]], game=QUICK, levels=["hard"])
            return
        try:
            await self._choose(person)
            began = time.perf_counter()
            waited = False
            while person.choice() is None and person.position.get("actor") != -2:
                waited = True
                await person.sees(person.version + 1)
            if waited:
                self.felt.computer.append(time.perf_counter() - began)
        except Gone:
            await self._comes_back(person)
            raise

    async def _page(self) -> None:
        for path in PAGES:
            began = time.perf_counter()
            answer = await self._caller.ask(path)
            self.felt.pages.append(time.perf_counter() - began)
            if answer.status != 200:
                raise Gone(f"{path}: {answer.code}")

    async def _return(self) -> None:
        """A person at the stage reconnects after a network failure."""
        for person in self._honest:
            person.leave()
            await asyncio.sleep(0.15)
            began = time.perf_counter()
            try:
                await person.come()
            finally:
                self.felt.returns.append(time.perf_counter() - began)

    async def _health(self) -> None:
        began = time.perf_counter()
        answer = await self._host.ask("/healthz")
        self.felt.health.append(time.perf_counter() - began)
        if answer.status != 200:
            raise Gone(f"/healthz: {answer.code}")


async def still_answers(target: Target, address: str) -> bool:
    """Whether a stranger can load the page and make a table."""
    caller = Caller(target, address)
    with suppress(OSError):
        wish = {"game": QUICK, "seats": [{"kind": "here"}], "coach": "off"}
        made = await caller.ask("/api/tables", wish)
        return (await caller.ask("/")).status == 200 and made.status == 201
    return False
