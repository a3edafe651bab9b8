"""A lesson with wrong touches, and with a break in the middle. `test_robot` takes every lesson to its end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Visit


def test_a_wrong_touch_gets_a_sentence_and_a_lesson_can_be_left_and_continued(visit: Visit) -> None:
    person = visit()
    page = person.go("/")
    page.locator("[data-key=learn]").click()
    page.locator("[data-game=joker1] a").click()
    every = person.server.ask("/api/lessons/joker1")["steps"]
    why = page.locator(".lesson .why")

    def shows(step: int) -> None:
        expect(page.locator(".lesson strong")).to_have_text(f"{step} of {len(every)}")

    def do(number: int) -> None:
        """Do what a step asks for, when what came before it has been shown, and see the next one."""
        wanted = every[number - 1]["do"]
        shows(number)
        if wanted:
            expect(page.locator(".todo")).to_be_visible()
        person.make(wanted["tokens"] if wanted else [])
        shows(number + 1)

    do(1)
    page.locator('[data-token="push:4"]').first.click()
    expect(why).to_have_text(every[1]["wrong"])
    person.check_access()
    do(2)
    page.locator(".acts [data-key='next:jokers']").click()
    expect(why).to_have_text(every[2]["wrong"])
    shows(3)
    page.reload()
    shows(3)
    page.locator("[data-key=leave]").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    page.go_back()
    shows(3)
    page.locator("[data-key=step-back]").click()
    shows(2)
