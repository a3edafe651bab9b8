"""The receipt of a game that has ended at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pasch.coach.figures import Figures
from pasch.core.receipt import Receipt, RulesHash
from pasch.table.log import Course


def receipt(course: Course, seed: bytes, report: Mapping[str, Any] | None = None) -> Receipt:
    """All that the dice followed from and, with a report, what the coach says of it."""
    coach = None if report is None else Figures.of(report, RulesHash.of(course.game).hash)
    return Receipt.of(
        course.game,
        course.events,
        table=course.id,
        dice=course.agreement.dice,
        seed=seed,
        contributions=course.standing.contributions,
        given=course.agreement.given,
        verdict=course.standing.verdict,
        coach=None if coach is None else msgspec.to_builtins(coach),
    )
