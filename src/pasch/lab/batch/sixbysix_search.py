"""6mal6, compiled: the search of `pasch.solve.sixbysix_search` from a row of numbers.

The worlds that it looks into follow from a digest of what the seat knows, so that it has to be written down
here exactly as there; then the same worlds come up, and the same numbers come out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pasch.games.sixbysix import FIELDS, HIGHEST
from pasch.lab.batch.compiling import bare, inlined, roomy
from pasch.lab.batch.keyed import BEGIN, compress
from pasch.lab.batch.sixbysix import (
    CHIPS,
    HANDS,
    LAID,
    ORDER,
    PLAYERS,
    POT,
    ROUNDS,
    ROWS,
    SEAT,
    UNSEEN,
    VALUES,
    Tables,
)
from pasch.solve.sixbysix_kernel import Position, play_out, room
from pasch.solve.sixbysix_tables import Policy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
KINDS = len(VALUES)
#: more bytes than a seat's knowledge ever takes
ROOM: Final = 1024
OPEN, CLOSE, LIST, LIST_END, COMMA, SPACE, ZERO = b"()[], 0"


@roomy
def worths(T: Tables, s: Ints, out: Floats) -> None:
    """The mover's expected chips at the end of the round after each move."""
    players, worlds = s[PLAYERS], T.until[-1]
    position, me = known(s, T.cards, T.bonus)
    moves = lays(s)
    ends = np.zeros((len(moves), worlds, players + 1), np.int64)
    sums, tried_in = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
    tried, work = np.arange(len(moves)), room(players)
    policy = Policy(
        T.streets, T.reach[players - 2], T.open_cost[players - 2], T.hold[players - 2],
        T.sums[players - 2], T.result[players - 2], T.ways, T.worth,
    )  # fmt: skip
    seed = digest(written(s, position, me))
    for part in range(len(T.until)):
        begin, end = int(T.until[part - 1]) if part else 0, int(T.until[part])
        play_out(policy, position, work, moves, tried, (begin, end), seed, ends)
        for move in tried:
            for world in range(begin, end):
                sums[move] += ends[move, world, me]
            tried_in[move] = end
        tried = better_half(tried, sums)
    best = tried[0]
    for other in tried:
        best = other if sums[other] > sums[best] else best
    mean = sums[best] / worlds
    for lay in range(len(moves)):
        ahead = 0
        for world in range(tried_in[lay]):
            ahead += ends[lay, world, me] - ends[best, world, me]
        out[lay] = mean if lay == best else mean + ahead / tried_in[lay]


@roomy
def better_half(tried: Ints, sums: Ints) -> Ints:
    """The moves that have done better, at least two, in their own order; of equal ones the first."""
    kept = np.zeros(len(tried), np.bool_)
    wanted = max(2, (len(tried) + 1) // 2)
    for _ in range(min(wanted, len(tried))):
        best = -1
        for place in range(len(tried)):
            if not kept[place] and (best < 0 or sums[tried[place]] > sums[tried[best]]):
                best = place
        kept[best] = True
    return tried[kept]


@roomy
def lays(s: Ints) -> Ints:
    """The moves as cards and places, in the order of `State.moves`."""
    hand, row = HANDS + s[SEAT] * KINDS, ROWS + s[SEAT] * FIELDS
    moves, number = np.zeros((HIGHEST * FIELDS, 2), np.int64), 0
    for card in range(KINDS):
        for place in range(FIELDS):
            if s[hand + card] and s[row + place] == 0:
                moves[number, 0], moves[number, 1] = card, place
                number += 1
    return moves[:number]


@roomy
def known(s: Ints, cards: int, prize: int) -> tuple[Position, int]:
    """The round as the seat to move knows it, and the seat's place in it."""
    players, me = s[PLAYERS], 0
    rows, hands = np.zeros((players, FIELDS), np.int64), np.zeros((players, KINDS), np.int64)
    hidden, chips = np.zeros(players, np.int64), np.zeros(players, np.int64)
    unseen, number = np.zeros(cards, np.int64), 0
    for turn in range(players):
        seat = s[ORDER + turn]
        chips[turn] = s[CHIPS + seat]
        for place in range(FIELDS):
            rows[turn, place] = s[ROWS + seat * FIELDS + place]
        if seat == s[SEAT]:
            me = turn
    for card in range(KINDS):
        copies = s[UNSEEN + card]
        for turn in range(players):
            held = s[HANDS + s[ORDER + turn] * KINDS + card]
            if turn == me:
                hands[turn, card] = held
            else:
                hidden[turn] += held
                copies += held
        unseen[number : number + copies] = card
        number += copies
    return Position(rows, hands, hidden, unseen[:number], s[LAID], -1, chips, s[POT], prize), me


# --- the worlds' number -----------------------------------------------------------------------------


@roomy
def written(s: Ints, position: Position, me: int) -> Bytes:
    """What `pasch.solve.sixbysix_search.Knowledge.seed` takes the digest of, as it is written there."""
    text, players = np.zeros(ROOM, np.uint8), len(position.rows)
    at = put(text, 0, OPEN)
    at = separate(text, number(text, at, me))
    at = separate(text, tuple_of(text, at, position.chips))
    at = separate(text, number(text, at, position.pot))
    at = separate(text, number(text, at, s[ROUNDS]))
    at = put(text, at, LIST)
    first = True
    for player in range(players):
        if player != me:
            if not first:
                at = separate(text, at)
            at, first = tuple_of(text, at, position.rows[player]), False
    at = separate(text, put(text, at, LIST_END))
    at = put(text, at, LIST)
    first = True
    for card in range(1, KINDS):
        copies = position.hands[me, card]
        for place in range(FIELDS):
            copies += position.rows[me, place] == card
        for _ in range(copies):
            if not first:
                at = separate(text, at)
            at, first = number(text, at, card), False
    at = separate(text, put(text, at, LIST_END))
    unseen = np.zeros(HIGHEST, np.int64)
    for card in position.unseen:
        unseen[card - 1] += 1
    at = put(text, tuple_of(text, at, unseen), CLOSE)
    return text[:at]


@inlined
def put(text: Bytes, at: int, sign: int) -> int:
    """Write a sign; where it ends."""
    text[at] = sign
    return at + 1


@inlined
def separate(text: Bytes, at: int) -> int:
    """Write what stands between two things."""
    return put(text, put(text, at, COMMA), SPACE)


@bare
def number(text: Bytes, at: int, written: int) -> int:
    """Write a number that is not below 0."""
    digits, rest = 1, written // 10
    while rest:
        digits += 1
        rest //= 10
    for place in range(at + digits - 1, at - 1, -1):
        text[place] = ZERO + written % 10
        written //= 10
    return at + digits


@bare
def tuple_of(text: Bytes, at: int, numbers: Ints) -> int:
    """Write two numbers or more as a tuple."""
    for place in range(len(numbers)):
        at = separate(text, at) if place else put(text, at, OPEN)
        at = number(text, at, numbers[place])
    return put(text, at, CLOSE)


@roomy
def digest(text: Bytes) -> int:
    """The first seven bytes of the SHA-256 of a text, as a number."""
    state, work = BEGIN.copy(), np.zeros(64, np.uint32)
    blocks = (len(text) + 8) // 64 + 1
    for block in range(blocks):
        for word in range(16):
            work[word] = 0
            for byte in range(4):
                at = 64 * block + 4 * word + byte
                sign = text[at] if at < len(text) else (128 if at == len(text) else 0)
                work[word] = np.uint32(work[word] << np.uint32(8)) | np.uint32(sign)
        if block == blocks - 1:
            work[15] = np.uint32(8 * len(text))
        compress(state, work)
    return int(state[0]) << 24 | int(state[1]) >> 8
