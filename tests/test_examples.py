"""The examples find the numbers that others have published, and that a few plain lines find as well."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# --- Shut the Box -----------------------------------------------------------------------------------


def plain_shut_the_box(always_two: bool) -> Fraction:
    """The same by bit masks and recursion."""
    sums = [sum(n for n in range(1, 10) if mask >> n - 1 & 1) for mask in range(512)]
    one = {n: Fraction(1, 6) for n in range(1, 7)}
    two: dict[int, Fraction] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            two[a + b] = two.get(a + b, Fraction()) + Fraction(1, 36)

    @cache
    def shut(mask: int) -> Fraction:
        if not mask:
            return Fraction(1)

        def rolled(dice: dict[int, Fraction]) -> Fraction:
            return sum(
                (
                    chance
                    * max(
                        (
                            shut(mask & ~part)
                            for part in range(1, 512)
                            if part & ~mask == 0 and sums[part] == s
                        ),
                        default=Fraction(),
                    )
                    for s, chance in dice.items()
                ),
                Fraction(),
            )

        return rolled(two) if always_two or mask >= 64 else max(rolled(one), rolled(two))

    return shut(511)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("always_two", "published"),
    [(False, Fraction(956177159, 9795520512)), (True, Fraction(466473281, 6530347008))],
)
def test_shut_the_box(always_two: bool, published: Fraction) -> None:
    assert example("shut_the_box").chance_to_shut(always_two) == published
    assert plain_shut_the_box(always_two) == published


# --- Pig --------------------------------------------------------------------------------------------


def plain_pig(goal: int) -> float:
    """The mover's chance by sweeping over a cube: own points, the other's points, points of the turn."""
    reached = np.arange(goal)[:, None] + np.arange(goal + 6)
    won = (reached >= goal)[:, None, :]
    kept = np.minimum(reached[:, :goal], goal - 1)
    cube = np.repeat(won.astype(float), goal, axis=1)
    while True:
        # what is left to oneself when the other one begins a turn, by own points and the other's
        passed = 1 - cube[:, :, 0].T
        roll = (passed[:, :, None] + sum(cube[:, :, face : goal + face] for face in range(2, 7))) / 6
        hold = passed[kept].transpose(0, 2, 1)
        best = np.where(won[:, :, :goal], 1.0, np.maximum(roll, hold))
        change = np.abs(best - cube[:, :, :goal]).max()
        cube[:, :, :goal] = best
        if change < 1e-11:
            return float(cube[0, 0, 0])


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES / "pig" / "src"))
    return example("solve_pig")


@pytest.mark.slow
def test_pig_by_two_ways(pig: ModuleType) -> None:
    first, second = pig.solve(30).start
    assert first == pytest.approx(plain_pig(30), abs=1e-10)
    assert first + second == pytest.approx(1, abs=1e-10)
    # what has been published; the general solver takes some time for it
    assert round(plain_pig(100), 4) == 0.5306


# --- learning ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_learner_with_a_table_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = example("learn_tabular")
    monkeypatch.setattr(learner, "ENVS", 32)
    monkeypatch.setattr(learner, "GAMES", 100)
    learner.main(1.0)
    assert "optimum 160.77" in capsys.readouterr().out
