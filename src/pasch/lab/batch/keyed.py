"""`pasch.core.chance.derive`, compiled: numbers that follow from a key, the same as everywhere in Pasch.

HMAC-SHA-256 begins with a block of the key, twice. What SHA-256 has in mind after it is worked out once for
each key (`pads`); a number then takes two more blocks: the message, and the digest of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.lab.batch.compiling import bare, inlined

Words32 = NDArray[np.uint32]

PRIMES: Final = [n for n in range(2, 312) if all(n % d for d in range(2, n))]


def _root(prime: int, power: int) -> int:
    """The first 32 bits after the point of a prime's square or cube root, found in whole numbers."""
    low, high = 0, prime << 32
    while high - low > 1:
        middle = (low + high) // 2
        if middle**power <= prime << 32 * power:
            low = middle
        else:
            high = middle
    return low & 0xFFFFFFFF


#: SHA-256's constants: from the square roots of the first primes what it begins with, from the cube roots
#: what it adds in each round
BEGIN: Final = np.array([_root(prime, 2) for prime in PRIMES[:8]], np.uint32)
ROUNDS: Final = np.array([_root(prime, 3) for prime in PRIMES[:64]], np.uint32)
#: how many words `derive` needs to write on: a block with its schedule, and two states
WORK: Final = 64 + 8


@inlined
def _turned(word: Any, by: int) -> Any:
    return np.uint32((word >> np.uint32(by)) | (word << np.uint32(32 - by)))


@bare
def compress(state: Words32, work: Words32) -> None:
    """Take one block, the first 16 words of `work`, into the state; `work` is written on."""
    for i in range(16, 64):
        x, y = work[i - 15], work[i - 2]
        x = _turned(x, 7) ^ _turned(x, 18) ^ (x >> np.uint32(3))
        y = _turned(y, 17) ^ _turned(y, 19) ^ (y >> np.uint32(10))
        work[i] = np.uint32(work[i - 16] + x + work[i - 7] + y)
    a, b, c, d = state[0], state[1], state[2], state[3]
    e, f, g, h = state[4], state[5], state[6], state[7]
    for i in range(64):
        sums = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
        first = np.uint32(h + sums + ((e & f) ^ (~e & g)) + ROUNDS[i] + work[i])
        sums = _turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)
        second = np.uint32(sums + ((a & b) ^ (a & c) ^ (b & c)))
        h, g, f, e = g, f, e, np.uint32(d + first)
        d, c, b, a = c, b, a, np.uint32(first + second)
    state[0] = np.uint32(state[0] + a)
    state[1] = np.uint32(state[1] + b)
    state[2] = np.uint32(state[2] + c)
    state[3] = np.uint32(state[3] + d)
    state[4] = np.uint32(state[4] + e)
    state[5] = np.uint32(state[5] + f)
    state[6] = np.uint32(state[6] + g)
    state[7] = np.uint32(state[7] + h)


@bare
def prepare(key: Words32, pads: Words32, work: Words32) -> None:
    """Fill the 16 words of a key's pads: the states after the inner and after the outer block."""
    for half in range(2):
        pad = np.uint32(0x5C5C5C5C if half else 0x36363636)
        for i in range(16):
            work[i] = pad ^ key[i] if i < 8 else pad
        state = pads[8 * half : 8 * half + 8]
        for i in range(8):
            state[i] = BEGIN[i]
        compress(state, work)


@inlined
def _written(work: Words32, at: int, number: int) -> int:
    """Write a number in decimal digits behind `at` bytes of the block; where it ends."""
    digits, rest = 1, number
    while rest >= 10:
        rest //= 10
        digits += 1
    for place in range(at + digits - 1, at - 1, -1):
        work[place >> 2] |= np.uint32((48 + number % 10) << (24 - 8 * (place & 3)))
        number //= 10
    return at + digits


@inlined
def _mark(work: Words32, at: int, byte: int) -> None:
    work[at >> 2] |= np.uint32(byte << (24 - 8 * (at & 3)))


@bare
def derive(pads: Words32, number: int, total: int, work: Words32) -> int:
    """The number below `total` (less than 2^63) that a key gives to the event with this number."""
    bits = 0
    while (total - 1) >> bits:
        bits += 1
    if bits == 0:
        return 0
    state, attempt = work[64:72], 0
    while True:
        for i in range(16):
            work[i] = 0
        for i in range(8):
            state[i] = pads[i]
        end = _written(work, 0, number)
        _mark(work, end, 47)
        end = _written(work, end + 1, attempt)
        _mark(work, end, 47)
        end = _written(work, end + 1, 0)
        _mark(work, end, 128)
        work[15] = np.uint32(8 * (64 + end))
        compress(state, work)
        for i in range(8):
            work[i] = state[i]
            state[i] = pads[8 + i]
            work[8 + i] = 0
        work[8] = np.uint32(0x80000000)
        work[15] = np.uint32(8 * (64 + 32))
        compress(state, work)
        top = (np.uint64(state[0]) << np.uint64(32)) | np.uint64(state[1])
        found = np.int64(top >> np.uint64(64 - bits))
        if found < total:
            return int(found)
        attempt += 1


def key_words(keys: Sequence[bytes]) -> Words32:
    """Keys of 32 bytes as rows of eight words."""
    joined = np.frombuffer(b"".join(keys), ">u4").astype(np.uint32)
    return joined.reshape(len(keys), 8)
