"""6mal6, to be compiled: what moves are worth to a seat, by playing rounds out in worlds that fit what it knows.

Worlds are drawn in which the cards that the seat does not know lie somehow, and in each of them the rest of
the round is played out by the quick player. All moves are tried in the same worlds, so that luck does not
decide between them; after a quarter and after half of the worlds the worse half of them is given up.
What a move given up gets is its difference to the best one in the worlds that they share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pasch.core.philox import block
from pasch.core.rules import kernel
from pasch.games.sixbysix.rules import Config
from pasch.games.sixbysix.settling import FIELDS
from pasch.games.sixbysix.values.kernel import (
    Floats,
    Ints,
    Known,
    Learned,
    known_cards,
    new_scratch,
    play_out,
    policy_of,
)


@kernel(allocates=True)
def move_values(g: Config, v: Learned, s: Any, codes: Ints, count: int, out: Floats) -> None:
    """Write the mover's expected chips at the end of the round after each of its moves."""
    found = np.zeros((count, 2))
    estimate(g, v, s, s.seat, codes[:count], False, found)
    for move in range(count):
        out[move] = found[move, 0]


@kernel(allocates=True)
def estimate(g: Config, v: Learned, s: Any, seat: int, codes: Ints, prospects: bool, out: Floats) -> float:
    """Write what the moves of a seat are worth to it; the standard error of the best one's first number.

    Two numbers for each move: chips at the end of the round and nothing, or with `prospects` the chance to win the game
    and the final chips. Without a move to choose, `codes` is a single -1: the quick player decides for everybody.
    """
    known = known_cards(g, s, seat)
    policy, ends = policy_of(g, v, s.playing, 1 if prospects else 0), v.ends if prospects else v.ends[:0]
    work, seed = new_scratch(g, len(known.unseen)), seed_of(known, seat)
    found, tried_in = np.zeros((len(codes), v.worlds[-1], 2)), np.zeros(len(codes), np.int64)
    tried: Any = np.arange(len(codes))
    best: Any = 0
    for part in range(len(v.worlds)):
        begin: Any = v.worlds[part - 1] if part else 0
        end: Any = v.worlds[part]
        play_out(g, policy, known, work, codes, tried, (begin, end), seed, seat, ends, found)
        tried_in[tried] = end
        # of equal moves the first; the better half, at least two, in their own order
        means = np.array([found[move, :end, 0].mean() for move in tried])
        best = tried[np.argmax(means)]
        better = np.argsort(-means, kind="mergesort")[: max(2, (len(tried) + 1) // 2)]
        tried = tried[np.sort(better)]
    return differences(found, tried_in, best, out)


def differences(found: Any, tried_in: Ints, best: int, out: Floats) -> float:
    """The best move's mean over all worlds, and from it the others' differences where they were tried."""
    own = found[best, : tried_in[best]]
    for move in range(len(found)):
        shared = tried_in[move]
        for number in range(2):
            behind = found[best, :shared, number] - found[move, :shared, number]
            out[move, number] = own[:, number].mean() - behind.mean()
    return float(np.sqrt(((own[:, 0] - out[best, 0]) ** 2).sum()) / len(own))


# --- what a seat knows --------------------------------------------------------------------------------


def seed_of(known: Known, seat: int) -> int:
    """A number that follows from what a seat knows: the others' rows, all chips, and the cards it has not seen.

    From these follow the cards it has got. Where these lie does not matter, so that all its moves lead into the same
    worlds.
    """
    s = known.state[0]
    seed = folded(folded(folded(0, seat), s.rounds), s.pot)
    for player in range(s.playing):
        other = s.order[player]
        seed = folded(seed, s.chips[other])
        for place in range(FIELDS):
            if other != seat:
                seed = folded(seed, s.rows[other][place])
    for card in known.unseen:
        seed = folded(seed, card)
    return seed


def folded(seed: int, number: int) -> int:
    """A new seed that follows from a seed and a number."""
    made = block(seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, int(number), 0, 0, 0)
    return made[0] | (made[1] & 0x7FFFFFFF) << 32
