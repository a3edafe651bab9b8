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
from pasch.games.sixbysix.rules import DEAL, Config
from pasch.games.sixbysix.settling import FIELDS, HIGHEST
from pasch.games.sixbysix.values.kernel import (
    Floats,
    Ints,
    Known,
    Learned,
    finish,
    known_cards,
    new_scratch,
    play_out,
    policy_of,
)

#: how often the rest of the game is played after the round of each world
GAMES = 8


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
    me = place_of(s, seat)
    known = known_cards(g, s, seat)
    policy = policy_of(g, v, s.playing, 1 if prospects else 0)
    work, seed, worlds = new_scratch(g, len(known.unseen)), seed_of(s, known, me), v.worlds[-1]
    ends = np.zeros((len(codes), worlds, s.playing + 1), np.int64)
    found, tried_in = np.zeros((len(codes), worlds, 2)), np.zeros(len(codes), np.int64)
    tried: Any = np.arange(len(codes))
    best: Any = 0
    for part in range(len(v.worlds)):
        begin: Any = v.worlds[part - 1] if part else 0
        end: Any = v.worlds[part]
        play_out(g, policy, known, work, codes, tried, (begin, end), seed, ends)
        for move in tried:
            tried_in[move] = end
            for world in range(begin, end):
                if prospects:
                    # other numbers than those that shuffled the worlds; equal ends are followed by the same games
                    first = (1 << 32) + world * GAMES
                    rest = finish(g, v.ends, ends[move, world], s.rounds + 1, GAMES, first, seed, me, work)
                    found[move, world, 0], found[move, world, 1] = rest
                else:
                    found[move, world, 0] = ends[move, world, me]
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


def place_of(s: Any, seat: int) -> int:
    """Where in the order of the round a seat comes."""
    place = 0
    while s.order[place] != seat:
        place += 1
    return place


def seed_of(s: Any, known: Known, me: int) -> int:
    """A number that follows from what the seat knows of the others and which cards it has got.

    Where its own cards lie does not matter, so that all its moves lead into the same worlds.
    """
    seed = folded(folded(folded(0, me), s.rounds), s.pot)
    own = np.zeros(HIGHEST + 1, np.int64)
    for place in range(s.held[s.order[me]]):
        own[max(0, s.hands[s.order[me]][place])] += 1
    for player in range(s.playing):
        seed = folded(seed, s.chips[s.order[player]])
        for place in range(FIELDS):
            # before the deal the last round's cards still lie there
            card = 0 if s.phase == DEAL else s.rows[s.order[player]][place]
            if player == me:
                own[card] += 1
            else:
                seed = folded(seed, card)
    for card in range(1, HIGHEST + 1):
        seed = folded(seed, own[card])
    for card in known.unseen:
        seed = folded(seed, card)
    return seed


def folded(seed: int, number: int) -> int:
    """A new seed that follows from a seed and a number."""
    made = block(seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, int(number), 0, 0, 0)
    return made[0] | (made[1] & 0x7FFFFFFF) << 32
