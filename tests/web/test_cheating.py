"""A server that cheats, and what detects it: the page of a person who played, `pasch verify`, or both.

Each forgery is as good as possible: the receipt is consistent, and the forger knows the key. What a server can try
while the game lasts is in tests/web/js/cheating.test.js.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pasch.core.chance import derive
from pasch.core.events import plain
from pasch.core.fair import commitment, dice_key
from pasch.core.receipt import Memory, Receipt
from pasch.core.registry import find_game
from tests.core.fair_games import play_fairly
from tests.web.nodejs import node
from tests.web.test_playing import SHORT

JUDGE = Path(__file__).parent / "js" / "judge.js"

SEED, OTHER_SEED = bytes(range(32)), bytes(32)
MINE, THEIRS, OTHERS = "ab" * 32, "cd" * 32, "ef" * 32
TABLE = "the-table"


class Case(NamedTuple):
    """What a device remembers of a table, and the receipt that the server gives it. Seat 0 is ours, 1 a computer's."""

    receipt: dict[str, Any]
    seen: dict[str, Any]

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.receipt["record"]["events"]  # type: ignore[no-any-return]

    @property
    def key(self) -> bytes:
        reply = self.receipt
        return dice_key(
            bytes.fromhex(reply["seed"]), reply["table"], reply["contributions"], reply["given"]
        )  # fmt: skip

    def roll(self, dice: int) -> int:
        """The number of the first event with this number of dice."""
        return next(n for n, event in enumerate(self.events, 1) if len(event.get("roll", ())) == dice)

    def show(self, number: int, event: dict[str, Any]) -> None:
        """Lie during the game as well: this was seen, and this is on the receipt."""
        self.events[number - 1] = self.seen["events"][number - 1] = event


@cache
def _played(
    name: str, seed: bytes, table: str, contributions: tuple[str | None, ...], given: int
) -> dict[str, Any]:
    game = find_game(name).agree(2, SHORT[name])
    match = play_fairly(game, dice_key(seed, table, contributions, given))
    made = Receipt.of(
        game, match.events, table=table, dice="pasch", seed=seed, contributions=contributions, given=given
    )
    return json.loads(made.to_json())  # type: ignore[no-any-return]


def played(
    name: str,
    seed: bytes = SEED,
    table: str = TABLE,
    contributions: tuple[str | None, ...] = (MINE, None),
    given: int = 0,
) -> Case:
    """A game played fairly with these, at a table where we saw the seal of SEED, and added MINE."""
    receipt = copy.deepcopy(_played(name, seed, table, contributions, given))
    record = receipt["record"]
    options = {option: value for option, value in record["options"].items() if option != "components"}
    agreed = {"game": name, "players": 2, "options": options, "dice": "pasch", "given": 0}
    game = find_game(name)
    box = plain(game.default_components())
    seen_events = [plain(game.read_event(event).view(0).json()) for event in record["events"]]
    seen = {
        "commitment": commitment(SEED), "contribution": MINE, "seats": [0], "others": [MINE, None], "computers": [1],
        "agreed": {**agreed, "components": box}, "events": seen_events,
    }  # fmt: skip
    return Case(receipt, seen)


# --- the lies -------------------------------------------------------------------------------------


def another_contribution() -> Case:
    return played("joker1", contributions=(THEIRS, None))


def no_contribution() -> Case:
    return played("joker1", contributions=(None, None))


def a_contribution_for_the_computer() -> Case:
    return played("joker1", contributions=(MINE, THEIRS))


def the_contribution_of_somebody_else() -> Case:
    """Exchanged when ours was known, which was the last one."""
    case = played("joker1", contributions=(MINE, OTHERS))
    case.seen.update({"others": [None, THEIRS], "computers": []})
    return case


def one_contribution_too_many() -> Case:
    return played("joker1", contributions=(MINE, None, THEIRS))


def another_seal() -> Case:
    return played("joker1", seed=OTHER_SEED)


def a_seed_that_does_not_fit() -> Case:
    case = played("joker1", seed=OTHER_SEED)
    case.receipt["commitment"] = commitment(SEED)
    return case


def another_table() -> Case:
    return played("joker1", table="another-table")


def another_game() -> Case:
    return Case(played("joker2").receipt, played("joker1").seen)


def other_options() -> Case:
    case = played("fiese15")
    case.seen["agreed"]["options"]["gambler"] = True
    return case


def a_box_of_nines() -> Case:
    case = played("sixbysix")
    box = copy.deepcopy(case.seen["agreed"]["components"])
    for copies in box["deck"]:
        copies["number"] = 84 if copies["card"] == 9 else 0
    case.receipt["record"]["options"]["components"] = box
    return case


def events_given_by_another_game() -> Case:
    return played("joker1", given=2)


def given_later() -> Case:
    """The first roll is bad for a player: claim that another game gave it."""
    case = played("joker1")
    case.receipt["given"] = 1
    return case


def real_dice() -> Case:
    case = played("joker1")
    case.receipt.update({"dice": "real", "commitment": None, "seed": None, "chance": []})
    return case


def simulated_dice() -> Case:
    case = played("joker1")
    case.receipt.update({"dice": "simulated"})
    return case


def a_changed_roll() -> Case:
    case = played("joker1")
    number = case.roll(3)
    rolled = case.events[number - 1]["roll"]
    case.show(number, {**case.events[number - 1], "roll": [1, 1, 6] if rolled != [1, 1, 6] else [1, 1, 5]})
    return case


def a_changed_card() -> Case:
    case = played("sixbysix")
    number = next(n for n, event in enumerate(case.events, 1) if "draw" in event)
    drawn = case.events[number - 1]["draw"]
    case.show(number, {**case.events[number - 1], "draw": [9, 9] if drawn != [9, 9] else [8, 9]})
    return case


def a_changed_strip() -> Case:
    case = played("fiese15")
    case.show(1, {"strip": (case.events[0]["strip"] + 1) % 15})
    return case


def rolled_twice() -> Case:
    """A second candidate of the same event, as if the first had not been good enough."""
    case = played("crowns")
    number = case.roll(6)
    again = derive(case.key, number + 1000, 6**6)
    roll = sorted((again // 6**die % 6 + 1 for die in range(6)), reverse=True)
    case.show(number, {**case.events[number - 1], "roll": roll})
    return case


def one_of_one_thing() -> Case:
    """All sixes, and the receipt says that nothing else could have come."""
    case = played("crowns")
    for entry in case.receipt["chance"]:
        number = entry["number"]
        event = {**case.events[number - 1], "roll": [6] * 6}
        case.show(number, event)
        kept = {name: entry[name] for name in ("number", "field")}
        entry.clear()
        entry |= {**kept, "kind": "oneof", "things": [event]}
    return case


def a_pack_of_one_card() -> Case:
    case = played("sixbysix")
    number = next(n for n, event in enumerate(case.events, 1) if "draw" in event)
    case.show(number, {**case.events[number - 1], "draw": [9, 9]})
    entry = next(one for one in case.receipt["chance"] if one["number"] == number)
    entry["pack"] = [[9, 84]]
    return case


def dice_of_fewer_faces() -> Case:
    """Dice that are described as things of which only the good ones exist."""
    case = played("joker2")
    number = case.roll(2)
    entry = next(one for one in case.receipt["chance"] if one["number"] == number)
    things = [{**case.events[number - 1], "roll": [face, face]} for face in (5, 6)]
    right = things[derive(case.key, number, 2)]
    if right == case.events[number - 1]:
        right = things[0] if right == things[1] else things[1]
    case.show(number, right)
    entry |= {"kind": "oneof", "things": things}
    return case


def fewer_dice(name: str, dice: int) -> Case:
    """One die where there should be more, and it shows what one die had to show."""
    case = played(name)
    number = case.roll(dice)
    case.show(number, {**case.events[number - 1], "roll": [derive(case.key, number, 6) + 1]})
    entry = next(one for one in case.receipt["chance"] if one["number"] == number)
    entry["dice"] = 1
    return case


def fewer_dice_than_always() -> Case:
    return fewer_dice("crowns", 6)


def fewer_dice_than_the_rules_say() -> Case:
    return fewer_dice("joker1", 3)


def fewer_dice_than_were_seen() -> Case:
    case = fewer_dice("joker1", 3)
    return Case(case.receipt, played("joker1").seen)


def dice_that_were_set_aside() -> Case:
    case = played("fiese15")
    number = next(n for n, event in enumerate(case.events, 1) if "keep" in event)
    while "roll" not in case.events[number - 1] or len(case.events[number - 1]["roll"]) == 6:
        number += 1
    colours = ("red", "blue", "yellow", "black", "white", "green")
    case_number = derive(case.key, number, 6**6)
    faces = [case_number // 6 ** (5 - die) % 6 + 1 for die in range(6)]
    case.show(number, {**case.events[number - 1], "roll": dict(zip(colours, faces, strict=True))})
    entry = next(one for one in case.receipt["chance"] if one["number"] == number)
    entry |= {"dice": 6, "names": list(colours)}
    return case


def a_plan_out_of_turn() -> Case:
    case = played("lines")
    case.show(1, {"plan": 2})
    case.receipt["chance"][0]["things"] = [{"plan": 2}]
    return case


def a_roll_of_an_unknown_kind() -> Case:
    case = played("joker1")
    number = case.roll(3)
    case.show(number, {"seat": 0, "throw": [6, 6, 6]})
    del case.receipt["chance"][0]
    return case


def events_in_another_order() -> Case:
    case = played("crowns")
    one, other = [n for n, event in enumerate(case.events) if "roll" in event][:2]
    case.events[one], case.events[other] = case.events[other], case.events[one]
    return case


def an_event_left_out() -> Case:
    """A roll that was seen and is not on the receipt any more; all numbers after it change."""
    case = played("joker1")
    del case.events[0]
    return case


def other_dice_than_were_shown() -> Case:
    """The receipt of a fair game, but another one was played."""
    case = played("crowns")
    case.seen["events"][0] = {**case.seen["events"][0], "roll": [6] * 6}
    return case


def another_move_than_was_made() -> Case:
    case = played("joker1")
    number = next(n for n, event in enumerate(case.events) if "push" in event)
    case.seen["events"][number] = {"seat": 0, "push": [[1]]}
    return case


def ended_too_early() -> Case:
    case = played("crowns")
    del case.events[-3:]
    numbers = len(case.events)
    case.receipt["chance"] = [one for one in case.receipt["chance"] if one["number"] <= numbers]
    return case


def ended_early_by_nobody() -> Case:
    """The end is cut off and called a verdict: the receipt fits together."""
    case = played("crowns")
    game = find_game("crowns").agree(2, SHORT["crowns"])
    events = [game.read_event(event) for event in case.events[:-3]]
    cut = Receipt.of(
        game, events, table=TABLE, dice="pasch", seed=SEED, contributions=(MINE, None),
        verdict={"winners": [1], "by": "scores"},
    )  # fmt: skip
    return Case(json.loads(cut.to_json()), case.seen)


class Found(NamedTuple):
    """Who finds a lie: what the page says first, and whether `pasch verify` does, with what one remembers."""

    page: str | None
    verify: bool = True


#: by lie; where the page finds nothing, docs/fairness.md has to say so
LIES: dict[Callable[[], Case], Found] = {
    another_contribution: Found("other"),
    no_contribution: Found("none"),
    a_contribution_for_the_computer: Found("computer", verify=False),
    the_contribution_of_somebody_else: Found("changed"),
    one_contribution_too_many: Found("seats"),
    another_seal: Found("commitment"),
    a_seed_that_does_not_fit: Found("seed"),
    another_table: Found("table", verify=False),
    another_game: Found("agreed", verify=False),
    other_options: Found("agreed", verify=False),
    a_box_of_nines: Found("agreed"),
    events_given_by_another_game: Found("agreed", verify=False),
    given_later: Found("agreed"),
    real_dice: Found("dice"),
    simulated_dice: Found("dice"),
    a_changed_roll: Found("roll"),
    a_changed_card: Found("roll"),
    a_changed_strip: Found("roll"),
    rolled_twice: Found("roll"),
    one_of_one_thing: Found("roll"),
    a_pack_of_one_card: Found("roll"),
    dice_of_fewer_faces: Found("roll"),
    fewer_dice_than_always: Found("shape"),
    fewer_dice_than_the_rules_say: Found(None),
    fewer_dice_than_were_seen: Found("event"),
    dice_that_were_set_aside: Found("shape"),
    a_plan_out_of_turn: Found("roll"),
    a_roll_of_an_unknown_kind: Found("shape"),
    events_in_another_order: Found("event"),
    an_event_left_out: Found("event"),
    other_dice_than_were_shown: Found("event", verify=False),
    another_move_than_was_made: Found("event", verify=False),
    ended_too_early: Found("event"),
    ended_early_by_nobody: Found("event", verify=False),
}
HONEST = tuple(SHORT)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What the page finds in each case, by the lie's or the honest game's name."""
    cases = {lie.__name__: lie() for lie in LIES} | {name: played(name) for name in HONEST}
    written = [
        {
            **case._asdict(),
            "description": find_game(case.seen["agreed"]["game"]).chance_description(),
            "known": {"table": TABLE},
        }
        for case in cases.values()
    ]
    file = tmp_path_factory.mktemp("cheating") / "cases.json"
    file.write_text(json.dumps(written), "utf-8")
    ran = node(JUDGE, file)
    assert ran.returncode == 0, ran.stderr
    found = [verdict["findings"] for verdict in json.loads(ran.stdout)]
    return dict(zip(cases, found, strict=True))


def verified(case: Case) -> list[str]:
    """What `pasch verify --commitment --contribution` finds."""
    others = [(seat, one) for seat, one in enumerate(case.seen["others"]) if one and seat]
    memory = Memory(case.seen["commitment"], ((0, MINE), *others))
    return [str(finding) for finding in Receipt.from_json(json.dumps(case.receipt)).findings(memory)]


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_game_is_without_fault(name: str, page: dict[str, list[dict[str, Any]]]) -> None:
    assert page[name] == [] and verified(played(name)) == []


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_each_lie_is_found(lie: Callable[[], Case], page: dict[str, list[dict[str, Any]]]) -> None:
    expected = LIES[lie]
    problems = [finding["problem"] for finding in page[lie.__name__]]
    assert problems[:1] == ([] if expected.page is None else [expected.page])
    assert bool(verified(lie())) == expected.verify
