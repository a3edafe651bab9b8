"""Write the files in tests/frozen, which every later version has to read: `python -m tools.freeze`.

Records and receipts of every game with every option, a saved game of the terminal, a log, a backup of it, a browser's
log, and the file in which a browser saves its games. `tables.json` says what the tables in these logs hold. A file that
exists is never written again: to freeze something new, add a file.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from tests.store.rows import MemoryDatabase, Rows
from tests.test_frozen import FROZEN, NOTE, described, described_saved

from pasch.core.errors import RecordError
from pasch.core.fair import dice_key, rolled
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.options import option_specs
from pasch.core.receipt import Receipt
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.state import CHANCE
from pasch.lab.simulation import Simulation
from pasch.store.base import Store, StoredTable
from pasch.store.browser import BrowserStore
from pasch.store.sqlite import SqliteStore
from pasch.store.transfer import snapshot, write_log
from pasch.table import schema
from pasch.table.authority import Request
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable
from pasch.table.replay import receipt
from pasch.terminal.saved import SavedGame
from pasch.web.worker import LocalClient
from tools.messages import unfolded

SEED: Final = bytes(range(32))
ADDED: Final = "5a" * 32
#: options that make games short enough to keep
SHORT: Final = {"rounds": 3, "round_limit": 4, "target": 4}


def new(name: str) -> Path:
    """A file that does not exist yet."""
    path = FROZEN / name
    if path.exists():
        raise SystemExit(f"{path} exists; what is frozen is not written again")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def write_lines(name: str, lines: Iterable[str]) -> None:
    new(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


# --- records and receipts ---------------------------------------------------------------------------------------------


def short(game: AnyGame, **changes: Any) -> dict[str, Any]:
    """The options of a short game."""
    return {
        name: value for name, value in SHORT.items() if name in game.Options.__struct_fields__
    } | changes


def variants(game: AnyGame) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every number of players, every combination of switches and choices, lists, and a box of the user's own."""
    for players in game.seats:
        yield players, short(game)
    specs = [spec for spec in option_specs(game.Options) if spec.kind in ("switch", "choice")]
    values = [[False, True] if spec.kind == "switch" else spec.choices for spec in specs]
    for chosen in itertools.product(*values):
        yield game.usual_players(), short(game, **{s.name: v for s, v in zip(specs, chosen, strict=True)})
    for spec in option_specs(game.Options):
        if spec.kind == "list":
            for choice in spec.choices:
                yield game.usual_players(), short(game, **{spec.name: [choice]})
            yield 3, short(game, **{spec.name: spec.choices[:3]})
            yield 3, short(game, **{spec.name: spec.choices[:3]}, plan_choice="chosen")
    own = msgspec.structs.replace(game.default_components(), name="a box of one's own")
    yield game.usual_players(), short(game, components=msgspec.to_builtins(own))


def play(game: Game[Any, Any], key: bytes) -> Match:
    """A game of random moves whose dice follow from the key."""
    match, random = Match(game), Random(0)
    while not match.state.over:
        state = match.state
        dice = state.actor == CHANCE
        match.play(rolled(key, len(match) + 1, state.chance()) if dice else random.choice(state.moves()))
    return match


def freeze_games(game: AnyGame, from_tables: list[Receipt]) -> None:
    """The records and receipts of a game, and a saved one of the terminal."""
    records, receipts = [], [one.to_json() for one in from_tables]
    for number, (players, options) in enumerate(variants(game)):
        agreed = game.agree(players, options)
        table, added = f"table-{number}", [ADDED, *[None] * (players - 1)]
        match = play(agreed, dice_key(SEED, table, added))
        about: dict[str, Any] = {"table": table, "seed": SEED, "contributions": added}
        if number % 2:
            records.append(match.record().to_json())
        else:
            receipts.append(Receipt.of(agreed, match.events, dice="pasch", **about).to_json())
    receipts.append(
        Receipt.of(
            agreed, match.events, dice="real", **about | {"contributions": [None] * players}
        ).to_json()
    )
    agreed = game.agree(game.usual_players(), short(game))
    records += older(agreed)
    simulation = Simulation(agreed, ["random"] * agreed.players, 1, receipts=True)
    receipts += [line for part in simulation.parts(1) for line in part.receipts]
    write_lines(f"records/{game.id}.jsonl", records)
    write_lines(f"receipts/{game.id}.jsonl", receipts)
    freeze_saved(agreed)


def older(game: Game[Any, Any]) -> Iterator[str]:
    """Records as a version wrote them that lacked an option: for each other choice, one that it would forbid."""
    for spec in option_specs(game.Options):
        for choice in spec.choices if spec.added else ():
            for number in itertools.count() if choice != spec.default else ():
                record = play(game, dice_key(SEED, f"older-{number}", [None] * game.players)).record()
                try:
                    msgspec.structs.replace(record, options=record.options | {spec.name: choice}).verify()
                except RecordError:
                    yield msgspec.structs.replace(record, options=game.options.hashed()).to_json()
                    break


def freeze_saved(game: Game[Any, Any]) -> None:
    """A game that was not finished in the terminal, with a move taken back."""
    with TemporaryDirectory() as folder:
        os.environ["PASCH_DATA"] = folder
        saved, random = SavedGame.create(game, ["me"] * game.players, "pasch", SEED), Random(1)
        undone = False
        while len(saved.match) < 12 or not undone:
            state = saved.state
            if state.actor == CHANCE:
                saved.play(rolled(saved.key, len(saved.match) + 1, state.chance()))
            else:
                saved.play(random.choice(state.moves()))
                if not undone:
                    saved.undo(1)
                    undone = True
        new(f"saved/{saved.path.name}").write_bytes(saved.path.read_bytes())


# --- logs -------------------------------------------------------------------------------------------------------------


class Person:
    """Somebody at a table, who plays at random."""

    def __init__(self, lobby: Lobby, random: Random) -> None:
        self._lobby, self._random = lobby, random
        self._client = LocalClient(self._receive)
        self._changed = asyncio.Event()
        self._answers: dict[str, Any] = {}
        self._ids = itertools.count()
        self.position: dict[str, Any] = {}
        self.info: dict[str, Any] = {}

    def _receive(self, message: bytes | None) -> None:
        for read in unfolded(json.loads(message)) if message else ():
            self.position = read.get("position") or self.position
            self.info = read.get("table") or self.info
            if "id" in read:
                self._answers[read["id"]] = read
        self._changed.set()

    async def come(self, table: str, *tokens: str) -> None:
        self._table = await self._lobby.find(table)
        self._table.connect(self._client)
        self._table.hello(self._client, schema.Hello(tokens, protocol=schema.PROTOCOL))

    def leave(self) -> None:
        self._table.disconnect(self._client)

    async def do(self, command: type[schema.Command], **fields: Any) -> dict[str, Any]:
        """Give a command, wait until its effect is seen, and return the answer."""
        name = f"{id(self):x}-{next(self._ids)}"
        given = command(name, self.position.get("version", 0), **fields)
        self._table.submit(Request(self._client, given, time.monotonic()))
        while name not in self._answers:
            await self.changed()
        answer: dict[str, Any] = self._answers[name]
        while (
            answer["type"] == "accepted" and self.position and self.position["version"] < answer["version"]
        ):
            await self.changed()
        return answer

    async def changed(self) -> None:
        self._changed.clear()
        async with asyncio.timeout(120):
            await self._changed.wait()

    async def act(self) -> bool:
        """Do what this person has to; False if somebody else is to act."""
        position = self.position
        if position["moves"]:
            await self.do(schema.Move, event=self._random.choice(position["moves"])["event"])
        elif position["awaits"] == "roll":
            await self.do(schema.Roll)
        elif position["awaits"] == "read":
            ask = position["ask"]
            await self.do(
                schema.Read, values=tuple(self._random.choice(ask["values"]) for _ in ask["parts"])
            )
        else:
            return False
        return True

    async def undo(self) -> None:
        """Play until a move can be taken back, and take it back."""
        while self.position["undo"] is None:
            if self.position["moves"]:
                await self.do(schema.Move, event=self.position["moves"][0]["event"], hold=True)
            else:
                await self.step()
        assert (await self.do(schema.Undo))["type"] == "accepted"

    async def step(self) -> None:
        if not await self.act():
            await self.changed()

    async def play(self, version: int = 1000) -> None:
        """Play until the log has this many entries, or to the end."""
        while self.position["version"] < version and self.position["actor"] != -2:
            await self.step()


async def make(lobby: Lobby, game: AnyGame, kinds: str, **fields: Any) -> tuple[Person, schema.MadeTable]:
    """A table whose first person is there and has added to the dice; h: here, l: by a link, c: a computer."""
    seats = {
        "h": schema.SeatRequest("here", "Ada"),
        "l": schema.SeatRequest("link"),
        "c": schema.SeatRequest("computer", level="random"),
    }
    options = fields.pop("options", short(game))
    wish = schema.NewTable(game.id, tuple(seats[kind] for kind in kinds), options, **fields)
    made = await lobby.make(wish)
    person = Person(lobby, Random(game.id))
    await person.come(made.id, *made.seats.values(), made.maker)
    if wish.dice == "pasch":
        await person.do(schema.Contribute, contribution=ADDED)
    return person, made


async def fill(lobby: Lobby, clock: list[float], games: Iterable[AnyGame]) -> None:
    """Tables of these games in every phase, with every kind of entry."""
    for game in games:
        # played to its end against the computer, and again
        ada, _ = await make(lobby, game, "hc")
        await ada.play()
        await ada.do(schema.Rematch)
        # with somebody who came by a link, lends the seat and takes it back; moves are taken back; then one is away
        ada, made = await make(lobby, game, "hlc" if 3 in game.seats else "hl", options={}, draw_lots=False)
        eve = Person(lobby, Random(1))
        await eve.come(made.id, made.invitations["1"])
        sat = await eve.do(schema.Sit, invitation=made.invitations["1"], name="Eve")
        await eve.come(made.id, sat["token"])
        await eve.do(schema.Contribute, contribution="b7" * 32)
        await ada.do(schema.Rename, seat=0, name="Ada Zoë")
        await eve.do(schema.SetCoach, coach="hints")
        await eve.do(schema.HandOver, seat=1, level="random")
        await ada.play(13)
        await eve.do(schema.TakeBack, seat=1)
        eve.leave()
        clock[0] += 120
        await ada.do(schema.HandOver, seat=1, level="hard")
        await eve.come(made.id, sat["token"])
        await eve.do(schema.TakeBack, seat=1)
        await ada.do(schema.Adjudicate)
        # two on one screen with a box of their own: moves are taken back, and the game is ended early
        own = msgspec.to_builtins(msgspec.structs.replace(game.default_components(), name="our box"))
        ada, made = await make(lobby, game, "hh", options=short(game, components=own), coach="off")
        await ada.undo()
        await ada.play(11)
        table = await lobby.find(made.id)
        events = tuple(event.json() for event in table.live.events)
        await ada.do(schema.Adjudicate)
        while ada.info["phase"] != "adjudicated":
            await ada.changed()
        # from a position of that game, with real dice
        ada, _ = await make(
            lobby, game, "hh", options=short(game, components=own), events=events, dice="real"
        )
        await ada.play(len(events) + 7)


@asynccontextmanager
async def open_lobby(store: Store, clock: list[float]) -> AsyncIterator[Lobby]:
    lobby = Lobby(store, monotonic=lambda: clock[0])
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


async def freeze_log(store: Store, games: Iterable[AnyGame]) -> dict[str, StoredTable]:
    """Fill a log, and return its tables."""
    clock = [0.0]
    async with open_lobby(store, clock) as lobby:
        await fill(lobby, clock, games)
        return {table: await store.load(table) for table in await store.tables()}


def main() -> None:
    expected, rows = new("tables.json"), Rows()
    with TemporaryDirectory() as folder:
        log = Path(folder, "log.sqlite")
        tables = asyncio.run(freeze_log(SqliteStore(log), all_games()))
        snapshot(log, new("backup.sqlite"))
        new("log.sqlite").write_bytes(log.read_bytes())
    browser = asyncio.run(
        freeze_log(BrowserStore(MemoryDatabase(rows)), map(find_game, ("joker1", "sixbysix")))
    )
    kept = {key: base64.b64encode(value).decode() for key, value in sorted(rows.kept.items())}
    new("browser.json").write_text(json.dumps(kept, indent=0) + "\n", "utf-8")
    write_log(new("device.sqlite"), browser.values(), NOTE)
    live = {name: LiveTable.load(stored) for name, stored in (tables | browser).items()}
    for game in all_games():
        ended = [
            live[name] for name in tables if live[name].game.id == game.id and live[name].current.ended
        ]
        freeze_games(game, [receipt(one) for one in ended])
    held = {name: described(one) for name, one in live.items()}
    saved = {path.name: described_saved(path) for path in sorted(FROZEN.glob("saved/*"))}
    written = {
        "log": {name: held[name] for name in tables},
        "browser": {name: held[name] for name in browser},
    }
    expected.write_text(
        json.dumps(written | {"saved": saved}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
