"""The box of Würfel Joker 1: dice, jokers and combinations, and what a box has to be to be played with."""

from __future__ import annotations

from typing import Final

import msgspec

from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError

#: the slides; slide n is bit n - 1 of every bit mask
SLIDES: Final = range(1, 7)
MOST_DICE: Final = 4


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

    dice: int
    jokers: int
    combinations: tuple[Combination, ...]

    def check(self, players: int) -> None:
        if not 1 <= self.dice <= MOST_DICE:
            raise ComponentError("dice", "a turn begins with 1 to 4 dice, not {got}", got=self.dice)
        if not 1 <= self.jokers <= 6:
            raise ComponentError("jokers", "there are 1 to 6 jokers, not {got}", got=self.jokers)
        if not self.combinations:
            raise ComponentError("combinations", "there has to be at least one")
        names: set[str] = set()
        for number, combination in enumerate(self.combinations):
            place = f"combinations[{number}]"
            _check_combination(place, combination)
            if combination.name in names:
                raise ComponentError(f"{place}.name", "{name!r} stands here twice", name=combination.name)
            names.add(combination.name)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        entries: list[tuple[str, Provenance]] = [
            (f"{c.name} ({' '.join(map(str, c.slides))}: {c.value})", c.provenance)
            for c in self.combinations
        ]
        sources: tuple[Provenance, ...] = ("printed", "seen", "reconstructed")
        for source in sources:
            names = [c.name for c in self.combinations if c.name_provenance == source]
            if names:
                entries.append((f"the names {', '.join(names)}", source))
        return tuple(entries)


def _check_combination(place: str, combination: Combination) -> None:
    name = combination.name
    if not name.strip() or not name.isprintable() or len(name) > 40:
        raise ComponentError(f"{place}.name", "a name has 1 to 40 letters on one line")
    if not 0 <= combination.value <= 1000:
        raise ComponentError(f"{place}.value", "a value is 0 to 1000, not {got}", got=combination.value)
    if not combination.slides:
        raise ComponentError(f"{place}.slides", "a combination has at least one slide")
    for slide in combination.slides:
        if slide not in SLIDES:
            raise ComponentError(f"{place}.slides", "the slides are 1 to 6, not {got}", got=slide)
    if len(set(combination.slides)) != len(combination.slides):
        raise ComponentError(f"{place}.slides", "a slide is named twice")
