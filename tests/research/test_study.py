"""Studies: complete, the same for the same seed, and docs/studies.md has the numbers of today's rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import stdev
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from research.__main__ import main
from research.study import measure
from research.study.figures import Figure, Study, jackknife, mean, ratio
from research.study.measure import PARTS, StudyPlan, measure_study
from research.study.sections import unit
from research.study.study_document import SECTIONS, SUMMARISED, page, read, summary

from pasch.core.registry import find_game, game_ids
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
        section = re.search(rf'<h2 id="{name}">.*?<p>(Printed by .*?)</p>', written, re.DOTALL)
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


def test_pages_and_the_summary_are_written(
    research: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Study
) -> None:
    monkeypatch.setattr("research.study.command.measure_study", lambda *arguments: small)
    monkeypatch.setattr("research.study.command.all_games", lambda: (find_game("lines"),))
    out, listed = tmp_path / "out", tmp_path / "studies.md"
    assert research("study", "--all", "--out", out, "--summary", listed).exit_code == 0
    assert (out / "lines.html").read_text("utf-8") == page(small)
    assert listed.read_text("utf-8") == summary([Study.from_json(small.json())])


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
