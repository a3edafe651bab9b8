"""Fair dice: what follows from seed and contributions, and what a receipt brings to light."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from pasch.core.errors import PaschError
from pasch.core.fair import commitment, dice_key
from pasch.core.match import Match
from pasch.core.receipt import Receipt, ReceiptError
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE
from tests.core.fair_games import play_fairly

SEED = bytes(range(32))
ADDED = ["ab" * 32, None, "cd" * 32]
SHORT: dict[str, dict[str, Any]] = {
    "crowns": {"round_limit": 2},
    "joker1": {"rounds": 1},
    "joker2": {"rounds": 1},
    "lines": {"target": 1, "plans": [1]},
    "sixbysix": {"round_limit": 1},
}


@cache
def played(name: str) -> Match:
    game = find_game(name).agree(3, SHORT.get(name))
    return play_fairly(game, dice_key(SEED, "table-1", ADDED))


def receipt(name: str, match: Match | None = None, **more: Any) -> Receipt:
    match = match or played(name)
    details = {"table": "table-1", "dice": "pasch", "seed": SEED, "contributions": ADDED, **more}
    return Receipt.of(match.game, match.events, **details)


def reasons(made: Receipt) -> list[str]:
    return [str(finding) for finding in made.findings()]


# --- seeds, contributions, keys -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "table", "contributions"),
    [
        (bytes(31), "t", []),
        (bytes(33), "t", []),
        (SEED, "", []),
        (SEED, "a\nb", []),
        (SEED, "ä", []),
        (SEED, "x" * 65, []),
        (SEED, "t", ["AB" * 32]),
        (SEED, "t", ["ab" * 31]),
        (SEED, "t", ["ab" * 32 + "\n"]),
        (SEED, "t", ["-"]),
    ],
)
def test_what_could_be_read_in_two_ways_is_no_game(
    seed: bytes, table: str, contributions: list[str | None]
) -> None:
    with pytest.raises(PaschError):
        dice_key(seed, table, contributions)


# --- receipts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_the_receipt_of_an_honest_game_is_without_fault(name: str) -> None:
    made = receipt(name)
    assert made.findings() == []
    again = Receipt.from_json(made.to_json())
    assert again == made and again.findings() == []
    chance = [n + 1 for n in range(len(played(name))) if played(name).at(n).actor == CHANCE]
    assert [entry["number"] for entry in made.chance] == chance


def test_rules_that_have_changed_since_are_named() -> None:
    made = receipt("joker1")
    for change, said in (({"version": 99}, "version 99"), ({"hash": "0" * 64}, "hash")):
        rules = msgspec.structs.replace(made.rules, **change)
        assert said in reasons(msgspec.structs.replace(made, rules=rules))[0]
    record = {**made.record, "options": {"rounds": 2}}
    assert "rules" in reasons(msgspec.structs.replace(made, record=record))[0]


@pytest.mark.parametrize(
    "table", ["table-1", "game-", "game-x", "game--1", f"game-{1 << 64}", "7", "game-0"]
)
def test_a_receipt_cannot_call_itself_simulated_to_escape_the_check(table: str) -> None:
    made = receipt("joker1", dice="simulated", table=table)
    assert "contributions: nobody adds to the dice of a simulation" in reasons(made)
    assert reasons(made)[0].startswith("table: that of a simulated game") == (table != "game-0")


#: what is changed on a receipt, and the finding
CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"seed": "00" * 32, "commitment": commitment(bytes(32))}, "event 1: "),
    ({"commitment": None}, "seed"),
    ({"seed": None}, "seed"),
    ({"dice": "real"}, "seed"),
    ({"contributions": [None]}, "contributions"),
    ({"given": 10_000}, "given"),
    ({"given": 1}, "follows from the seed"),
    ({"ended": "adjudicated"}, "ended"),
    ({"verdict": {"winners": [0]}}, "verdict"),
    ({"chance": []}, "event 1: its chances"),
    ({"record": {}}, "this is not a record"),
    ({"chance": [{"number": [1]}, {"number": None}, {}]}, "without its number"),
]


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=str)
def test_whatever_is_changed_is_found(change: dict[str, Any], said: str) -> None:
    assert any(said in reason for reason in reasons(msgspec.structs.replace(receipt("crowns"), **change)))


def test_events_of_another_game_are_not_ours_to_prove() -> None:
    game, given = find_game("joker1").agree(1, {"rounds": 1}), ("roll:1,2,4", "push:1/2/4")
    match = play_fairly(game, dice_key(SEED, "table-1", [None], 2), given)
    made = receipt("joker1", match, contributions=[None], given=2)
    assert made.findings() == []
    assert msgspec.structs.replace(made, given=0).findings()[0].event == 1


def test_with_real_dice_the_receipt_says_so_and_nothing_has_to_follow() -> None:
    made = receipt("joker1", dice="real")
    assert (made.dice, made.seed, made.commitment, made.chance) == ("real", None, None, [])
    assert made.findings() == []
    assert "real" not in json.dumps(made.record)
    record = {**made.record, "scores": [score + 1 for score in made.record["scores"]]}
    assert "scores" in reasons(msgspec.structs.replace(made, record=record))[0]


def test_a_game_that_was_ended_early() -> None:
    match = played("crowns").branch(5)
    made = receipt("crowns", match, verdict={"winners": [1], "by": "scores"})
    assert made.ended == "adjudicated" and made.findings() == []
    for change in ({"verdict": None}, {"ended": "over"}, {"record": {**made.record, "winners": [1]}}):
        assert msgspec.structs.replace(made, **change).findings()


def changed(data: Any) -> Iterator[Any]:
    """JSON with one of its numbers, words or switches changed, each in turn."""
    if isinstance(data, dict | list):
        for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
            for other in changed(value):
                twin = copy.copy(data)
                twin[key] = other
                yield twin
    else:
        yield data + 1 if type(data) is int else not data if isinstance(data, bool) else "f" * 64


@pytest.mark.parametrize("game", ["joker1", "sixbysix"])
def test_no_part_of_a_receipt_can_be_changed(game: str) -> None:
    """Besides moves, which are the players' own, and what the coach says."""
    made = receipt(game)
    written = json.loads(made.to_json())
    moves = [event for event in made.record["events"] if not {"roll", "deal", "draw"} & {*event}]
    for twin in changed(written):
        try:
            found = Receipt.from_json(json.dumps(twin)).findings()
        except ReceiptError:
            continue
        assert found or any(move not in twin["record"]["events"] for move in moves), twin
