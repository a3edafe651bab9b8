"""Every command, allowed and in every wrong state: answered each time, and refused without any effect."""

from __future__ import annotations

from typing import Any

import pytest

from pasch.table.commands import clean_name
from tests.web.asgi import CONTRIBUTION, Browser, Socket

#: a complete command of every kind, as far as its form goes
EVERY: dict[str, dict[str, Any]] = {
    "move": {"event": {"seat": 0, "next": "roll"}},
    "go": {},
    "undo": {},
    "roll": {},
    "read": {"values": [1, 2, 3]},
    "name": {"seat": 0, "name": "Eve"},
    "computer": {"seat": 0, "level": "greedy"},
    "person": {"seat": 0},
    "adjudicate": {},
    "preview": {},
    "rematch": {},
    "react": {"seat": 0, "reaction": "bravo"},
    "coach": {"coach": "off"},
    "earlier": {"before": 5},
    "hint": {},
    "why": {"tokens": ["push:1"]},
    "sit": {"invitation": "x" * 32, "name": "Eve"},
    "contribute": {"contribution": CONTRIBUTION},
}


async def over(browser: Browser) -> tuple[dict[str, Any], Socket]:
    """A table with a finished short game for one."""
    made, mine = await browser.alone("crowns", "here", options={"round_limit": 1})
    position = await mine.done("roll")
    await mine.ask("move", event=position["moves"][0]["event"])
    assert (await mine.hear("update"))["position"]["actor"] == -2
    return made, mine


@pytest.mark.parametrize("kind", EVERY)
async def test_refused_before_hello_to_watchers_and_for_an_old_version(browser: Browser, kind: str) -> None:
    made, mine, _ = await browser.two()
    await browser.open(made["id"]).refused("not-yours", kind, **EVERY[kind])
    watcher = await browser.join(made["id"], made["watch"])
    answer = await watcher.ask(kind, **EVERY[kind])
    expected = {"why": "not-now", "hint": "not-agreed", "rematch": "not-now", "earlier": "entries"}
    assert answer.get("code", answer["type"]) == expected.get(kind, "not-yours")
    await mine.done("roll")
    answer = await mine.ask(kind, version=0, **EVERY[kind])
    # all add to the dice at the same time; invitations, reactions and the past do not depend on the version
    expected = {"sit": "not-yours", "contribute": "not-now", "react": "accepted", "earlier": "entries"}
    assert answer.get("code", answer["type"]) == expected.get(kind, "old-version")
    assert (await browser.lobby.find(made["id"])).live.version == mine.version


@pytest.mark.parametrize(
    "kind", sorted(EVERY.keys() - {"hint", "why", "earlier", "go", "preview", "react"})
)
async def test_the_same_id_twice_is_done_once(browser: Browser, kind: str) -> None:
    made, mine, guest = await browser.two(dice="real" if kind == "read" else "pasch")
    fields = dict(EVERY[kind])
    if kind in ("move", "undo"):
        fields["event"] = (await mine.done("roll"))["moves"][0]["event"]
    if kind == "undo":
        await mine.done("move", event=fields.pop("event"))
    if kind == "person":
        await mine.ask("computer", seat=0, level="random")
        while (await mine.hear("update"))["position"]["roller"] != 1:
            pass  # the computer plays until it is the guest's turn
    if kind == "adjudicate":
        await guest.done("adjudicate")
        await mine.reach(guest.version)
    if kind == "rematch":
        made, mine = await over(browser)
    if kind == "sit":
        made = await browser.make("joker1", "here", "link")
        fields["invitation"] = made["invitations"]["1"]
        mine = await browser.join(made["id"], fields["invitation"])
    if kind == "contribute":
        made = await browser.make("joker1", "here", "here")
        mine = browser.open(made["id"])
        await mine.hello(*made["seats"].values(), contribute=False)
    version = mine.version
    first = await mine.ask(kind, id="the-same", version=version, **fields)
    assert first["type"] == "accepted", first
    for _ in range(2):
        assert await mine.ask(kind, id="the-same", version=version, **fields) == first
    names = [entry.command for entry in (await browser.lobby.store.load(made["id"])).entries]
    assert len([name for name in names if name and name.endswith(":the-same")]) == 1
    if kind != "computer":  # which plays on
        assert (await browser.lobby.find(made["id"])).live.version == first["version"]


async def test_anothers_id_is_not_mistaken_for_ones_own(browser: Browser) -> None:
    _, mine, guest = await browser.two()
    assert (await guest.ask("name", id="x", seat=1, name="Eve"))["type"] == "accepted"
    await mine.hear("update")
    assert (await mine.ask("roll", id="x"))["type"] == "accepted"
    assert (await mine.hear("update"))["entries"][-1]["kind"] == "event"


async def test_moves_out_of_turn(browser: Browser) -> None:
    _, mine, guest = await browser.two()
    # before the roll nobody moves, and an outcome is no move
    await mine.refused("not-now", "move", event={"seat": 0, "push": [[1]]})
    await mine.refused("not-now", "move", event={"seat": 0, "roll": [6, 6, 6]})
    await guest.refused("not-yours", "roll")
    await mine.refused("not-now", "read", values=[1, 2, 3])
    position = await mine.done("roll")
    await guest.hear("update")
    await mine.refused("not-now", "roll")
    await guest.refused("not-yours", "move", event=position["moves"][0]["event"])
    await guest.refused("illegal", "move", event={"seat": 1, "push": [[1]]})
    await mine.refused("illegal", "move", event={"seat": 0, "push": [[6], [6], [6]]})
    await mine.refused("malformed", "move", event={"seat": 0, "push": "all"})
    await mine.refused("malformed", "move", event={"nonsense": 1})
    await mine.refused("not-yours", "move", event={"seat": 99, "push": [[1]]})


async def test_nobody_plays_while_a_seat_is_open_or_after_the_end(browser: Browser) -> None:
    _, mine = await browser.alone("joker1", "here", "link")
    for kind in ("move", "roll", "read"):
        await mine.refused("not-now", kind, **EVERY[kind])
    _, mine = await over(browser)
    for kind in ("move", "roll", "read", "computer", "adjudicate", "preview"):
        await mine.refused("not-now", kind, **EVERY[kind])
    assert (await mine.ask("coach", coach="after"))["type"] == "accepted"


async def test_a_name_is_a_name(browser: Browser) -> None:
    _, mine, guest = await browser.two()
    await mine.refused("not-yours", "name", seat=1, name="Eve")
    await mine.refused("not-yours", "name", seat=5, name="Eve")
    for name in ("\u0000", "a\u200bb", "\u200d", " \t "):
        await mine.refused("malformed", "name", seat=0, name=name)
    assert (await mine.ask("name", seat=0, name="x" * 25))["code"] == "malformed"
    for emoji in ("\U0001f469\u200d\U0001f467", "Max \U0001f3f3\ufe0f\u200d\U0001f308"):
        assert clean_name(emoji) == emoji
    assert (await mine.ask("name", seat=0, name="  Ada   B "))["type"] == "accepted"
    table = await guest.hear("table")
    assert [seat["name"] for seat in table["table"]["seats"]] == ["Ada B", "Guest"]


async def test_a_seat_is_lent_to_the_computer_and_taken_back(browser: Browser) -> None:
    _, mine, guest = await browser.two()
    await mine.refused("illegal", "computer", seat=0, level="nobody")
    await mine.refused("not-yours", "computer", seat=1, level="greedy")  # guest is there
    await guest.refused("not-yours", "computer", seat=0, level="greedy")
    await mine.refused("not-now", "person", seat=0)
    assert (await mine.ask("computer", seat=0, level="greedy"))["type"] == "accepted"
    # the computer plays until it is the guest's turn
    position = (await guest.hear("update"))["position"]
    while position["roller"] != 1:
        position = (await guest.hear("update"))["position"]
    await mine.reach(guest.version)
    await guest.refused("not-yours", "person", seat=0)
    assert (await mine.ask("person", seat=0))["type"] == "accepted"
    seat = (await guest.hear("table"))["table"]["seats"][0]
    assert (seat["kind"], seat["lent"], seat["level"]) == ("here", False, None)


async def test_the_maker_gives_an_open_seat_to_the_computer(browser: Browser) -> None:
    made, mine = await browser.alone("joker1", "link", "here")
    assert (await mine.ask("computer", seat=0, level="greedy"))["type"] == "accepted"
    assert (await mine.hear("table"))["table"]["phase"] == "playing"
    late = browser.open(made["id"])
    await late.refused("not-yours", "sit", invitation=made["invitations"]["0"], name="Late")


async def test_the_coach_changes_when_all_want_it(browser: Browser) -> None:
    _, mine, guest = await browser.two(coach="hints")
    # those who came by a link were not asked yet
    table = next(m["table"] for m in guest.messages if m["type"] == "welcome")
    assert table["coach"] == "after" and table["seats"][0]["wish"] == "hints"
    await mine.done("roll")
    await guest.hear("update")
    await mine.refused("not-agreed", "hint")
    assert (await guest.ask("coach", coach="hints"))["type"] == "accepted"
    table = (await guest.hear("table"))["table"]
    assert table["coach"] == "hints" and [s["wish"] for s in table["seats"]] == [None, None]


async def test_real_dice_are_read_by_whose_they_are(browser: Browser) -> None:
    made, mine = await browser.alone("fiese15", "here", "greedy", "link", dice="real")
    guest = browser.open(made["id"])
    await guest.hello(made["invitations"]["2"])
    await guest.done("sit", invitation=made["invitations"]["2"], name="Guest")
    position = (await mine.hear("update"))["position"]
    # the strip is nobody's: those at the table read it
    assert position["ask"] == {"parts": ["strip"], "values": list(range(15))}
    await guest.refused("not-yours", "read", values=[3])
    await mine.refused("not-now", "roll")
    await mine.refused("illegal", "read", values=[15])
    position = await mine.done("read", values=[3])
    assert position["ask"]["parts"] == ["red", "blue", "yellow", "black", "white", "green"]
    await mine.refused("illegal", "read", values=[1, 1, 1, 1, 1, 7])
    await mine.refused("illegal", "read", values=[1, 1])
    position = await mine.done("read", values=[1, 1, 1, 1, 1, 1])
    every = max(position["moves"], key=lambda choice: len(choice["tokens"]))
    position = await mine.done("move", event=every["event"])
    # then the computer's dice, which the person here rolls for it
    assert position["roller"] == 1 and position["awaits"] == "read"


async def test_a_reason_is_given_to_who_may_choose_and_tells_of_no_hand(browser: Browser) -> None:
    _, mine, guest = await browser.two()
    await mine.refused("not-now", "why", tokens=["push:1"])
    await mine.done("roll")
    await guest.reach(mine.version)
    answer = await mine.ask("why", tokens=["push:6+6+6"])
    assert answer["type"] == "because" and answer["reason"]["template"]
    await guest.refused("not-now", "why", tokens=["push:1"])
    _, _, guest = await browser.two("sixbysix")
    for card in range(1, 10):
        await guest.refused("not-now", "why", tokens=[f"card:{card}"])
        answer = await guest.ask("move", event={"seat": 1, "card": card, "field": 1})
        assert answer["code"] == "illegal" and "card" not in answer["reason"]["details"]
