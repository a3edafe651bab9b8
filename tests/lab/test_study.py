"""Studies: complete, the same for the same seed, and the kept ones are those of today's rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import stdev
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from pasch.core.chance import seed_key
from pasch.core.match import Match
from pasch.core.registry import all_games, find_game, game_ids
from pasch.games.fiese15 import COLOURS, Keep, Next
from pasch.lab.habits import habit
from pasch.lab.study import measure
from pasch.lab.study.figures import Figure, Study, jackknife, mean, ratio
from pasch.lab.study.measure import lost_chance, study
from pasch.lab.study.page import SECTIONS, index, page, read
from pasch.lab.study.plan import PARTS, Plan, fingerprint
from pasch.lab.study.writing import given, percent, points, signed
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import MoveWorth
from tests.terminal.conftest import Pasch
from tests.terminal.conftest import data as data
from tests.terminal.conftest import pasch as pasch

KEPT = Path(__file__).parents[2] / "docs" / "studies"
SMALL = Plan("lines", 2, simulated=40, searched=40, ledgers=3, chances=2, seed="small")


@pytest.fixture(scope="module")
def small() -> Study:
    return study(SMALL, workers=1)


# --- a small study --------------------------------------------------------------------------------


def test_a_study_has_every_part_and_every_part_is_on_the_page(small: Study) -> None:
    assert tuple(SECTIONS) == PARTS
    written = page(small)
    for name in PARTS:
        assert getattr(small, name)
        section = re.search(rf'<section id="{name}">.*?</section>', written, re.DOTALL)
        assert section and '<p class="how">Printed by <code>pasch ' in section[0]
    for drawn in re.findall(r"<svg.*?</svg>", written, re.DOTALL):
        assert ElementTree.fromstring(drawn).get("aria-label")
    assert written.count("<svg") == 5


def test_the_same_seed_gives_the_same_bytes_however_many_work(small: Study) -> None:
    again = study(SMALL, ["luck", "habits"], workers=2)
    without = msgspec.structs.replace(small, start=None, levels=None, seats=None, winning=None)
    assert page(again) == page(without)


def test_a_page_can_be_written_again_from_the_numbers_in_it(small: Study) -> None:
    written = page(small)
    assert page(read(written)) == written
    assert "Shut the Lines" in index([small])


def test_the_shares_of_luck_add_up(small: Study) -> None:
    for table in small.luck or ():
        for shares in filter(None, (table.score, table.margin)):
            parts = (shares.luck, shares.skill, shares.others, shares.rest)
            assert sum(part.value for part in parts) == pytest.approx(1)
    habits = small.habits
    assert habits is not None
    assert sum(kind.per_game.value for kind in habits.kinds) == pytest.approx(habits.per_game.value)
    luck = next(table for table in small.luck or () if table.table == "greedy")
    assert habits.per_game.value == pytest.approx(luck.costs.value)


def test_a_part_is_printed_as_the_page_has_it(pasch: Pasch) -> None:
    done = pasch("study", "lines", "--part", "start")
    worth = json.loads(pasch("value", "lines", "--json").stdout)
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["value"] == pytest.approx(worth["value"], rel=1e-5)
    assert told["win"] == pytest.approx(worth["win"], rel=1e-5)


def test_pages_and_their_list_are_written(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Study
) -> None:
    monkeypatch.setattr("pasch.terminal.study.study", lambda *arguments: small)
    out, listed = tmp_path / "out", tmp_path / "out" / "README.md"
    assert pasch("study", "lines", "--out", out).exit_code == 0
    assert (out / "lines.html").read_text("utf-8") == page(small) and not listed.exists()
    listed.write_text("# Studies\n", "utf-8")
    pasch("study", "lines", "--out", out)
    assert listed.read_text("utf-8") == index([Study.from_json(small.json())])
    listed.write_text("# Mine\n", "utf-8")
    pasch("study", "lines", "--out", out)
    assert listed.read_text("utf-8") == "# Mine\n"


@pytest.mark.parametrize("arguments", [[], ["lines", "--all"], ["--all", "--part", "start"]])
def test_a_study_is_of_one_game_or_of_all(pasch: Pasch, arguments: list[str]) -> None:
    assert pasch("study", *arguments).exit_code == 2


# --- the kept studies -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_kept_studies_are_fresh(name: str) -> None:
    written = (KEPT / f"{name}.html").read_text("utf-8")
    found = read(written)
    plan = Plan.of(name)
    assert (found.games, found.seed) == (plan.simulated, plan.seed)
    assert found.fingerprint == fingerprint(plan), "run `make studies`"
    assert all(getattr(found, part) for part in PARTS)
    assert page(found) == written, "run `make studies`"
    assert len(written.encode()) < 300 * 1024


def test_kept_numbers_are_printed_by_the_commands_that_the_pages_name(pasch: Pasch) -> None:
    found = read((KEPT / "lines.html").read_text("utf-8"))
    level = next(level for level in found.levels or () if level.player == "greedy")
    sizes = ("--games", str(level.games), "--seed", found.seed)
    done = json.loads(pasch("simulate", "lines", "--seats", "greedy,greedy", *sizes, "--json").stdout)
    assert done["together"]["mean"] == pytest.approx(level.mean.value, rel=1e-5)
    assert done["together"]["error"] == pytest.approx(level.mean.error, rel=1e-5)


def test_the_list_of_studies_is_fresh() -> None:
    studies = [read((KEPT / f"{game.id}.html").read_text("utf-8")) for game in all_games()]
    assert (KEPT / "README.md").read_text("utf-8") == index(studies), "run `make studies`"


def test_what_a_study_follows_from_is_in_its_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.of("joker2")
    before = fingerprint(plan)
    assert fingerprint(Plan.of("joker2")) == before
    changed = {fingerprint(Plan.of("joker2", seed="other")), fingerprint(Plan.of("joker2", 1000))}
    monkeypatch.setattr(find_game("joker2"), "rules_version", 99)
    changed.add(fingerprint(plan))
    monkeypatch.undo()
    monkeypatch.setattr("pasch.solve.jokers.JokerValues.tables", ("others",))
    changed.add(fingerprint(plan))
    assert before not in changed and len(changed) == 4


# --- statistics -----------------------------------------------------------------------------------


def test_errors_by_hand() -> None:
    numbers = [1.0, 2.0, 4.0, 9.0]
    assert mean(numbers).value == 4.0
    assert mean(numbers).error == pytest.approx(stdev(numbers) / 2)
    assert mean([3.0]) == Figure(3.0)
    # with wholes that are all the same a ratio is a mean
    halved = ratio(numbers, [2.0] * 4)
    assert halved.value == 2.0
    assert halved.error == pytest.approx(stdev(numbers) / 4)
    assert ratio([0.0], [0.0]) == Figure(0.0)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    numbers = np.array([1.0, 2.0, 4.0, 9.0, 3.0])
    (found,) = jackknife(5, lambda chosen: np.array([numbers[chosen].mean()]))
    assert found.value == pytest.approx(numbers.mean())
    assert found.error == pytest.approx(stdev(numbers.tolist()) / 5**0.5)


def test_numbers_are_written_as_people_write_them() -> None:
    assert percent(0.1234) == "12.3\u00a0%" and points(-0.001) == "0.00" and points(-1.5) == "−1.50"
    assert signed(0.02) == "+2.0" and signed(-0.02) == "−2.0" and signed(0.0) == "0.0"
    assert given(Figure(0.5, 0.01), percent) == "50.0\u00a0± 1.0\u00a0%"
    assert given(Figure(2.0), points) == "2.00"


# --- decisions ------------------------------------------------------------------------------------


def test_of_moves_equal_in_points_the_one_that_wins_counts() -> None:
    state: Any = play_game(find_game("joker1").agree(2), [player("random")] * 2, seed_key("x")).at(0)

    class Values:
        def __init__(self, points: list[float], wins: list[float | None]) -> None:
            self._points, self._wins = points, wins

        def move_points(self, view: object) -> list[float]:
            return self._points

        def moves(self, view: object) -> list[MoveWorth]:
            return [MoveWorth(Next(0, "roll"), None, None, win) for win in self._wins]

    def lost(points: list[float], wins: list[float | None]) -> float | None:
        return lost_chance(state, Values(points, wins))  # type: ignore[arg-type]

    assert lost([5.0, 5.0, 4.0], [0.2, 0.6, 0.7]) == pytest.approx(0.1)
    assert lost([5.0, 4.0], [0.7, 0.6]) == 0
    assert lost([5.0, 4.0], [0.7, None]) is None


def test_habits_of_fiese15_are_told_apart() -> None:
    ones = {"seat": 0, "roll": dict.fromkeys(COLOURS, 1)}
    match = Match(find_game("fiese15").agree(1), [{"strip": 14}, ones])
    state = match.state
    few, many, other = Keep(0, ("red",)), Keep(0, ("red", "blue")), Keep(0, ("blue",))
    assert habit(state, many, few) == ("Sets aside too many dice", "2 instead of 1 of the first roll")
    assert habit(state, few, many).name == "Sets aside too few dice"
    assert habit(state, other, few).name.startswith("Sets aside the wrong dice")
    state = match.play(many)
    stop, roll = Next(0, "stop"), Next(0, "roll")
    assert habit(state, stop, roll) == ("Stops where rolling on is better", "with 2 dice set aside")
    assert habit(state, roll, stop).name == "Rolls on where it should stop"


@pytest.mark.parametrize("name", game_ids())
def test_every_two_moves_have_a_habit(name: str) -> None:
    game = find_game(name).agree(2)
    match = play_game(game, [player("random")] * 2, seed_key("habits"))
    found = set()
    for number in range(len(match)):
        state = match.at(number)
        if state.actor >= 0 and len(moves := state.moves()) > 1:
            view = state.view(state.actor)
            found |= {habit(view, moves[0], moves[-1]).name, habit(view, moves[-1], moves[0]).name}
    assert len(found) > 1 and all(words[0].isupper() for words in found)


def test_mixed_tables_are_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[str] = []
    monkeypatch.setattr(measure, "player", seated.append)
    monkeypatch.setattr(measure, "simulated", lambda *arguments: None)
    for number in range(40):
        measure._play(measure.Job(SMALL, 2, "mixed", number))
    assert set(seated) == {"easy", "medium", "hard", "perfect"}
