"""How the tests come by their Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from tools import browser
from tools.browser import Chromium, NoBrowser


@pytest.fixture(autouse=True)
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is written which one was found, in these tests."""
    monkeypatch.setattr(browser, "FOUND", tmp_path / "found.json")
    monkeypatch.delenv("PASCH_CHROMIUM", raising=False)
    return tmp_path / "found.json"


def test_the_first_that_starts_is_taken(found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    working = json.loads((browser.ROOT / "node_modules" / ".browser.json").read_text("utf-8"))

    def absent() -> Chromium:
        raise NoBrowser("there is none")

    ways = (
        ("absent", absent),
        ("broken", lambda: Chromium("/bin/false")),
        ("good", lambda: Chromium(**working)),
    )
    monkeypatch.setattr(browser, "WAYS", ways)
    assert browser.set_up().endswith(": good")
    assert json.loads(found.read_text("utf-8")) == working


def test_whoever_names_a_program_gets_this_one_or_is_told_why_not(
    found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASCH_CHROMIUM", "/bin/false")
    with pytest.raises(NoBrowser, match=r"(?s)none starts here.*PASCH_CHROMIUM=/bin/false: .*Install"):
        browser.set_up()
    assert not found.exists()


def test_without_a_set_up_one_it_is_said_how(found: Path) -> None:
    with sync_playwright() as playwright, pytest.raises(NoBrowser, match="make browser"):
        browser.launch(playwright)


def test_the_lock_file_of_npm_names_no_host() -> None:
    lock = json.loads((browser.ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages and all("integrity" in package for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]
