"""Studies: complete, the same for the same seed, and docs/studies.md has the numbers of today's rules."""

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
from click.testing import CliRunner
from research.__main__ import main
from research.study import measure
from research.study.figures import Figure, Study, jackknife, mean, ratio
from research.study.measure import lost_chance, measure_study
from research.study.sections import command, percent, unit, with_error
from research.study.study_document import SECTIONS, SUMMARISED, page, read, summary
from research.study.study_plan import PARTS, StudyPlan

from pasch.coach.blocks import number, signed
from pasch.core.chance import seed_key
from pasch.core.registry import find_game, game_ids
from pasch.games.fiese15.rules import Next
from pasch.lab.simulation import Simulation
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import MoveWorth
from tests.terminal.conftest import Pasch
from tests.terminal.conftest import data as data
from tests.terminal.conftest import pasch as pasch

SUMMARY = Path(__file__).parents[2] / "docs" / "studies.md"
SMALL = StudyPlan("lines", 2, simulated=40, searched=40, ledgers=3, chances=2, seed="small")


pytestmark = pytest.mark.exhaustive


@pytest.fixture
def research(data: Path) -> Pasch:
    """Call `python -m research` with arguments."""
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def small() -> Study:
    return measure_study(SMALL, workers=1)


# --- a small study --------------------------------------------------------------------------------


def test_a_study_has_every_part_and_every_part_is_on_the_page(small: Study) -> None:
    assert tuple(SECTIONS) == PARTS
    written = page(small)
    for name in PARTS:
        assert getattr(small, name)
        section = re.search(rf'<h2 id="{name}">.*?<p class="source">(.*?)</p>', written, re.DOTALL)
        assert section and section[1].startswith(
            ("Printed by <code>pasch ", "Printed by <code>python -m research ")
        )
    for drawn in re.findall(r"<svg.*?</svg>", written, re.DOTALL):
        assert ElementTree.fromstring(drawn).get("aria-label")
    assert written.count("<svg") == 5


def test_the_same_seed_gives_the_same_bytes_however_many_work(small: Study) -> None:
    again = measure_study(SMALL, ["luck", "habits"], workers=2)
    without = msgspec.structs.replace(small, start=None, levels=None, seats=None, winning=None)
    assert page(again) == page(without)


def test_a_page_can_be_written_again_from_the_numbers_in_it(small: Study) -> None:
    written = page(small)
    assert page(read(written)) == written


def test_the_summary_has_the_tables_and_no_pictures_or_commands(small: Study) -> None:
    written = summary([small, small])
    assert written.count("## Shut the Lines") == 2 and written.count("### Scores") == 2
    assert written.count("| perfect | 40 |") == 2 and "<" not in written and "Printed by" not in written
    assert written.count("The *ledger* takes") == 1, "explanations stand there once"


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


def test_a_part_is_printed_as_the_page_has_it(research: Pasch, pasch: Pasch) -> None:
    done = research("study", "lines", "--part", "start")
    worth = json.loads(pasch("value", "lines", "--json").stdout)
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["value"] == pytest.approx(worth["value"], rel=1e-5)
    assert result["win"] == pytest.approx(worth["win"], rel=1e-5)


def test_pages_and_the_summary_are_written(
    research: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Study
) -> None:
    monkeypatch.setattr("research.study.command.measure_study", lambda *arguments: small)
    monkeypatch.setattr("research.study.command.all_games", lambda: (find_game("lines"),))
    out, listed = tmp_path / "out", tmp_path / "studies.md"
    assert research("study", "--all", "--out", out, "--summary", listed).exit_code == 0
    assert (out / "lines.html").read_text("utf-8") == page(small)
    assert listed.read_text("utf-8") == summary([Study.from_json(small.json())])


def test_a_game_is_studied_for_other_numbers_of_players(
    research: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = list[StudyPlan]()

    def note(plan: StudyPlan, *_: Any) -> Study:
        plans.append(plan)
        return measure_study(SMALL, ("start",), 1)

    monkeypatch.setattr("research.study.command.measure_study", note)
    assert research("study", "crowns", "-p", "2", "--out", tmp_path).exit_code == 0
    assert research("study", "crowns", "-p", "1", "--out", tmp_path).exit_code == 0
    assert [plan.players for plan in plans] == [2, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crowns-2.html", "crowns.html"]
    race = Study("", "crowns", "", 2, 20_000, "study", "")
    assert command(race) == "python -m research study crowns --players 2 --games 20000 --seed study"
    done = research("study", "crowns", "-p", "9")
    assert done.exit_code == 1 and "9" in done.output and "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["lines", "--all"],
        ["--all", "--part", "start"],
        ["--all", "-p", "2"],
        ["lines", "--summary", "x.md"],
    ],
)
def test_a_study_is_of_one_game_or_of_all(research: Pasch, arguments: list[str]) -> None:
    assert research("study", *arguments).exit_code == 2


# --- docs/studies.md ------------------------------------------------------------------------------


def section(title: str) -> str:
    """What docs/studies.md says of a game."""
    return SUMMARY.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", game_ids())
def test_the_summary_has_todays_value_of_every_start(name: str) -> None:
    start = measure.start(StudyPlan.of(name))
    written = section(find_game(name).title)
    assert start.value is not None and unit(Study("", name, "", 0, 0, "", "")) in written
    worth = re.search(r"(?:A player|Players) can expect.*?\*\*(−?[\d.]+)\*\*", written)
    assert worth
    # estimates may be made with other random numbers
    margin = 0.005 if start.exact_value else 4 * (start.error or 0.5)
    assert float(worth[1].replace("−", "-")) == pytest.approx(start.value[0], abs=margin)
    for name in SUMMARISED:
        assert f"### {SECTIONS[name][0]}" in written


def test_the_summary_has_what_a_simulation_measures() -> None:
    written = re.search(r"\| greedy \| 20,000 \| ([\d.]+) ± ([\d.]+) ", section("Shut the Lines"))
    assert written
    found = Simulation(find_game("lines").agree(2), ["greedy", "greedy"], 5000, "other").tallies()
    assert found.error is not None
    assert abs(found.mean - float(written[1])) < 4 * (found.error + float(written[2]))


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
    assert percent(0.1234) == "12.3\u00a0%" and number(-0.001) == "0.00" and number(-1.5) == "−1.50"
    assert signed(2, 1) == "+2.0" and signed(-2, 1) == "−2.0" and signed(-0.01, 1) == "0.0"
    assert with_error(Figure(0.5, 0.01), percent) == "50.0\u00a0± 1.0\u00a0%"
    assert with_error(Figure(2.0)) == "2.00"


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


def test_mixed_tables_are_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[str] = []
    monkeypatch.setattr(measure, "play_game", lambda game, names, key: seated.extend(names))
    for game in range(40):
        measure._play(measure.GameTask(SMALL, 2, "mixed", game))
    assert set(seated) == {"easy", "medium", "hard", "perfect"}
