"""The box of Würfel Joker 1: dice, jokers and combinations, and what a box has to be to be played with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from pasch.core.components import Components, Provenance, demand, marked
from pasch.core.rules import mask_of
from pasch.core.words import Sentence, say, spaced

#: the slides; slide n is bit n - 1 of every bit mask
SLIDES: Final = range(1, 7)
MAX_DICE: Final = 4
#: what combinations of the box are called in English; those of one's own keep the names they have
CALLED = {
    "kleiner Schritt": "small step",
    "großer Schritt": "big step",
    "kleine Brücke": "small bridge",
    "große Brücke": "big bridge",
    "kleiner Sprung": "small jump",
    "großer Sprung": "big jump",
    "kleine Straße": "small street",
    "große Straße": "big street",
    "Parade": "parade",
}


def called(name: str) -> str:
    """A combination's name as sentences have it: in English, if the box has it, for the catalogues."""
    return say(CALLED[name]).template if name in CALLED else name


class Combination(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the score pad's table."""

    name: str
    slides: tuple[int, ...]
    value: int
    #: no further slide may be up
    exact: bool = True
    provenance: Provenance = "seen"
    name_provenance: Provenance = "seen"


class Joker1Components(Components, frozen=True, kw_only=True):
    """The dice, the jokers and the table of combinations."""

    bounds: ClassVar = {
        "dice": (1, MAX_DICE),
        "jokers": (1, 6),
        "combinations": (1, None),
        "combinations[].value": (0, 1000),
        "combinations[].slides": (1, len(SLIDES)),
        "combinations[].slides[]": (SLIDES[0], SLIDES[-1]),
    }
    #: printed: three dice, three jokers (each one more doubles what a turn can score), nine combinations of up to 21
    printed_bounds: ClassVar = {"dice": 4, "jokers": 4, "combinations": 27, "combinations[].value": 63}

    dice: int
    jokers: int
    combinations: tuple[Combination, ...]

    def check_parts(self, players: int) -> None:
        names = [combination.name for combination in self.combinations]
        for number, (name, combination) in enumerate(zip(names, self.combinations, strict=True)):
            place, slides = f"combinations[{number}]", combination.slides
            fits_pad = name.strip() and name.isprintable() and len(name) <= 40
            demand(bool(fits_pad), f"{place}.name", "a name has 1 to 40 letters on one line")
            demand(name not in names[:number], f"{place}.name", "{name} is there twice", name=name)
            demand(len(set(slides)) == len(slides), f"{place}.slides", "a slide is named twice")

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        for c in self.combinations:
            name, slides = called(c.name), spaced(c.slides)
            yield say("{name}: {slides} = {value}", name=name, slides=slides, value=c.value), c.provenance
        yield say("{dice} dice, {jokers} jokers", dice=self.dice, jokers=self.jokers), "printed"
        sources: tuple[Provenance, ...] = ("printed", "seen", "reconstructed")
        for source in sources:
            if names := [called(c.name) for c in self.combinations if c.name_provenance == source]:
                yield say("the names: {names}", names=names), source

    def table(self) -> tuple[tuple[Sentence | str, ...], ...]:
        others = say("may be up"), say("must be down")
        rows = [
            (called(c.name), spaced(c.slides), others[c.exact], marked(c.value, c.provenance))
            for c in self.combinations
        ]
        return ((say("combination"), say("slides up"), say("other slides"), say("score")), *rows)


def fits(combination: Combination, slides: int) -> bool:
    """Whether a combination stands when these slides are up: its own and, if it is exact, no others."""
    named = mask_of(combination.slides)
    return slides == named if combination.exact else slides & named == named


def out_of_reach(combination: Combination, slides: int) -> bool:
    """Whether a combination cannot stand any more: slides never come down, so an exact one may be spoilt."""
    return combination.exact and bool(slides & ~mask_of(combination.slides))


class Standing(NamedTuple):
    """What certain slides are worth."""

    #: name and value of the best combination that stands, if one does
    best: tuple[str, int] | None
    #: the names of the combinations out of reach
    lost: tuple[str, ...]


@lru_cache(maxsize=128)
def standings(components: Joker1Components) -> tuple[Standing, ...]:
    """What stands and what is out of reach, by the slides that are up; tables with the same box share it."""
    listed = components.combinations
    return tuple(
        Standing(
            max([(c.name, c.value) for c in listed if fits(c, slides)], key=itemgetter(1), default=None),
            tuple([c.name for c in listed if out_of_reach(c, slides)]),
        )
        for slides in range(1 << len(SLIDES))
    )


def max_points(g: Any) -> int:
    """No total is higher: the best combination with all jokers in every round."""
    return g.rounds * (max(g.combinations) << g.jokers)
