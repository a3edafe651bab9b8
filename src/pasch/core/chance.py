"""Chance is a move of its own.

A chance node has `total` equally likely elementary cases (6 to the power of the dice, or the ordered
ways to draw cards), numbered from 0. `pick` says which outcome a case is; several cases may be the same
outcome (5 3 and 3 5). So one exactly uniform whole number below `total` decides everything,
whether it comes from `random.Random`, from a key (see `derive`) or from a test.
"""

from __future__ import annotations

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import Any, Protocol

from pasch.core.errors import PaschError
from pasch.core.events import Event


class Generator(Protocol):
    """A source of random numbers; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to stop - 1, all equally likely."""

    def random(self) -> float:
        """A number from 0 to below 1."""


class TooMany(PaschError):
    """The outcomes are too many to list; sample them, supply them or go step by step."""


class Chance(ABC):
    """The outcomes of one chance node and their exact probabilities."""

    total: int
    listable: bool = True

    @abstractmethod
    def pick(self, case: int) -> Event:
        """The outcome of elementary case number `case`."""

    @abstractmethod
    def cases(self, outcome: Event) -> int:
        """The number of elementary cases of this outcome; 0 if it is impossible."""

    @abstractmethod
    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        """All outcomes, each once, with the number of their cases."""

    @abstractmethod
    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """The next die or card after `prefix`: pairs (face or card, number of cases).

        An empty answer means that `prefix` is complete and `finish` makes the outcome of it.
        """

    @abstractmethod
    def finish(self, prefix: tuple[int, ...]) -> Event:
        """The outcome of a complete sequence of dice or cards."""

    @abstractmethod
    def steps(self, outcome: Event) -> tuple[int, ...]:
        """A complete sequence of dice or cards for which `finish` returns this outcome."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """`total` and `pick` described as JSON, for verifying a roll without the rules."""

    def sample(self, generator: Generator) -> Event:
        """One outcome, drawn with its probability."""
        return self.pick(self.draw(generator))

    def draw(self, generator: Generator) -> int:
        """The number of a case, all equally likely; cards are drawn one by one."""
        return generator.randrange(self.total)

    def probability(self, outcome: Event) -> Fraction:
        """The exact probability of `outcome`."""
        return Fraction(self.cases(outcome), self.total)


@cache
def faces(dice: int) -> tuple[tuple[int, ...], ...]:
    """All 6**dice results of distinguishable dice, in order."""
    return tuple(product(range(1, 7), repeat=dice))


@cache
def rolls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The results of equal dice as ascending tuples, each with its number of cases.

    >>> len(rolls(6)), sum(cases for _, cases in rolls(6))
    (462, 46656)
    """
    return tuple(
        (roll, factorial(dice) // prod(factorial(n) for n in Counter(roll).values()))
        for roll in combinations_with_replacement(range(1, 7), dice)
    )


_DIE = tuple((face, 1) for face in range(1, 7))


class EqualDice(Chance):
    """A roll of indistinguishable dice. `make` turns an ascending tuple into the event."""

    def __init__(self, dice: int, make: Callable[[tuple[int, ...]], Event]) -> None:
        self.dice = dice
        self.total = 6**dice
        self._events = {roll: make(roll) for roll, _ in rolls(dice)}
        self._cases = {self._events[roll]: cases for roll, cases in rolls(dice)}
        self._table: list[Event] | None = None

    def pick(self, case: int) -> Event:
        if self._table is None:
            self._table = [self._events[tuple(sorted(roll))] for roll in faces(self.dice)]
        return self._table[case]

    def cases(self, outcome: Event) -> int:
        return self._cases.get(outcome, 0)

    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        return tuple(self._cases.items())

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return _DIE if len(prefix) < self.dice else ()

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._events[tuple(sorted(prefix))]

    def steps(self, outcome: Event) -> tuple[int, ...]:
        return next(roll for roll, event in self._events.items() if event == outcome)

    def described(self) -> dict[str, Any]:
        return {"kind": "dice", "dice": self.dice, "apart": False}


class ColouredDice(Chance):
    """A roll of distinguishable dice. `make` turns the faces, in the dice's order, into the event."""

    def __init__(self, dice: int, make: Callable[[tuple[int, ...]], Event]) -> None:
        self.dice = dice
        self.total = 6**dice
        self._make = make
        self._faces = faces(dice)
        self._rolls: dict[Event, tuple[int, ...]] | None = None

    def pick(self, case: int) -> Event:
        return self._make(self._faces[case])

    def _possible(self) -> dict[Event, tuple[int, ...]]:
        if self._rolls is None:
            self._rolls = {self._make(roll): roll for roll in self._faces}
        return self._rolls

    def cases(self, outcome: Event) -> int:
        return int(outcome in self._possible())

    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        return tuple((self._make(roll), 1) for roll in self._faces)

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return _DIE if len(prefix) < self.dice else ()

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._make(prefix)

    def steps(self, outcome: Event) -> tuple[int, ...]:
        return self._possible()[outcome]

    def described(self) -> dict[str, Any]:
        return {"kind": "dice", "dice": self.dice, "apart": True}


class OneOf(Chance):
    """One of several things, all equally likely: a strip from the pile, or the one plan whose turn it is.

    Step by step it is a single step: the thing's number in `events`.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = tuple(events)
        self.total = len(self._events)

    def pick(self, case: int) -> Event:
        return self._events[case]

    def cases(self, outcome: Event) -> int:
        return int(outcome in self._events)

    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        return tuple((event, 1) for event in self._events)

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return () if prefix else tuple((number, 1) for number in range(self.total))

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._events[prefix[0]]

    def steps(self, outcome: Event) -> tuple[int, ...]:
        return (self._events.index(outcome),)

    def described(self) -> dict[str, Any]:
        return {"kind": "oneof", "things": [event.json() for event in self._events]}


Hands = tuple[tuple[int, ...], ...]


@cache
def _most_hands(kinds: int, sizes: tuple[int, ...]) -> int:
    """The ways to fill the hands if there were enough of every kind of card."""
    return prod(comb(kinds + size - 1, size) for size in sizes)


class Cards(Chance):
    """Cards drawn from a shuffled pack into hands of given sizes; order within a hand has no meaning.

    `pack` holds pairs (card, how many). `make` turns the hands, each ascending, into the event and
    `hands` turns the event back (None if it is no such event).
    """

    #: more outcomes than this are not listed
    MAX_LISTED_OUTCOMES = 20_000

    def __init__(
        self,
        pack: Iterable[tuple[int, int]],
        sizes: tuple[int, ...],
        make: Callable[[Hands], Event],
        hands: Callable[[Event], Hands | None],
    ) -> None:
        self.pack = tuple([(card, number) for card, number in pack if number])
        self.sizes = sizes
        self._make = make
        self._hands = hands
        self._left = [number for _, number in self.pack]
        self._there, self._wanted = sum(self._left), sum(sizes)
        self.total = perm(self._there, self._wanted)
        self.listable = _most_hands(len(self.pack), sizes) <= self.MAX_LISTED_OUTCOMES

    def draw(self, generator: Generator) -> int:
        case, weight = 0, 1
        for remaining in range(self._there, self._there - self._wanted, -1):
            case += weight * generator.randrange(remaining)
            weight *= remaining
        return case

    def _deal(self, cards: tuple[int, ...]) -> Event:
        hands, start = [], 0
        for size in self.sizes:
            hands.append(tuple(sorted(cards[start : start + size])))
            start += size
        return self._make(tuple(hands))

    def pick(self, case: int) -> Event:
        left = self._left.copy()
        cards = []
        for remaining in range(self._there, self._there - self._wanted, -1):
            case, place = divmod(case, remaining)
            which = 0
            while place >= left[which]:
                place -= left[which]
                which += 1
            left[which] -= 1
            cards.append(self.pack[which][0])
        return self._deal(tuple(cards))

    def cases(self, outcome: Event) -> int:
        hands = self._hands(outcome)
        if hands is None or tuple(map(len, hands)) != self.sizes:
            return 0
        left = dict(self.pack)
        cases = 1
        for hand in hands:
            cases *= factorial(len(hand))
            for card, number in Counter(hand).items():
                if number > left.get(card, 0):
                    return 0
                cases *= comb(left[card], number)
                left[card] -= number
        return cases

    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        if not self.listable:
            raise TooMany("these cards can come in too many ways to list them all")
        every = product(*(combinations_with_replacement([c for c, _ in self.pack], n) for n in self.sizes))
        made = ((event, self.cases(event)) for event in map(self._make, every))
        return tuple((event, cases) for event, cases in made if cases)

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        if len(prefix) == self._wanted:
            return ()
        gone = Counter(prefix)
        return tuple((c, n - gone[c]) for c, n in self.pack if n > gone[c])

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._deal(prefix)

    def steps(self, outcome: Event) -> tuple[int, ...]:
        return tuple(card for hand in self._hands(outcome) or () for card in hand)

    def described(self) -> dict[str, Any]:
        return {"kind": "cards", "pack": [list(pair) for pair in self.pack], "sizes": list(self.sizes)}


def derive(key: bytes, number: int, total: int) -> int:
    """The number below `total` that `key` gives to the chance event with this `number`.

    HMAC-SHA-256 in counter mode; candidates of `total` or more are thrown away, so that every
    number is exactly equally likely.
    """
    bits = (total - 1).bit_length()
    blocks = max(1, -(-bits // 256))
    attempt = 0
    while True:
        parts = [
            hmac.digest(key, b"%d/%d/%d" % (number, attempt, block), "sha256") for block in range(blocks)
        ]
        stream = b"".join(parts)
        candidate = int.from_bytes(stream, "big") >> (blocks * 256 - bits)
        if candidate < total:
            return candidate
        attempt += 1


def subkey(key: bytes, *names: object) -> bytes:
    """An independent key for a part of what `key` stands for: a game, a seat."""
    return hmac.digest(key, "/".join(map(str, names)).encode(), "sha256")


def seed_key(seed: object) -> bytes:
    """The key that a seed written by a person stands for."""
    return hashlib.sha256(f"pasch seed {seed}".encode()).digest()


class KeyedGenerator:
    """A generator whose numbers follow from a key alone, the same on every machine."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._number = 0

    def randrange(self, stop: int, /) -> int:
        self._number += 1
        return derive(self._key, self._number, stop)

    def random(self) -> float:
        """A number from 0 to below 1 with 53 random bits."""
        return float(self.randrange(1 << 53)) / (1 << 53)
