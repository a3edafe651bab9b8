"""The box of 6mal6: chips and the pack of cards, and what a box has to be to be played with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec

from pasch.core.components import Components, Provenance, demand
from pasch.core.words import Sentence, counted, say
from pasch.games.sixbysix.settling import FIELDS, HIGHEST

DEALT: Final = 2  # cards for each seat at a round's start
DRAWN: Final = 2  # cards that a seat draws after laying one
CARDS_PER_SEAT: Final = DEALT + DRAWN * (FIELDS - 1)
MAX_AMOUNT: Final = 1000  # chips, or cards of one value, in a component file


class Amount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of chips."""

    chips: int
    provenance: Provenance = "seen"


class Copies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many cards of one value there are."""

    card: int
    number: int
    provenance: Provenance = "seen"


class SixBySixComponents(Components, frozen=True, kw_only=True):
    """The chips and the pack of cards."""

    bounds: ClassVar = {
        "start.chips": (1, MAX_AMOUNT),
        "bonus.chips": (0, MAX_AMOUNT),
        "deck[].card": (1, HIGHEST),
        "deck[].number": (0, MAX_AMOUNT),
    }
    #: printed: 25 chips at the start, five of bonus, up to ten cards of a value
    printed_bounds: ClassVar = {"start.chips": 75, "bonus.chips": 15, "deck[].number": 30}

    start: Amount
    bonus: Amount
    deck: tuple[Copies, ...]

    def check_parts(self, players: int) -> None:
        kinds = [copies.card for copies in self.deck]
        for place, card in enumerate(kinds):
            demand(card not in kinds[:place], f"deck[{place}].card", "{card} is there twice", card=card)
        cards, need = sum(copies.number for copies in self.deck), CARDS_PER_SEAT * players
        demand(cards >= need, "deck", "{need} cards are needed, not {got}", need=need, got=cards)

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        start = counted("{n} chip at the start", "{n} chips at the start", self.start.chips)
        yield start, self.start.provenance
        bonus = counted(
            "{n} chip for the highest sum of fields 1 and 6",
            "{n} chips for the highest sum of fields 1 and 6",
            self.bonus.chips,
        )
        yield bonus, self.bonus.provenance
        for one in self.deck:
            yield say("cards with a {card}: {number}", card=one.card, number=one.number), one.provenance

    def totals(self) -> tuple[Sentence, ...]:
        cards = sum(copies.number for copies in self.deck)
        return (counted("{n} card in all", "{n} cards in all", cards),)
