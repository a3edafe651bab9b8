"""`pasch report`, `pasch value`, `pasch solve` and the hint at the table."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from pasch import find_game
from pasch.core.record import Record
from pasch.solve.tables import chances_kept
from pasch.solve.valuer import valuer
from tests.coach.games import play
from tests.terminal.conftest import Pasch


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A file with two games of Shut the Lines."""
    path = tmp_path / "games.jsonl"
    matches = [play(find_game("lines").agree(2), "random,greedy", number) for number in (1, 2)]
    path.write_text("".join(match.record().to_json() + "\n" for match in matches), "utf-8")
    return path


def read(path: Path, line: int = 0) -> Record:
    return Record.from_json(path.read_text("utf-8").splitlines()[line])


# --- report ---------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_json(pasch: Pasch, record: Path, tmp_path: Path) -> None:
    written = json.loads(pasch("report", record, "--json").stdout)
    assert written["scores"] == read(record).scores
    shown = pasch("report", record).stdout
    assert f"{written['seats'][0]['ledger']['costs']:.2f}" in shown
    assert f"How well played: {written['seats'][1]['accuracy']:.0f} %." in shown
    other = json.loads(pasch("report", record, "--game", "2", "--json").stdout)
    assert other["scores"] == read(record, 1).scores
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n")
    assert pasch("report", bad).stderr.startswith(f"pasch: {bad}, line 1: broken JSON")
    assert "no such folder" in pasch("report", record, "--html", tmp_path / "no" / "x").stderr


def test_terminal_and_page_say_the_same(pasch: Pasch, record: Path, tmp_path: Path) -> None:
    """Every heading, sentence and number of the page stands in the terminal as well."""
    html = tmp_path / "report.html"
    shown = "".join(pasch("report", record, "--html", html).stdout.split())
    assert str(html) in shown and html.read_text("utf-8").startswith("<!doctype html>")
    assert "http" not in html.read_text("utf-8")
    page = re.sub(r"<style.*?</style>", "", html.read_text("utf-8"), flags=re.DOTALL)
    texts = re.findall(r"<(p|td|th|h3|summary|li)\b[^>]*>(.*?)</\1>", page, re.DOTALL)
    assert len(texts) > 50
    for _, text in texts:
        for piece in re.split(r"<[^>]+>", text):
            words = "".join(unescape(piece).strip(" :.").split())
            assert words in shown, piece


# --- value ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_value_of_a_start_and_of_a_position_that_is_typed(pasch: Pasch) -> None:
    written = json.loads(pasch("value", "joker1", "--players", "1", "--json", "-o", "rounds=1").stdout)
    assert list(written) == ["position", "turn", "value", "win", "exact", "moves"]
    assert written["value"] == [pytest.approx(written["turn"])]
    assert written["win"] == [1.0] and written["moves"] == []
    assert written["exact"] == {"turn": True, "value": True, "win": True}
    start = written["position"]
    assert start == 'joker1 1 {"rounds":1} chance roll 0 0 0 000000 3 - 0'
    for line in (start, start.removeprefix("joker1 ")):
        assert json.loads(pasch("value", "joker1", "--json", "--position", line).stdout) == written
    two = json.loads(pasch("value", "joker1", "--json", "-o", "rounds=1").stdout)
    assert len(two["win"]) == 2, "two play by default"


def test_the_value_of_a_position_of_a_record(pasch: Pasch, record: Path) -> None:
    states = [state for _, state in read(record).replay()]
    at, state = next((n, state) for n, state in enumerate(states, 1) if n > 20 and state.actor >= 0)
    line = next(
        line
        for line in pasch("show", record, "--at", str(at)).stdout.splitlines()
        if line.startswith("lines ")
    )
    written = json.loads(pasch("value", "lines", "--position", line, "--json").stdout)
    assert [entry["move"] for entry in written["moves"]] == [move.json() for move in state.moves()]
    best = max(entry["turn"] for entry in written["moves"])
    assert written["turn"] == pytest.approx(best)
    assert best == pytest.approx(max(valuer(state.game).move_points(state)) - state.scores()[state.actor])
    end = json.loads(pasch("value", "lines", "--position", states[-1].notation(), "--json").stdout)
    assert end["value"] == read(record).scores
    assert end["win"] == [float(seat in read(record).winners) for seat in range(2)]
    shown = pasch("value", "lines", "--position", line).stdout
    assert "Expected points of this turn" in shown and "this turn" in shown and "(exact)" in shown


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("lines", "--option", "plans=7"), "option plans"),
        (("joker1", "--position", "1 {} chance roll 0 0 0 0 3 - 0"), "slides: expected 6 times 0 or 1"),
        (("joker1", "--position", "any", "--players", "1"), "already has its players"),
    ],
)
def test_bad_questions_are_answered_in_one_line(
    pasch: Pasch, arguments: tuple[str, ...], problem: str
) -> None:
    done = pasch("value", *arguments)
    assert done.exit_code == 1 and problem in done.stderr and done.stderr.count("\n") == 1


# --- solve ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tables_are_made_once_and_found_again(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path / "cache"))
    arguments = ("solve", "joker1", "--players", "2", "--option", "rounds=2")
    valuer.cache_clear()
    first = pasch(*arguments)
    assert first.exit_code == 0, first.stderr
    assert "built" in first.stdout and "MiB" in first.stdout and str(tmp_path / "cache") in first.stdout
    rows = [line.split() for line in first.stdout.splitlines() if line.strip().startswith("joker1")]
    assert [row[1].rpartition("-")[0] for row in rows] == ["joker1-turn", "joker1-duel"]
    valuer.cache_clear()
    again = pasch(*arguments).stdout
    assert "found" in again and "built" not in again
    valuer.cache_clear()


@pytest.mark.parametrize("arguments", [(), ("joker1", "--all"), ("--all", "--players", "2")])
def test_solve_wants_a_game_or_all(pasch: Pasch, arguments: tuple[str, ...]) -> None:
    done = pasch("solve", *arguments)
    assert done.exit_code == 2 and "name a game, or give --all" in done.stderr


# --- hint -----------------------------------------------------------------------------------------

ALONE = ("play", "joker1", "--seats", "me", "--dice", "real", "--option", "rounds=1")


@pytest.mark.slow
def test_a_hint_shows_the_best_moves_with_values_and_a_reason(pasch: Pasch) -> None:
    done = pasch(*ALONE, typed="h|123|1, 2, 3||h|stop|")
    assert done.exit_code == 0
    assert "There is nothing to choose now." in done.stdout
    assert "Stopping scores 6 points;" in done.stdout
    assert "rolling on brings" in done.stdout and "final score" in done.stdout
    assert "6 points." in done.stdout, "the game continues"


@pytest.mark.slow
def test_a_hint_finds_the_chances_that_another_process_has_made(pasch: Pasch) -> None:
    assert pasch("solve", "joker1", "--players", "2", "-o", "rounds=1").exit_code == 0
    valuer.cache_clear()  # as in another process
    seats = ("play", "joker1", "--seats", "me,me", "--dice", "real")
    done = pasch(*seats, "-o", "rounds=1", typed="1 2 4|h|q")
    assert "chance to win" in done.stdout and "make their tables once" not in done.stdout
    hidden = pasch(*seats, "-o", "rounds=3", typed="1 2 4|h|q")
    games = find_game("joker1").agree(2, {"rounds": 3})
    assert ("make their tables once" in hidden.stdout) == (not chances_kept(games))
