"""Nothing leaks: two runs that differ only in what a client must not know send it identical bytes.

Everything a seat may know (its own cards, all that is laid, what people do) comes from one generator, the hidden cards
of the others from another one. Both worlds run through the whole server, and every byte that leaves it is compared,
message by message, in order. Nothing is normalised: the tokens of both runs are the same because the source of tokens
is, and the clock stands still.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from itertools import chain, count
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from tools.fuzz.targets import MemoryStore

from pasch.core.chance import subkey
from pasch.core.events import Event
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.players import base
from pasch.store.base import StoreError
from pasch.table.helpers import read_state
from pasch.table.lobby import Lobby
from pasch.table.metrics import COUNTERS
from pasch.web.app import App
from pasch.web.logs import JsonLines
from tests.web import asgi
from tests.web.asgi import NO_LIMITS, Browser, Closed, ScriptedHelper, Socket

SEATS = range(3)
#: enough cards that no kind runs out
BOX = {
    "game": "sixbysix", "start": {"chips": 25}, "bonus": {"chips": 5},
    "deck": [{"card": card, "number": 30} for card in range(1, 10)],
}  # fmt: skip
#: cards that are laid in a round: three seats, six fields
ROUND = 18


class Fixed:
    """In place of `secrets`: tokens that are the same in both worlds, and seeds as wished."""

    def __init__(self, seed: bytes) -> None:
        self._bytes = [seed, b"t" * 32]
        self._tokens = 0

    def token_urlsafe(self, size: int) -> str:
        self._tokens += 1
        return hashlib.sha256(f"token {self._tokens}".encode()).hexdigest()[: size * 4 // 3]

    def token_bytes(self, size: int) -> bytes:
        return self._bytes.pop(0)


class World:
    """What is dealt, drawn and laid. `known` are the seats whose cards are the same in every world."""

    def __init__(self, seed: int, known: tuple[int, ...], hidden: int) -> None:
        self._open = Random(f"open {seed}")
        self._hidden = Random(f"hidden {seed} {hidden}")
        self._known = known
        self._laid = dict.fromkeys(SEATS, 0)
        #: what each seat will lay, so that every world can give it these cards in time
        self._lays = {seat: [self._open.randint(1, 9) for _ in range(20)] for seat in SEATS}
        fields = {seat: [self._open.sample(range(1, 7), 6) for _ in range(3)] for seat in SEATS}
        self._fields = {seat: [*chain.from_iterable(rounds)] for seat, rounds in fields.items()}

    def _filler(self, seat: int) -> int:
        # drawn in every world, so that the open generator stays in step
        shown, secret = self._open.randint(1, 9), self._hidden.randint(1, 9)
        return shown if seat in self._known else secret

    def rolled(self, key: bytes, number: int, chance: Any) -> Event:
        """In place of what follows from the seed."""
        kind = chance.pick(0)
        if isinstance(kind, Deal):
            return Deal(tuple(self._pair(seat) for seat in SEATS))
        assert isinstance(kind, Draw)
        return Draw(kind.seat, self._pair(kind.seat))

    def _pair(self, seat: int) -> tuple[int, ...]:
        return tuple(sorted((self._lays[seat][self._laid[seat]], self._filler(seat))))

    def lay(self, seat: int) -> dict[str, Any]:
        """What a seat lays next."""
        number = self._laid[seat]
        self._laid[seat] += 1
        return Card(seat, self._lays[seat][number], self._fields[seat][number]).json()


class Lines(logging.Handler):
    """The server's log, with its clock stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.created = 0.0
        self.lines.append(self.format(record))


def _judged(asked: dict[str, Any]) -> dict[str, Any]:
    """A coach that says something of every event, of cards from what the mover knew."""
    state, points = read_state(asked), 0.0
    event = state.game.read_event(asked["event"])
    if isinstance(event, Card):
        seen = json.dumps(state.view(event.seat).snapshot())
        points = int(hashlib.sha256(seen.encode()).hexdigest()[:6], 16) / 1000
    return {"seat": event.seat, "kind": "move", "points": points, "best": asked["event"]}


class Inline(Executor):
    """In place of threads: everything is done at once, so that the order is the same in every world."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


async def at_once(work: Callable[..., Any], *arguments: Any) -> Any:
    """The same for `asyncio.to_thread`."""
    return work(*arguments)


class Run:
    """One run through the server, and everything that left it."""

    def __init__(self, world: World) -> None:
        self.world = world
        #: by recipient: messages, answers, lines of the log, what computers were asked
        self.left: dict[str, list[str]] = {}
        self.asked: list[str] = []
        self._helper = ScriptedHelper(choose=self._choose, judge=_judged)
        self._store = MemoryStore()

    def _choose(self, asked: dict[str, Any]) -> Any:
        self.asked.append(json.dumps(asked))
        return self.world.lay(asked["seat"])

    async def _start(self) -> Browser:
        lobby = Lobby(
            self._store, NO_LIMITS, clock=lambda: 1e9, processes=self._helper, monotonic=lambda: 0.0
        )
        await lobby.open()
        return Browser(App(lobby).answering_to(), lobby)

    async def play(self, cards: int) -> None:
        """Play until this number of cards is laid, while all clients request what they must not know."""
        browser = await self._start()
        options = {"round_limit": 2, "components": BOX}
        made = await browser.make("sixbysix", "here", "link", "strong", coach="moves", options=options)
        table = await browser.lobby.find(made["id"])
        one = await browser.join(made["id"], made["seats"]["0"])
        two = browser.open(made["id"])
        sat = await two.ask("sit", id="sit", version=0, invitation=made["invitations"]["1"], name="Eve")
        tokens = {0: made["seats"]["0"], 1: sat["token"]}
        await two.hello(tokens[1])
        people: dict[str, Any] = {"0": one, "1": two}
        for name, shown in (
            ("watch", [made["watch"]]),
            ("maker", [made["maker"]]),
            ("both", [tokens[0], tokens[1]]),
        ):
            people[name] = await browser.join(made["id"], *shown)
        people["stranger"] = browser.open(made["id"])
        await self._settled(table)
        assert table.live.current.phase == "playing"
        while self.laid(table) < cards:
            await self._settled(table)
            actor = table.live.state.actor
            if self.laid(table) % 5 == 0:
                await self._pry(people, table)
            if actor in tokens:
                await self._fail(people[str(actor)], table)
                move = {"version": table.live.version, "event": self.world.lay(actor)}
                await people[str(actor)].ask("move", **move)
        await self._settled(table)
        await self._look(browser, made["id"], "http")
        await self._come_back(browser, made, tokens, table.live.version)
        for name, person in people.items():
            self.left[name] = person.left
        await browser.close()
        # the same again from the log
        browser = await self._start()
        await self._come_back(browser, made, tokens, table.live.version)
        await self._look(browser, made["id"], "http")
        await browser.close()

    def laid(self, table: Any) -> int:
        return sum(isinstance(event, Card) for event in table.live.events)

    async def _settled(self, table: Any) -> None:
        """Wait until the table has no pending work."""
        while table._writing or table._tasks or table._waiting or table.live.current.computer_to_move:
            await asyncio.sleep(0)
        # and until it was sent: the operator's metrics count what has not been
        for _ in range(10):
            await asyncio.sleep(0)

    async def _fail(self, person: Socket, table: Any) -> None:
        """Try to write while the disk is full: the server's log tells of it."""
        refused: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        refused.set_exception(StoreError("no room on the disk"))
        seat, version = table.live.state.actor, table.live.version
        with patch.object(self._store, "append", return_value=refused):
            reply = await person.ask("name", version=version, seat=seat, name="X")
        assert reply["code"] == "storage"

    async def _pry(self, people: dict[str, Any], table: Any) -> None:
        """Ask for what one must not know, in every way."""
        version = table.live.version
        for person in people.values():
            for seat in SEATS:
                event = {"seat": seat, "card": 5, "field": 1}
                if person is not people["both"] and seat != table.live.state.actor:
                    await person.ask("move", version=version, event=event)
                await person.ask("move", version=0, event=event)
            for kind in ("roll", "hint"):
                await person.ask(kind, version=version)
            await person.ask("adjudicate", version=version, agree=False)
            for number in (1, 5, 200):
                await person.ask("earlier", before=version, count=number)
            await person.ask("read", version=version, values=[5, 5])
            await person.ask("why", version=version, tokens=["card:5", "field:1"])
            person.say('{"type":"move","id":"' + "[" * 50)
            await person.hear("refused")

    async def _look(self, browser: Browser, table: str, name: str) -> None:
        """Everything that can be asked over HTTP, headers and all."""
        kept = self.left.setdefault(name, [])
        about = [f"/api/tables/{table}/{what}" for what in ("record", "replay", "report", "receipt")]
        for path in (*about, about[-1] + "?coach=no", "/healthz", f"/t/{table}", "/api/tables"):
            answer = await browser.get(path)
            kept.append(f"{path} {answer.status} {answer.headers} {answer.body!r}")
        # counters accumulate over runs and are compared separately; measurements are not compared
        reply = (await browser.get("/metrics")).body.decode().partition("# HELP pasch_events_total")
        assert "pasch_tables" in reply[0] and reply[1]
        kept.append(reply[0])

    async def _come_back(
        self, browser: Browser, made: dict[str, Any], tokens: dict[int, str], version: int
    ) -> None:
        """Welcome everybody once more, with gaps of all sizes."""
        for since in (0, 1, version // 2, version - 1, version, version + 5):
            for name, shown in (
                ("0", [tokens[0]]), ("1", [tokens[1]]), ("both", [*tokens.values()]),
                ("watch", [made["watch"]]), ("maker", [made["maker"]]), ("stranger", ["x" * 32]),
            ):  # fmt: skip
                socket: Any = browser.open(made["id"])
                with suppress(Closed):
                    await socket.hello(*shown, since=since)
                self.left.setdefault(f"{name} again", []).extend(socket.left)
                await socket.vanish()


def run(
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    known: tuple[int, ...],
    hidden: int,
    cards: int,
    dice_seed: bytes = b"s" * 32,
    change: Callable[[pytest.MonkeyPatch], None] = lambda patched: None,
) -> Run:
    """A run in one world."""
    world = World(seed, known, hidden)
    made, log = Run(world), Lines()
    with monkeypatch.context() as patch:
        fixed = Fixed(dice_seed)
        patch.setattr("pasch.table.tokens.secrets", fixed)
        patch.setattr("pasch.table.create.secrets", fixed)
        patch.setattr("pasch.table.commands.rolled", world.rolled)
        patch.setattr("pasch.table.authority.perf_counter", lambda: 0.0)
        patch.setattr("pasch.table.authority.RETRY_DELAY_SECONDS", 0.0)
        patch.setattr("pasch.table.processes.threads", Inline())
        patch.setattr(asyncio, "to_thread", at_once)
        patch.setattr(asgi, "numbers", count())
        patch.setitem(base._makers, "strong", base.GreedyPlayer)
        change(patch)
        logger = logging.getLogger("pasch")
        patch.setattr(logger, "level", logging.DEBUG)
        logger.addHandler(log)
        try:
            asyncio.run(made.play(cards))
        finally:
            logger.removeHandler(log)
    made.left["log"] = log.lines
    made.left["computer"] = made.asked
    return made


# --- what is compared -----------------------------------------------------------------------------------

#: who looks, and whose cards they may know. The log and HTTP are nobody's: they may know none
LOOKING = {
    (0,): ("0", "watch", "maker", "stranger", "http", "log"),
    (1,): ("1", "watch", "maker", "stranger", "http", "log"),
    (2,): ("computer", "watch", "maker", "stranger", "http", "log"),
    (): ("watch", "maker", "stranger", "http", "log"),
    (0, 1): ("0", "1", "both", "watch", "maker", "stranger", "http", "log"),
}


def left(made: Run, name: str) -> list[str]:
    return made.left[name] + made.left.get(f"{name} again", [])


def assert_alike(one: Run, two: Run, *names: str) -> None:
    for name in names:
        assert left(one, name), f"nothing was sent to {name}"
        for first, second in zip(left(one, name), left(two, name), strict=True):
            assert first == second, name


@pytest.mark.parametrize("cards", [3, 8, ROUND, ROUND + 7], ids=lambda cards: f"{cards}-cards")
@pytest.mark.parametrize("known", LOOKING, ids=str)
def test_not_a_byte_depends_on_what_one_must_not_know(
    known: tuple[int, ...], cards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (run(monkeypatch, cards, known, hidden, cards) for hidden in (1, 2))
    assert_alike(one, two, *LOOKING[known])


def test_nothing_but_the_commitment_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def commit(patch: pytest.MonkeyPatch) -> None:
        patch.setattr("pasch.table.create.commitment", lambda seed: "c" * 64)

    one, two = (run(monkeypatch, 5, (0, 1, 2), 1, 20, seed, commit) for seed in (b"1" * 32, b"2" * 32))
    assert_alike(one, two, "0", "1", "both", "computer", "watch", "maker", "stranger", "http", "log")


def test_the_seed_and_anothers_token_are_in_nothing_that_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = bytes(range(100, 132))
    made = run(monkeypatch, 5, (0,), 1, 20, seed)
    everything = json.dumps(made.left)
    secrets = [seed, b"t" * 32, subkey(b"t" * 32, "tokens")]
    for secret in secrets:
        for written in (secret.hex(), repr(secret)[2:-1], str(list(secret))):
            assert written not in everything
    # the token that seat 1 was given with its answer was sent to nobody else
    sat = next(text for text in made.left["1"] if '"accepted"' in text and '"token":null' not in text)
    token = sat.partition('"token":"')[2].partition('"')[0]
    assert len(token) >= 16
    for name, output in made.left.items():
        if name != "1":
            assert token not in json.dumps(output)
            assert hashlib.sha256(token.encode()).hexdigest() not in json.dumps(output)


def counted() -> dict[str, float]:
    """The server's counters, as its operator may read them."""
    found = {"events": COUNTERS.events, "seconds": COUNTERS.seconds, **COUNTERS.refusals}
    return found | {f"commands {place}": number for place, number in enumerate(COUNTERS.commands)}


def test_what_is_counted_does_not_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = []
    for hidden in (1, 2):
        before = counted()
        run(monkeypatch, 7, (), hidden, ROUND + 7)
        after = counted()
        grown.append({name: after[name] - before.get(name, 0.0) for name in after})
    assert grown[0] == grown[1] and sum(grown[0].values()) > 0
