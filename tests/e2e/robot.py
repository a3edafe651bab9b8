"""A player without eyes: all it gets is the accessibility tree and what live regions say, all it has is the keyboard.

It knows no game and no drawing. It knows what a regular user of a screen reader knows about this client: that its turn
is in the region "Your move", whose sentence says what to do; that what can be touched is called "possible now"; what is
pressed, what is disabled and what is busy.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from playwright.sync_api import Error

from tests.e2e.browser import TIMEOUT_MILLISECONDS, Person

#: writes down what live regions say, as a screen reader would: what is added to them, or a region that appears
LISTEN: Final = """
window.announced = [];
const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert]";
const say = (node) => { if (node.textContent.trim()) window.announced.push(node.textContent.trim()); };
new MutationObserver((changes) => {
  for (const { target, addedNodes, type } of changes) {
    const within = target.parentElement?.closest(live) ?? (target.matches?.(live) ? target : null);
    if (type === "characterData") within && say(target);
    else for (const node of addedNodes) {
      if (within) say(node);
      else if (node.matches?.(live)) say(node);
      else node.querySelectorAll?.("[role=alert]").forEach(say);
    }
  }
}).observe(document, { childList: true, subtree: true, characterData: true });
"""

T = TypeVar("T")
#: what can be activated
CONTROLS: Final = frozenset(
    ("button", "link", "radio", "checkbox", "tab", "menuitem", "switch", "DisclosureTriangle")
)
#: what a control is in
PLACES: Final = frozenset(
    ("region", "dialog", "banner", "complementary", "main", "group", "form", "navigation")
)
#: they undo what was done, ask another person, or only shorten what is shown
ASIDE: Final = (
    "Undo the last touch",
    "Take back",
    "Hint",
    "Skip",
    "Skip the count",
    "Rolling …",
    "Continue",
)
TURN: Final = "Your move"
LESSON: Final = "The lesson"
OVER: Final = "Look at the game"
POSSIBLE: Final = ": possible now"
#: more than any of its games needs
STEP_LIMIT: Final = 500


@dataclass(frozen=True)
class Node:
    """A node of the accessibility tree."""

    role: str
    name: str
    places: tuple[str, ...]
    node: int
    disabled: bool = False
    pressed: bool = False
    busy: bool = False

    @property
    def control(self) -> bool:
        return self.role in CONTROLS and not self.disabled


class Robot:
    """Plays by the accessibility tree and what is announced."""

    def __init__(self, person: Person, clock: bool = False) -> None:
        self._page = person.page
        self._page.add_init_script(LISTEN)
        self._tree = self._page.context.new_cdp_session(self._page)
        self._dice = random.Random(0)
        #: whether the page's clock runs faster while it waits
        self._clock = clock
        if clock:
            self._page.clock.install()
        #: how many keys it has pressed, and controls it has activated
        self.steps = 0
        #: everything that was announced, and what was asked for without being announced
        self.announced: list[str] = []
        self.unannounced: list[str] = []

    # --- what it perceives -------------------------------------------------------------------------

    def look(self) -> list[Node]:
        """The accessibility tree, in reading order."""
        nodes = {one["nodeId"]: one for one in self._tree.send("Accessibility.getFullAXTree")["nodes"]}
        root = next(one for one in nodes.values() if "parentId" not in one)

        def walk(one: dict[str, Any], places: tuple[str, ...]) -> Iterator[Node]:
            role, name = (one.get(key, {}).get("value", "") for key in ("role", "name"))
            if not one["ignored"]:
                states = {state["name"]: state["value"].get("value") for state in one.get("properties", ())}
                flags = {key: states.get(key) in (True, "true") for key in ("disabled", "pressed", "busy")}
                yield Node(role, name, places, one.get("backendDOMNodeId", 0), **flags)
                if role in PLACES:
                    places = (*places, role, name)
            for child in one["childIds"]:
                if child in nodes:
                    yield from walk(nodes[child], places)

        return list(walk(root, ()))

    def listen(self) -> list[str]:
        """What has been announced since it last listened."""
        news: list[str] = self._page.evaluate("window.announced?.splice(0) ?? []")
        self.announced += news
        return news

    def wait(self, found: Callable[[list[Node]], T | None]) -> T:
        """Listen to the page until something is found in it and it stays the same."""
        before: list[Node] = []
        for _ in range(TIMEOUT_MILLISECONDS // 50):
            now = self.look()
            answer = found(now)
            if answer and now == before and not any(one.busy for one in now):
                self.listen()
                return answer
            before = now
            if self._clock:
                self._page.clock.run_for(200)
            else:
                self._page.wait_for_timeout(50)
        said = "\n".join(
            f"{one.role} {one.name!r} {'(off)' if one.disabled else ''}" for one in before if one.name
        )
        raise AssertionError(f"stuck after {self.announced[-3:]}:\n{said}")

    def read(self) -> str:
        """All text of the page, as it is read."""
        return "\n".join(one.name for one in self.look() if one.name and one.role != "InlineTextBox")

    # --- what it does -----------------------------------------------------------------------------

    def activate(self, control: Node) -> None:
        """One step: what was found by role and name gets the focus and the key that activates it."""
        self.steps += 1
        try:
            self._tree.send("DOM.focus", {"backendNodeId": control.node})
        except Error:
            return  # it has gone meanwhile
        self._page.keyboard.press(
            "Enter" if control.role in ("button", "link", "DisclosureTriangle") else "Space"
        )

    def find(self, role: str, *names: str) -> Node:
        """What begins with one of these names, as soon as it is there; the first name is liked best."""

        def found(page: list[Node]) -> Node | None:
            those = [one for one in page if one.role == role and not one.disabled]
            return next((one for name in names for one in those if one.name.startswith(name)), None)

        return self.wait(found)

    def press(self, role: str, *names: str) -> None:
        """Activate a control as soon as it is there."""
        self.activate(self.find(role, *names))

    def choices(self, page: list[Node]) -> list[Node]:
        """What could be done now for the next move."""
        asked = [one for one in page if one.role in CONTROLS and "dialog" in one.places]
        if asked:
            return [one for one in asked[-1:] if one.control]
        lesson = [one.name for one in page if one.role == "StaticText" and LESSON in one.places]
        # in a lesson it leads to the next step
        aside = {*ASIDE} - ({"Continue"} if lesson else set())
        acts = [
            one for one in page if one.role in CONTROLS and TURN in one.places and one.name not in aside
        ]
        touches = [one for one in page if one.control and one.name.endswith(POSSIBLE)]
        wanted = [
            one for one in acts if any(len(text) > 1 and one.name.startswith(text) for text in lesson)
        ]
        # the button says what was chosen, or what is missing
        if wanted or any(one.pressed for one in page) or not touches:
            acts = wanted or acts[:1]
            touches = [] if any(one.control for one in acts) else touches
        return [one for one in acts if one.control] + touches

    def act(self, over: str = OVER) -> str:
        """Do one thing of those that are offered, any of them; its name."""
        offered = self.wait(self.choices)
        self._compare()
        chosen = offered[0] if offered[0].name == over else self._dice.choice(offered)
        if chosen.name != over:
            self.activate(chosen)
        return chosen.name

    def _compare(self) -> None:
        """What is asked for must have been announced to screen readers."""
        page = self.look()
        asked = next((one.name for one in page if one.role == "StaticText" and TURN in one.places), "")
        # while a story is told there is no question
        said = any(asked.strip(".\xa0") in one for one in self.announced)
        if not said and not any(one.pressed or one.role == "dialog" for one in page):
            self.unannounced.append(asked)

    def play(self, over: str = OVER) -> None:
        """Play until this is offered."""
        while self.act(over) != over:
            assert self.steps < STEP_LIMIT, f"no end: {self.announced[-3:]}"
