"""A server that cheats, and what detects it: the page of a person who played, `pasch verify`, or both.

Each forgery is as good as possible: the receipt is consistent, and the forger knows the key. What a server can try
while the game lasts is in tests/web/js/cheating.test.js, every changed roll of honest games in fair.test.js, and
rolls that the game does not have in shapes.test.js.
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

JS = Path(__file__).parent / "js"

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
        seed = bytes.fromhex(reply["seed"])
        return dice_key(seed, reply["table"], reply["contributions"], reply["given"])

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
    name: str = "joker1",
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


def changed(**receipt: Any) -> Case:
    """A fair game whose receipt says something else."""
    case = played()
    case.receipt.update(receipt)
    return case


# --- the lies -------------------------------------------------------------------------------------


def the_contribution_of_somebody_else() -> Case:
    """Exchanged when ours was known, which was the last one."""
    case = played(contributions=(MINE, OTHERS))
    case.seen.update({"others": [None, THEIRS], "computers": []})
    return case


def a_seed_that_does_not_fit() -> Case:
    case = played(seed=OTHER_SEED)
    case.receipt["commitment"] = commitment(SEED)
    return case


def a_box_of_nines() -> Case:
    case = played("sixbysix")
    box = copy.deepcopy(case.seen["agreed"]["components"])
    for copies in box["deck"]:
        copies["number"] = 84 if copies["card"] == 9 else 0
    case.receipt["record"]["options"]["components"] = box
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


def fewer_dice() -> Case:
    """One die where there should be three, and it shows what one die had to show."""
    case = played()
    number = next(n for n, event in enumerate(case.events, 1) if len(event.get("roll", ())) == 3)
    case.show(number, {**case.events[number - 1], "roll": [derive(case.key, number, 6) + 1]})
    entry = next(one for one in case.receipt["chance"] if one["number"] == number)
    entry["dice"] = 1
    return case


def an_event_left_out() -> Case:
    """A roll that was seen and is not on the receipt any more; all numbers after it change."""
    case = played()
    del case.events[0]
    return case


def other_dice_than_were_shown() -> Case:
    """The receipt of a fair game, but another one was played."""
    case = played("crowns")
    case.seen["events"][0] = {**case.seen["events"][0], "roll": [6] * 6}
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


class Lie(NamedTuple):
    """How a lie is made and who finds it: what the page says first, and whether `pasch verify` does, too.

    `pasch verify` is told what one remembers. Where the page finds nothing, docs/fairness.md has to say so.
    """

    make: Callable[[], Case]
    page: str | None
    verify: bool = True


LIES: dict[str, Lie] = {
    "another contribution": Lie(lambda: played(contributions=(THEIRS, None)), "other"),
    "no contribution": Lie(lambda: played(contributions=(None, None)), "none"),
    "one for the computer": Lie(lambda: played(contributions=(MINE, THEIRS)), "computer", verify=False),
    "the contribution of somebody else": Lie(the_contribution_of_somebody_else, "changed"),
    "one contribution too many": Lie(lambda: played(contributions=(MINE, None, THEIRS)), "seats"),
    "another seal": Lie(lambda: played(seed=OTHER_SEED), "commitment"),
    "a seed that does not fit": Lie(a_seed_that_does_not_fit, "seed"),
    "another table": Lie(lambda: played(table="another-table"), "table", verify=False),
    "another game": Lie(lambda: Case(played("joker2").receipt, played().seen), "agreed", verify=False),
    "a box of nines": Lie(a_box_of_nines, "agreed"),
    # the first roll is bad for a player: claim that another game gave it
    "given later": Lie(lambda: changed(given=1), "agreed"),
    "real dice": Lie(lambda: changed(dice="real", commitment=None, seed=None, chance=[]), "dice"),
    "simulated dice": Lie(lambda: changed(dice="simulated"), "dice"),
    "one of one thing": Lie(one_of_one_thing, "roll"),
    "fewer dice than the rules say": Lie(fewer_dice, None),
    "fewer dice than were seen": Lie(lambda: Case(fewer_dice().receipt, played().seen), "event"),
    "an event left out": Lie(an_event_left_out, "event"),
    "other dice than were shown": Lie(other_dice_than_were_shown, "event", verify=False),
    "ended early by nobody": Lie(ended_early_by_nobody, "event", verify=False),
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What the page finds, by the lie's name."""
    cases = {name: lie.make() for name, lie in LIES.items()}
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
    ran = node(JS / "judge.js", file)
    assert ran.returncode == 0, ran.stderr
    found = [verdict["findings"] for verdict in json.loads(ran.stdout)]
    return dict(zip(cases, found, strict=True))


def verified(case: Case) -> list[str]:
    """What `pasch verify --commitment --contribution` finds."""
    others = [(seat, one) for seat, one in enumerate(case.seen["others"]) if one and seat]
    memory = Memory(case.seen["commitment"], ((0, MINE), *others))
    return [str(finding) for finding in Receipt.from_json(json.dumps(case.receipt)).findings(memory)]


@pytest.mark.parametrize("name", LIES)
def test_each_lie_is_found(name: str, page: dict[str, list[dict[str, Any]]]) -> None:
    lie = LIES[name]
    problems = [finding["problem"] for finding in page[name]]
    assert problems[:1] == ([] if lie.page is None else [lie.page])
    assert bool(verified(lie.make())) == lie.verify


def test_in_honest_games_the_page_finds_each_changed_roll_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [played(name) for name in SHORT] + [played(given=2)]
    assert [verified(case) for case in made] == [[]] * len(made)
    descriptions = {name: find_game(name).chance_description() for name in SHORT}
    file = tmp_path / "receipts.json"
    receipts = [case.receipt for case in made]
    file.write_text(json.dumps({"receipts": receipts, "descriptions": descriptions}), "utf-8")
    monkeypatch.setenv("PASCH_RECEIPTS", str(file))
    ran = node("--test", JS / "fair.test.js")
    assert ran.returncode == 0 and f"pass {4 * len(made)}\n" in ran.stdout, ran.stdout
