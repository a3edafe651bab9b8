"""The browser works every roll out itself, and says in green or red what it found.

That it finds each lie is tested without a browser, in `tests/web/test_cheating.py` and `tests/web/js/cheating.test.js`.
"""

from __future__ import annotations

import json
from pathlib import Path

from pasch.core.receipt import Receipt
from tests.e2e.browser import Person
from tests.e2e.conftest import Visit


def verdict(person: Person) -> str:
    person.page.locator("details.fair > summary").click()
    person.page.locator("[data-key=check]").click()
    shown = person.page.locator(".fair .verdict")
    shown.wait_for()
    return f"{shown.get_attribute('class')}: {shown.inner_text()}"


def test_honest_dice_are_green_and_other_dice_are_red(visit: Visit, tmp_path: Path) -> None:
    person = visit()
    page = person.page
    person.set_table("joker1", ("here", "greedy"), {"rounds": 1})
    person.play()
    person.open_report()
    said = verdict(person)
    assert said.startswith("verdict good") and "this device saw before the first roll" in said
    page.locator("[data-key=proofs] summary").click()
    person.check_access()
    person.check_reachable()
    seal, added, command = [row.input_value() for row in page.locator(".fair input").all()]
    with page.expect_download() as download:
        page.locator("[data-key=receipt]").click()
    download.value.save_as(tmp_path / "receipt.json")
    honest = (tmp_path / "receipt.json").read_bytes()
    receipt = Receipt.from_json(honest)
    assert receipt.findings() == [] and receipt.contributions == [added, None]
    assert receipt.commitment == seal
    name = download.value.suggested_filename
    assert command == f"pasch verify --receipt {name} --commitment {seal} --contribution 0={added}"
    # the server says that another roll came
    changed = json.loads(honest)
    event = changed["record"]["events"][0]
    event["roll"] = [1, 1, 1] if event["roll"] != [1, 1, 1] else [2, 2, 2]
    page.route("**/receipt*", lambda route: route.fulfill(json=changed))
    page.reload()
    said = verdict(person)
    assert said.startswith("verdict bad") and "Event 1 should have come out differently" in said
