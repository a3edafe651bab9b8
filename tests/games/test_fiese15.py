"""Fiese 15: turns, rounds, variants. Events, boxes, board and beginner: test_fiese15_around.py."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch import CHANCE, OVER, Match
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import subsets
from pasch.games.fiese15.rules import (
    COLOURS,
    Fiese15,
    Keep,
    Next,
    Position,
    Roll,
    Strip,
    tile,
    valid_dice,
)

#: every set of dice, by its bit mask
DICE = subsets(COLOURS)

#: strips by number: red 5, blue 4, yellow 3, the others 1 …
RED_543111 = 6
#: … black 6, white and green 3, the others 1 …
BLACK_633111 = 2
#: … blue 4, yellow and black 3, white and green 2, red 1 …
BLUE_433221 = 14
#: … and red and blue 4, yellow, black and white 2, green 1
RED_442221 = 12


def roll(seat: int, faces: str) -> Roll:
    """Faces in the order red, blue, yellow, black, white, green; a point where the die is not rolled."""
    return Roll(seat, tuple(0 if face == "." else int(face) for face in faces))


def turn(strip: int, *steps: Any, **options: Any) -> Position:
    """One player's first turn: a string of six is a roll, a list is kept, a word is said."""
    match = Match(Fiese15.agree(1, options), [Strip(strip)])
    for step in steps:
        play(match, step)
    return state_of(match)


def play(match: Match, step: Any) -> None:
    seat = state_of(match).seat
    if isinstance(step, list):
        match.play(Keep(seat, tuple(step)))
    elif step in ("roll", "stop"):
        match.play(Next(seat, step))
    else:
        match.play(roll(seat, step))


def state_of(match: Match) -> Position:
    assert isinstance(match.state, Position)
    return match.state


# --- the rulebook's examples ----------------------------------------------------------------------


def test_example_which_dice_are_valid() -> None:
    """Blue hits its 4; yellow, white and green are one below; black and red lie above."""
    state = turn(BLUE_433221, "242411")
    assert state.targets == (1, 4, 3, 3, 2, 2)
    assert set(DICE[valid_dice(state.rolled, state.targets)]) == {"blue", "yellow", "white", "green"}


def lukas() -> Position:
    return turn(RED_543111, "624111", ["blue", "black", "white", "green"])


def test_example_lukas_gets_the_two_missing_targets() -> None:
    missed = lukas().apply(Next(0, "roll")).apply(roll(0, "6.5..."))
    assert missed.scores() == (5 + 3,)


def test_example_lukas_would_have_had_five_points() -> None:
    assert lukas().apply(Next(0, "stop")).scores() == (5,)


def nina() -> Position:
    return turn(
        BLACK_633111,
        *("122644", ["red"], "roll"),
        *(".21644", ["yellow"], "roll"),
        *(".2.624", ["white"], "roll"),
        *(".1.5.4", ["black", "blue"]),
    )


def test_example_nina_stops_with_fifteen() -> None:
    assert nina().apply(Next(0, "stop")).scores() == (10 + 5,)


def test_example_nina_rolls_on_and_doubles_twelve() -> None:
    rolled = nina().apply(Next(0, "roll")).apply(roll(0, ".....2"))
    assert rolled.apply(Keep(0, ("green",))).scores() == (12 * 2,)


@pytest.mark.parametrize("face", "456")
def test_example_nina_keeps_only_the_green_three_if_she_misses(face: str) -> None:
    assert nina().apply(Next(0, "roll")).apply(roll(0, "....." + face)).scores() == (3,)


def test_example_of_our_own_text() -> None:
    state = turn(RED_442221, "653611", ["white", "green"])
    assert state.apply(Next(0, "stop")).scores() == (2,)
    assert state.apply(Next(0, "roll")).apply(roll(0, "6534..")).scores() == (12,)


# --- a turn ---------------------------------------------------------------------------------------


def test_at_least_one_die_has_to_be_kept() -> None:
    state = turn(RED_543111, "566666")
    assert state.moves() == (Keep(0, ("red",)),)
    with pytest.raises(IllegalMove, match="at least one valid die"):
        state.apply(Keep(0, ()))
    with pytest.raises(IllegalMove):
        state.apply(Next(0, "roll"))


def test_a_die_that_is_not_valid_may_not_be_kept() -> None:
    with pytest.raises(IllegalMove, match="blue shows 5, its target is 4") as caught:
        turn(RED_543111, "556666", ["red", "blue"])
    assert caught.value.rule == "keep"


def test_dice_set_aside_stay() -> None:
    state = turn(RED_543111, "543666", ["red", "blue"], "roll")
    assert state.kept == (5, 4, 0, 0, 0, 0)
    assert state.chance().total == 6**4
    with pytest.raises(IllegalOutcome, match="the red die has been set aside"):
        state.apply(roll(0, "1.6666"))
    again = state.apply(roll(0, "..3666"))
    with pytest.raises(IllegalMove, match="the red die has been set aside before"):
        again.apply(Keep(0, ("red", "yellow")))
    assert again.apply(Keep(0, ("yellow",))) == turn(
        RED_543111, "543666", ["red", "blue"], "roll", "..3666", ["yellow"]
    )


def test_a_die_shows_one_to_six() -> None:
    for face in (7, -1):
        with pytest.raises(IllegalOutcome, match="a die shows 1 to 6"):
            turn(RED_543111).apply(Roll(0, (face, 1, 1, 1, 1, 1)))


@pytest.mark.parametrize(
    ("kept", "scored"),
    [
        (["red"], 1),
        (["red", "black", "white", "green"], 1 + 3 + 3 + 1),
        (["red", "blue", "yellow", "black"], 1 + 2 + 3 + 3),
        (["red", "blue", "yellow", "black", "white"], 1 + 2 + 3 + 3 + 3 + 5),
    ],
)
def test_stopping_scores_the_pips_and_exactly_five_dice_five_more(kept: list[str], scored: int) -> None:
    box = {"red": 1, "blue": 2, "yellow": 3, "black": 3, "white": 3, "green": 3}
    assert turn_on(box, "123331", kept, "stop").scores() == (scored,)


def turn_on(front: dict[str, int], *steps: Any) -> Position:
    """A turn on a strip of one's own."""
    back = {"red": 2, "blue": 3, "yellow": 3, "black": 3, "green": 3}
    components = {
        "game": "fiese15",
        "rounds": 1,
        "strips": [{"front": front, "back": back}],
        "tiles": [{"players": 1, "values": [1]}],
    }
    return turn(0, *steps, components=components)


def test_all_six_end_the_turn_and_double_without_the_five() -> None:
    state = turn(BLUE_433221, "133322", list(COLOURS))
    assert state.scores() == (2 * (1 + 3 + 3 + 3 + 2 + 2),)
    assert state.phase == "strip", "no word is asked for"


def test_a_roll_with_nothing_valid_scores_the_missing_targets_not_the_pips() -> None:
    state = turn(BLUE_433221, "211633", ["blue", "yellow"], "roll", "2..433")
    assert state.scores() == (1 + 3 + 2 + 2,)
    assert state.phase == "strip", "nothing is kept of it"


def test_a_gambler_scores_nothing_when_nothing_is_valid() -> None:
    assert turn(BLUE_433221, "254433", gambler=True).scores() == (0,)
    assert turn(BLUE_433221, "211633", ["blue"], "roll", "2.4433", gambler=True).scores() == (0,)
    assert turn(BLUE_433221, "211633", ["blue", "yellow"], "stop", gambler=True).scores() == (2,)


# --- rounds, the end ------------------------------------------------------------------------------


def quick_turn(match: Match) -> None:
    """Nothing can be simpler: everything misses, or the one die that cannot miss is kept."""
    state = state_of(match)
    match.play(Roll(state.seat, (6, 6, 6, 6, 6, 6)))
    if match.state.actor != CHANCE and not match.state.over:
        match.play(match.state.moves()[-1])
        match.play(Next(state.seat, "stop"))


def test_a_strip_is_drawn_each_round_and_none_twice() -> None:
    match = Match(Fiese15.agree(2))
    for drawn in range(10):
        assert match.state.chance().total == 15 - drawn
        assert all(match.state.chance().cases(Strip(strip)) == 0 for strip in range(drawn))
        for strip in range(drawn):
            with pytest.raises(IllegalOutcome, match="has been drawn before"):
                match.state.apply(Strip(strip))
        match.play(Strip(drawn))
        quick_turn(match)
        quick_turn(match)


@pytest.mark.parametrize("strip", [-1, 15])
def test_a_strip_that_is_not_there_cannot_be_drawn(strip: int) -> None:
    with pytest.raises(IllegalOutcome, match="there is no such strip"):
        Fiese15.agree(2).start().apply(Strip(strip))


@pytest.mark.parametrize("players", range(1, 7))
def test_ten_rounds_in_each_of_which_every_seat_has_one_turn_from_seat_0(players: int) -> None:
    match = Match(Fiese15.agree(players))
    for number in range(10):
        match.play(Strip(number))
        for seat in range(players):
            assert state_of(match).seat == seat
            quick_turn(match)
    assert match.state.actor == OVER
    assert Counter(type(event) for event in match.events)[Strip] == 10
    with pytest.raises(IllegalMove, match="the game is over"):
        match.play(Strip(10))


# --- the handicap game ----------------------------------------------------------------------------


def test_handicap_plays_the_back_with_the_tile_as_whites_target() -> None:
    state = turn(RED_543111, handicap=True)
    assert state.tiles == (1,)
    assert state.targets == (5, 4, 3, 1, 1, 1)
    assert turn(BLACK_633111, handicap=True).targets == (3, 1, 1, 6, 1, 3)


@pytest.mark.parametrize(
    ("totals", "tiles"),
    [
        ((7,), (1,)),
        ((7, 3), (1, 3)),
        ((3, 7), (3, 1)),
        ((5, 5), (3, 1)),
        ((5, 9, 1), (2, 1, 4)),
        ((5, 5, 5), (4, 2, 1)),
        ((5, 9, 5), (4, 1, 2)),
        ((5, 9, 9), (4, 2, 1)),
        ((1, 2, 3, 4), (5, 3, 2, 1)),
        ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1)),
        ((0, 0, 0, 0, 0, 0), (6, 5, 4, 3, 2, 1)),
        ((60, 50, 40, 30, 20, 10), (1, 2, 3, 4, 5, 6)),
    ],
)
def test_handicap_tiles_by_standing_the_earlier_of_equals_the_higher(
    totals: tuple[int, ...], tiles: tuple[int, ...]
) -> None:
    g = Fiese15.agree(len(totals), {"handicap": True}).config
    assert tuple(tile(g, totals, 1, seat) for seat in range(len(totals))) == tiles


def test_handicap_the_tile_counts_when_white_is_missing() -> None:
    match = Match(Fiese15.agree(2, {"handicap": True}), [Strip(RED_543111)])
    for step in ("566666", ["red"], "stop", "411111", ["red"], "stop"):
        play(match, step)
    match.play(Strip(BLUE_433221))
    for step in ("566666", "566666"):
        play(match, step)
    assert match.state.scores() == (5 + 14 + 1, 4 + 14 + 3)


# --- rules that combine: twins written differently ------------------------------------------------


FACES = st.integers(1, 6)
#: the dice on the table (0: not there) and the targets of all six
TABLES = st.tuples(
    st.tuples(*[st.integers(0, 6)] * 6).filter(any),
    st.tuples(*[FACES] * 6),
)


@given(TABLES)
@settings(deadline=None)
def test_valid_dice_and_keeps_are_those_that_trying_all_sets_finds(table: tuple[Any, Any]) -> None:
    rolled, targets = table
    shown = {colour: face for colour, face in zip(COLOURS, rolled, strict=True) if face}
    most = dict(zip(COLOURS, targets, strict=True))
    every = chain.from_iterable(combinations(shown, size) for size in range(1, 7))
    allowed = {frozenset(dice) for dice in every if all(shown[die] <= most[die] for die in dice)}
    mask = valid_dice(rolled, targets)
    state = Position(
        Fiese15(1), 0, "keep", 0, (0,), (0,), (), targets, tuple(int(not face) for face in rolled), rolled
    )
    kept = state.codes()
    assert {frozenset(DICE[dice]) for dice in kept} == allowed
    assert set(DICE[mask]) == frozenset[str]().union(*allowed)


def referee(game: Fiese15, written: list[dict[str, Any]]) -> tuple[int, ...]:
    """The totals of a complete record, by counting colours and names only."""
    totals = [0] * game.players
    tiles = [1] * game.players
    aside: dict[str, int] = {}
    targets: dict[str, int] = {}
    turns = 0
    for number, event in enumerate(written):
        if "strip" in event:
            strip = game.components.strips[event["strip"]]
            side = strip.back if game.options.handicap else strip.front
            targets = {colour: getattr(side, colour, 0) for colour in COLOURS}
            if number:
                values = next(t.values for t in game.components.tiles if t.players == game.players)
                tiles = []
                for seat, mine in enumerate(totals):
                    ahead = sum(other > mine for other in totals)
                    tiles.append(values[ahead + totals[seat + 1 :].count(mine)])
            continue
        seat = event["seat"]
        assert seat == turns % game.players
        if game.options.handicap:
            targets["white"] = tiles[seat]
        if "roll" in event:
            assert event["roll"].keys() == set(COLOURS) - aside.keys()
            table = event["roll"]
            if all(face > targets[colour] for colour, face in table.items()):
                lost = sum(targets[colour] for colour in table)
                totals[seat] += 0 if game.options.gambler else lost
                aside, turns = {}, turns + 1
        elif "keep" in event:
            assert event["keep"]
            for colour in event["keep"]:
                assert table[colour] <= targets[colour]
                aside[colour] = table[colour]
        if len(aside) == 6 or event.get("next") == "stop":
            bonus = {6: sum(aside.values()), 5: 5}.get(len(aside), 0)
            totals[seat] += sum(aside.values()) + bonus
            aside, turns = {}, turns + 1
    assert turns == 10 * game.players
    return tuple(totals)


@given(st.integers(1, 6), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_whole_games_score_as_a_referee_who_reads_the_record(
    players: int, handicap: bool, gambler: bool, generator: Any
) -> None:
    game = Fiese15.agree(players, {"handicap": handicap, "gambler": gambler})
    match = Match(game)
    while not match.state.over:
        moves = match.state.moves()
        match.play(generator.choice(moves) if moves else match.state.chance().sample(generator))
    assert referee(game, [event.json() for event in match.events]) == match.state.scores()
