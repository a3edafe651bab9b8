"""6mal6: the cards that decided the round just settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.state import State
from pasch.games.sixbysix import FIELDS, STREET, Row, SixBySixState, bonus_sum, payers, streets


def marks(view: State) -> dict[str, Any]:
    """While a settled round lies there, pairs of seat and field.

    `lowest`: the cards that paid; with streets `street`: the cards that are part of one. `bonus`: the
    seats with the highest sum of fields 1 and 6.
    """
    state = cast(SixBySixState, view)
    played = [seat for seat, row in enumerate(state.rows) if all(row)]
    if state.phase not in ("deal", "over") or not played:
        return {}
    rows = [state.rows[seat] for seat in played]
    if state.game.options.streets:
        return {"street": [(seat, field) for seat in played for field in _in_street(state.rows[seat])]}
    highest = max(map(bonus_sum, rows))
    return {
        "lowest": [(played[row], field) for row, field in payers(rows)],
        "bonus": [seat for seat in played if bonus_sum(state.rows[seat]) == highest],
    }


def _in_street(row: Row) -> Iterator[int]:
    """The fields that are part of a street, which three in a row make."""
    threes = [range(start, start + STREET) for start in range(FIELDS - STREET + 1)]
    whole = [three for three in threes if streets(row[three.start : three.stop])]
    for place in range(FIELDS):
        if any(place in three for three in whole):
            yield place + 1
