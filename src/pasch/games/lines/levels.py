"""Shut the Lines: what the levels give away, whatever the plans, the target and the number of seats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from operator import mul
from typing import Any

from pasch.core.registry import find_data
from pasch.games.lines.rules import Lines
from pasch.players.levels import absurd, expected_cost, probabilities, temperature


def measured_loss(game: Lines, name: str) -> tuple[float, float] | None:
    """The points that a level gives away in a whole game, and their standard error.

    Each round that is played costs what its plan costs. Where plans are chosen, it is played on each with the
    probability that the level chooses it, and the choice has its own cost.

    Whether a round is played depends on the points of the rounds before it, which are independent of what
    happens in it. The seats play side by side, so nobody has reached the target yet with the
    probability that one seat has not, to the power of the seats.
    """
    plans = {
        entry["plan"]: entry
        for entry in find_data(game.id, "levels.toml").get("measured", ())
        if entry["level"] == name
    }
    order, target = game.options.plans, game.options.target
    if not set(order) <= set(plans):
        return None
    rounds = [plans[plan] for plan in order]
    if game.agreed.chosen:
        rounds = [
            _chosen([plans[plan] for plan in game.agreed.choices], temperature(game, name), absurd(game))
        ]
    standing = [1.0] + [0.0] * (target - 1)  # the chance of each total below the target
    points = error = 0.0
    number = 0
    while (played := sum(standing) ** game.players) > 1e-9:
        entry = rounds[number % len(rounds)]
        points += played * entry["loss"]
        error += played * entry["error"]
        standing = _add(standing, entry["lines"])
        number += 1
    return points, error


def _chosen(plans: Sequence[dict[str, Any]], warmth: float, bound: float) -> dict[str, Any]:
    """A round on a plan that a level chooses: what it costs on average, and its lines."""
    worth = [plan["expected"] for plan in plans]
    chances = probabilities(worth, warmth, bound)
    shares = zip_longest(*(plan["lines"] for plan in plans), fillvalue=0.0)
    return {
        "loss": expected_cost(worth, warmth, bound) + _mean(chances, [plan["loss"] for plan in plans]),
        "error": _mean(chances, [plan["error"] for plan in plans]),
        "lines": [_mean(chances, share) for share in shares],
    }


def _mean(chances: Sequence[float], numbers: Sequence[float]) -> float:
    return sum(map(mul, chances, numbers))


def _add(standing: list[float], lines: Sequence[float]) -> list[float]:
    """The chances of the totals after one more round; what reaches the target falls out."""
    after = [0.0] * len(standing)
    for total, chance in enumerate(standing):
        for more, share in enumerate(lines[: len(standing) - total]):
            after[total + more] += chance * share
    return after
