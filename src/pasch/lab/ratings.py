"""Ratings: one number for a player's strength, from results between pairs of players.

The model is that of Bradley and Terry, on the scale of Elo: somebody rated 400 points higher is expected to
win ten games for every one lost. Shared wins count as half. Each pair is given one drawn game that was not
played, so that somebody who has never lost has a rating, too; it weighs less the more games there are.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

#: what the average of all players is rated
AVERAGE: Final = 1500.0
#: Elo points to one natural unit of strength
SCALE: Final = 400 / log(10)
#: games that were not played, drawn, between each pair
GIVEN: Final = 1.0


class Rating(NamedTuple):
    """A rating and its standard error."""

    points: float
    error: float


def ratings(results: Reals, games: Reals) -> list[Rating]:
    """The ratings of all players.

    `results[deal, a, b]` is what a scored against b in a deal, 1 for a win; `games[a, b]` how often the two
    met in each deal. Results of one deal may depend on each other, those of different deals do not: errors
    are worked out from how much deals differ (the sandwich estimator, clustered by deal).
    """
    deals, players = len(results), len(games)
    met = games + games.T
    scored = results.sum(axis=0)
    # luck-adjusted results may lie a little outside of what is possible
    total = deals * games
    scored = np.clip(scored, 0.0, np.maximum(total, 0.0))
    given = GIVEN * ((met > 0) & ~np.eye(players, dtype=bool))
    wins, both = scored + given / 2, total + given
    strength = _fit(wins, both)
    chance = _chance(strength)
    spread = chance * (1 - chance)
    # the games that were not played pull as well: without them who never lost would seem to be certain
    prior = _laplacian(np.triu(given, 1) * (0.5 - chance) ** 2)
    information = _laplacian(np.triu(both, 1) * spread)
    # how each deal pulls at each player
    surprise = results - games * chance
    pull = np.triu(surprise, 1)
    pulls = pull.sum(axis=2) - pull.sum(axis=1)
    pulls -= pulls.mean(axis=0)
    meat = pulls.T @ pulls * (deals / max(1, deals - 1)) + prior
    bread = np.linalg.pinv(information)
    errors = np.sqrt(np.maximum(0.0, np.diag(bread @ meat @ bread)))
    return [
        Rating(AVERAGE + SCALE * float(point), SCALE * float(error))
        for point, error in zip(strength, errors, strict=True)
    ]


def _fit(wins: Reals, both: Reals, steps: int = 100) -> Reals:
    """The strengths that fit best, their mean being zero: Newton's method in steps of at most 2."""
    strength = np.zeros(len(wins))
    upper = np.triu(both, 1)
    for _ in range(steps):
        chance = _chance(strength)
        gap = np.triu(wins - both * chance, 1)
        slope = gap.sum(axis=1) - gap.sum(axis=0)
        step = np.linalg.pinv(_laplacian(upper * chance * (1 - chance))) @ slope
        strength = strength + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        strength -= strength.mean()
        if np.abs(step).max() < 1e-12:
            break
    return strength


def _chance(strength: Reals) -> Reals:
    """[a, b] how often a wins against b."""
    found: Reals = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return found


def _laplacian(upper: Reals) -> Reals:
    whole = upper + upper.T
    found: Reals = np.diag(whole.sum(axis=1)) - whole
    return found
