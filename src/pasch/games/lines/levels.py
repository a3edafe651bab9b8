"""Shut the Lines: what the levels give away, whatever the plans, the target and the number of seats."""

from __future__ import annotations

from collections.abc import Sequence

from pasch.core.registry import find_data
from pasch.games.lines.rules import Lines


def measured_loss(game: Lines, name: str) -> tuple[float, float] | None:
    """The points that a level gives away in a whole game, and their standard error.

    Each round that is played costs what its plan costs.

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
    standing = [1.0] + [0.0] * (target - 1)  # the chance of each total below the target
    points = error = 0.0
    number = 0
    while (played := sum(standing) ** game.players) > 1e-9:
        entry = plans[order[number % len(order)]]
        points += played * entry["loss"]
        error += played * entry["error"]
        standing = _add(standing, entry["lines"])
        number += 1
    return points, error


def _add(standing: list[float], lines: Sequence[float]) -> list[float]:
    """The chances of the totals after one more round; what reaches the target falls out."""
    after = [0.0] * len(standing)
    for total, chance in enumerate(standing):
        for more, share in enumerate(lines[: len(standing) - total]):
            after[total + more] += chance * share
    return after
