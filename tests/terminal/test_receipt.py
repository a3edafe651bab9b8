"""Receipts on the command line: written by simulations, checked offline."""

from __future__ import annotations

import json
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.coach.figures import Figures
from pasch.coach.report import report
from pasch.core.chance import seed_key
from pasch.core.fair import commitment, dice_key
from pasch.core.receipt import Receipt, RulesHash
from pasch.core.registry import find_game
from pasch.table.schema import DiceMode
from tests.core.fair_games import play_fairly
from tests.terminal.conftest import Pasch

SEED = bytes(range(32))


def write_receipt(
    path: Path, contributions: list[str | None], dice: DiceMode = "pasch", **more: Any
) -> Path:
    """The receipt of a game of two, in a file."""
    match = play_fairly(
        find_game("joker1").agree(2, {"rounds": 1}), dice_key(SEED, "the-table", contributions)
    )
    made = Receipt.of(
        match.game,
        match.events,
        table="the-table",
        dice=dice,
        seed=SEED,
        contributions=contributions,
        **more,
    )
    path.write_text(made.to_json(), "utf-8")
    return path


@pytest.fixture
def receipt(tmp_path: Path) -> Path:
    """A receipt with the coach's numbers."""
    path = write_receipt(tmp_path / "game.receipt", [None, None])
    record = Receipt.from_json(path.read_bytes()).game_record()
    rules = RulesHash.of(record.configured_game()).hash
    coach = msgspec.to_builtins(Figures.of(msgspec.to_builtins(report(record)), rules))
    return write_receipt(path, [None, None], coach=coach)


def changed(path: Path, *way: Any, to: Any) -> Path:
    """A copy in which one thing is different."""
    written = json.loads(path.read_text("utf-8"))
    reduce(getitem, way[:-1], written)[way[-1]] = to
    other = path.with_name("changed.receipt")
    other.write_text(json.dumps(written), "utf-8")
    return other


@pytest.mark.slow
def test_a_right_receipt_and_the_verdict_as_json(pasch: Pasch, receipt: Path) -> None:
    done = pasch("verify", "--receipt", receipt)
    assert done.exit_code == 0
    assert "follow from the seed" in done.stdout and "the coach's numbers are right" in done.stdout
    assert "the dice were sealed as" in done.stdout and "added to by nobody" in done.stdout
    quick = pasch("verify", "--receipt", receipt, "--dice-only")
    assert quick.exit_code == 0 and "coach" not in quick.stdout
    result = json.loads(pasch("verify", "--receipt", receipt, "--json").stdout)
    assert result["ok"] and result["coach"] and result["findings"] == [] and result["dice"] == "pasch"
    wrong = changed(receipt, "record", "events", 0, "roll", to=[6, 6, 6])
    result = json.loads(pasch("verify", "--receipt", wrong, "--json").stdout)
    assert not result["ok"] and result["findings"][0]["event"] == 1
    assert pasch("verify", "--receipt", "-", "--dice-only", typed=receipt.read_bytes()).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "to", "said"),
    [
        (("seed",), "0" * 64, "committed"),
        (("coach", "seats", 0, "luck"), 99.5, "seat 0, luck"),
        (("coach", "hash"), "0" * 64, "hash"),
        (("coach", "solver"), "elsewhere", "not the numbers of this game"),
        (("coach", "seats"), "none", "coach"),
    ],
)
def test_changes_of_the_seed_and_of_the_coachs_numbers_are_found(
    way: tuple[Any, ...], to: Any, said: str, pasch: Pasch, receipt: Path
) -> None:
    done = pasch("verify", "--receipt", changed(receipt, *way, to=to))
    assert done.exit_code == 1 and said in done.stdout and "Traceback" not in done.output


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """The receipt of a game in which seat 0 has added to the dice, and seat 1 has not."""
    return write_receipt(tmp_path / "shared.receipt", ["ab" * 32, None])


SEAL = commitment(SEED)


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        (("--commitment", f" {SEAL.upper()} "), 0, "the seal is the one that you gave"),
        (("--contribution", "ab" * 32, "--contribution", "0=" + "AB" * 32), 0, "is in the dice"),
        (("--commitment", "0" * 64), 1, "not the one that you saw"),
        (("--contribution", "cd" * 32), 1, "contributions: yours, cdcdcdcd…, is not among them"),
        (("--contribution", "0=" + "cd" * 32), 1, "that of seat 0 is not the one you gave"),
        (("--contribution", "1=" + "ab" * 32), 1, "seat 1 has added nothing, although you say it has"),
        (("--commitment", "0" * 63), 2, "64 hexadecimal digits"),
        (("--contribution", "0=xyz"), 2, "64 hexadecimal digits"),
        (("--contribution", "6=" + "ab" * 32), 2, "a seat is 0 to 5, not '6'"),
        (("--contribution", "ab" * 32, "--receipt", "another"), 2, "go with one --receipt"),
    ],
)
def test_what_is_remembered_is_compared(
    typed: tuple[str, ...], code: int, said: str, pasch: Pasch, shared: Path
) -> None:
    done = pasch("verify", "--receipt", shared, *typed)
    assert done.exit_code == code and said in " ".join(done.output.split())


def test_what_is_no_receipt_is_one_line(pasch: Pasch, tmp_path: Path) -> None:
    empty, nonsense = tmp_path / "empty", tmp_path / "nonsense"
    empty.write_bytes(b"\n")
    nonsense.write_bytes(b"\xff\n")
    for path in (empty, nonsense, tmp_path / "nowhere", tmp_path):
        done = pasch("verify", "--receipt", path)
        assert done.exit_code == 1 and done.output.count("\n") == 1
    assert pasch("verify").exit_code == 2


def test_real_dice_are_said_to_be_real(pasch: Pasch, tmp_path: Path) -> None:
    path = write_receipt(tmp_path / "real.receipt", [None, None], "real")
    assert "played with real dice" in pasch("verify", "--receipt", path).stdout


def test_a_simulations_seed_is_the_seed_of_its_receipts(pasch: Pasch, tmp_path: Path) -> None:
    records, receipts = tmp_path / "records", tmp_path / "receipts"
    command = ("simulate", "crowns", "--seats", "random,greedy", "--games", "2", "--seed", "s")
    assert pasch(*command, "--records", records, "--receipts", receipts).exit_code == 0
    done = pasch("verify", "--receipt", receipts, records)
    assert done.exit_code == 0 and "ok: 2 receipts" in done.stdout and "ok: 2 games" in done.stdout
    made = [Receipt.from_json(line) for line in receipts.read_bytes().splitlines()]
    assert [one.seed for one in made] == [seed_key("s").hex()] * 2
    assert [one.table for one in made] == ["game-0", "game-1"]
    assert [one.record for one in made] == [json.loads(line) for line in records.read_bytes().splitlines()]
