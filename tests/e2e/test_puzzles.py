"""What one learns by: puzzles, mistakes that come back, progress, hints; a lesson with a break in the middle."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import Visit

#: a day on which the puzzle is one of Würfel Joker 1
NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


def answer(person: Person, puzzle: dict[str, Any], right: bool) -> None:
    """Make the best move, or the one that looks good."""
    place = puzzle["best" if right else "obvious"]
    person.make(puzzle["position"]["moves"][place]["tokens"])
    expect(person.page.locator(".found")).to_contain_text("Right!" if right else "Not the best")
    # what each move is worth
    shown = person.page.locator(".worths li b").all_inner_texts()
    values = [float(text.replace("−", "-")) for text in shown]
    assert values[0] == pytest.approx(max(puzzle["points"]), abs=0.006)
    assert values == sorted(values, reverse=True)


def due(person: Person) -> list[dict[str, Any]]:
    """The mistakes that this device has, in the order in which they come."""
    stored = person.page.evaluate("localStorage.getItem('pasch.mistakes')")
    return sorted(json.loads(stored or "[]"), key=lambda card: (card["due"], -card["cost"]))


def test_the_puzzle_of_the_day_and_others(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.page
    page.clock.set_fixed_time(NOON)
    person.go("/")
    page.locator("[data-key=puzzle]").click()
    # its values may have to be built first
    page.locator(".dock .ask").wait_for()
    expect(page.locator(".puzzle-head")).to_contain_text("Puzzle of the day")
    puzzle = person.server.ask("/api/puzzles?date=2026-11-17")
    expect(person.primary).to_be_in_viewport(ratio=1)
    answer(person, puzzle, right=True)
    person.check_reachable()
    # the board stays, with the best move marked, and nothing can be sent any more
    expect(page.locator(".play")).to_be_visible()
    assert not page.locator(".play .can").count()
    person.check_access()
    # another one of the same game, with a seed in the address; another difficulty, another game
    person.primary.click()
    page.wait_for_url("**/puzzle/joker1?seed=*")
    page.locator("[data-key=difficulty]").select_option("hard")
    page.wait_for_url("**/puzzle/joker1?difficulty=hard&seed=*")
    page.locator("[data-key=game]").select_option("joker2")
    page.wait_for_url("**/puzzle/joker2?difficulty=hard&seed=*")
    # at home it is known that today's was solved; the first answer counts
    person.go("/")
    expect(page.locator("[data-key=puzzle]")).to_contain_text("solved")
    person.go("/puzzle")
    page.locator(".dock .ask").wait_for()
    answer(person, puzzle, right=False)
    person.go("/")
    expect(page.locator("[data-key=puzzle]")).to_contain_text("solved")


def test_mistakes_come_back_and_progress_is_shown(visit: Visit, tmp_path: Path) -> None:
    person = visit()
    page = person.page
    page.clock.set_fixed_time(NOON)
    person.go("/progress")
    expect(page.get_by_text("Finish a game, and you will see here")).to_be_visible()
    # stopping after the first push gives a lot away
    person.set_table("joker2", ("here",), {"rounds": 1})
    person.play()
    person.primary.click()
    page.locator("[data-key=mistakes]").click()
    page.locator(".dock .ask").wait_for()
    missed = len(due(person))
    assert missed
    for number in range(missed):
        expect(page.get_by_text("Here you gave away")).to_be_visible()
        answer(person, due(person)[0]["puzzle"], right=False)
        expect(person.primary).to_have_text("The next one" if number < missed - 1 else "Done")
        person.primary.click()
    expect(page.get_by_text("The next one comes back" if missed > 1 else "It comes back")).to_be_visible()
    person.check_access()
    # all games of this device
    person.go("/progress")
    for heading in ("Results", "How well played", "What to learn", "Best results"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.locator("svg.chart")).to_have_count(2)
    person.check_reachable()
    person.check_access()
    with page.expect_download() as saved:
        page.locator("[data-key=export]").click()
    saved.value.save_as(tmp_path / "progress.json")
    kept = json.loads((tmp_path / "progress.json").read_text())
    assert (kept["format"], len(kept["games"]), len(kept["mistakes"])) == ("pasch-progress/1", 1, missed)
    # what costs most leads to puzzles about it
    page.locator(".habits a").first.click()
    page.wait_for_url("**/puzzle/joker2?kind=*")
    page.locator(".dock .ask").wait_for()
    expect(page.get_by_text("About: ")).to_be_visible()


def test_a_hint_is_marked_on_the_board_and_not_under_the_bar(visit: Visit) -> None:
    person = visit(size=PHONE)
    rolled = [{"seat": 0, "roll": [1, 2, 4]}]
    person.set_table("joker1", ("here", "greedy"), {"rounds": 1}, events=rolled, coach="hints")
    page = person.page
    page.locator(".touchable.can").first.wait_for()
    expect(page.locator(".advised")).to_have_count(0)
    # the coach may have to build its tables first; a client that receives that answer asks again
    while not page.locator(".play .advised").count():
        page.locator("[data-key=hint]").click()
        person.drawn()
        expect(page.locator(".ask")).not_to_have_text("The coach is thinking …")
    expect(page.locator(".ask")).to_contain_text("Best:")
    (box, *_), (bar,) = person.boxes(".play .advised"), person.boxes(".dock")
    assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]


def test_a_wrong_touch_gets_a_sentence_and_a_lesson_can_be_left_and_continued(visit: Visit) -> None:
    person = visit()
    page = person.go("/")
    page.locator("[data-key=learn]").click()
    page.locator("[data-game=joker1] a").click()
    every = person.server.ask("/api/lessons/joker1")["steps"]

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
    expect(page.locator(".lesson .why")).to_have_text(every[1]["wrong"])
    person.check_access()
    do(2)
    page.reload()
    shows(3)
    page.locator("[data-key=leave]").click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    page.go_back()
    shows(3)
    page.locator("[data-key=step-back]").click()
    shows(2)
