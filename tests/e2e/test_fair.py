"""The browser works every roll out itself, and says in green or red what came of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute

from pasch.core.receipt import Receipt
from tests.e2e.browser import Person
from tests.e2e.conftest import Visit


def played(visit: Visit, **how: Any) -> Person:
    """Somebody who looks at a game that is over."""
    over = "Das Spiel ansehen" if how.get("language") == "de" else "Look at the game"
    person = visit(**how)
    person.set_table("joker1", ("here", "greedy"), {"rounds": 1})
    person.play(over=over)
    person.primary.click()
    person.page.wait_for_url("**/report/*")
    return person


def verdict(person: Person) -> str:
    person.page.locator("details.fair > summary").click()
    person.page.locator("[data-key=check]").click()
    shown = person.page.locator(".fair .verdict")
    shown.wait_for()
    return f"{shown.get_attribute('class')}: {shown.inner_text()}"


def test_honest_dice_are_green(visit: Visit, tmp_path: Path) -> None:
    person = played(visit)
    said = verdict(person)
    assert said.startswith("verdict good") and "as they had to come" in said
    assert "this device saw before the first roll" in said and "added to the dice is in them" in said
    person.page.locator("[data-key=proofs] summary").click()
    person.check_access()
    person.check_reachable()
    seal, added, command = [row.input_value() for row in person.page.locator(".fair input").all()]
    with person.page.expect_download() as download:
        person.page.locator("[data-key=receipt]").click()
    download.value.save_as(tmp_path / "receipt.json")
    receipt = Receipt.from_json((tmp_path / "receipt.json").read_bytes())
    assert receipt.findings() == [] and receipt.contributions == [added, None]
    assert receipt.commitment == seal
    name = download.value.suggested_filename
    assert command == f"pasch verify --receipt {name} --commitment {seal} --contribution 0={added}"


def change_roll(receipt: dict[str, Any]) -> None:
    event = receipt["record"]["events"][0]
    event["roll"] = [1, 1, 1] if event["roll"] != [1, 1, 1] else [2, 2, 2]


def change_contribution(receipt: dict[str, Any]) -> None:
    receipt["contributions"][0] = "00" * 32


def change_seed(receipt: dict[str, Any]) -> None:
    receipt["seed"] = "00" * 32


def drop_contribution(receipt: dict[str, Any]) -> None:
    receipt["contributions"][0] = None


def change_shape(receipt: dict[str, Any]) -> None:
    """All sixes, described as the only thing that could come."""
    event = receipt["record"]["events"][0]
    event["roll"] = [6, 6, 6] if event["roll"] != [6, 6, 6] else [5, 5, 5]
    receipt["chance"][0] = {"number": 1, "field": "roll", "kind": "oneof", "things": [event]}


MEDDLING: tuple[tuple[Callable[[dict[str, Any]], None], str], ...] = (
    (change_roll, "Ereignis 1 hätte anders kommen müssen"),
    (change_contribution, "dazugegeben hat, steht etwas anderes"),
    (change_seed, "nicht das, was versiegelt wurde"),
    (drop_contribution, "dazugegeben hat, fehlt"),
    (change_shape, "Ereignis 1 hätte anders kommen müssen"),
    (change_roll, "Ereignis 1 ist nicht das, was dieses Gerät im Spiel gesehen hat"),
)


def answering(body: str) -> Callable[[Route], None]:
    """What gives this answer instead of the server."""
    return lambda route: route.fulfill(body=body, content_type="application/json")


def test_other_dice_are_red(visit: Visit) -> None:
    person = played(visit, language="de")
    honest = person.server.ask(f"/api/tables/{person.table}/receipt?coach=no")
    for change, said in MEDDLING:
        receipt = copy.deepcopy(honest)
        change(receipt)
        person.page.route("**/receipt*", answering(json.dumps(receipt)))
        person.page.reload()
        shown = verdict(person)
        assert shown.startswith("verdict bad") and said in shown
        person.page.unroute("**/receipt*")


# --- while people sit down and play -----------------------------------------------------------------

Meddling = Callable[[dict[str, Any]], dict[str, Any] | None]


def between(person: Person, meddle: Meddling) -> None:
    """Stand between the browser and the server, and change what the server says; None keeps it back."""

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def passed_on(text: str | bytes) -> None:
            changed = meddle(json.loads(text))
            if changed is not None:
                socket.send(json.dumps(changed))

        server.on_message(passed_on)

    person.page.route_web_socket("**/ws/*", connect)


def replaced(message: dict[str, Any]) -> dict[str, Any] | None:
    """No answer to the contribution, and another one in its place."""
    if message["type"] == "accepted":
        return None
    if message["type"] == "update":
        message["answers"] = None
    if "table" in message:
        added = message["table"]["contributions"]
        message["table"]["contributions"] = [one and "00" * 32 for one in added]
    return message


def withheld(message: dict[str, Any]) -> dict[str, Any] | None:
    """The contribution is acknowledged, and then it is not there."""
    if "table" in message and message["table"]["phase"] == "playing":
        message["table"]["contributions"] = [None, None]
    return message


def resealed(message: dict[str, Any]) -> dict[str, Any] | None:
    """Another seal as soon as the contribution is known."""
    if "table" in message and message["table"]["phase"] == "playing":
        message["table"]["commitment"] = "00" * 32
    return message


@pytest.mark.parametrize(
    ("meddle", "language", "said"),
    [
        (replaced, "en", "Something else stands in the place"),
        (withheld, "de", "zu den Würfeln dazugegeben hat, fehlt"),
        (resealed, "en", "The seal is not the one that this device saw"),
    ],
)
def test_a_lie_at_the_table_is_red_at_once(
    meddle: Meddling, language: str, said: str, visit: Visit
) -> None:
    person = visit(language=language)
    between(person, meddle)
    person.set_table("joker1", ("here", "greedy"), {"rounds": 1})
    alert = person.page.locator(".notices [role=alert]")
    alert.wait_for()
    assert said in alert.inner_text()
    if meddle is replaced:
        person.check_access()


def test_what_was_added_outlives_the_page(visit: Visit) -> None:
    person = visit()
    sent: list[dict[str, Any]] = []
    person.page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(str(frame)))),
    )
    with person.hearing("accepted", "update"):
        person.set_table("joker1", ("here", "link"), {"rounds": 1})
    added = [one for one in sent if one["type"] == "contribute"]
    assert len(added) == 1
    person.page.reload()
    person.page.locator(".dock").wait_for()
    person.page.locator("[data-key=menu]").click()
    person.page.locator("dialog summary").click()
    rows = [row.input_value() for row in person.page.locator("dialog details input").all()]
    assert rows[1] == added[0]["contribution"] and len(rows[0]) == 64
    # it was accepted, so it is not sent again
    assert [one for one in sent if one["type"] == "contribute"] == added
