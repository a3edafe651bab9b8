"""The browser works every roll out itself, and says in green or red what came of it."""

from __future__ import annotations

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
    with person.page.expect_download() as download:
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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_roll, "Ereignis 1 hätte anders kommen müssen"),
        (change_contribution, "dazugegeben hat, fehlt"),
        (change_seed, "nicht das, was versiegelt wurde"),
    ],
)
def test_other_dice_are_red(change: Callable[[dict[str, Any]], None], said: str, visit: Visit) -> None:
    person = played(visit, language="de")

    def meddle(route: Route) -> None:
        receipt = route.fetch().json()
        change(receipt)
        route.fulfill(body=json.dumps(receipt), content_type="application/json")

    person.page.route("**/receipt*", meddle)
    shown = verdict(person)
    assert shown.startswith("verdict bad") and said in shown
