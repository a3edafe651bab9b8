"""Crowns with the edge relaxed: solved in a small box, where the whole game can be solved as well.

These tests run with `make test-all` only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from research.crowns import relaxation
from research.crowns.command import bound
from research.crowns.fit import KINDS, boards_of, fit, misses
from research.crowns.making import solve
from research.crowns.relaxation import Relaxed, numbering, relaxed
from research.crowns.solved import (
    Solved,
    boards_by_table,
    edge_value,
    rolls_by_table,
    set_of,
    set_value,
    solved,
    solved_boards,
    solved_path,
)

from pasch.games.crowns.box import field, mask
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import model
from pasch.games.crowns.ways import placements
from pasch.solve.valuer import no_progress

pytestmark = pytest.mark.exhaustive

#: a box with four faces, three dice and five chips; the edge is the row of the fours and the column 3x
FACES, DICE, CHIPS = 4, 3, 5
INNER = [field(value, count) for value in range(1, FACES) for count in range(1, DICE)]
EDGE = [field(value, count) for value in range(1, FACES + 1) for count in range(1, DICE + 1)]
EDGE = [number for number in EDGE if number not in INNER]
LINES = [mask(tuple((value, count) for count in range(1, DICE))) for value in range(1, FACES)]
LINES += [mask(tuple((value, count) for value in range(1, FACES))) for count in range(1, DICE)]
CROWNS = [number % 6 + number // 6 for number in range(36)]
ROLLS = sorted(combinations_with_replacement(range(FACES, 0, -1), DICE))
CASES = [factorial(DICE) // prod(factorial(n) for n in Counter(roll).values()) for roll in ROLLS]


def solved_value(table: Any, board: int, chips: int) -> float:
    """What a board is worth before a roll, with this number of chips left."""
    return set_value(table, set_of(table, board), chips) + edge_value(table, board, chips)


def small(minimum: int, tracked: tuple[int, ...], split: bool = False) -> tuple[Relaxed, ...]:
    return (relaxed(score, CHIPS, minimum, [*INNER, *tracked], EDGE, LINES, ROLLS, split, CASES),)


def in_stages(minimum: int, tracked: tuple[int, ...], split: bool = False) -> tuple[Relaxed, ...]:
    """Each tracked field is remembered only once those before it are covered."""
    return tuple(small(minimum, tracked[: number + 1], split)[0] for number in range(len(tracked)))


def score(board: int) -> int:
    """The crowns of the edge and of complete lines."""
    edge = sum(CROWNS[number] for number in EDGE if board >> number & 1)
    fields = [[n for n in range(36) if line >> n & 1] for line in LINES if line & ~board == 0]
    return edge + sum(CROWNS[number] for line in fields for number in line)


def options(
    board: int, chips: int, roll: tuple[int, ...], minimum: int, split: bool
) -> list[tuple[int, int]]:
    """The boards and chips that a roll can lead to, by the rules."""
    fits = [w for w in placements(roll, split) if not w.mask & board and w.chips <= chips]
    least = min(minimum, max(w.chips for w in fits))
    return [(board | w.mask, chips - max(1, w.chips)) for w in fits if w.chips >= least]


def average(minimum: int, split: bool) -> float:
    """What the game is worth by the best play."""

    @cache
    def value(board: int, chips: int) -> float:
        if chips == 0:
            return score(board)
        total = 0.0
        for roll, cases in zip(ROLLS, CASES, strict=True):
            total += cases * max(value(*after) for after in options(board, chips, roll, minimum, split))
        return total / sum(CASES)

    return value(0, CHIPS)


def reader(stages: tuple[Relaxed, ...]) -> Callable[[int, int], float]:
    """The relaxed value of a board with this many chips left."""
    game, tracked = stages[-1], len(stages) if len(stages) > 1 else 0
    ids, found = numbering(CHIPS, len(game.fields), tracked), solve(stages, threads=2)
    bits = [1 << game.fields.index(number) if number in game.fields else 0 for number in range(36)]
    edge = [[CROWNS[number] if number in EDGE else 0 for number in range(36)]] * (CHIPS + 1)
    table = Solved(
        found["kept"],
        found["base"],
        ids.within(),
        ids.low,
        float(found["unit"][0]),
        len(game.fields) - tracked,
        bits,
        edge,
        [0.0] * (CHIPS + 1),
    )
    assert len(found["kept"]) == ids.total()
    return lambda board, chips: solved_value(table, board, chips)


@pytest.mark.parametrize(
    ("stages", "minimum", "tracked", "split"),
    [
        (small, 1, (), True),
        (small, 2, (field(4, 1), field(4, 2)), False),
        (in_stages, 2, (field(4, 1), field(4, 2), field(4, 3)), True),
        (small, 1, tuple(EDGE), False),
        (small, 2, tuple(EDGE), True),
    ],
    ids=["split", "2, two", "2, split, stages", "1, all", "2, split, all"],
)
def test_the_bound_is_above_the_optimum(
    monkeypatch: pytest.MonkeyPatch,
    stages: Callable[..., tuple[Relaxed, ...]],
    minimum: int,
    tracked: tuple[int, ...],
    split: bool,
) -> None:
    """With all of the edge tracked, nothing is relaxed, and both are the same."""
    monkeypatch.setattr(relaxation, "LOW", 4)
    most, optimum = reader(stages(minimum, tracked, split))(0, CHIPS), average(minimum, split)
    rounding = 0.01
    assert optimum - rounding <= most <= optimum / 0.9
    if len(tracked) == len(EDGE):
        assert most == pytest.approx(optimum, abs=rounding)


# --- values of a real box -----------------------------------------------------------------------------------


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Crowns:
    """The usual board with four chips: its relaxed game is solved in a moment."""
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    box = Crowns(1).components
    custom = msgspec.structs.replace(box, chips=msgspec.structs.replace(box.chips, number=4))
    return Crowns(1, CrownsOptions(components=custom))


def test_the_play_of_a_real_box_is_below_the_bound(box: Crowns, capsys: pytest.CaptureFixture[str]) -> None:
    bound(box, no_progress)
    assert "nobody averages more than" in capsys.readouterr().out and solved_path(box).exists()
    table = solved(box)
    v, (most, play, error) = solved_boards(box, table), table["figures"].tolist()
    start, found = np.zeros(1), np.zeros(1)
    rolls_by_table(v, np.zeros(1, np.int64), np.array([box.config.all_chips]), start)
    assert most >= start[0] and abs(play - start[0]) < 5 * error + 0.1
    # plain functions give what compiled code gives
    board = mask(((5, 2), (6, 1)))
    for chips in (1, 2):
        boards_by_table(v, np.array([board]), np.array([chips]), found)
        assert solved_value(v.solved, board, chips) == pytest.approx(found[0], abs=1e-4)


def test_fitting_brings_weights_near_the_solved_values(box: Crowns) -> None:
    """Also on boards of all kinds of play that they were not fitted to."""
    table = solved(box)
    others = boards_of(box, table, 140, 2)
    before = misses(box, model.model_of(box, model.hopeful_tables(box, 5.0)), others)["all"].rms
    after = misses(box, fit(box, table, 1400), others)
    assert after["all"].rms < before / 4 and abs(after["all"].bias) < 0.1
    assert len(after) > len(KINDS)
