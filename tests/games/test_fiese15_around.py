"""Fiese 15 around the rules: events as written, boxes, the beginner, the terminal board, the texts."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from pasch import Match
from pasch.core.errors import ComponentError, EventError, PaschError
from pasch.core.events import Event
from pasch.games.fiese15 import terminal as board
from pasch.games.fiese15.beginner import heuristic, one_more_roll
from pasch.games.fiese15.rules import COLOURS, Fiese15, Keep, Next, Position, Roll, Strip, tile


def after(*events: Event, players: int = 2, **options: Any) -> Position:
    state = Match(Fiese15.agree(players, options), events).state
    assert isinstance(state, Position)
    return state


# --- events ---------------------------------------------------------------------------------------


def test_order_within_a_roll_or_a_keep_has_no_meaning() -> None:
    assert Keep(0, ("green", "red")) == Keep(0, ("red", "green"))
    assert Fiese15.read_event({"roll": {"green": 6, "red": 3}, "seat": 1}) == Roll(1, (3, 0, 0, 0, 0, 6))


def test_a_roll_names_all_six_dice_or_says_zero() -> None:
    with pytest.raises(EventError, match="red, blue, yellow, black, white and green"):
        Roll(0, (1, 2, 3))


# --- the box --------------------------------------------------------------------------------------


def test_the_strips_descend_along_the_colours_from_the_colour_named() -> None:
    named = (
        "651111 green, 642111 white, 633111 black, 632211 red, 622221 blue, 552111 yellow, 543111 red, "
        "542211 blue, 533211 yellow, 532221 black, 444111 white, 443211 green, 442221 red, 433311 black, "
        "433221 blue"
    )
    without_white = [colour for colour in COLOURS if colour != "white"]
    for strip, (values, start) in zip(
        Fiese15.agree(1).components.strips, (name.split() for name in named.split(", ")), strict=True
    ):
        assert msgspec.structs.asdict(strip.front) == _around(COLOURS, start, values)
        begin = "green" if start == "white" else start
        assert msgspec.structs.asdict(strip.back) == _around(without_white, begin, values[:-1])


def _around(colours: Any, start: str, values: str) -> dict[str, int]:
    turned = [*colours, *colours][list(colours).index(start) :]
    return dict(zip(turned, map(int, values), strict=False))


def box(**changes: Any) -> dict[str, Any]:
    written = json.loads(msgspec.json.encode(Fiese15.agree(2).components))
    return {**written, **changes}


def strips(number: int, side: str, **targets: int) -> list[dict[str, Any]]:
    """All strips, one of them with other targets."""
    printed: list[dict[str, Any]] = box()["strips"]
    printed[number] = printed[number] | {side: printed[number][side] | targets}
    return printed


def tiles(*values: int, players: int = 2) -> list[dict[str, Any]]:
    return [{"players": players, "values": values}]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"rounds": 0}, "rounds"),
        ({"rounds": 16}, "strips"),
        ({"strips": box()["strips"][:9]}, "strips"),
        ({"strips": strips(3, "front", red=5)}, "strips[3].front"),
        ({"strips": strips(0, "front", red=4, green=7)}, "strips[0].front.green"),
        ({"strips": strips(0, "front", red=0, blue=6)}, "strips[0].front.red"),
        ({"strips": strips(0, "back", green=0)}, "strips[0].back.green"),
        ({"tiles": tiles(1, 2, 4, players=3)}, "tiles"),
        ({"tiles": tiles(1)}, "tiles[0].values"),
        ({"tiles": tiles(1, 7)}, "tiles[0].values[1]"),
        ({"tiles": tiles(0, 1)}, "tiles[0].values[0]"),
        ({"tiles": tiles(3, 1)}, "tiles[0].values"),
        ({"tiles": tiles(1, 3) + tiles(1, 4)}, "tiles[1]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_box_that_cannot_be_played_with_is_refused_at_its_place(changes: Any, place: str) -> None:
    with pytest.raises(ComponentError) as caught:
        Fiese15.agree(2, {"components": box(**changes)})
    assert caught.value.place == place


def test_the_rules_follow_a_box_of_ones_own() -> None:
    own = box(
        rounds=1,
        strips=strips(0, "front", red=1, blue=5) + strips(0, "back", blue=2, green=5),
        tiles=tiles(2, 6),
    )
    state = after(Strip(0), components=own)
    assert state.targets == (1, 5, 1, 1, 1, 6)
    assert after(components=own).chance().total == 30
    assert after(Strip(15), components=own, handicap=True).targets == (5, 2, 1, 1, 1, 5)
    g = Fiese15.agree(2, {"components": own, "handicap": True}).config
    assert [tile(g, (4, 9), 1, seat) for seat in (0, 1)] == [6, 2]


# --- the beginner ---------------------------------------------------------------------------------


@given(
    st.tuples(*[st.integers(1, 6)] * 6),
    st.tuples(*[st.integers(0, 6)] * 6).filter(lambda kept: 1 <= kept.count(0) <= 4),
    st.booleans(),
)
@settings(deadline=None, max_examples=30)
def test_one_more_roll_is_the_mean_over_all_rolls(targets: Any, kept: Any, gambler: bool) -> None:
    missing = [die for die in range(6) if not kept[die]]
    total = 0
    for faces in product(range(1, 7), repeat=len(missing)):
        good = [face for die, face in zip(missing, faces, strict=True) if face <= targets[die]]
        if good:
            aside = 6 - len(missing) + len(good)
            total += (sum(kept) + sum(good)) * (2 if aside == 6 else 1) + (5 if aside == 5 else 0)
        elif not gambler:
            total += sum(targets[die] for die in missing)
    g = Fiese15.agree(1, {"gambler": gambler}).config
    assert one_more_roll(g, targets, kept) == pytest.approx(float(Fraction(total, 6 ** len(missing))))


def best(state: Position) -> Event:
    looks = [heuristic(state.game.config, state.unpack(), code) for code in state.codes()]
    return state.moves()[looks.index(max(looks))]


def test_the_beginner_takes_all_six_when_they_are_there() -> None:
    assert best(after(Strip(14), Roll(0, (1, 4, 3, 3, 2, 2)))) == Keep(0, COLOURS)


def test_the_beginner_stops_at_five_when_the_sixth_would_likely_miss() -> None:
    five = Keep(0, ("red", "blue", "yellow", "black", "green"))
    assert best(after(Strip(6), Roll(0, (5, 4, 3, 1, 6, 1)), five)) == Next(0, "stop")


def test_the_beginner_rolls_on_when_nothing_can_go_wrong() -> None:
    """Only red is left, whose target is 6."""
    five = Keep(0, ("blue", "yellow", "black", "white", "green"))
    assert best(after(Strip(3), Roll(0, (1, 1, 1, 1, 1, 1)), five)) == Next(0, "roll")


def test_a_gambler_is_more_careful() -> None:
    events = (Strip(6), Roll(0, (5, 1, 6, 6, 6, 6)), Keep(0, ("red", "blue")))
    assert best(after(*events)) == Next(0, "roll")
    assert best(after(*events, gambler=True)) == Next(0, "stop")


# --- the terminal board ---------------------------------------------------------------------------


def shown(state: Position) -> str:
    console = Console(width=80, no_color=True, file=None, force_terminal=False)
    with console.capture() as capture:
        console.print(board.draw(state))
    return capture.get()


def test_the_board_shows_targets_dice_and_points() -> None:
    state = after(Strip(6), Roll(0, (5, 6, 1, 6, 6, 6)), Keep(0, ("red",)), Next(0, "roll"))
    drawn = shown(state.apply(Roll(0, (0, 4, 4, 1, 2, 3))))
    rows = {line[:16].strip(): line[16:].split() for line in drawn.splitlines()}
    assert rows["target"] == ["5", "4", "3", "1", "1", "1"]
    assert rows["set aside"] == ["5", "-", "-", "-", "-", "-"]
    assert rows["rolled (* valid)"] == ["-", "*4", "4", "*1", "2", "3"]
    assert "Round 1 of 10, strip 6: Player 1's turn" in drawn
    assert "> " in drawn


def test_moves_are_listed_by_the_number_of_dice_and_say_what_is_at_stake() -> None:
    state = after(Strip(6), Roll(0, (5, 4, 6, 6, 6, 6)))
    assert [(board.heading(move), board.label(state, move)) for move in state.moves()] == [
        ("Set aside 1 die", "red 5"),
        ("Set aside 1 die", "blue 4"),
        ("Set aside 2 dice", "red 5, blue 4"),
    ]
    kept = state.apply(Keep(0, ("red",)))
    assert [board.label(kept, move) for move in kept.moves()] == [
        "roll 5 dice (10 if nothing is valid)",
        "stop (5)",
    ]


def drawing(**options: Any) -> Position:
    return after(**options)


def rolling() -> Position:
    return after(Strip(6))


def rolling_two() -> Position:
    return after(Strip(6), Roll(0, (1,) * 6), Keep(0, ("red", "yellow", "white", "green")), Next(0, "roll"))


@pytest.mark.parametrize(
    ("state", "typed", "event"),
    [
        (drawing(), "5 4 3 1 1 1", Strip(6)),
        (drawing(), "543111", Strip(6)),
        (drawing(), "5,4, 3 1,1 1", Strip(6)),
        (drawing(), " 6 ", Strip(6)),
        (drawing(), "14", Strip(14)),
        (drawing(handicap=True), "5 4 3 1 1", Strip(6)),
        (rolling(), "1 2 3 4 5 6", Roll(0, (1, 2, 3, 4, 5, 6))),
        (rolling(), "1,2,3,456", Roll(0, (1, 2, 3, 4, 5, 6))),
        (rolling(), "Green 6, r1 blu=2 y:3 bla 4 w5", Roll(0, (1, 2, 3, 4, 5, 6))),
        (rolling_two(), "3 6", Roll(0, (0, 3, 0, 6, 0, 0))),
        (rolling_two(), "black 6 blue 3", Roll(0, (0, 3, 0, 6, 0, 0))),
    ],
)
def test_real_dice_and_strips_are_read(state: Position, typed: str, event: Event) -> None:
    assert board.read_outcome(state, typed) == event
    state.apply(event)


@pytest.mark.parametrize(
    ("state", "typed", "expected"),
    [
        (drawing(), "", "5 1 1 1 1 6"),
        (drawing(), "green", "5 1 1 1 1 6"),
        (drawing(), "5 4 3", "6 targets, not 3"),
        (drawing(), "1 1 1 1 1 1", "no strip has the targets"),
        (drawing(handicap=True), "5 4 3 1 1 1", "5 targets, not 6"),
        (rolling(), "", "expected 6 faces"),
        (rolling(), "1 2 3", "expected 6 faces"),
        (rolling(), "1 2 3 4 5 7", "shows 7"),
        (rolling(), "1 2 3 4 5 ?", "expected 6 faces"),
        (rolling(), "b 3", "blue, black"),
        (rolling(), "pink 3", "which die is 'pink'"),
        (rolling(), "red", "each colour with its face"),
        (rolling(), "red 33", "each colour with its face"),
        (rolling(), "red 3 red 4", "named twice"),
        (rolling_two(), "1 2 3", "expected 2 faces, for blue, black"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_was_expected(
    state: Position, typed: str, expected: str
) -> None:
    with pytest.raises(PaschError) as caught:
        board.read_outcome(state, typed)
    assert expected in caught.value.reason


def test_of_equal_strips_the_one_still_there_is_read() -> None:
    own = box(strips=box()["strips"][:10] + box()["strips"][:1])
    match: Any = Match(Fiese15.agree(1, {"components": own | {"tiles": tiles(1, players=1)}}))
    assert board.read_outcome(match.state, "5 1 1 1 1 6") == Strip(0)
    match.play(Strip(0))
    match.play(Roll(0, (6, 6, 6, 6, 6, 6)))
    match.play(Keep(0, ("green",)))
    match.play(Next(0, "stop"))
    assert board.read_outcome(match.state, "5 1 1 1 1 6") == Strip(10)


# --- the texts ------------------------------------------------------------------------------------
