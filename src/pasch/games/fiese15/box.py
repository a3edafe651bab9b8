"""The box of Fiese 15: strips and tiles, and what a box has to be to be played with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

import msgspec
from msgspec.structs import astuple

from pasch.core.components import Components, Provenance, demand
from pasch.core.words import Sentence, counted, say, spaced

#: what the targets of a front add up to, as printed; nothing is printed about backs
FRONT_SUM: Final = 15


class Front(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The six targets of a strip's front."""

    red: int
    blue: int
    yellow: int
    black: int
    white: int
    green: int


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The five targets of a strip's back; white's target is a tile."""

    red: int
    blue: int
    yellow: int
    black: int
    green: int


class PrintedStrip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One strip, both sides."""

    front: Front
    back: Back
    #: where the front comes from: all targets alike, or one by one in the order of the colours
    provenance: Provenance | tuple[Provenance, ...] = "seen"
    back_provenance: Provenance = "seen"

    def targets(self, handicap: bool = False) -> tuple[int, ...]:
        """The targets of the side that is played, in the order of the colours; of white 0 if that is a tile."""
        if handicap:
            *others, green = astuple(self.back)
            return (*others, 0, green)
        return astuple(self.front)

    def sources(self, handicap: bool = False) -> tuple[Provenance, ...]:
        """Where each target comes from: of the front, or of the back with a tile for white."""
        if handicap:
            return (*(self.back_provenance,) * 4, "printed", self.back_provenance)
        return (self.provenance,) * 6 if isinstance(self.provenance, str) else self.provenance


class Tiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """White's tiles used by a number of players in the handicap game."""

    players: int
    values: tuple[int, ...]
    provenance: Provenance = "seen"


class Fiese15Components(Components, frozen=True, kw_only=True):
    """The strips, how many of them a game uses, and the tiles."""

    bounds: ClassVar = {
        "rounds": (1, None), "strips[].front": (1, 6), "strips[].back": (1, 6), "tiles[].values[]": (1, 6),
    }  # fmt: skip
    #: printed: ten rounds, fifteen strips, tiles for one to six players
    printed_bounds: ClassVar = {"rounds": 30, "strips": 45, "tiles": 6, "tiles[].players": 6}

    rounds: int
    strips: tuple[PrintedStrip, ...]
    tiles: tuple[Tiles, ...]

    def check_parts(self, players: int) -> None:
        rounds, strips = self.rounds, len(self.strips)
        said = "{rounds} strips are drawn, but there are only {got}"
        demand(strips >= rounds, "strips", said, rounds=rounds, got=strips)
        for number, strip in enumerate(self.strips):
            place, sources, total = f"strips[{number}]", len(strip.sources()), sum(strip.targets())
            said = "one word for the strip or six for its colours, not {got}"
            demand(sources == 6, f"{place}.provenance", said, got=sources)
            said = "the targets must add up to {total}, not {got}"
            demand(total == FRONT_SUM, f"{place}.front", said, total=FRONT_SUM, got=total)
        known = [tiles.players for tiles in self.tiles]
        for number, (tiles, wanted) in enumerate(zip(self.tiles, known, strict=True)):
            place, values = f"tiles[{number}]", list(tiles.values)
            said = "{players} players need as many tiles, not {got}"
            demand(len(values) == wanted, f"{place}.values", said, players=wanted, got=len(values))
            said = "the tiles have to be in ascending order"
            demand(values == sorted(values), f"{place}.values", said)
            said = "there are tiles for {players} players already"
            demand(wanted not in known[:number], place, said, players=wanted)
        demand(players in known, "tiles", "there are no tiles for {players} players", players=players)

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        front_side = "strip {n}, front (red blue yellow black white green): {targets}"
        back_side = "strip {n}, back (red blue yellow black green): {targets}"
        drawn = counted("{n} strip is drawn for a game", "{n} strips are drawn for a game", self.rounds)
        yield drawn, "printed"
        for number, strip in enumerate(self.strips, 1):
            front, back = astuple(strip.front), astuple(strip.back)
            for source in dict.fromkeys(strip.sources()):
                its = [n if of == source else "·" for n, of in zip(front, strip.sources(), strict=True)]
                yield say(front_side, n=number, targets=spaced(its)), source
            yield say(back_side, n=number, targets=spaced(back)), strip.back_provenance
        for tiles in self.tiles:
            values = spaced(tiles.values)
            yield say("tiles for a game of {n}: {tiles}", n=tiles.players, tiles=values), tiles.provenance


def max_points(g: Any) -> int:
    """No total is higher: six dice that all show a six count twice in every round."""
    return 2 * 6 * 6 * g.rounds
