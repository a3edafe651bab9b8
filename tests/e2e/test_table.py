"""What people see and when, with a clock that the test turns: rolls, cut connections, the end.

That no face is drawn before its die rests is tested without a browser, in `tests/web/js/golden/boards.js`.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.browser import NEXT_CLICK, PHONE, Person
from tests.e2e.conftest import Visit

#: how long a button has to be seen before it counts, in milliseconds
GUARD = 600


class Wire:
    """The page's connection to the server, which can be cut."""

    def __init__(self, person: Person) -> None:
        self._sockets: list[WebSocketRoute] = []
        person.page.route_web_socket("**/ws/*", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        self._sockets.append(socket)

    def cut(self, person: Person) -> None:
        """Cut it, and let time pass until there is another one."""
        before = len(self._sockets)
        self._sockets[-1].close(code=1011)

        def connected() -> bool:
            person.page.clock.run_for(100)
            return len(self._sockets) > before

        person.until(connected)


def sit(visit: Visit, game: str, seats: tuple[str, ...], still: bool = False, **options: Any) -> Person:
    """A person without a name at a new table with a stopped clock, where everything is staged."""
    person = visit(haste=False, still=still)
    page = person.go("/")
    page.clock.install(time="2026-01-01T12:00:00")
    wishes = [{"kind": "here"} if seat == "here" else {"kind": "computer", "level": seat} for seat in seats]
    person.set_table(game, options=options, seats=wishes)
    page.clock.pause_at("2026-01-01T13:00:00")
    # with a stopped clock nothing is drawn
    seen(person, "[data-key=understood]")
    page.locator("[data-key=understood]").click()
    return person


def seen(person: Person, selector: str) -> None:
    """Let time pass in small steps until this is to be seen."""

    def there() -> bool:
        person.page.clock.run_for(100)
        return person.page.locator(selector).first.is_visible()

    person.until(there)


def press(person: Person) -> tuple[float, float]:
    """Press the big button, once it has been seen; where it was."""
    seen(person, ".dock [data-key=primary]:not([aria-disabled])")
    person.page.clock.run_for(GUARD + 50)
    (box,) = person.boxes(".dock [data-key=primary]")
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    person.page.mouse.click(*at)
    return at


def act(person: Person, wishes: tuple[str, ...], skip: bool = False) -> bool:
    """Do the next thing, if there is one; steps that are only shown pass automatically."""
    click = person.page.evaluate(NEXT_CLICK, ["Look at the game", list(wishes)])
    if not isinstance(click, list) or ("skip" in click[0] and not skip):
        return False
    person.page.mouse.click(*click[1:])
    person.page.locator(".dock[aria-busy=false]").wait_for(state="attached")
    return True


def moving(person: Person) -> set[str]:
    """The animations of what lies on the table, except those that only fade."""
    names = "[...document.querySelectorAll('.play *')].map(one => getComputedStyle(one).animationName)"
    return set(person.page.evaluate(names)) - {"none", "fade"}


@pytest.mark.parametrize("still", [True, False])
def test_nothing_moves_for_those_who_do_not_want_it(still: bool, visit: Visit) -> None:
    person = sit(visit, "joker1", ("here",), still=still, rounds=1)
    press(person)
    seen(person, ".dock .quiet")
    assert bool(moving(person)) != still


def test_ones_own_move_is_taken_back_before_the_computer_moves(visit: Visit) -> None:
    person = sit(visit, "joker2", ("here", "greedy"))
    page = person.page
    press(person)
    seen(person, ".play .can")
    page.locator(".play .calc.can").first.click()
    press(person)
    seen(person, '.acts [data-key="next:stop"]')
    page.clock.run_for(GUARD + 50)
    page.locator('.acts [data-key="next:stop"]').click()
    seen(person, "[data-key=skip].waits")
    page.clock.run_for(GUARD + 50)
    page.locator("[data-key=take-back]").click()
    seen(person, '.acts [data-key="next:stop"]')
    assert page.locator(".log s").count() == 1


# --- the connection ------------------------------------------------------------------------------------

CHOSEN = ".play .picked"
COUNT_AND_END = (".final:not(.done)", ".final.done")
#: the moments at which the connection is cut, as they are to be seen
POINTS = (
    ".dock [data-key=primary]:not([data-guarded])",  # before a roll
    ".die.rolls",  # in the air
    ".gd:has(.lands):has(.rolls)",  # some dice rest
    ".play .can",  # to choose
    CHOSEN,
    ".dock .quiet",  # a computer's dice
    ".ask .last-event",  # what a computer did
    ".zone.lost",
    *COUNT_AND_END,
)
#: which of some selectors are to be seen, how long the log is, and the totals as far as they are counted
SIGHT = """selectors => [
  selectors.filter((one) => document.querySelector(one)),
  document.querySelectorAll(".log li").length,
  [...document.querySelectorAll(".final:not(.done) .rank .sum")].map((one) => one.textContent),
]"""


@pytest.mark.parametrize(
    ("game", "options", "points"),
    [
        ("joker1", {"rounds": 2}, POINTS),
        pytest.param(
            "sixbysix", {"round_limit": 1}, (".story", *COUNT_AND_END), marks=pytest.mark.exhaustive
        ),
    ],
)
def test_a_connection_cut_at_any_point_neither_stops_nor_rewinds_the_table(
    game: str, options: dict[str, Any], points: tuple[str, ...], visit: Visit
) -> None:
    person = visit(haste=False, still=False, breaks=True)
    wire = Wire(person)
    page = person.go("/")
    page.clock.install(time="2026-01-01T12:00:00")
    person.set_table(game, ("here", "greedy"), options)
    page.clock.pause_at("2026-01-01T13:00:00")
    left, lines = list(points), 0

    def seen_all() -> bool:
        nonlocal lines
        found, shown, totals = page.evaluate(SIGHT, [*left, CHOSEN, ".story"])
        assert shown >= lines or shown == 0, "a line of the log has disappeared"
        lines = shown
        assert not totals or totals[0] == "", "the end shows the winner's total before it is counted"
        point = next((one for one in found if one in left), None)
        if point is not None:
            left.remove(point)
            wire.cut(person)
        elif CHOSEN not in found or CHOSEN not in left:
            act(person, ("next:roll",), skip=".story" in found)
        page.clock.run_for(60)
        return not left

    person.until(seen_all)
    seen(person, ".final.done")
    person.check_result()
    # a player who comes back sees the same, at once
    page.reload()
    seen(person, ".final.done")
    person.check_result()


# --- focus, the end, small things ------------------------------------------------------------------------


def test_a_refused_touch_says_why_one_is_undone_and_the_focus_stays(visit: Visit) -> None:
    person = visit()
    page = person.page
    person.set_table("lines", ("here", "greedy"), {"target": 1})
    cannot, can, picked = (page.locator(f".play .touchable.{how}") for how in ("cannot", "can", "picked"))
    person.to_choice()
    names = cannot.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert names and all(name.endswith(": not possible now") for name in names), names
    cannot.first.click()
    expect(page.locator(".ask [role=alert]")).not_to_be_empty()
    can.first.click()
    expect(picked.first).to_be_visible()
    page.locator("[data-key=undo]").click()
    expect(picked).to_have_count(0)
    # the keyboard focus is never sent back to the top of the page, also while others play
    can.first.focus()
    lost = "new MutationObserver(() => { window.lost ||= document.activeElement === document.body; })"
    page.evaluate(f"{lost}.observe(document.body, {{ childList: true, subtree: true }})")
    person.play_by_keyboard()
    assert page.evaluate("window.lost") is not True
    person.check_result()


def test_sounds_have_a_switch_and_are_off_until_they_are_wanted(visit: Visit) -> None:
    person = visit(size=PHONE)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.set_table("joker1", ("here",), {"rounds": 1})
    switch = person.page.locator("[data-key=sound]")
    assert switch.get_attribute("aria-pressed") == "false"
    person.step()
    assert not [url for url in asked if ".wav" in url]
    with person.page.expect_response("**/bell.wav") as answer:
        switch.click()
    assert answer.value.ok
    expect(switch).to_have_attribute("aria-pressed", "true")
