"""The browser works every roll out itself, and says in green or red what came of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from pasch.core.receipt import Receipt
from tests.e2e.browser import Person
from tests.e2e.conftest import Visit

pytestmark = pytest.mark.xdist_group("e2e-fair")


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
    person.page.locator("[data-key=check]").click()
    shown = person.page.locator(".verdict")
    shown.wait_for()
    return f"{shown.get_attribute('class')}: {shown.inner_text()}"


def test_honest_dice_are_green(visit: Visit, tmp_path: Path) -> None:
    person = played(visit)
    said = verdict(person)
    assert said.startswith("verdict good") and "as they had to come" in said
    assert "this device saw before the first roll" in said and "added to the dice is in them" in said
    person.check_access()
    # the coach, whose numbers are in the receipt, may have to make its tables first
    with person.page.expect_download(timeout=300_000) as download:
        person.page.locator("[data-key=receipt]").click()
    download.value.save_as(tmp_path / "receipt.json")
    receipt = Receipt.from_json((tmp_path / "receipt.json").read_bytes())
    assert receipt.findings() == [] and receipt.contributions[0] and receipt.contributions[1] is None


def change_roll(receipt: dict[str, Any]) -> None:
    event = receipt["record"]["events"][0]
    event["roll"] = [1, 1, 1] if event["roll"] != [1, 1, 1] else [2, 2, 2]


def change_contribution(receipt: dict[str, Any]) -> None:
    receipt["contributions"][0] = "00" * 32


def change_seed(receipt: dict[str, Any]) -> None:
    receipt["seed"] = "00" * 32


MEDDLING: tuple[tuple[Callable[[dict[str, Any]], None], str], ...] = (
    (change_roll, "Ereignis 1 hätte anders kommen müssen"),
    (change_contribution, "dazugegeben hat, fehlt"),
    (change_seed, "nicht das, was versiegelt wurde"),
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
