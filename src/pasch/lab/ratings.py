"""Ratings of players from results between pairs: Bradley and Terry's model on the scale of Elo.

A player rated 400 points higher is expected to win ten games for every one lost. Shared wins count as half.
A prior of one drawn game for each pair gives a finite rating to a player who has never lost; it weighs less
the more games there are.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

#: the mean of all ratings
AVERAGE: Final = 1500.0
#: Elo points to one natural unit of strength
SCALE: Final = 400 / log(10)
#: drawn games of the prior, for each pair
PRIOR_GAMES: Final = 1.0


class Rating(NamedTuple):
    """A rating and its standard error."""

    points: float
    error: float


def ratings(results: Reals, games: Reals) -> list[Rating]:
    """The ratings of all players.

    `results[deal, a, b]` is what a scored against b in a deal, 1 for a win; `games[a, b]` how often the two
    met in each deal. Results of one deal may be correlated, those of different deals are not: errors come
    from the sandwich estimator, clustered by deal.
    """
    deals, players = len(results), len(games)
    met = games + games.T
    scored = results.sum(axis=0)
    # luck-adjusted results may lie a little outside of the possible range
    total = deals * games
    scored = np.clip(scored, 0.0, np.maximum(total, 0.0))
    given = PRIOR_GAMES * ((met > 0) & ~np.eye(players, dtype=bool))
    wins, both = scored + given / 2, total + given
    strength = _fit(wins, both)
    chance = _chance(strength)
    spread = chance * (1 - chance)
    # the prior's games count as well: without them a player who never lost would have no error
    prior = _laplacian(np.triu(given, 1) * (0.5 - chance) ** 2)
    information = _laplacian(np.triu(both, 1) * spread)
    # each deal's contribution to the gradient of the likelihood, by player
    residual = np.triu(results - games * chance, 1)
    gradient = residual.sum(axis=2) - residual.sum(axis=1)
    gradient -= gradient.mean(axis=0)
    meat = gradient.T @ gradient * (deals / max(1, deals - 1)) + prior
    bread = np.linalg.pinv(information)
    errors = np.sqrt(np.maximum(0.0, np.diag(bread @ meat @ bread)))
    return [
        Rating(AVERAGE + SCALE * float(point), SCALE * float(error))
        for point, error in zip(strength, errors, strict=True)
    ]


def _fit(wins: Reals, both: Reals, steps: int = 100) -> Reals:
    """The maximum-likelihood strengths, with mean zero, by Newton's method in steps of at most 2."""
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
    """[a, b] the chance that a wins against b."""
    found: Reals = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return found


def _laplacian(upper: Reals) -> Reals:
    whole = upper + upper.T
    found: Reals = np.diag(whole.sum(axis=1)) - whole
    return found
