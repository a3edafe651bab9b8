"""The browser's own check of a receipt finds what Python's does: made here, checked by Node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pasch.core.fair import dice_key
from pasch.core.receipt import Receipt
from pasch.core.registry import find_game, game_ids
from tests.core.fair_games import play_fairly
from tests.web.nodejs import node
from tests.web.test_playing import SHORT

SCRIPT = Path(__file__).parent / "js" / "fair.test.js"


def receipt(name: str, given: int = 0) -> Receipt:
    """A whole game in which the first of three seats has added to the dice."""
    seed, contributions = bytes(range(32)), ["12" * 32, None, "ef" * 32]
    game = find_game(name).agree(3, SHORT[name])
    match = play_fairly(game, dice_key(seed, "the-table", contributions, given))
    return Receipt.of(
        game,
        match.events,
        table="the-table",
        dice="pasch",
        seed=seed,
        contributions=contributions,
        given=given,
    )


def test_python_and_the_browser_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [receipt(name) for name in game_ids()] + [receipt("joker1", 2)]
    assert [one.findings() for one in made] == [[]] * len(made)
    descriptions = {name: find_game(name).chance_description() for name in game_ids()}
    file = tmp_path / "receipts.json"
    receipts = [json.loads(one.to_json()) for one in made]
    file.write_text(json.dumps({"receipts": receipts, "descriptions": descriptions}), "utf-8")
    monkeypatch.setenv("PASCH_RECEIPTS", str(file))
    ran = node("--test", SCRIPT)
    assert ran.returncode == 0, ran.stdout
    assert f"pass {4 + 4 * len(made)}\n" in ran.stdout
