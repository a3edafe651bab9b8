"""Counting while games are played: exact, and the same in any pieces."""

from __future__ import annotations

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pasch.lab.score_statistics import (
    QUANTILES,
    GameStatistics,
    ScoreStatistics,
    Span,
    round_width,
)

#: the scores of two seats
GAMES = st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), min_size=2, max_size=40)


def winners(scores: tuple[int, int]) -> list[int]:
    return [seat for seat in range(2) if scores[seat] == max(scores)]


def counted(*parts: list[tuple[int, int]]) -> GameStatistics:
    counts = GameStatistics(2)
    for games in parts:
        among = [[len(winners(g)) * (seat in winners(g)) for seat in range(2)] for g in games]
        counts.add_many(np.array(games, int).reshape(-1, 2), np.array(among, int).reshape(-1, 2))
    return counts


@given(GAMES)
def test_figures_are_those_of_the_statistics_module(games: list[tuple[int, int]]) -> None:
    counts = counted(games)
    for seat, seat_counts in enumerate(counts.seats):
        scores = [game[seat] for game in games]
        assert seat_counts.games == len(games)
        assert seat_counts.mean == pytest.approx(statistics.fmean(scores))
        assert seat_counts.error == pytest.approx(statistics.stdev(scores) / len(games) ** 0.5, abs=1e-12)
        parts = [Fraction(seat in winners(game), len(winners(game))) for game in games]
        assert seat_counts.wins == sum(parts)
        assert seat_counts.win_error == pytest.approx(
            statistics.stdev(parts) / len(games) ** 0.5, abs=1e-12
        )
        for share in QUANTILES:
            assert seat_counts.quantile(share) == np.quantile(scores, share, method="inverted_cdf")
    means = [sum(game) / 2 for game in games]
    assert counts.mean == pytest.approx(statistics.fmean(means))
    assert counts.error == pytest.approx(statistics.stdev(means) / len(games) ** 0.5, abs=1e-12)


@given(GAMES, st.integers(0, 40))
def test_pieces_come_to_the_same_as_the_whole(games: list[tuple[int, int]], cut: int) -> None:
    whole, other = counted(games), counted(games[:cut], games[cut:])
    assert [seat.json() for seat in other.seats] == [seat.json() for seat in whole.seats]
    assert (other.mean, other.error) == (whole.mean, whole.error)


@given(GAMES, st.integers(1, 50))
def test_spans_hold_every_score_once(games: list[tuple[int, int]], width: int) -> None:
    seat_counts = counted(games).together
    spans = seat_counts.spans(width)
    assert sum(span.games for span in spans) == 2 * len(games)
    for span in spans:
        assert span.high - span.low == width - 1 and span.low % width == 0
        inside = [score for game in games for score in game if span.low <= score <= span.high]
        assert span == Span(span.low, span.high, len(inside))


def test_one_game_has_no_error() -> None:
    counts = counted([(5, 3)])
    assert counts.error is None and counts.seats[0].error is None and counts.seats[0].win_error is None


def test_large_numbers_do_not_cancel() -> None:
    counts = ScoreStatistics()
    counts.scores.update({10**9: 10**6, 10**9 + 1: 10**6})
    assert counts.deviation == pytest.approx(0.5, rel=1e-5)


@given(st.integers(1, 10**6), st.integers(2, 60))
def test_round_widths_are_wide_enough(scores: int, most: int) -> None:
    width = round_width(scores, most)
    # wherever the range begins within a span
    assert (scores - 1 + width - 1) // width + 1 <= most + 1
    assert str(width).rstrip("0") in ("1", "2", "5")
