"""The box of Würfel Joker 2: what slides cost and score, and what a box has to be to be played with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

import msgspec

from pasch.core.components import Components, Provenance
from pasch.core.words import Sentence, say

#: the slides; slide n is bit n - 1 of every bit mask
SLIDES: Final = range(1, 10)
#: how people write the operators
SIGNS: Final = str.maketrans({"-": "−", "*": "×", "/": "÷"})


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the component data come from."""

    slides: Provenance = "seen"
    bonus: Provenance = "seen"
    factor: Provenance = "seen"


class Joker2Components(Components, frozen=True, kw_only=True):
    """What the slides cost, and what the five and all nine slides do to the score."""

    bounds: ClassVar = {
        "slides": (9, 9), "slides[]": (0, 100), "bonus": (0, 1000), "factor": (1, 100),
    }  # fmt: skip
    #: printed: slides that cost 1 to 9, 45 points for all of them, the minus five times
    printed_bounds: ClassVar = {"slides[]": 18, "bonus": 90, "factor": 10}

    slides: tuple[int, ...]
    bonus: int
    factor: int
    sources: Sources = Sources()

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        costs = " ".join(map(str, self.slides))
        yield say("what slides 1 to 9 cost: {costs}", costs=costs), self.sources.slides
        yield say("points for all nine slides up: {points}", points=self.bonus), self.sources.bonus
        times = say("how many times a loss counts with the five: {factor}", factor=self.factor)
        yield times, self.sources.factor


def least_points(g: Any) -> int:
    """No total is lower: all slides and two sixes as minus, multiplied, in every round."""
    return -g.rounds * g.factor * (sum(g.costs) + 12)


def max_points(g: Any) -> int:
    """No total is higher: the bonus in every round."""
    return g.rounds * g.bonus
