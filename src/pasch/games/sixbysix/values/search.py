"""6mal6, to be compiled: what moves are worth to a seat, by playing rounds out in worlds that fit what it knows.

Worlds are drawn in which the cards that the seat does not know lie somehow, and in each of them the rest of
the round is played out by the quick player. All moves are tried in the same worlds, so that luck does not
decide between them; after a quarter and after half of the worlds the worse half of them is given up.
What is told of a move given up is its difference to the best one in the worlds that they share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pasch.core.philox import block
from pasch.core.rules import apart
from pasch.games.sixbysix.box import DEALT
from pasch.games.sixbysix.rules import DEAL, Config
from pasch.games.sixbysix.settling import FIELDS, HIGHEST
from pasch.games.sixbysix.values.kernel import Known, Rest, finish, play_out, room, room_for_rest
from pasch.games.sixbysix.values.tables import RIVALRY, Floats, Ints, Learned, Policy

#: how often the rest of the game is played after the round of each world; with streets, after each end
GAMES, GAMES_WITH_STREETS = 8, 128


@apart
def worths(g: Config, v: Learned, s: Any, codes: Ints, count: int, out: Floats) -> None:
    """Write the mover's expected chips at the end of the round after each of its moves."""
    found = np.zeros((count, 2))
    estimate(g, v, s, s.seat, codes[:count], False, found)
    for move in range(count):
        out[move] = found[move, 0]


@apart
def estimate(g: Config, v: Learned, s: Any, seat: int, codes: Ints, outlook: bool, out: Floats) -> float:
    """Write what the moves of a seat are worth to it; the standard error of the best one's first number.

    Two numbers for each move: chips at the end of the round and nothing, or with `outlook` the chance to win the game
    and the final chips. Without a move to choose, `codes` is a single -1: the quick player decides for everybody.
    """
    me = place_of(s, seat)
    known = known_cards(g, s, seat)
    players, worlds = s.playing, v.worlds[-1]
    policy = policy_of(g, v, players, 1 if outlook else 0)
    work, seed = room(players, len(known.unseen)), seed_of(s, known, me)
    rest = room_for_rest(g.players, players)
    ends = np.zeros((len(codes), worlds, players + 1), np.int64)
    found, tried_in = np.zeros((len(codes), worlds, 2)), np.zeros(len(codes), np.int64)
    tried: Any = np.arange(len(codes))
    best: Any = 0
    for part in range(len(v.worlds)):
        begin: Any = v.worlds[part - 1] if part else 0
        end: Any = v.worlds[part]
        play_out(g, policy, s, known, work, codes, tried, (begin, end), seed, ends)
        for move in tried:
            measure(g, v, s, me, ends, tried, move, begin, end, outlook, seed, rest, found)
            tried_in[move] = end
        best = best_of(tried, found, end)
        tried = better_half(tried, found, end)
    return tell(found, tried_in, best, out)


def measure(
    g: Config,
    v: Learned,
    s: Any,
    me: int,
    ends: Any,
    tried: Ints,
    move: int,
    begin: int,
    end: int,
    outlook: bool,
    seed: int,
    rest: Rest,
    found: Any,
) -> None:
    """What the ends of a round after a move in some worlds are worth to the seat."""
    out = found[move]
    for world in range(begin, end):
        if not outlook:
            out[world, 0] = ends[move, world, me]
            continue
        # equal ends are followed by the same games: with streets, of which there are few, whatever the world
        other = move if g.streets else same_end_of_another(ends, tried, move, world)
        earlier = same_end(ends[move], world) if g.streets else world
        if other >= 0 and earlier >= 0:
            out[world, 0], out[world, 1] = found[other, earlier, 0], found[other, earlier, 1]
            continue
        games = GAMES_WITH_STREETS if g.streets else GAMES
        # other numbers than those that shuffled the worlds
        first = (1 << 32) + (0 if g.streets else world * games)
        finish(g, v.ends, ends[move, world], s.rounds + 1, games, first, seed, rest)
        out[world, 0], out[world, 1] = rest.won[me], rest.final[me]


def same_end_of_another(ends: Any, tried: Ints, move: int, world: int) -> int:
    """A move before this one after which the round ends alike in this world; -1 if there is none."""
    for other in tried:
        if other == move:
            return -1
        if alike(ends[other, world], ends[move, world]):
            return int(other)
    return -1


def same_end(ends: Any, world: int) -> int:
    """An earlier world in which the round ended alike; -1 if there is none."""
    for earlier in range(world):
        if alike(ends[earlier], ends[world]):
            return earlier
    return -1


def alike(one: Any, other: Any) -> bool:
    """Whether two ends of a round are the same: all chips and the pot."""
    for place in range(len(one)):
        if one[place] != other[place]:
            return False
    return True


def mean_of(found: Any, worlds: int) -> float:
    """The mean of the first number over the first worlds."""
    total = 0.0
    for world in range(worlds):
        total += found[world, 0]
    return total / worlds


def best_of(tried: Ints, found: Any, worlds: int) -> int:
    """The first of the best moves."""
    best = tried[0]
    for move in tried:
        if mean_of(found[move], worlds) > mean_of(found[best], worlds):
            best = move
    return best


def better_half(tried: Ints, found: Any, worlds: int) -> Ints:
    """The moves that have done better, at least two, in their own order; of equal ones the first."""
    kept = np.zeros(len(tried), np.bool_)
    for _ in range(min(len(tried), max(2, (len(tried) + 1) // 2))):
        best = -1
        for place in range(len(tried)):
            if not kept[place] and (
                best < 0 or mean_of(found[tried[place]], worlds) > mean_of(found[tried[best]], worlds)
            ):
                best = place
        kept[best] = True
    return tried[kept]


def tell(found: Any, tried_in: Ints, best: int, out: Floats) -> float:
    """The best move's mean over all worlds, and from it the others' differences where they were tried."""
    worlds, square = tried_in[best], 0.0
    for number in range(2):
        mean = 0.0
        for world in range(worlds):
            mean += found[best, world, number] / worlds
        for move in range(len(found)):
            ahead = 0.0
            for world in range(tried_in[move]):
                ahead += (found[move, world, number] - found[best, world, number]) / tried_in[move]
            out[move, number] = mean + ahead
    for world in range(worlds):
        square += (found[best, world, 0] - out[best, 0]) ** 2
    return float(np.sqrt(square) / worlds)


# --- what a seat knows --------------------------------------------------------------------------------


def place_of(s: Any, seat: int) -> int:
    """Where in the order of the round a seat comes."""
    place = 0
    while s.order[place] != seat:
        place += 1
    return place


def policy_of(g: Config, v: Learned, players: int, which: int) -> Policy:
    """The quick player for so many players, by its place in RIVALRY."""
    at = players - 2
    return Policy(
        g.streets, RIVALRY[which], v.reach[at, which], v.open_cost[at, which], v.hold[at, which], v.bonus[at, which],
        v.result[at, which], v.ways,
    )  # fmt: skip


def known_cards(g: Config, s: Any, seat: int) -> Known:
    """The cards of a round as a seat knows them, whether `s` is the true state or a view."""
    players = s.playing
    hands, hidden = np.zeros((players, HIGHEST + 1), np.int64), np.zeros(players, np.int64)
    copies = np.zeros(HIGHEST + 1, np.int64)
    for kind in range(HIGHEST):
        copies[kind + 1] = s.unseen[kind]
    for player in range(players):
        own = s.order[player]
        if s.phase == DEAL:
            hidden[player] = DEALT
            continue
        for place in range(s.held[own]):
            card = s.hands[own][place]
            if own == seat and card > 0:
                hands[player, card] += 1
            else:
                hidden[player] += 1
                if card > 0:
                    copies[card] += 1
    unseen, number = np.zeros(copies.sum(), np.int64), 0
    for card in range(HIGHEST + 1):
        for _ in range(copies[card]):
            unseen[number] = card
            number += 1
    return Known(hands, hidden, unseen)


def seed_of(s: Any, known: Known, me: int) -> int:
    """A number that follows from what the seat knows of the others and which cards it has got.

    Where its own cards lie does not matter, so that all its moves lead into the same worlds.
    """
    seed = folded(folded(folded(0, me), s.rounds), s.pot)
    own = known.hands[me].copy()
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
