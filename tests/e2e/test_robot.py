"""Played without eyes: a robot that is given nothing but the accessibility tree and what is announced."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import pytest

from tests.e2e.browser import PATIENCE, Person
from tests.e2e.conftest import Visit

#: a control or a text as the tree names it, and how deep it stands there
NODE = re.compile(r"""^(?P<depth> *)- '?(?P<role>[a-z]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<more>[^:]*)'?:?""")
POSSIBLE = ": possible now"
#: what no player presses who knows what to do
ASIDE = {"Undo the last touch", "Take back", "Hint", "Take the last one back"}
#: a robot that stops where it may is soon done
WISHES = ("Stop", "Go into the jokers")


class Control(NamedTuple):
    """A button that can be pressed, or a choice that was made."""

    name: str
    pressed: bool


class Robot:
    """Finds controls by role and name, and presses them; every press is a step."""

    def __init__(self, person: Person, over: str = "Look at the game") -> None:
        self.person, self.page, self.over = person, person.page, over
        self.steps = 0

    def tree(self) -> str:
        return self.page.locator("body").aria_snapshot()

    def buttons(self, tree: str, region: str) -> list[Control]:
        """The buttons inside a part of the page, as far as they are not disabled."""
        found: list[Control] = []
        inside: int | None = None
        for line in tree.splitlines():
            node = NODE.match(line)
            if node is None:
                continue
            depth = len(node["depth"])
            if inside is not None and depth <= inside:
                inside = None
            if inside is None and node["name"] == region:
                inside = depth
            if inside is not None and node["role"] == "button" and "[disabled]" not in node["more"]:
                name = (node["name"] or "").replace('\\"', '"')
                found.append(Control(name, "[pressed]" in node["more"]))
        return found

    def wanted(self, tree: str) -> str | None:
        """The name of the button to press next; None while there is nothing to do."""
        if re.search(r"^- dialog", tree, re.MULTILINE):
            return self.buttons(tree, re.findall(r'^- dialog "(.*)"', tree, re.MULTILINE)[-1])[-1].name
        actions = [one.name for one in self.buttons(tree, "Your move") if one.name not in ASIDE]
        table = self.buttons(tree, "The table")
        pressed = [one.name for one in table if one.pressed]
        possible = [one.name for one in table if one.name.endswith(POSSIBLE) and not one.pressed]
        # a card may be exchanged for another as long as no field is chosen
        fresh = [name for name in possible if name.split()[0] not in {one.split()[0] for one in pressed}]
        actions = [name for name in actions if name not in possible and name not in pressed]
        preferred = [name for wish in WISHES for name in actions if name.startswith(wish)]
        if actions and (pressed or preferred or not possible):
            return (preferred or actions)[0]
        return (fresh or possible or [None])[0]

    def press(self, name: str) -> None:
        before = self.tree()
        control = self.page.get_by_role("button", name=name, exact=True).first
        control.focus()
        self.page.keyboard.press("Enter")
        self.steps += 1
        for _ in range(20):
            self.page.wait_for_timeout(20)
            if self.tree() != before:
                return

    def step(self, until: str) -> bool:
        """Do the next thing; False if a button of this name has come."""
        for _ in range(PATIENCE // 20):
            tree = self.tree()
            if f'button "{until}"' in tree:
                return False
            name = self.wanted(tree)
            if name is not None:
                self.press(name)
                return True
            self.page.wait_for_timeout(20)
        raise AssertionError(f"nothing to do, and nothing is said of why:\n{self.tree()}")

    def play(self, until: str = "Look at the game") -> None:
        while self.step(until):
            assert self.steps < 2000, self.tree()

    def heard(self) -> str:
        """All that was announced and is still there."""
        return "\n".join(self.page.locator("#live p").all_text_contents())


def touches(person: Person) -> int:
    """How often somebody with eyes has to touch for the same moves: each part of a move, and the button."""
    found, moves = 0, []
    for frame in person.frames:
        message = json.loads(frame)
        for step in message.get("steps", ()):
            event = step["entry"]["body"]
            if step["entry"]["kind"] == "event" and event.get("seat") == 0:
                tokens = next((move["tokens"] for move in moves if move["event"] == event), [])
                whole = len(tokens) == 1 and (":" not in tokens[0] or tokens[0].startswith("next:"))
                found += 1 if whole else len(tokens) + 1
            moves = step["position"]["moves"]
        if "position" in message:
            moves = message["position"]["moves"]
    return found


GAMES = {
    "joker1": {"rounds": 2},
    "sixbysix": {"round_limit": 1},
    "fiese15": {},
    "joker2": {"rounds": 2},
    "crowns": {"round_limit": 3},
    "lines": {"target": 1},
}
QUICK = ("joker1", "sixbysix")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in QUICK else pytest.mark.exhaustive) for game in GAMES]
)
def test_a_game_is_played_by_what_is_heard(game: str, visit: Visit) -> None:
    person = visit()
    person.set_table(game, [{"kind": "here", "name": ""}, "greedy"], GAMES[game])
    robot = Robot(person)
    robot.play()
    record = person.server.record(person.table)
    assert record["players"] == 2
    said = robot.heard()
    assert re.search(r"win|wins", said), said
    for score in record["scores"]:
        assert str(score).replace("-", "−") in said
    assert robot.steps <= 2 * touches(person)


def test_a_lesson_is_finished_by_what_is_heard(visit: Visit) -> None:
    person = visit()
    person.go("/learn/joker1")
    Robot(person).play("Play on from here")


def test_a_puzzle_is_answered_by_what_is_heard(visit: Visit) -> None:
    person = visit()
    person.go("/puzzle/joker1?seed=robot")
    robot = Robot(person)
    # the answer is told in the place of the question, the worth of every move in a list
    for _ in range(40):
        if "What each move brings on average" in robot.tree():
            break
        assert robot.step("nothing")
    assert re.search(r"Right!|Not the best", robot.tree())
