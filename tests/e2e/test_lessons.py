"""A game is learned by clicking, with wrong touches, and with a break in the middle."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import Visit

GAMES = ("crowns", "joker1", "joker2", "lines", "fiese15")


def steps(person: Person, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.server.ask(f"/api/lessons/{game}")["steps"]
    return found


def shows(person: Person, step: int, of: int) -> None:
    expect(person.page.locator(".lesson strong")).to_have_text(f"{step} of {of}")


def do(person: Person, every: list[dict[str, Any]], number: int) -> None:
    """Do what a step asks for, when what came before it has been shown, and see the next one."""
    wanted = every[number - 1]["do"]
    shows(person, number, len(every))
    if wanted:
        expect(person.page.locator(".todo")).to_be_visible()
    person.make(wanted["tokens"] if wanted else [])
    shows(person, number + 1, len(every))


@pytest.mark.parametrize(
    "game", ["sixbysix", *(pytest.param(game, marks=pytest.mark.exhaustive) for game in GAMES)]
)
def test_a_lesson_is_played_to_its_end_and_then_played_on(game: str, visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go("/")
    page.locator("[data-key=learn]").click()
    page.locator(f"[data-game={game}] a").click()
    every = steps(person, game)
    looked = next(number for number, step in enumerate(every, 1) if step["wrong"])
    for number in range(1, len(every) + 1):
        shows(person, number, len(every))
        person.check_reachable()
        if number == looked:
            person.check_access()
        if number < len(every):
            do(person, every, number)
    expect(page.get_by_text("Play on from here")).to_be_visible()
    person.primary.click()
    page.wait_for_url("**/t/*")
    person.step()
    # it is a real table with the lesson's points, and needs no further explanation
    expect(page.locator(".howto")).to_have_count(0)


def test_a_wrong_touch_gets_a_sentence_and_a_lesson_can_be_left_and_continued(visit: Visit) -> None:
    person = visit()
    page = person.go("/learn/joker1")
    every = steps(person, "joker1")
    do(person, every, 1)
    page.locator('[data-token="push:4"]').first.click()
    why = page.locator(".lesson .why")
    expect(why).to_have_text(every[1]["wrong"])
    do(person, every, 2)
    page.locator(".acts [data-key='next:jokers']").click()
    expect(why).to_have_text(every[2]["wrong"])
    shows(person, 3, len(every))
    page.reload()
    shows(person, 3, len(every))
    page.locator("[data-key=leave]").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    page.go_back()
    shows(person, 3, len(every))
    page.locator("[data-key=step-back]").click()
    shows(person, 2, len(every))
