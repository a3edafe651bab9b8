"""Chance events: dice, draws and deals are events like moves.

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
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import Any, Protocol

from pasch.core.errors import IllegalOutcome, PaschError
from pasch.core.events import Event


class Generator(Protocol):
    """A source of random numbers; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to stop - 1, all equally likely."""

    def random(self) -> float:
        """A number from 0 to below 1."""


class Chance(ABC):
    """The outcomes of one chance node and their exact probabilities."""

    total: int
    listable: bool = True
    #: what one die, card or thing is called when it is read off a real table
    word: str

    def pick(self, case: int) -> Event:
        """The outcome of elementary case number `case`: step by step the remainder says which die or card comes."""
        prefix: tuple[int, ...] = ()
        while steps := self.step(prefix):
            case, place = divmod(case, sum(cases for _, cases in steps))
            for step, cases in steps:
                if place < cases:
                    prefix = (*prefix, step)
                    break
                place -= cases
        return self.finish(prefix)

    @abstractmethod
    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """The next die or card after `prefix`: pairs (face or card, number of cases).

        An empty answer means that `prefix` is complete and `finish` makes the outcome of it.
        """

    @abstractmethod
    def finish(self, prefix: tuple[int, ...]) -> Event:
        """The outcome of a complete sequence of dice or cards."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """`total` and `pick` described as JSON, for verifying a roll without the rules."""

    def cases(self, outcome: Event) -> int:
        """The number of elementary cases of this outcome; 0 if it is impossible."""
        return self._known.get(outcome, ((), 0))[1]

    def outcomes(self) -> tuple[tuple[Event, int], ...]:
        """All outcomes, each once, with the number of their cases."""
        return tuple((event, cases) for event, (_, cases) in self._known.items())

    def steps(self, outcome: Event) -> tuple[int, ...]:
        """A complete sequence of dice or cards for which `finish` returns this outcome."""
        return self._known[outcome][0]

    @cached_property
    def _known(self) -> dict[Event, tuple[tuple[int, ...], int]]:
        return {self.finish(steps): (steps, cases) for steps, cases in self._ways(())}

    def _ways(self, prefix: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], int]]:
        """Complete sequences after `prefix`, one for each outcome, with the cases of the outcome."""
        steps = self.step(prefix)
        for step, cases in steps:
            for way, further in self._ways((*prefix, step)):
                yield way, cases * further
        if not steps:
            yield prefix, 1

    def sample(self, generator: Generator) -> Event:
        """One outcome, drawn with its probability."""
        return self.pick(self.draw(generator))

    def draw(self, generator: Generator) -> int:
        """The number of a case, all equally likely; cards are drawn one by one."""
        return generator.randrange(self.total)

    def probability(self, outcome: Event) -> Fraction:
        """The exact probability of `outcome`."""
        return Fraction(self.cases(outcome), self.total)

    # --- dice and cards of a real table ---

    def parts(self) -> tuple[str, ...]:
        """What to read off the table, one word for each value: `die`, `card`, or the name of what is drawn."""
        return (self.word,) * len(self.steps(self.pick(0)))

    def readable(self) -> tuple[int, ...]:
        """The values that the first part may have: faces, cards, or the numbers of the things not drawn yet."""
        return tuple([value for value, _ in self.step(())])

    def read(self, values: Sequence[int]) -> Event:
        """The outcome that the values read are; IllegalOutcome if they cannot lie there."""
        wanted = len(self.parts())
        if len(values) != wanted:
            template = "{expected} values are needed, not {got}"
            raise IllegalOutcome("read", template, expected=wanted, got=len(values))
        for place, value in enumerate(values):
            if value not in dict(self.step(tuple(values[:place]))):
                raise self._impossible(value)
        return self.finish(tuple(values))

    def _impossible(self, value: int) -> IllegalOutcome:
        """Why a value that was read cannot be right."""
        return IllegalOutcome("read", "{value} cannot be there: it is not among what is left", value=value)


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


class ColouredDice(Chance):
    """A roll of distinguishable dice. `make` turns the faces, in the dice's order, into the event."""

    word = "die"
    _named = True

    def __init__(self, dice: int, make: Callable[[tuple[int, ...]], Event]) -> None:
        self.dice = dice
        self.total = 6**dice
        self._make = make
        self._faces = faces(dice)

    def pick(self, case: int) -> Event:
        return self.finish(self._faces[case])

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return _DIE if len(prefix) < self.dice else ()

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._make(prefix)

    def described(self) -> dict[str, Any]:
        return {"kind": "dice", "dice": self.dice, "apart": self._named}

    def _impossible(self, value: int) -> IllegalOutcome:
        return IllegalOutcome("read", "{value} cannot be there: a die shows 1 to 6", value=value)


class EqualDice(ColouredDice):
    """A roll of indistinguishable dice. `make` turns an ascending tuple into the event."""

    _named = False

    def __init__(self, dice: int, make: Callable[[tuple[int, ...]], Event]) -> None:
        super().__init__(dice, make)
        self._events = {roll: make(roll) for roll, _ in rolls(dice)}

    def _ways(self, prefix: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], int]]:
        return rolls(self.dice)

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._events[tuple(sorted(prefix))]


class OneOf(Chance):
    """One of several things, all equally likely: a strip from the pile, or the one plan whose turn it is.

    Step by step it is a single step: the number printed on the thing, or else its place in `events`.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = tuple(events)
        self.total = len(self._events)

    @property
    def word(self) -> str:  # type: ignore[override]
        return next(iter(self._events[0].fields()), "thing")

    @cached_property
    def _things(self) -> dict[int, Event]:
        fields = [event.fields() for event in self._events]
        numbers = [number for one in fields for number in one.values() if type(number) is int]
        printed = all(len(one) == 1 for one in fields) and len({*numbers}) == self.total
        return dict(zip(numbers if printed else range(self.total), self._events, strict=True))

    def pick(self, case: int) -> Event:
        return self._events[case]

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return () if prefix else tuple((number, 1) for number in self._things)

    def finish(self, prefix: tuple[int, ...]) -> Event:
        return self._things[prefix[0]]

    def described(self) -> dict[str, Any]:
        return {"kind": "oneof", "things": [event.json() for event in self._events]}


Hands = tuple[tuple[int, ...], ...]


class Cards(Chance):
    """Cards drawn from a shuffled pack into hands of given sizes; order within a hand has no meaning.

    `pack` holds pairs (card, count). `make` turns the hands, each ascending, into the event and
    `hands` turns the event back (None if it is no such event).
    """

    word = "card"
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
        self._there, self._wanted = sum(number for _, number in self.pack), sum(sizes)
        self.total = perm(self._there, self._wanted)

    @property
    def listable(self) -> bool:  # type: ignore[override]
        """Whether there are few outcomes, even if there were enough of every kind of card."""
        hands = prod(comb(len(self.pack) + size - 1, size) for size in self.sizes)
        return hands <= self.MAX_LISTED_OUTCOMES

    def draw(self, generator: Generator) -> int:
        case, weight = 0, 1
        for remaining in range(self._there, self._there - self._wanted, -1):
            case += weight * generator.randrange(remaining)
            weight *= remaining
        return case

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
            raise PaschError("there are too many possible cards to list them all")
        every = product(*(combinations_with_replacement([c for c, _ in self.pack], n) for n in self.sizes))
        made = ((event, self.cases(event)) for event in map(self._make, every))
        return tuple((event, cases) for event, cases in made if cases)

    def pick(self, case: int) -> Event:
        left, cards = [number for _, number in self.pack], []
        for remaining in range(self._there, self._there - self._wanted, -1):
            case, place = divmod(case, remaining)
            which = 0
            while place >= left[which]:
                place -= left[which]
                which += 1
            left[which] -= 1
            cards.append(self.pack[which][0])
        return self.finish(tuple(cards))

    def step(self, prefix: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        if len(prefix) == self._wanted:
            return ()
        gone = Counter(prefix)
        return tuple((c, n - gone[c]) for c, n in self.pack if n > gone[c])

    def finish(self, prefix: tuple[int, ...]) -> Event:
        hands, start = [], 0
        for size in self.sizes:
            hands.append(tuple(sorted(prefix[start : start + size])))
            start += size
        return self._make(tuple(hands))

    def steps(self, outcome: Event) -> tuple[int, ...]:
        return tuple(card for hand in self._hands(outcome) or () for card in hand)

    def described(self) -> dict[str, Any]:
        return {"kind": "cards", "pack": [list(pair) for pair in self.pack], "sizes": list(self.sizes)}

    def _impossible(self, value: int) -> IllegalOutcome:
        if left := dict(self.pack).get(value, 0):
            template = "{value} cannot be there that often; cards of this kind not seen yet: {left}"
            return IllegalOutcome("read", template, value=value, left=left)
        return IllegalOutcome("read", "{value} cannot be there: no such card is left", value=value)


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
    """An independent key derived from `key`, for a game or a seat."""
    return hmac.digest(key, "/".join(map(str, names)).encode(), "sha256")


def seed_key(seed: object) -> bytes:
    """The key of a seed written by a person."""
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
