"""The generator of simulated games: Philox4x32-10, keyed and counter-based.

A game's numbers follow from a key of 16 bytes: the first two words are Philox's key, the last two the upper half of
its counter. The lower half is the number of a block and of a stream: stream 0 is chance's, stream s + 1 seat s's.
Each block gives four words of 32 bits, which a stream hands out in order. So a game follows from its key alone,
however it is played: plain, compiled, in processes or on a cluster.

`block` is in the subset of Python that numba compiles; `pasch.lab.loop` compiles it as it stands.
Tables at which people play do not use this generator but `pasch.core.chance.derive`.

Philox: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC11 (2011).
"""

from __future__ import annotations

from typing import Final

from pasch.core.chance import seed_key
from pasch.core.errors import ArgumentError

KEY_BYTES: Final = 16

Words = tuple[int, int, int, int]

_LOW: Final = 0xFFFFFFFF
_MULTIPLY_0: Final = 0xD2511F53
_MULTIPLY_1: Final = 0xCD9E8D57
_KEY_STEP_0: Final = 0x9E3779B9
_KEY_STEP_1: Final = 0xBB67AE85
_ROUNDS: Final = 10


def block(key_0: int, key_1: int, x0: int, x1: int, x2: int, x3: int) -> Words:
    """The four words of 32 bits that Philox4x32-10 makes of a key and a counter."""
    # compiled, products of 32-bit words wrap around 64 bits with a sign; the masks make that the same
    for _ in range(_ROUNDS):
        left, right = _MULTIPLY_0 * x0, _MULTIPLY_1 * x2
        x0 = (right >> 32 & _LOW) ^ x1 ^ key_0
        x1 = right & _LOW
        x2 = (left >> 32 & _LOW) ^ x3 ^ key_1
        x3 = left & _LOW
        key_0 = key_0 + _KEY_STEP_0 & _LOW
        key_1 = key_1 + _KEY_STEP_1 & _LOW
    return x0, x1, x2, x3


def unfair_below(total: int) -> int:
    """Below this low half of the product a word is thrown away, so that each of `total` is equally likely."""
    return (_LOW + 1) % total


class Stream:
    """The words of one stream of a game, as a `pasch.core.chance.Generator`."""

    def __init__(self, key: bytes, stream: int) -> None:
        if len(key) < KEY_BYTES:
            said = "key: expected {least} bytes or more, got {got}"
            raise ArgumentError(said, least=KEY_BYTES, got=len(key))
        words = [int.from_bytes(key[place : place + 4], "little") for place in range(0, KEY_BYTES, 4)]
        self._key_0, self._key_1, self._upper_0, self._upper_1 = words
        self._stream = stream
        self._blocks = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 32 random bits."""
        if not self._words:
            made = block(self._key_0, self._key_1, self._blocks, self._stream, self._upper_0, self._upper_1)
            self._words = list(made[::-1])
            self._blocks += 1
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to stop - 1, all exactly equally likely; nothing is drawn for a stop of 1."""
        if stop == 1:
            return 0
        if stop > _LOW + 1:
            raise ValueError("more than 2**32 cases are drawn in steps")
        while True:
            # multiplying instead of dividing (Lemire)
            product = self.word() * stop
            low = product & _LOW
            if low >= stop or low >= unfair_below(stop):
                return product >> 32

    def random(self) -> float:
        """A number from 0 to below 1 with 53 random bits."""
        high, low = self.word(), self.word()
        return ((high >> 5) * (1 << 26) + (low >> 6)) / (1 << 53)


def game_key(seed: object, number: int) -> bytes:
    """The key of game `number`, counted from 0, of the simulation with a seed written by a person."""
    return seed_words(seed) + number.to_bytes(8, "little")


def seed_words(seed: object) -> bytes:
    """Philox's own key, 8 bytes, of a seed written by a person."""
    return seed_key(seed)[:8]
