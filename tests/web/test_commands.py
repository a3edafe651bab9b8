"""Every command, allowed and in every wrong state: answered each time, and refused without any effect."""

from __future__ import annotations

from typing import Any

import pytest

from pasch.table.commands import clean_name
from tests.web.asgi import CONTRIBUTION, Browser, Socket, served

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
every_command = pytest.mark.parametrize("kind", EVERY)


async def two(browser: Browser, game: str = "joker1", **more: Any) -> tuple[dict[str, Any], Socket, Socket]:
    """A table with two people on devices of their own."""
    made = await browser.make(game, "here", "link", **more)
    mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
    guest = browser.open(made["id"])
    invitation = made["invitations"]["1"]
    await guest.hello(invitation)
    sat = await guest.ask("sit", invitation=invitation, name="Guest")
    made["seats"]["1"] = sat["token"]
    await guest.hello(sat["token"])
    # with everything that has happened since
    await mine.hello(made["seats"]["0"], made["maker"])
    return made, mine, guest


async def over(browser: Browser) -> tuple[dict[str, Any], Socket]:
    """A table with a finished short game for one."""
    made = await browser.make("crowns", "here", options={"round_limit": 1})
    mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
    await mine.ask("roll")
    position = (await mine.hear("update"))["position"]
    await mine.ask("move", event=position["moves"][0]["event"])
    assert (await mine.hear("update"))["position"]["actor"] == -2
    return made, mine


async def refused(socket: Socket, code: str, kind: str, **fields: Any) -> dict[str, Any]:
    """A command is refused for this reason, and the table stands as before."""
    before = socket.version
    answer = await socket.ask(kind, **fields)
    assert (answer["type"], answer["code"]) == ("refused", code), answer
    assert answer["reason"]["template"] and answer["version"] in (before, None)
    return answer


@every_command
@served()
async def test_nothing_is_done_for_somebody_who_only_watches(browser: Browser, kind: str) -> None:
    made, _, _ = await two(browser)
    watcher = await browser.join(made["id"], made["watch"])
    answer = await watcher.ask(kind, **EVERY[kind])
    if kind == "earlier":
        assert answer["type"] == "entries"
        return
    expected = {"why": "not-now", "hint": "not-agreed", "rematch": "not-now"}.get(kind, "not-yours")
    assert (answer["type"], answer["code"]) == ("refused", expected)
    assert (await browser.lobby.find(made["id"])).live.version == watcher.version


@every_command
@served()
async def test_nothing_is_done_before_hello(browser: Browser, kind: str) -> None:
    made = await browser.make("joker1", "here", "here")
    await refused(browser.open(made["id"]), "not-yours", kind, **EVERY[kind])


@every_command
@served()
async def test_a_command_for_an_old_version_is_refused_as_such(browser: Browser, kind: str) -> None:
    _, mine, _ = await two(browser)
    assert (await mine.ask("roll"))["type"] == "accepted"
    await mine.hear("update")
    answer = await mine.ask(kind, **{"version": 0, **EVERY[kind]})
    if kind == "earlier":  # which is about the past
        assert answer["type"] == "entries"
        return
    # an invitation may be older than anything at the table, and all add to the dice at the same time
    if kind == "react":  # which is about nothing at the table
        assert answer["type"] == "accepted"
        return
    assert answer["code"] == {"sit": "not-yours", "contribute": "not-now"}.get(kind, "old-version")
    assert answer["version"] == mine.version


@every_command
@served()
async def test_the_same_id_twice_is_done_once(browser: Browser, kind: str) -> None:
    dice = "real" if kind == "read" else "pasch"
    made, mine, guest = await two(browser, dice=dice)
    fields = dict(EVERY[kind])
    if kind in ("move", "hint", "why"):
        await mine.ask("roll")
        position = (await mine.hear("update"))["position"]
        if kind == "move":
            fields["event"] = position["moves"][0]["event"]
    if kind == "undo":
        await mine.ask("roll")
        position = (await mine.hear("update"))["position"]
        await mine.ask("move", event=position["moves"][0]["event"])
        await mine.hear("update")
    if kind == "person":
        await mine.ask("computer", seat=0, level="random")
        while (await mine.hear("update"))["position"]["roller"] != 1:
            pass  # the computer plays until it is the guest's turn
    if kind == "adjudicate":
        await guest.ask("adjudicate")
        await mine.hear("update")
    if kind == "rematch":
        made, mine = await over(browser)
    if kind == "sit":
        made = await browser.make("joker1", "here", "link")
        mine = await browser.join(made["id"], made["invitations"]["1"])
        fields["invitation"] = made["invitations"]["1"]
    if kind == "contribute":
        made = await browser.make("joker1", "here", "here")
        mine = browser.open(made["id"])
        await mine.hello(*made["seats"].values(), contribute=False)
    version = mine.version
    first = await mine.ask(kind, id="the-same", version=version, **fields)
    if kind in ("hint", "why", "earlier", "go", "preview", "react"):
        return
    assert first["type"] == "accepted", first
    await mine.hear("update")
    for _ in range(2):
        again = await mine.ask(kind, id="the-same", version=version, **fields)
        assert again == first
    table = await browser.lobby.find(made["id"])
    names = [entry.command for entry in (await browser.lobby.store.load(made["id"])).entries]
    assert len([name for name in names if name and name.endswith(":the-same")]) == 1
    if kind != "computer":  # which plays on
        assert table.live.version == first["version"]


@served()
async def test_anothers_id_is_not_mistaken_for_ones_own(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    assert (await guest.ask("name", id="x", seat=1, name="Eve"))["type"] == "accepted"
    await mine.hear("update")
    assert (await mine.ask("roll", id="x"))["type"] == "accepted"
    assert (await mine.hear("update"))["entries"][-1]["kind"] == "event"


@pytest.mark.parametrize("kind", ["move", "roll", "read"])
@served()
async def test_nobody_plays_while_a_seat_is_open(browser: Browser, kind: str) -> None:
    made = await browser.make("joker1", "here", "link")
    mine = await browser.join(made["id"], made["seats"]["0"])
    await refused(mine, "not-now", kind, **EVERY[kind])


@served()
async def test_moves_out_of_turn(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    # before the roll nobody moves, and an outcome is no move
    await refused(mine, "not-now", "move", event={"seat": 0, "push": [[1]]})
    await refused(mine, "not-now", "move", event={"seat": 0, "roll": [6, 6, 6]})
    await refused(guest, "not-yours", "roll")
    await refused(mine, "not-now", "read", values=[1, 2, 3])
    assert (await mine.ask("roll"))["type"] == "accepted"
    position = (await mine.hear("update"))["position"]
    await guest.hear("update")
    await refused(mine, "not-now", "roll")
    await refused(guest, "not-yours", "move", event=position["moves"][0]["event"])
    await refused(guest, "illegal", "move", event={"seat": 1, "push": [[1]]})
    await refused(mine, "illegal", "move", event={"seat": 0, "push": [[6], [6], [6]]})
    await refused(mine, "malformed", "move", event={"seat": 0, "push": "all"})
    await refused(mine, "malformed", "move", event={"nonsense": 1})
    await refused(mine, "not-yours", "move", event={"seat": 99, "push": [[1]]})


@served()
async def test_after_the_end_nothing_moves(browser: Browser) -> None:
    _, mine = await over(browser)
    for kind in ("move", "roll", "read", "computer", "adjudicate", "preview"):
        await refused(mine, "not-now", kind, **EVERY[kind])
    assert (await mine.ask("coach", coach="after"))["type"] == "accepted"


@served()
async def test_an_invitation_is_good_once(browser: Browser) -> None:
    made, _, _ = await two(browser)
    invitation = made["invitations"]["1"]
    late = browser.open(made["id"])
    assert (await late.hello(invitation))["code"] == "not-yours"
    await refused(late, "not-yours", "sit", invitation=invitation, name="Late")


@pytest.mark.parametrize("name", ["\U0001f469\u200d\U0001f467", "Max \U0001f3f3\ufe0f\u200d\U0001f308"])
def test_emoji_of_several_parts_are_part_of_a_name(name: str) -> None:
    assert clean_name(name) == name


@served()
async def test_a_name_is_a_name(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    await refused(mine, "not-yours", "name", seat=1, name="Eve")
    await refused(mine, "not-yours", "name", seat=5, name="Eve")
    for name in ("\u0000", "a\u200bb", "a\u200db", "\U0001f468\u200d", " \t "):
        await refused(mine, "malformed", "name", seat=0, name=name)
    assert (await mine.ask("name", seat=0, name="x" * 25))["code"] == "malformed"
    assert (await mine.ask("name", seat=0, name="  Ada   B "))["type"] == "accepted"
    table = await guest.hear("table")
    assert [seat["name"] for seat in table["table"]["seats"]] == ["Ada B", "Guest"]


@served()
async def test_a_seat_is_lent_to_the_computer_and_taken_back(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    await refused(mine, "illegal", "computer", seat=0, level="nobody")
    await refused(mine, "not-yours", "computer", seat=1, level="greedy")  # guest is there
    await refused(guest, "not-yours", "computer", seat=0, level="greedy")
    await refused(mine, "not-now", "person", seat=0)
    assert (await mine.ask("computer", seat=0, level="greedy"))["type"] == "accepted"
    # the computer plays until it is the guest's turn
    position = (await guest.hear("update"))["position"]
    while position["roller"] != 1:
        position = (await guest.hear("update"))["position"]
    while mine.version < guest.version:
        await mine.hear("update")
    await refused(guest, "not-yours", "person", seat=0)
    assert (await mine.ask("person", seat=0))["type"] == "accepted"
    seat = (await guest.hear("table"))["table"]["seats"][0]
    assert (seat["kind"], seat["lent"], seat["level"]) == ("here", False, None)


@served()
async def test_the_maker_gives_an_open_seat_to_the_computer(browser: Browser) -> None:
    made = await browser.make("joker1", "link", "here")
    mine = await browser.join(made["id"], made["seats"]["1"], made["maker"])
    assert (await mine.ask("computer", seat=0, level="greedy"))["type"] == "accepted"
    assert (await mine.hear("table"))["table"]["phase"] == "playing"
    await refused(
        browser.open(made["id"]), "not-yours", "sit", invitation=made["invitations"]["0"], name="Late"
    )


@served()
async def test_the_coach_changes_when_all_have_agreed(browser: Browser) -> None:
    _, mine, guest = await two(browser, coach="hints")
    # those who came by a link were not asked yet
    table = next(m["table"] for m in guest.messages if m["type"] == "welcome")
    assert table["coach"] == "after" and table["seats"][0]["wish"] == "hints"
    await mine.ask("roll")
    await mine.hear("update")
    await guest.hear("update")
    await refused(mine, "not-agreed", "hint")
    assert (await guest.ask("coach", coach="off"))["type"] == "accepted"
    table = (await guest.hear("table"))["table"]
    assert table["coach"] == "after" and [s["wish"] for s in table["seats"]] == ["hints", "off"]
    await guest.hear("update")
    assert (await guest.ask("coach", coach="hints"))["type"] == "accepted"
    table = (await guest.hear("table"))["table"]
    assert table["coach"] == "hints" and [s["wish"] for s in table["seats"]] == [None, None]


@served()
async def test_why(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    await refused(mine, "not-now", "why", tokens=["push:1"])
    await mine.ask("roll")
    await mine.hear("update")
    await guest.hear("update")
    answer = await mine.ask("why", tokens=["push:6+6+6"])
    assert answer["type"] == "because" and answer["reason"]["template"]
    await refused(guest, "not-now", "why", tokens=["push:1"])


@served()
async def test_real_dice_are_read_by_whose_they_are(browser: Browser) -> None:
    made = await browser.make("fiese15", "here", "greedy", "link", dice="real")
    mine = await browser.join(made["id"], made["seats"]["0"])
    guest = browser.open(made["id"])
    await guest.hello(made["invitations"]["2"])
    await guest.ask("sit", invitation=made["invitations"]["2"], name="Guest")
    await guest.hear("update")
    position = (await mine.hear("update"))["position"]
    # the strip is nobody's: those at the table read it
    assert position["ask"] == {"parts": ["strip"], "values": list(range(15))}
    await refused(guest, "not-yours", "read", values=[3])
    await refused(mine, "not-now", "roll")
    await refused(mine, "illegal", "read", values=[15])
    assert (await mine.ask("read", values=[3]))["type"] == "accepted"
    position = (await mine.hear("update"))["position"]
    assert position["ask"]["parts"] == ["red", "blue", "yellow", "black", "white", "green"]
    await refused(mine, "illegal", "read", values=[1, 1, 1, 1, 1, 7])
    await refused(mine, "illegal", "read", values=[1, 1])
    assert (await mine.ask("read", values=[1, 1, 1, 1, 1, 1]))["type"] == "accepted"
    position = (await mine.hear("update"))["position"]
    every = max(position["moves"], key=lambda choice: len(choice["tokens"]))
    await mine.ask("move", event=every["event"])
    position = (await mine.hear("update"))["position"]
    # then the computer's dice, which the person here rolls for it
    assert position["roller"] == 1 and position["awaits"] == "read"


@served()
async def test_a_hand_is_not_shown_to_those_who_ask_why(browser: Browser) -> None:
    _, _, guest = await two(browser, "sixbysix")
    for card in range(1, 10):
        await refused(guest, "not-now", "why", tokens=[f"card:{card}"])
        answer = await guest.ask("move", event={"seat": 1, "card": card, "field": 1})
        assert answer["code"] == "illegal" and "card" not in answer["reason"]["details"]
