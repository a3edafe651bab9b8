"""What never changes in each game, checked at every state of random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from pasch.core.state import State


def _crowns(state: Any) -> None:
    for board, left in zip(state.boards, state.left, strict=True):
        placed = board.bit_count()
        assert left >= 0 and placed + left <= state.game.components.chips.number
        if state.game.players > 1:
            assert placed + left == state.game.components.chips.number, "chips are discarded in solo only"
    assert len(state.rolled) in (0, 6)


def _fiese15(state: Any) -> None:
    assert len(set(state.strips)) == len(state.strips) <= state.game.components.rounds
    assert all(0 <= total <= 60 * len(state.strips) for total in state.totals)
    for face, rolled in zip(state.kept, state.rolled, strict=True):
        assert not (face and rolled), "a die lies in one place"


def _joker1(state: Any) -> None:
    assert 0 <= state.slides < 64
    assert 0 <= state.jokers <= state.game.components.jokers
    assert 1 <= state.dice <= state.game.components.dice
    assert all(total >= 0 for total in state.totals)


def _joker2(state: Any) -> None:
    assert 0 <= state.slides < 512
    most = state.round + 1
    assert all(-5 * 57 * most <= total <= 45 * most for total in state.totals)


def _lines(state: Any) -> None:
    for covered in state.covered:
        if state.plan:
            assert covered & ~state.game.plans[state.plan - 1].full == 0, (
                "only the plan's numbers are covered"
            )
        else:
            assert covered == 0
    assert all(total >= 0 for total in state.totals)


def _sixbysix(state: Any) -> None:
    start = state.game.components.start.chips
    assert sum(state.chips) + state.pot == start * state.game.players, "chips are neither made nor lost"
    assert min(state.chips) >= 0 and state.pot >= 0
    if state.phase in ("card", "draw"):
        cards = Counter(card for cards in (*state.hands, *state.rows) for card in cards if card)
        for card, number in enumerate(state.game.config.pack, 1):
            assert cards[card] + state.unseen[card - 1] == number, "every card is in one place"


INVARIANTS: dict[str, Callable[[State], None]] = {
    "crowns": _crowns,
    "fiese15": _fiese15,
    "joker1": _joker1,
    "joker2": _joker2,
    "lines": _lines,
    "sixbysix": _sixbysix,
}
