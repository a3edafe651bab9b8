"""Everything can be played without eyes: the robot of `robot.py` reads the page, and needs few more steps."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from tests.e2e.browser import PHONE, SHORT
from tests.e2e.conftest import Visit, each_game, exhaustive
from tests.e2e.robot import OVER, Robot


def touches(sent: list[dict[str, Any]], received: list[str]) -> int:
    """The touches of a sighted player for the rolls and moves that were sent: the parts of a move, and the button."""
    frames = [json.loads(frame) for frame in received]
    parts = [part for frame in frames for part in (frame, *frame.get("steps", ())) if "position" in part]
    moves = {part["position"]["version"]: part["position"]["moves"] for part in parts}
    made = [one for one in sent if one["type"] in ("move", "roll")]
    chosen = [
        token
        for one in made
        if "event" in one
        for token in next(move for move in moves[one["version"]] if move["event"] == one["event"])["tokens"]
    ]
    return len(made) + sum(":" in token and not token.startswith("next:") for token in chosen)


@each_game("joker2")
def test_a_game_is_played_to_its_end_without_eyes(game: str, visit: Visit) -> None:
    """At the usual pace, by the page's own clock, which runs faster."""
    person = visit(haste=False)
    robot, sent = Robot(person, clock=True), list[dict[str, Any]]()
    person.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame)))
    )
    person.set_table(game, ("here", "greedy"), SHORT[game])
    robot.play()
    assert not robot.unannounced
    scores = person.server.record(person.table)["scores"]
    assert all(str(score).replace("-", "−") in robot.announced[-1] for score in scores)
    assert 0 < robot.steps <= 2 * touches(sent, person.frames)
    if game == "sixbysix":
        # a settlement that is shown in parts is announced in parts
        assert all(any(said.startswith(f"Field {n}") for said in robot.announced) for n in range(1, 7))


@exhaustive
def test_a_report_is_read_and_a_moment_of_the_game_looked_at(visit: Visit) -> None:
    person = visit()
    robot = Robot(person)
    person.set_table("joker2", ("here", "greedy"), {"rounds": 1})
    robot.play()
    robot.press("button", OVER)
    robot.find("heading", "Where the points came from")
    headline = robot.find("heading", "").name
    assert any(said.startswith(headline) for said in robot.announced)
    assert "given away" in robot.read() and "luck" in robot.read()
    robot.press("button", "Show the moment: ", "Watch again")
    robot.find("heading", "The game once more")
    robot.announced.clear()
    robot.press("button", "Forwards")
    robot.press("button", "Luck and moves")
    assert robot.announced
    robot.find("heading", headline)


@each_game("sixbysix")
def test_a_lesson_is_learned_without_eyes(game: str, visit: Visit) -> None:
    person = visit(size=PHONE)
    robot = Robot(person)
    person.go(f"/learn/{game}")
    while robot.act("Play on from here") != "Play on from here":
        person.check_reachable()
    steps = person.server.ask(f"/api/lessons/{game}")["steps"]
    assert [step["remark"] for step in steps if robot.announced.count(step["remark"]) != 1] == []
    assert robot.steps <= 2 * sum(1 + len(step["do"]["tokens"] if step["do"] else ()) for step in steps)
    # it is continued at a real table, and needs no further explanation
    person.primary.click()
    person.page.wait_for_url("**/t/*")
    person.step()
    expect(person.page.locator(".howto")).to_have_count(0)


@exhaustive
def test_a_puzzle_is_answered_without_eyes(visit: Visit) -> None:
    person = visit()
    robot = Robot(person)
    person.go("/puzzle/fiese15")
    robot.play(over="Another one")
    assert "What each move brings on average" in robot.read()
    assert sum(said.startswith(("Right!", "Not the best")) for said in robot.announced) == 1
