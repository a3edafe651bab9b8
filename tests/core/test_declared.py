"""Declared games: kinds of fields that no game of Pasch uses, and the errors of wrong declarations."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from pasch.core.components import Components
from pasch.core.errors import IllegalOutcome
from pasch.core.events import Event, Roll, SeatEvent
from pasch.core.game import Game
from pasch.core.nodes import Choice, Dice, InTurn
from pasch.core.options import Options
from pasch.core.position import BySeat, Rolled, Row, UpTo
from pasch.core.rolls import ROLLS
from pasch.core.state import CHANCE, OVER, State
from pasch.lab.spaces import actions, bounds, observe
from pasch.terminal.conformance import PROPERTIES, random_match
from tests.conformance.test_every_game import events_of_another_shape_are_refused
from tests.conformance.test_rule_functions import follow

# --- a game of six dice: set some aside, as in Farkle --------------------------------------------------


class Colour(Event, frozen=True):
    colour: int


class Aside(SeatEvent, frozen=True):
    """The faces set aside, ascending."""

    aside: tuple[int, ...]


class DiceConfig(NamedTuple):
    players: int
    colours: tuple[int, ...]


class DicePosition(State, frozen=True):
    phase: Literal["colour", "roll", "aside", "over"]
    seat: int
    totals: BySeat
    mood: Literal["calm", "wild"]
    dice: int
    rolled: Rolled
    last: Annotated[tuple[int, ...], UpTo(6, count="taken", high=6)]
    faces: Annotated[tuple[int, ...], Row(6, blank=True)]


COLOUR, ROLL, ASIDE, ENDED = range(4)
#: any one or two equal faces
ASIDES = tuple((face,) * number for number in (1, 2) for face in range(1, 7))


def begin(g: DiceConfig, s: Any) -> None:
    s.dice = 6


def paint(g: DiceConfig, s: Any, colour: int) -> None:
    s.phase = ROLL


def roll(g: DiceConfig, s: Any, rolled: int) -> None:
    s.actor, s.phase, s.rolled, s.mood = s.seat, ASIDE, rolled, s.dice % 2


def asides(g: DiceConfig, s: Any, out: Any) -> int:
    found = 0
    for code in range(12):
        if ROLLS[s.rolled].count(code % 6 + 1) > code // 6:
            out[found] = code
            found += 1
    return found


def set_aside(g: DiceConfig, s: Any, code: int) -> None:
    face, number = code % 6 + 1, code // 6 + 1
    s.scored[0] = face * number
    s.totals[s.seat] += face * number
    s.faces[face - 1] += number
    for place in range(6):
        s.last[place] = face if place < number else 0
    s.taken = number
    s.dice -= number
    s.rolled, s.actor, s.phase = 0, CHANCE, ROLL
    if s.dice < 3:
        s.seat += 1
        s.dice, s.phase = 6, COLOUR
        for place in range(6):
            s.faces[place] = 0
        if s.seat == g.players:
            s.seat, s.actor, s.phase = 0, OVER, ENDED


class SixDice(Game[Options, Components]):
    """Six dice, for six players."""

    id, title, pitch, seats, minutes = "sixdice", "Six dice", "Roll six dice.", range(1, 7), (1, 2)
    Position = DicePosition
    begin = begin
    parts = ("faces",)
    phases = {
        "colour": InTurn(Colour, of="colours", count="seat", then=paint, option="colours"),
        "roll": Dice(Roll, "dice", then=roll),
        "aside": Choice(Aside, ASIDES, then=set_aside, moves=asides, most=12),
    }

    def configure(self) -> DiceConfig:
        return DiceConfig(self.players, (5, 3, 5, 3, 5, 3))


@pytest.mark.parametrize("players", [1, 6])
def test_conformance(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from pasch.core import notation, record
    from pasch.terminal import board, conformance

    for module in (notation, record):
        monkeypatch.setattr(module, "find_game", lambda name: SixDice)
    monkeypatch.setattr(conformance, "find_board", lambda name: board.Board())
    game = SixDice(players)
    follow(game, Random(0))
    match, (low, high) = random_match(game, Random(4)), bounds(game)
    for wanted in (*PROPERTIES, events_of_another_shape_are_refused):
        wanted(match)
    for number in range(len(match) + 1):
        seen = observe(match.at(number), players - 1)
        assert (low <= seen).all() and (seen <= high).all()


class Throw(SeatEvent, frozen=True):
    faces: tuple[int, ...]


@pytest.mark.parametrize("faces", [(0, 3), (7, 1)])
def test_a_face_that_no_die_has_is_refused(faces: tuple[int, ...]) -> None:
    """An event of a game's own need not check its faces."""
    with pytest.raises(IllegalOutcome, match="a die shows 1 to 6, not"):
        Dice(Throw, 2, then=roll).apply(None, None, None, Throw(0, faces))


# --- wrong declarations -------------------------------------------------------------------------------------


def declared(fields: dict[str, Any], **attributes: Any) -> type[Game[Any, Any]]:
    position = type("Position", (State,), {"__annotations__": fields, "__module__": __name__}, frozen=True)
    described = {"id": "wrong", "seats": range(1, 3), "Position": position, **attributes}
    return type("Wrong", (Game,), described)


PHASES = {"roll": Dice(Roll, 2, then=roll)}


@pytest.mark.parametrize(
    ("fields", "phases", "words"),
    [
        ({"seat": int, "phase": Literal["roll", "over"]}, PHASES, "instead of phase and seat"),
        ({"phase": Literal["roll", "over"], "seat": int, "x": list[int]}, PHASES, "x is declared as"),
        ({"phase": Literal["roll", "next", "over"], "seat": int}, PHASES, "but describes"),
        (
            {"phase": Literal["roll", "over"], "seat": int, "pack": int},
            PHASES,
            "declares pack, which every",
        ),
    ],
)
def test_a_wrong_declaration_is_refused(fields: dict[str, Any], phases: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        declared(fields, phases=phases)


def test_wrong_phases_are_refused() -> None:
    with pytest.raises(TypeError, match="rolls 9 dice"):
        Dice(Roll, 9, then=roll)
    with pytest.raises(TypeError, match="needs `moves`"):
        Choice(Aside, lambda game: (), then=set_aside)


def test_a_move_with_two_numbers_is_refused() -> None:
    class Twice(SixDice):
        id = "twice"
        Position = DicePosition
        phases = SixDice.phases | {
            "colour": Choice(Aside, ((1,), *combinations((1, 2, 3), 2)), then=set_aside, moves=asides)
        }

    with pytest.raises(TypeError, match="belongs to two phases"):
        actions(Twice(1))
