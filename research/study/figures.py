"""The figures of a study; every measured one has its standard error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.stats import sem

Floats = NDArray[np.float64]


class Figure(msgspec.Struct, frozen=True):
    """A number and its standard error; None if it is exact, or if one game says nothing about it."""

    value: float
    error: float | None = None


class Start(msgspec.Struct, frozen=True):
    """What the game is worth before the first roll."""

    #: expected final score, by seat
    value: tuple[float, ...] | None
    #: chance to be among the winners, by seat
    win: tuple[float, ...] | None
    #: expected points of the first turn
    turn: float | None
    exact_value: bool
    exact_turn: bool
    exact_win: bool
    #: standard error of the estimate
    error: float | None


class LevelScores(msgspec.Struct, frozen=True):
    """The scores of identical players."""

    player: str
    games: int
    engine: str
    mean: Figure
    deviation: float | None
    least: int
    most: int
    #: at the shares of `pasch.lab.score_statistics.QUANTILES`
    quantiles: tuple[int, ...]
    #: the histogram: lowest score of a bin and its games; all bins are equally wide
    width: int
    spans: tuple[tuple[int, int], ...]


class SeatAdvantage(msgspec.Struct, frozen=True):
    """Wins and scores by seat when everybody plays alike."""

    player: str
    players: int
    games: int
    #: share of the wins, by seat
    win: tuple[Figure, ...]
    #: mean score, by seat
    score: tuple[Figure, ...]


class Shares(msgspec.Struct, frozen=True):
    """Shares of the variance of results; they add up to 1."""

    deviation: float
    luck: Figure
    skill: Figure
    #: what the other seats' moves did
    others: Figure
    #: expectation that differs between games, and the remainder of estimates
    rest: Figure


class Luck(msgspec.Struct, frozen=True):
    """Luck and skill at one kind of table, from the ledgers."""

    table: str
    games: int
    #: what a seat gave away in a game
    costs: Figure
    #: standard deviations of a seat's luck and costs
    luck_deviation: float
    costs_deviation: float
    score: Shares
    #: of the difference between two players' scores
    margin: Shares | None
    #: how often the player with more luck, and the one who gave less away, was ahead; a tie counts half
    luckier: Figure | None
    better: Figure | None


class Stage(msgspec.Struct, frozen=True):
    """One fifth of a game."""

    decisions: int
    differ: Figure
    matter: Figure


class Winning(msgspec.Struct, frozen=True):
    """Playing for points and playing to win."""

    players: int
    games: int
    decisions: int
    exact: bool
    #: share of the decisions in which the best move for points is not among the best to win
    differ: Figure
    #: the same where that costs at least `MATTERS` of the chance to win
    matter: Figure
    #: what playing for points costs in such a decision, in chances to win
    each: Figure
    #: what a seat loses in a whole game, added up
    per_game: Figure
    stages: tuple[Stage, ...]


class HabitFigures(msgspec.Struct, frozen=True):
    """One kind of mistake."""

    name: str
    #: how often in a game
    often: Figure
    #: points given away each time
    each: Figure
    #: points given away in a game
    per_game: Figure
    #: in which situations, each with its part of the points
    when: tuple[tuple[str, float], ...]


class Habits(msgspec.Struct, frozen=True):
    """What a seat of the greedy player gives away, and how."""

    games: int
    players: int
    #: decisions of a seat in a game, where there was something to choose
    decisions: Figure
    #: share of them in which nothing was given away
    right: Figure
    per_game: Figure
    kinds: tuple[HabitFigures, ...]
    exact: bool


class Study(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that was measured; parts that were not measured are None."""

    format: str
    game: str
    title: str
    players: int
    games: int
    seed: str
    #: version and hash of the code that measured it
    version: str
    start: Start | None = None
    levels: tuple[LevelScores, ...] | None = None
    seats: tuple[SeatAdvantage, ...] | None = None
    luck: tuple[Luck, ...] | None = None
    winning: Winning | None = None
    habits: Habits | None = None

    def json(self) -> dict[str, Any]:
        """As JSON values, numbers to six significant digits."""
        plain: dict[str, Any] = _short(msgspec.to_builtins(self))
        return plain

    @classmethod
    def from_json(cls, plain: Any) -> Study:
        """Read what `json` wrote."""
        return msgspec.convert(plain, cls)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    return [_short(item) for item in value] if isinstance(value, list | tuple) else value


# --- statistics -----------------------------------------------------------------------------------


def mean(numbers: Sequence[float]) -> Figure:
    """The mean of independent numbers."""
    return Figure(float(np.mean(numbers)), float(sem(numbers)) if len(numbers) > 1 else None)


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Figure:
    """The sum of the parts divided by the sum of the wholes, one of each per game."""
    whole, games = fsum(wholes), len(wholes)
    if not whole:
        return Figure(0.0)
    found = fsum(parts) / whole
    if games < 2:
        return Figure(found)
    squares = fsum((part - found * one) ** 2 for part, one in zip(parts, wholes, strict=True))
    return Figure(found, sqrt(squares * games / (games - 1)) / whole)


def jackknife(games: int, of: Callable[[NDArray[np.bool_]], Floats], blocks: int = 20) -> list[Figure]:
    """`of` all games, with errors from leaving out one block of games at a time."""
    whole = of(np.ones(games, np.bool_))
    blocks = min(blocks, games)
    if blocks < 3:
        return [Figure(float(value)) for value in whole]
    place = np.arange(games) * blocks // games
    without = np.array([of(place != block) for block in range(blocks)])
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (blocks - 1) / blocks
    return [Figure(float(value), float(sqrt(error))) for value, error in zip(whole, spread, strict=True)]
