"""Counting while games are played: exact, and the same in any pieces."""

from __future__ import annotations

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pasch.lab.score_statistics import QUANTILES, GameStatistics, ScoreStatistics, round_width

#: the scores of two seats
GAMES = st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), min_size=2, max_size=40)


def counted(*parts: list[tuple[int, int]]) -> GameStatistics:
    counts = GameStatistics(2)
    for games in parts:
        won = [[score == max(game) for score in game] for game in games]
        counts.add_many(np.array(games, int).reshape(-1, 2), np.array(won, bool).reshape(-1, 2))
    return counts


@given(GAMES, st.integers(0, 40))
def test_figures_are_those_of_the_statistics_module_in_any_pieces(
    games: list[tuple[int, int]], cut: int
) -> None:
    counts, root = counted(games[:cut], games[cut:]), len(games) ** 0.5
    assert [seat.json() for seat in counts.seats] == [seat.json() for seat in counted(games).seats]
    for seat, own in enumerate(counts.seats):
        scores = [game[seat] for game in games]
        parts = [Fraction(game[seat] == max(game), game.count(max(game))) for game in games]
        assert own.games == len(games) and own.win_share == pytest.approx(float(sum(parts)) / len(games))
        assert own.mean == pytest.approx(statistics.fmean(scores))
        assert own.error == pytest.approx(statistics.stdev(scores) / root, abs=1e-12)
        assert own.win_error == pytest.approx(statistics.stdev(parts) / root, abs=1e-12)
        for share in QUANTILES:
            assert own.quantile(share) == np.quantile(scores, share, method="inverted_cdf")
    means = [sum(game) / 2 for game in games]
    assert counts.mean == pytest.approx(statistics.fmean(means))
    assert counts.error == pytest.approx(statistics.stdev(means) / root, abs=1e-12)


@given(GAMES, st.integers(1, 50))
def test_bins_hold_every_score_once(games: list[tuple[int, int]], width: int) -> None:
    bins = counted(games).together.histogram(width)
    scores = [score for game in games for score in game]
    assert list(bins) == list(range(min(bins), max(bins) + 1, width)) and min(bins) % width == 0
    for low, times in bins.items():
        assert times == sum(low <= score < low + width for score in scores)
    assert sum(bins.values()) == len(scores)


def test_one_game_has_no_error_and_large_numbers_do_not_cancel() -> None:
    one = counted([(5, 3)])
    assert one.error is None and one.seats[0].error is None and one.seats[0].win_error is None
    counts = ScoreStatistics()
    counts.scores.update({10**9: 10**6, 10**9 + 1: 10**6})
    assert counts.deviation == pytest.approx(0.5, rel=1e-5)


@given(st.integers(1, 10**6), st.integers(2, 60))
def test_round_widths_are_wide_enough(scores: int, most: int) -> None:
    width = round_width(scores, most)
    # wherever the range begins within a bin
    assert (scores - 1 + width - 1) // width + 1 <= most + 1
    assert str(width).rstrip("0") in ("1", "2", "5")
