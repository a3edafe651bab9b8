"""Crowns: make a plan for the chips that are left, and place what brings the plan forward most."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from math import ceil, prod

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.crowns import DICE, FIELDS, Crowns, CrownsState, Place, mask, placements

#: chips that a sensible player places in a turn, on average
PACE = 1.3
#: a chip kept although no plan needs it only draws the game out
IDLE = 0.05


def worth(view: State, move: Event) -> float:
    """The crowns to be expected if the chips left go into the plan that is best after the move.

    Taking a field that the plan needs makes it certain, which raises the expectation; a chip wasted is
    missing from the plan, which lowers it. So the worth weighs placing against waiting.
    """
    if not isinstance(view, CrownsState):
        raise TypeError("this player plays Crowns only")
    if not isinstance(move, Place):
        return 0.0  # a discard is never chosen among several moves
    board = view.boards[view.seat] | mask(move.place)
    left = view.left[view.seat] - len(move.place)
    expected = _expectation(view.game, board, left, _turns(view, left))
    # alone every turn costs a chip anyway
    return expected if view.game.minimum else expected - IDLE * left


def _turns(view: CrownsState, left: int) -> int:
    """How often this seat will probably roll again, having `left` chips after its move."""
    if not left:
        return 0
    # with several players the others can end the game; one's own chips can wait
    fewest = min((chips for seat, chips in enumerate(view.left) if seat != view.seat), default=left)
    allowed = view.game.options.round_limit - view.rounds - 1
    return min(turns_for(fewest, view.game.minimum), allowed)


@cache
def turns_for(chips: int, minimum: int) -> int:
    """How many turns it takes to place so many chips."""
    return ceil(chips / max(PACE, minimum))


def _expectation(game: Crowns, board: int, left: int, turns: int) -> float:
    """Crowns already sure, plus those of the plan, each with the chance that it comes true.

    The plan takes whatever promises most crowns per chip still needed, while the chips suffice; chips
    that serve two lines are needed once.
    """
    chance = chances(turns)
    sure = 0.0
    wishes: list[tuple[float, float, int]] = []
    for fields, crowns in game.scoring:
        missing = fields & ~board
        needed = missing.bit_count()
        if not needed:
            sure += crowns
        elif crowns and needed <= left:
            promise = crowns * prod([chance[number] for number in _numbers(missing)])
            wishes.append((promise / needed, promise, missing))
    wishes.sort(reverse=True)
    plan = 0
    for _, promise, missing in wishes:
        if (plan | missing).bit_count() <= left:
            plan |= missing
            sure += promise
    return sure


@cache
def _numbers(fields: int) -> tuple[int, ...]:
    """The numbers of these fields."""
    return tuple(number for number in range(FIELDS) if fields >> number & 1)


@cache
def chances(turns: int) -> tuple[float, ...]:
    """For each field the chance that at least one of so many rolls allows a chip there."""
    return tuple(1 - (1 - chance) ** turns for chance in _chance_of_fields())


@cache
def _chance_of_fields() -> tuple[float, ...]:
    """For each field the chance that a roll allows a chip there."""
    cases = [0] * FIELDS
    for roll, its_cases in rolls(DICE):
        # the fewest chips come first: nothing, then single fields
        for placement in takewhile(lambda way: way.chips <= 1, placements(roll[::-1], False)):
            if placement.chips:
                cases[placement.mask.bit_length() - 1] += its_cases
    return tuple(number / 6**DICE for number in cases)
