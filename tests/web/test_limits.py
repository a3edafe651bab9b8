"""What comes over the network has bounds before it is parsed."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from pasch.core.bounds import DEPTH
from pasch.core.registry import all_games, find_game
from pasch.table import messages
from pasch.table.limits import MAX_BOX_BYTES, Price, Rate, address_key, is_too_large
from pasch.table.schema import PROTOCOL, NewTable
from tests.web.asgi import NO_LIMITS, Browser, served

DEEP = "[" * (DEPTH + 1) + "]" * (DEPTH + 1)


def wish(**more: Any) -> dict[str, Any]:
    return {"game": "joker1", "seats": [{"kind": "here"}], **more}


@served()
async def test_a_message_has_bounds_before_it_is_parsed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await browser.make("joker1", "here")
    mine = await browser.join(made["id"], made["seats"]["0"])
    monkeypatch.setattr(messages, "_decoder", None)  # nobody gets as far as this
    for event, words in ((DEEP, "deep"), ("[" + "[]," * 2000 + "[]]", "objects and lists")):
        mine.say('{"type":"move","id":"x","version":0,"event":{"seat":' + event + "}}")
        answer = await mine.hear("refused")
        assert answer["code"] == "malformed" and words in answer["reason"]["details"]["detail"]


@served()
async def test_a_request_has_bounds_before_it_is_parsed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parsed(*_: Any, **__: Any) -> None:
        pytest.fail("it was parsed")

    monkeypatch.setattr(msgspec.json, "decode", parsed)
    for body in (DEEP, json.dumps(wish()).replace("{", '{"options":{"rounds":' + DEEP + "},", 1)):
        answer = await browser.post("/api/tables", body=body.encode())
        assert answer.status == 400 and "deep" in answer.json["reason"]["details"]["detail"]
    answer = await browser.post("/api/components/joker1", body=b" " * (MAX_BOX_BYTES + 1))
    assert answer.status == 413


def large_box(combinations: int) -> dict[str, Any]:
    """A box for the first Würfel Joker with this many combinations, which can be played with."""
    box: dict[str, Any] = msgspec.to_builtins(find_game("joker1").default_components())
    box["combinations"] = [{**box["combinations"][0], "name": f"{n}"} for n in range(combinations)]
    return box


@served(limits=msgspec.structs.replace(NO_LIMITS, messages=Rate(0, 3 * Price.WELCOME_MESSAGES + 10)))
async def test_a_box_is_sent_and_paid_for_once_per_connection(browser: Browser) -> None:
    wanted = wish(options={"components": large_box(300)})
    assert (await browser.post("/api/tables", wanted)).status == 413
    made = await browser.lobby.make(msgspec.convert(wanted, NewTable), large_boxes=True)
    mine = browser.open(made.id)
    hello = {"type": "hello", "tokens": [made.seats["0"]], "since": None, "protocol": PROTOCOL}
    mine.say(hello)
    first = (await mine.hear("welcome"))["table"]
    mine.say(hello)
    again = (await mine.hear("welcome"))["table"]
    assert len(first["components"]["combinations"]) == 300 and again["components"] == {}
    assert first["box"] == again["box"]
    # on another connection it is sent again, and paid for again
    another = browser.open(made.id)
    another.say(hello)
    assert (await another.hear("refused", "welcome"))["code"] == "too-fast"


@served()
async def test_boxes_of_strangers_are_no_larger_than_printed_ones(browser: Browser) -> None:
    box = large_box(28)
    answer = await browser.post("/api/tables", wish(options={"components": box}))
    assert answer.status == 413 and answer.json["reason"]["details"]["most"] == 27
    checked = (await browser.post("/api/components/joker1", box)).json
    assert (checked["ok"], checked["place"]) == (False, "combinations")
    # who runs the server may have it at a first table; there are no values for it
    made = await browser.lobby.make(
        msgspec.convert(wish(options={"components": box}), NewTable), large_boxes=True
    )
    assert is_too_large((await browser.lobby.find(made.id)).live.game)


def test_every_real_box_is_well_below_the_limit() -> None:
    for game in all_games():
        assert 2 * len(msgspec.json.encode(game.default_components())) < MAX_BOX_BYTES, game.id


@served()
async def test_no_answer_sets_a_cookie(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    for path in ("/", f"/t/{made['id']}", "/api/games", "/healthz", f"/api/tables/{made['id']}/record"):
        assert "set-cookie" not in (await browser.get(path)).headers


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert address_key("2001:db8:1:2:3:4:5:6") == address_key("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert address_key("2001:db8:1:3::9") != address_key("2001:db8:1:2::9")
    assert address_key("::ffff:192.0.2.7") == address_key("192.0.2.7") == "192.0.2.7"
    assert address_key("fe80::1%eth0") == "fe80::/64"
    assert address_key("testclient") == "testclient"
