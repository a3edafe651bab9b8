"""The application without a server, as it runs in a browser's worker."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tools.fuzz.targets import NoHelper

from pasch.store.browser import BrowserStore
from pasch.table.schema import PROTOCOL
from pasch.web.worker import Bridge
from tests.store.rows import MemoryDatabase, Rows


def local(rows: Rows) -> Bridge:
    return Bridge(BrowserStore(MemoryDatabase(rows)), NoHelper(), lambda value: value)


async def asked(here: Bridge, method: str, path: str, data: Any = None) -> tuple[int, Any]:
    answer = await here.request(method, path, b"" if data is None else json.dumps(data).encode())
    return answer.status_code, json.loads(answer.body)


async def test_tables_are_made_played_and_there_after_a_restart() -> None:
    rows = Rows()
    here = local(rows)
    await here.lobby.open()
    wish = {"game": "joker1", "seats": [{"kind": "here", "name": "A"}], "options": {"rounds": 1}}
    status, made = await asked(here, "POST", "/api/tables", wish)
    assert status == 201
    messages: list[Any] = []
    arrived = asyncio.Event()

    def post(message: str | None) -> None:
        messages.append(None if message is None else json.loads(message))
        arrived.set()

    assert await here.open("a", made["id"], post) == 0
    hello = {"type": "hello", "tokens": [made["seats"]["0"]], "protocol": PROTOCOL}
    here.text("a", json.dumps(hello))
    contribute = {"type": "contribute", "id": "12345678", "version": 0, "contribution": "00" * 32}
    here.text("a", json.dumps(contribute))
    here.text("a", "nonsense")
    while not any(one["type"] == "update" for one in messages):
        arrived.clear()
        await arrived.wait()
    kinds = [one["type"] for one in messages]
    assert kinds[0] == "welcome" and {"refused", "update"} <= set(kinds)
    assert (await asked(here, "GET", f"/api/tables/{made['id']}/record"))[0] == 409
    assert (await asked(here, "GET", "/metrics"))[0] == 404
    here.disconnect("a")
    await here.lobby.close()
    again = local(rows)
    await again.lobby.open()
    assert (await again.lobby.read(made["id"])).current.phase == "playing"
    missing: list[str | None] = []
    assert await again.open("b", "none", missing.append) == 4404
    assert missing and "no-table" in (missing[0] or "")
    await again.lobby.close()


async def test_all_tables_go_to_a_file_and_come_back() -> None:
    first, other = local(Rows()), local(Rows())
    await first.lobby.open()
    await other.lobby.open()
    wish = {"game": "joker1", "seats": [{"kind": "here", "name": "A"}]}
    for _ in range(2):
        assert (await asked(first, "POST", "/api/tables", wish))[0] == 201
    file = (await first.request("POST", "/api/device/save", b"what the page knows")).body
    for new, known in ((2, 0), (0, 2)):
        answer = await other.request("POST", "/api/device/load", file)
        assert json.loads(answer.body) == {"new": new, "known": known, "note": "what the page knows"}
    store = other.lobby.store
    ids = list(await store.tables())
    assert ids == list(await first.lobby.store.tables())
    # a table with a connected client stays
    assert await first.open("a", ids[0], lambda message: None) == 0
    unknown = "never-there"
    assert await asked(first, "POST", "/api/device/delete", [*ids, unknown]) == (200, [ids[1], unknown])
    assert list(await first.lobby.store.tables()) == ids[:1]
    first.disconnect("a")
    assert await asked(first, "POST", "/api/device/delete", ids) == (200, ids)
    assert (await asked(first, "POST", "/api/device/delete", {"all": True}))[0] == 400
    for broken in (b"", b"nothing", file[: len(file) // 2]):
        assert (await other.request("POST", "/api/device/load", broken)).status_code == 400
    await first.lobby.close()
    await other.lobby.close()
