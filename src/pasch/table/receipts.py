"""The receipt of a game that has ended at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pasch.coach.figures import Figures
from pasch.core.receipt import Receipt, RulesHash
from pasch.table.log import LiveTable


def receipt(live: LiveTable, report: Mapping[str, Any] | None = None) -> Receipt:
    """The receipt of a finished game; with a report, the coach's figures are in it."""
    coach = None if report is None else Figures.of(report, RulesHash.of(live.game).hash)
    return Receipt.of(
        live.game,
        live.events,
        table=live.id,
        dice=live.agreement.dice,
        seed=live.seed,
        contributions=live.current.contributions,
        given=live.agreement.given,
        verdict=live.current.verdict,
        coach=None if coach is None else msgspec.to_builtins(coach),
    )
