"""What people at a table do beside the game: play again, react, see how an early end would be decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.table.limits import Price, Rate
from pasch.table.messages import PING
from tests.web.asgi import NO_LIMITS, Browser, Clock, ScriptedHelper, Socket, server

VERDICT = {"winners": [1], "value": [3.0, 4.0], "win": [0.25, 0.75], "by": "chances"}


async def ended(*people: Socket) -> None:
    """All agree to end the game, one after the other."""
    for person in people:
        await person.done("adjudicate")
        for other in people:
            await other.reach(person.version)


async def next_table(person: Socket) -> str:
    """The id of the rematch's table, from the messages of a client."""
    while True:
        table = (await person.hear("table"))["table"]
        if table["next"] is not None:
            return str(table["next"])


# --- playing again ------------------------------------------------------------------------------------


async def test_the_next_game_begins_when_all_want_it_and_old_tokens_are_good_there(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        made, mine, guest = await browser.two(options={"rounds": 3}, coach="moves", stand_in="greedy")
        watcher = await browser.join(made["id"], made["watch"])
        await mine.refused("not-now", "rematch")
        await ended(mine, guest)
        for agree in (True, False, True):
            assert (await guest.ask("rematch", agree=agree))["type"] == "accepted"
            update = await mine.hear("update")
            assert update["entries"][0]["kind"] == "again"
            assert update["entries"][0]["body"] == {"seats": [1], "agree": agree}
            await guest.hear("update")
        assert (await mine.ask("rematch"))["type"] == "accepted"
        found = {await next_table(person) for person in (mine, guest, watcher)}
        (new,) = found
        assert (await mine.hear("update"))["entries"][0]["body"] == {"table": new}
        await mine.refused("not-now", "rematch")
        # who held a seat, a link to watch or the maker's token holds it there
        again = browser.open(new)
        welcome = await again.hello(made["seats"]["0"], made["maker"], contribute=False)
        assert (welcome["yours"], welcome["maker"]) == ([0], True)
        table = welcome["table"]
        assert (table["coach"], table["stand_in"], table["phase"]) == ("moves", "greedy", "waiting")
        assert table["options"]["rounds"] == 3 and table["commitment"]
        assert [seat["name"] for seat in table["seats"]] == ["P0", "Guest"]
        assert [seat["kind"] for seat in table["seats"]] == ["here", "link"]
        await again.hello(made["seats"]["0"])
        other = await browser.join(new, made["seats"]["1"])
        await browser.join(new, made["watch"])
        assert (await other.ask("roll"))["code"] in ("not-yours", "old-version")
        await again.hello(made["seats"]["0"])
        assert (await again.ask("roll"))["type"] == "accepted"
        late = browser.open(new)
        assert (await late.hello(made["invitations"]["1"]))["code"] == "not-yours"
    async with server(tmp_path) as browser:
        # and the old link leads there after a restart, too
        back = browser.open(made["id"])
        assert (await back.hello(made["seats"]["1"]))["table"]["next"] == new
        live = await browser.lobby.read(new)
        assert live.version > 2


async def test_against_computers_and_round_one_screen_one_touch_is_enough(browser: Browser) -> None:
    made, mine = await browser.alone("joker1", "here", "greedy", "here", "random")
    await ended(mine)
    assert (await mine.ask("rematch"))["type"] == "accepted"
    again = browser.open(await next_table(mine))
    welcome = await again.hello(made["seats"]["0"], made["seats"]["2"], made["maker"])
    seats = welcome["table"]["seats"]
    assert [seat["kind"] for seat in seats] == ["here", "computer", "here", "computer"]
    assert [seat["level"] for seat in seats] == [None, "greedy", None, "random"]
    assert welcome["table"]["phase"] == "playing" and welcome["yours"] == [0, 2]


async def test_who_watches_computers_may_let_them_play_again(browser: Browser) -> None:
    made = await browser.make("joker1", "random", "random", options={"rounds": 1})
    maker = await browser.join(made["id"], made["maker"])
    watcher = await browser.join(made["id"], made["watch"])
    while (await maker.hear("update"))["position"]["actor"] != -2:
        pass
    await watcher.hello(made["watch"])
    await watcher.refused("not-yours", "rematch")
    assert (await maker.ask("rematch"))["type"] == "accepted"
    assert (await browser.open(await next_table(maker)).hello(made["watch"]))["type"] == "welcome"


async def test_the_computer_sits_down_for_who_is_gone_and_gives_the_seat_back(
    browser: Browser, clock: Clock
) -> None:
    made, mine, guest = await browser.two(stand_in="greedy")
    await ended(mine, guest)
    await guest.vanish()
    await mine.hear("table")
    clock.now += 800
    assert (await mine.ask("rematch"))["type"] == "accepted"
    assert (await mine.hear("table"))["table"]["next"] is None  # guest is waited for
    await mine.hear("update")
    clock.now += 101
    assert (await mine.ask("rematch"))["type"] == "accepted"
    new = await next_table(mine)
    again = await browser.join(new, made["seats"]["0"])
    back = browser.open(new)
    seat = (await back.hello(made["seats"]["1"]))["table"]["seats"][1]
    assert (seat["kind"], seat["lent"], seat["level"]) == ("computer", True, "greedy")
    assert seat["stand_in"] == {"since": 0, "moves": 0, "absent": True}
    assert (await back.ask("person", seat=1))["type"] == "accepted"
    while (await again.hear("table"))["table"]["seats"][1]["kind"] != "link":
        pass


async def test_whose_seat_was_lent_and_who_is_there_plays_the_next_game(browser: Browser) -> None:
    made, mine, guest = await browser.two()
    await guest.done("computer", seat=1, level="greedy")
    await mine.reach(guest.version)
    await ended(guest, mine)
    await guest.done("rematch")
    await mine.reach(guest.version)
    assert (await mine.ask("rematch"))["type"] == "accepted"
    welcome = await browser.open(await next_table(mine)).hello(made["seats"]["1"])
    assert [seat["kind"] for seat in welcome["table"]["seats"]] == ["here", "link"]


async def test_a_rematch_costs_as_much_as_a_table(tmp_path: Path) -> None:
    clock = Clock()
    limits = msgspec.structs.replace(NO_LIMITS, tables=Rate(0.1, 1))
    async with server(tmp_path, limits=limits, monotonic=clock) as browser:
        _, mine, guest = await browser.two()
        await ended(mine, guest)
        # it is charged when the table is made: wishes cost nothing
        for agree in (True, False) * 3:
            await guest.done("rematch", agree=agree)
        await guest.done("rematch")
        await mine.reach(guest.version)
        await mine.refused("too-fast", "rematch")
        clock.now += 10
        assert (await mine.ask("rematch"))["type"] == "accepted"


# --- an early end -------------------------------------------------------------------------------------


@pytest.mark.settings(helper=ScriptedHelper(value=lambda details: VERDICT))
async def test_the_verdict_is_shown_before_it_counts_and_is_then_the_same(browser: Browser) -> None:
    made, mine, guest = await browser.two("sixbysix")
    watcher = await browser.join(made["id"], made["watch"])
    await watcher.refused("not-yours", "preview")
    for person in (mine, guest):
        shown = await person.ask("preview")
        assert {name: shown[name] for name in VERDICT} == VERDICT
    # it was worked out once for this position, from what everybody can see
    live = await browser.lobby.read(made["id"])
    (asked,) = [details for do, details in browser.helper.asked if do == "value"]
    game = find_game("sixbysix").agree(2, {})
    assert game.read_state(asked["state"]) == live.state.view(None) != live.state
    await ended(mine, guest)
    entry = mine.messages[-1]["entries"][0]
    assert (entry["kind"], entry["body"]) == ("adjudicate", VERDICT)
    assert [do for do, _ in browser.helper.asked].count("value") == 1


async def test_a_move_takes_back_the_consent_of_others(browser: Browser) -> None:
    made, mine, guest = await browser.two()
    moves = (await mine.done("roll"))["moves"]
    await guest.reach(mine.version)
    await guest.done("adjudicate")
    live = (await browser.lobby.find(made["id"])).live
    assert live.info().seats[1].ends
    await mine.reach(guest.version)
    await mine.done("move", event=moves[0]["event"])
    assert not live.info().seats[1].ends
    await mine.done("adjudicate")
    assert live.current.phase == "playing"  # the guest is asked again


async def test_a_game_on_one_screen_that_was_ended_early_is_over_for_everybody(tmp_path: Path) -> None:
    """Nobody is asked to pass the screen, and the report is about the game as far as it went."""

    def report(asked: dict[str, Any]) -> dict[str, Any]:
        return {"winners": asked["early_winners"], "events": len(Record.from_json(asked["record"]).events)}

    helper = ScriptedHelper(value=lambda details: VERDICT, report=report)
    async with server(tmp_path, helper=helper) as browser:
        made, mine = await browser.alone("sixbysix", "here", "here")
        assert (await browser.get(f"/api/tables/{made['id']}/report")).status == 409
        position = await mine.done("adjudicate")
        assert (position["actor"], position["as_seat"], position["roller"]) == (-2, None, None)
        assert (position["moves"], position["winners"]) == ([], [1])
        reply = await browser.get(f"/api/tables/{made['id']}/report")
        assert (reply.status, reply.json) == (200, {"winners": [1], "events": 1})
        refused = await browser.get(f"/api/tables/{made['id']}/record")
        assert refused.status == 409 and "ended early" in refused.json["reason"]["template"]


# --- reactions ----------------------------------------------------------------------------------------


async def test_a_reaction_is_shown_to_those_who_play_and_to_nobody_else(browser: Browser) -> None:
    made, mine, guest = await browser.two()
    watcher = await browser.join(made["id"], made["watch"])
    await guest.refused("not-yours", "react", seat=0, reaction="bravo")
    assert (await guest.ask("react", seat=1, reaction="shout"))["code"] == "malformed"
    before = (await browser.lobby.read(made["id"])).version
    assert (await guest.ask("react", seat=1, reaction="bravo"))["type"] == "accepted"
    for person in (mine, guest):
        assert await person.hear("reacted") == {"type": "reacted", "seat": 1, "reaction": "bravo"}
    assert (await browser.lobby.read(made["id"])).version == before
    assert (await mine.ask("roll"))["type"] == "accepted"
    await watcher.hear("update")
    assert not any(message["type"] == "reacted" for message in watcher.messages)


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, reactions=Rate(0.5, 2)))
async def test_reactions_come_one_after_the_other(browser: Browser, clock: Clock) -> None:
    _, mine, guest = await browser.two()
    for _ in range(2):
        assert (await mine.ask("react", seat=0, reaction="laugh"))["type"] == "accepted"
    await mine.refused("too-fast", "react", seat=0, reaction="laugh")
    assert (await guest.ask("react", seat=1, reaction="laugh"))["type"] == "accepted"
    clock.now += 2
    assert (await mine.ask("react", seat=0, reaction="laugh"))["type"] == "accepted"


# --- signs of life ------------------------------------------------------------------------------------


@pytest.mark.settings(
    limits=msgspec.structs.replace(NO_LIMITS, messages=Rate(0, 1 + 2.5 * Price.PING_MESSAGES))
)
async def test_a_ping_is_answered_and_counts_as_a_message(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    mine = browser.open(made["id"])
    received: list[Any] = []
    # as the client writes it, which is cheaper, and in another way
    for text in (PING.decode(), '{"type": "ping"}', PING.decode(), PING.decode()):
        mine.say(text)
        received.append((await mine.hear())["type"])
    assert received == ["pong", "pong", "pong", "refused"]
