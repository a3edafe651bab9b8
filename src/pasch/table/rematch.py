"""Playing again: what is agreed at the next table of the same people."""

from __future__ import annotations

from typing import Literal

import msgspec

from pasch.table.log import Agreement, Chair, LiveTable


def next_agreement(live: LiveTable, made: int, commitment: str | None) -> Agreement:
    """The agreement of a rematch: the same seats, options, levels and coach.

    Tokens are kept as hashes only, and these are taken over: whoever has a seat here has it there, too.
    """
    chairs = tuple(_chair_again(live, seat) for seat in range(len(live.current.chairs)))
    return msgspec.structs.replace(
        live.agreement,
        chairs=chairs,
        coach=live.current.coach,
        made=made,
        commitment=commitment,
        given=0,
        before=live.id,
    )


def _chair_again(live: LiveTable, seat: int) -> Chair:
    """Who sits there next: the same one, or the computer for a person who is away and was not waited for."""
    chair, agreed = live.current.chairs[seat], live.agreement.chairs[seat]
    if not chair.owned:
        # a program that has failed may try again
        level = agreed.level if agreed.kind == "computer" else chair.level
        return Chair(kind="computer", name=chair.name, level=level)
    person: Literal["here", "link"] = "here" if "here" in (chair.kind, chair.lender) else "link"
    away = live.presence.away(seat)
    if away == "gone" or (away is not None and chair.lender is not None):
        level = chair.level or live.agreement.stand_in
        return Chair(kind="computer", name=chair.name, level=level, lender=person, token=chair.token)
    return Chair(kind=person, name=chair.name, token=chair.token)
