"""A sensible beginner at Crowns, and how beginners err.

It makes a plan for the chips that are left, and places what brings it forward most. Weaker ones take crowns at once,
and miss what several dice do together.
"""

from __future__ import annotations

from math import ceil
from typing import Any, Final

from pasch.core.rules import count_bits, kernel
from pasch.games.crowns.rules import Config, cost, rounds_left, score

#: chips that a sensible player places in a turn, on average
CHIPS_PER_TURN: Final = 1.3
#: a chip kept although no plan needs it only draws the game out
IDLE: Final = 0.05


@kernel(allocates=True)
def heuristic(g: Config, s: Any, code: int) -> float:
    """The crowns to be expected if the chips left go into the plan that is best after the move.

    Taking a field that the plan needs makes it certain, which raises the expectation; a chip wasted is
    missing from the plan, which lowers it. So the worth weighs placing against waiting.
    """
    board = s.boards[s.seat] | g.masks[code]
    left = s.left[s.seat] - cost(g, g.chips[code])
    expected = expectation(g, board, left, turns_to_come(g, s, left))
    # alone every turn costs a chip anyway
    return expected if g.minimum else expected - IDLE * left


def turns_to_come(g: Config, s: Any, left: int) -> int:
    """How often this seat will probably roll again, having `left` chips after its move."""
    if left == 0:
        return 0
    # with several players the others can end the game; one's own chips can wait
    fewest = left if g.players == 1 else max(s.left)
    for seat in range(g.players):
        if seat != s.seat:
            fewest = min(fewest, s.left[seat])
    return min(ceil(fewest / max(CHIPS_PER_TURN, float(g.minimum))), rounds_left(g, s.rounds + 1))


def expectation(g: Config, board: int, left: int, turns: int) -> float:
    """Crowns already sure, plus those of the plan, each with the chance that it comes true.

    The plan takes whatever promises most crowns per chip still needed, while the chips suffice; chips
    that serve two lines are needed once.
    """
    chance, goals = g.chances[turns], len(g.goals)
    # wishes, what promises most for a chip first
    per_chip, promise, missing = [0.0] * goals, [0.0] * goals, [0] * goals
    wishes = 0
    for goal in range(goals):
        lacks = g.goals[goal] & ~board
        if lacks == 0 or g.crowns[goal] == 0:
            continue
        needed, hope = 0, float(g.crowns[goal])
        likely = 1.0
        for field in g.parts[goal]:
            if field >= 0 and lacks >> field & 1:
                needed += 1
                likely *= chance[field]
        if needed <= left:
            hope *= likely
            at = wishes
            while at > 0 and (hope / needed, hope, lacks) > (
                per_chip[at - 1],
                promise[at - 1],
                missing[at - 1],
            ):
                per_chip[at], promise[at], missing[at] = per_chip[at - 1], promise[at - 1], missing[at - 1]
                at -= 1
            per_chip[at], promise[at], missing[at] = hope / needed, hope, lacks
            wishes += 1
    expected, plan, unplanned = float(score(g, board)), 0, left
    for wish in range(wishes):
        more = count_bits(missing[wish] & ~plan)
        if more <= unplanned:
            plan |= missing[wish]
            unplanned -= more
            expected += promise[wish]
    return expected


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each crown that it scores at once."""
    board = s.boards[s.seat]
    return float(score(g, board | g.masks[code]) - score(g, board))


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: each further field that is covered."""
    return max(0, g.chips[code] - 1)
