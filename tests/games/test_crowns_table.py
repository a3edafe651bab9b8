"""Crowns beside its rules: events and records, component data, tables, the greedy player, the terminal."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
import pytest
from rich.console import Console

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.components import read_components
from pasch.core.errors import ComponentError, IllegalOutcome
from pasch.core.events import Event
from pasch.core.record import Record
from pasch.games.crowns import terminal as board
from pasch.games.crowns.box import CrownsComponents, mask
from pasch.games.crowns.learned import turns_after
from pasch.games.crowns.rules import (
    Crowns,
    CrownsOptions,
    Discard,
    Place,
    Position,
    Roll,
    score,
)
from pasch.players.base import GreedyPlayer

EXAMPLE = (6, 6, 5, 5, 3, 2)
FULL = (1 << 36) - 1
SOLO = Crowns(1)
TWO = Crowns(2)


def position(game: Crowns, roll: tuple[int, ...], covered: int = 0, left: int = 18) -> Position:
    """Seat 0 has rolled and is about to place; the others have nothing placed."""
    others = game.players - 1
    return Position(game, 0, "place", 0, 0, (covered, *[0] * others), (left, *[18] * others), roll)


def best(state: Position) -> Event:
    return GreedyPlayer().choose(state, KeyedGenerator(seed_key("greedy")))


# --- what is refused whatever the dice ------------------------------------------------------------


def test_six_dice_are_rolled() -> None:
    with pytest.raises(IllegalOutcome, match="six dice are rolled, not 5"):
        TWO.start().apply(Roll(0, (6, 5, 4, 3, 2)))


# --- events and records ---------------------------------------------------------------------------


# --- component data -------------------------------------------------------------------------------


def plain() -> dict[str, Any]:
    written: dict[str, Any] = json.loads(msgspec.json.encode(SOLO.components))
    return written


def test_every_piece_of_data_says_where_it_comes_from() -> None:
    sources = Counter(source for row in SOLO.components.rows for source in row.sources())
    assert sources == {"seen": 10, "reconstructed": 24, "printed": 2}
    found = [(str(what), source) for what, source in SOLO.components.provenance()]
    assert ("18 chips each", "printed") in found
    assert ("crowns in the row of 3: 5× 4", "printed") in found
    assert ("crowns in the row of 2: 6× 2", "printed") in found
    assert ("crowns in the row of 6: 1× 1, 2× 2, 3× 3, 4× 4, 5× 5, 6× 6", "seen") in found


def test_rules_follow_a_box_of_ones_own() -> None:
    written = plain()
    written["chips"]["number"] = 2
    written["rows"].reverse()
    written["rows"][5 - 1] = {"value": 2, "crowns": [7, 0, 0, 0, 0, 20]}
    game = Crowns.agree(1, {"components": written})
    state: Any = game.start().apply(Roll(0, EXAMPLE)).apply(Place(0, ((2, 6),)))
    assert (state.scores(), state.left) == ((20,), (1,))
    assert state.apply(Roll(0, EXAMPLE)).apply(Place(0, ((2, 1),))).over
    assert score(game.config, mask(tuple((2, count) for count in range(1, 6)))) == 7
    assert Record.of(game, (), state).options["components"]["chips"]["number"] == 2


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("chips.number", lambda box: box["chips"].update(number=0)),
        ("chips.number", lambda box: box["chips"].update(number=37)),
        ("rows", lambda box: box["rows"].pop()),
        ("rows[0].value", lambda box: box["rows"][0].update(value=7)),
        ("rows[3].value", lambda box: box["rows"][3].update(value=1)),
        ("rows[2].crowns", lambda box: box["rows"][2]["crowns"].pop()),
        ("rows[2].crowns[1]", lambda box: box["rows"][2]["crowns"].__setitem__(1, -1)),
        ("rows[2].crowns[5]", lambda box: box["rows"][2]["crowns"].__setitem__(5, 21)),
        ("rows[4].provenance", lambda box: box["rows"][4].update(provenance=["seen"])),
    ],
)
def test_an_impossible_box_is_refused_at_its_place(place: str, change: Any) -> None:
    box = plain()
    change(box)
    with pytest.raises(ComponentError) as caught:
        read_components(CrownsComponents, "crowns", box).check(2)
    assert caught.value.place == place


# --- tables ---------------------------------------------------------------------------------------


def test_turns_after_counts_the_rounds_to_come_and_who_is_still_to_roll() -> None:
    g = Crowns(3, CrownsOptions(round_limit=5)).config
    # two rounds are complete and seat 1 has had its turn: seat 2 has one more than the others
    assert [turns_after(g, (9, 9, 9), 2, 1, seat) for seat in range(3)] == [2, 2, 3]
    # somebody has no chip left: the round is finished, and no other follows
    assert [turns_after(g, (9, 0, 9), 2, 1, seat) for seat in range(3)] == [0, 0, 1]
    assert [turns_after(g, (9, 9, 9), 4, 2, seat) for seat in range(3)] == [0, 0, 0]


# --- the greedy player ----------------------------------------------------------------------------


def test_greedy_completes_a_line_with_its_last_chip() -> None:
    almost = mask(tuple((3, count) for count in (1, 2, 3, 4)))
    assert best(position(TWO, EXAMPLE, almost, left=1)) == Place(0, ((3, 5),))


def test_greedy_does_not_waste_chips_that_its_plan_needs() -> None:
    # the row of 4 lacks 5x, for which the roll has too few dice; the one chip left waits
    almost = mask(tuple((4, count) for count in (1, 2, 3, 4)))
    assert best(position(TWO, (4, 3, 3, 2, 1, 1), almost, left=1)) == Place(0, ())


def test_greedy_knows_that_no_turn_follows_the_last_round() -> None:
    game = Crowns(2, CrownsOptions(round_limit=1))
    state = position(game, EXAMPLE)
    gains = {
        move: score(game.config, mask(move.place)) for move in state.moves() if isinstance(move, Place)
    }
    chosen = best(state)
    assert isinstance(chosen, Place)
    assert gains[chosen] == max(gains.values()) > 0


# --- the terminal ---------------------------------------------------------------------------------


def shown(state: Any) -> list[str]:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(board.draw(state))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_drawing_shows_covered_fields_without_colour() -> None:
    lines = shown(position(SOLO, EXAMPLE, mask(((3, 5), (2, 6)))))
    assert lines[0] == "Round 1, Player 1's turn: 6 6 5 5 3 2"
    assert "3  10→  0°  1°  2°  3°[ 4]|  3" in lines
    assert "2   6→  0°  0°  1°  2°  3°|[ 2]" in lines
    assert "> Player 1: 2 points" in lines


def test_a_board_with_many_crowns_still_fits() -> None:
    box = plain()
    box["rows"][0]["crowns"] = [20] * 6
    lines = shown(Crowns.agree(6, {"components": box}).start())
    assert all(len(line) <= 80 for line in lines)
    assert "1  100→  20°  20°  20°  20°  20°|  20" in lines[11]


def test_the_end_of_a_game_for_one_names_the_title() -> None:
    over = position(SOLO, EXAMPLE, left=1).apply(Place(0, ((2, 6),)))
    said = "The game is over. Better luck with the next game. Better than 0 of 100 typical games."
    assert " ".join(shown(over)[:2]) == said
    assert board.draw(Position(TWO, -2, "over", 0, 9, (0, 0), (0, 1), ()))


def test_events_in_words() -> None:
    rolled = position(TWO, EXAMPLE)
    assert board.tell(position(TWO, ()), Roll(0, EXAMPLE)) == "Player 1 rolls 6 6 5 5 3 2"
    assert board.tell(rolled, Place(0, ((5, 4), (2, 2)))) == "Player 1 covers 4x5 and 2x2"
    assert board.tell(rolled, Place(0, ((2, 6),))) == "Player 1 covers 6x2 (+2 points)"
    assert board.tell(rolled, Place(0, ())) == "Player 1 places nothing"
    last = board.tell(position(TWO, EXAMPLE, left=1), Place(0, ((3, 5),)))
    assert last == "Player 1 covers 5x3: the last chip, so this round is the last"
    stuck = position(SOLO, EXAMPLE, FULL, left=1)
    assert board.tell(stuck, Discard(0)) == (
        "Player 1 can place nothing and gives back a chip, 0 chips left. The game is over"
    )


def test_moves_in_the_menu() -> None:
    state = position(TWO, EXAMPLE)
    assert [board.heading(Place(0, pairs)) for pairs in ((), ((2, 6),), ((5, 4), (2, 2)))] == [
        "Pass",
        "Place 1 chip",
        "Place 2 chips",
    ]
    assert board.heading(Discard(0)) == "Nothing can be placed"
    assert board.label(state, Place(0, ())) == "place nothing"
    assert board.label(state, Place(0, ((2, 6),))) == "6x2 (+2 points)"
    assert board.label(state, Place(0, ((5, 4), (2, 2)))) == "4x5 2x2"
    assert board.label(position(SOLO, EXAMPLE, FULL), Discard(0)) == "give back a chip"
    labels = [board.label(state, move) for move in state.moves()]
    assert len(set(labels)) == len(labels)
