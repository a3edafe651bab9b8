"""Declared games: every kind of field and phase, and the errors for wrong declarations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
import pytest

from pasch.core import chance
from pasch.core.chance import Chance
from pasch.core.components import Components
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import Event, Roll, SeatEvent
from pasch.core.game import Game
from pasch.core.nodes import Cards, Choice, Dice, InTurn
from pasch.core.options import Options
from pasch.core.position import (
    Bits,
    BySeat,
    Number,
    Rolled,
    RollNumber,
    Row,
    Table,
    UpTo,
    by_seat_fields,
)
from pasch.core.rolls import FIRST_ROLL, MAX_DICE, ROLLS, roll_of_case
from pasch.core.state import CHANCE, OVER, State
from pasch.lab.actions import actions, phase_offsets
from pasch.lab.observations import bounds, layout, observe
from pasch.terminal.conformance import BEGINNING, WHOLE, random_match
from tests.conformance.test_rule_functions import follow

# --- a game of six dice: set some aside, as in Farkle --------------------------------------------------


class Aside(SeatEvent, frozen=True):
    """The faces set aside, ascending."""

    aside: tuple[int, ...]


class DiceOptions(Options, frozen=True, kw_only=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=9, description="Turns of each seat.")] = 2
    chosen: Annotated[bool, msgspec.Meta(description="Seats choose the colour.")] = False


class DiceConfig(NamedTuple):
    players: int
    rounds: int
    chosen: bool
    colours: tuple[int, ...]
    values: tuple[int, ...]


class Colour(Event, frozen=True):
    colour: int


class ChosenColour(SeatEvent, frozen=True):
    colour: int


class DicePosition(State, frozen=True):
    phase: Literal["colour", "roll", "aside", "over"]
    seat: int
    round: Annotated[int, Number(0, "rounds")]
    totals: BySeat
    mood: Literal["calm", "wild"]
    colour: int
    dice: Annotated[int, Number(0, 6)]
    rolled: Rolled
    highest_first: Annotated[tuple[int, ...], RollNumber(descending=True)]
    seen: Annotated[int, Bits(6)]
    last: Annotated[tuple[int, ...], UpTo(6, count="taken", high=6)]
    out: Annotated[tuple[bool, ...], Row("players", high=1)]
    faces: Annotated[tuple[int, ...], Row(6, blank=True)]


COLOUR, ROLL, ASIDE, ENDED = range(4)
#: any one or two equal faces
ASIDES = tuple((face,) * number for number in (1, 2) for face in range(1, 7))


def begin(g: DiceConfig, s: Any) -> None:
    s.dice = 6
    s.actor = 0 if g.chosen else CHANCE


def paint(g: DiceConfig, s: Any, colour: int) -> None:
    s.actor, s.phase, s.colour = CHANCE, ROLL, colour


def choose_colour(g: DiceConfig, s: Any, code: int) -> None:
    paint(g, s, g.colours[code])


def roll(g: DiceConfig, s: Any, rolled: int) -> None:
    s.actor, s.phase, s.rolled, s.mood = s.seat, ASIDE, rolled, s.dice % 2
    s.highest_first = rolled


def asides(g: DiceConfig, s: Any, out: Any) -> int:
    found = 0
    for code in range(12):
        if shown(s.rolled, code % 6 + 1) > code // 6:
            out[found] = code
            found += 1
    return found


def shown(rolled: int, face: int) -> int:
    """How many dice of a roll show a face."""
    number = 0
    for die in range(len(ROLLS[rolled])):
        number += ROLLS[rolled][die] == face
    return number


def set_aside(g: DiceConfig, s: Any, code: int) -> None:
    face, number = code % 6 + 1, code // 6 + 1
    s.scored[0] = face * number
    s.totals[s.seat] += face * number
    s.seen |= 1 << face - 1
    s.faces[face - 1] += number
    for place in range(6):
        s.last[place] = face if place < number else 0
    s.taken = number
    s.dice -= number
    s.rolled, s.highest_first, s.actor, s.phase = 0, 0, CHANCE, ROLL
    if s.dice < 3:
        s.out[s.seat] = s.seat == 0
        s.seat += 1
        s.dice, s.phase, s.actor = 6, COLOUR, s.seat if g.chosen else CHANCE
        for place in range(6):
            s.faces[place] = 0
        if s.seat == g.players:
            s.seat, s.round = 0, s.round + 1
            s.actor = 0 if g.chosen else CHANCE
            if s.round == g.rounds:
                s.actor, s.phase = OVER, ENDED


def why_not_aside(state: Any, event: Aside, code: int | None) -> IllegalMove:
    return IllegalMove("aside", "these are not there" if code is None else "too few dice show that")


def every_colour(g: DiceConfig, s: Any, out: Any) -> int:
    for place in range(len(g.colours)):
        out[place] = place
    return len(g.colours)


class SixDice(Game[DiceOptions, Components]):
    """Six dice, for six players."""

    id, title, pitch, seats, minutes = "sixdice", "Six dice", "Roll six dice.", range(1, 7), (1, 2)
    Options = DiceOptions
    Position = DicePosition
    begin = begin
    parts = ("faces",)
    phases = {
        "colour": (
            InTurn(Colour, of="colours", count="round", then=paint, option="colours"),
            Choice(ChosenColour, lambda game: game.config.colours, then=choose_colour, moves=every_colour),
        ),
        "roll": Dice(Roll, "dice", then=roll),
        "aside": Choice(Aside, ASIDES, then=set_aside, moves=asides, why_not=why_not_aside, most=12),
    }

    def configure(self) -> DiceConfig:
        return DiceConfig(self.players, self.options.rounds, self.options.chosen, (5, 3), ())


def not_registered(monkeypatch: pytest.MonkeyPatch, kind: type[Any]) -> None:
    """Let records and boards find a game that is in no package."""
    from pasch.core import notation, record
    from pasch.terminal import conformance, plain_board

    for module in (notation, record):
        monkeypatch.setattr(module, "find_game", lambda name: kind)
    monkeypatch.setattr(conformance, "find_board", lambda name: plain_board)


@pytest.fixture(params=[(1, False), (2, True), (6, False), (6, True)], ids=str)
def six(request: pytest.FixtureRequest) -> SixDice:
    players, chosen = request.param
    return SixDice(players, DiceOptions(chosen=chosen))


def test_rolls_are_numbered_by_their_cases() -> None:
    for dice in range(MAX_DICE + 1):
        assert len(ROLLS[FIRST_ROLL[dice]]) == dice
        for case in range(0, 6**dice, 7):
            faces = tuple(sorted(case // 6**place % 6 + 1 for place in range(dice)))
            assert ROLLS[roll_of_case(dice, case)] == faces


def test_the_rule_functions_are_the_states(six: SixDice) -> None:
    for seed in range(3):
        follow(six, Random(seed))


def test_conformance(six: SixDice, monkeypatch: pytest.MonkeyPatch) -> None:
    not_registered(monkeypatch, SixDice)
    match = random_match(six, Random(4))
    for wanted in (*WHOLE, *BEGINNING):
        wanted(match)


def test_dice_lie_in_the_order_that_is_declared() -> None:
    state: Any = SixDice(2).start().apply(Colour(5)).apply(Roll(0, (1, 2, 2, 3, 4, 6)))
    assert (state.rolled, state.highest_first) == ((1, 2, 2, 3, 4, 6), (6, 4, 3, 2, 2, 1))
    assert state.unpack().rolled == state.unpack().highest_first


def test_only_what_is_declared_by_seat_is_by_seat() -> None:
    """Six dice of a game for six are not one die for each player."""
    state: Any = SixDice(6).start().apply(Colour(5)).apply(Roll(0, (1, 2, 2, 3, 4, 6)))
    assert by_seat_fields(SixDice.Position) == ("totals", "out")
    parts = {part.name: part for part in layout(state.game)}
    assert parts["totals"].meaning == "by seat" and "show 1, 2" in parts["rolled"].meaning
    one, other = observe(state, 0), observe(state, 3)
    at = sum(part.size for part in layout(state.game)[: [*parts].index("rolled")])
    assert one[at : at + 6].tolist() == other[at : at + 6].tolist() == [1, 2, 1, 1, 0, 1]


def test_a_move_is_legal_exactly_if_it_is_offered() -> None:
    state = SixDice(2).start().apply(Colour(5)).apply(Roll(0, (1, 2, 2, 3, 4, 6)))
    assert Aside(0, (2, 2)) in state.moves() and Aside(0, (3, 3)) not in state.moves()
    with pytest.raises(IllegalMove, match="too few dice show that"):
        state.apply(Aside(0, (3, 3)))
    with pytest.raises(IllegalMove, match="these are not there"):
        state.apply(Aside(0, (2, 1)))


def test_parts_of_the_score_are_those_of_the_event() -> None:
    state: Any = SixDice(2).start().apply(Colour(5)).apply(Roll(0, (1, 2, 2, 3, 4, 6)))
    assert state.scored(Aside(0, (2, 2))) == (4,)
    assert state.apply(Aside(0, (2, 2))) == state.apply(Aside(0, (2, 2))), (
        "they are no part of the position"
    )


def test_what_comes_in_turn_and_dice_are_checked() -> None:
    start = SixDice(2).start()
    with pytest.raises(IllegalOutcome, match="this cannot come now"):
        start.apply(Colour(3))
    with pytest.raises(IllegalOutcome, match="there are 6 dice in play, not 2"):
        start.apply(Colour(5)).apply(Roll(0, (1, 2)))


def test_actions_are_numbered_phase_by_phase() -> None:
    game = SixDice(2, DiceOptions(chosen=True))
    numbered = actions(game)
    assert len(numbered) == 2 + 12 and phase_offsets(game)[:3].tolist() == [0, 0, 2]
    assert numbered.move(3, 1) == Aside(1, (2,)) and numbered.number(ChosenColour(0, 3)) == 1


def test_observations_stay_within_their_bounds(six: SixDice) -> None:
    low, high = bounds(six)
    match = random_match(six, Random(2))
    for number in range(len(match) + 1):
        seen = observe(match.at(number), six.players - 1)
        assert seen.shape == low.shape and (low <= seen).all() and (seen <= high).all()


# --- cards -----------------------------------------------------------------------------------------------


class Draw(SeatEvent, frozen=True):
    draw: tuple[int, ...]


class Play(SeatEvent, frozen=True):
    play: int


class CardConfig(NamedTuple):
    players: int
    pack: tuple[int, ...]


class CardPosition(State, frozen=True):
    phase: Literal["draw", "play", "over"]
    seat: int
    totals: BySeat
    given: int
    left: Annotated[tuple[int, ...], Row(3, high=4)]
    hands: Annotated[tuple[tuple[int, ...], ...], Table("players", 3, high=4)]


def fill(g: CardConfig, s: Any) -> None:
    for kind in range(3):
        s.left[kind] = g.pack[kind]


def wanted(g: CardConfig, s: Any) -> int:
    return 2


def receiver(g: CardConfig, s: Any) -> int:
    return int(s.seat)


def give(g: CardConfig, s: Any, seat: int, card: int) -> None:
    s.left[card - 1] -= 1
    s.hands[seat][card - 1] += 1


def dealt(g: CardConfig, s: Any) -> None:
    s.actor, s.phase = s.seat, 1


def plays(g: CardConfig, s: Any, out: Any) -> int:
    found = 0
    for kind in range(3):
        if s.hands[s.seat][kind]:
            out[found] = kind
            found += 1
    return found


def play(g: CardConfig, s: Any, kind: int) -> None:
    s.totals[s.seat] += kind + 1
    s.seat += 1
    s.actor, s.phase = (OVER, 2) if s.seat == g.players else (CHANCE, 0)
    s.seat %= g.players


def possible(state: Any) -> Chance:
    return chance.Cards(
        enumerate(state.left, 1),
        (2,),
        lambda hands: Draw(state.seat, hands[0]),
        lambda event: (event.draw,) if isinstance(event, Draw) and event.seat == state.seat else None,
    )


def drawn(state: Any, event: Draw) -> Iterator[tuple[int, int]]:
    if not possible(state).cases(event):
        raise IllegalOutcome("draw", "these cards are not there")
    return ((state.seat, card) for card in event.draw)


class TwoCards(Game[Options, Components]):
    """Draw two, play one."""

    id, title, pitch, seats, minutes = "twocards", "Two cards", "Draw two, play one.", range(1, 4), (1, 1)
    Position = CardPosition
    begin = fill
    phases = {
        "draw": Cards(
            Draw, pack="left", given="given", wanted=wanted, receiver=receiver, give=give, then=dealt,
            chance=possible, cards=drawn,
        ),
        "play": Choice(Play, (1, 2, 3), then=play, moves=plays),
    }  # fmt: skip

    def configure(self) -> CardConfig:
        return CardConfig(self.players, (4, 3, 2))


@pytest.mark.parametrize("players", [1, 2, 3])
def test_cards(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    not_registered(monkeypatch, TwoCards)
    for seed in range(3):
        follow(TwoCards(players), Random(seed))
    match = random_match(TwoCards(players), Random(1))
    for held in (*WHOLE, *BEGINNING):
        held(match)
    low, high = bounds(match.game)
    assert all((low <= observe(match.at(n), 0)).all() for n in range(len(match)))
    assert np.isfinite(high).all()


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
            "colour": Choice(Aside, ((1,), *combinations((1, 2, 3), 2)), then=set_aside, moves=every_colour)
        }

    with pytest.raises(TypeError, match="belongs to two phases"):
        actions(Twice(1))
