"""Fiese 15: turns, rounds, variants."""

from __future__ import annotations

from typing import Any

import pytest

from pasch import OVER
from pasch.core.errors import EventError
from pasch.core.events import subsets
from pasch.games.fiese15.rules import COLOURS, Fiese15, Keep, Roll, tile, valid_dice
from tests.games.rulebook import holds, play, refusal

#: every set of dice, by its bit mask
DICE = subsets(COLOURS)


def start(players: int = 1, **options: Any) -> Any:
    return Fiese15.agree(players, options).start()


#: red 5, blue 4, yellow 3, the others 1 …
RED_543111 = play(start(), "strip:6")
#: … black 6, white and green 3, the others 1 …
BLACK_633111 = play(start(), "strip:2")
#: … and blue 4, yellow and black 3, white and green 2, red 1
BLUE_433221 = play(start(), "strip:14")

# --- the rulebook's examples ----------------------------------------------------------------------


def test_the_examples_of_the_rulebook() -> None:
    # blue hits its 4; yellow, white and green are one below; black and red lie above
    state = play(BLUE_433221, "roll:2,4,2,4,1,1")
    assert state.targets == (1, 4, 3, 3, 2, 2)
    assert set(DICE[valid_dice(state.rolled, state.targets)]) == {"blue", "yellow", "white", "green"}
    # Lukas gets the two missing targets; he would have had five points
    lukas = play(RED_543111, "roll:6,2,4,1,1,1; keep:blue,black,white,green")
    holds(lukas, "next:roll; roll:6,0,5,0,0,0", totals=(5 + 3,))
    holds(lukas, "next:stop", totals=(5,))
    # Nina stops with fifteen, doubles twelve, or gets only the green three
    nina = play(
        BLACK_633111, "roll:1,2,2,6,4,4; keep:red; next:roll; roll:0,2,1,6,4,4; keep:yellow; next:roll"
    )
    nina = play(nina, "roll:0,2,0,6,2,4; keep:white; next:roll; roll:0,1,0,5,0,4; keep:black,blue")
    holds(nina, "next:stop", totals=(10 + 5,))
    holds(nina, "next:roll; roll:0,0,0,0,0,2; keep:green", totals=(12 * 2,))
    for face in "456":
        holds(nina, f"next:roll; roll:0,0,0,0,0,{face}", totals=(3,))
    # our own text: red and blue 4, yellow, black and white 2, green 1
    own = play(start(), "strip:12; roll:6,5,3,6,1,1; keep:white,green")
    holds(own, "next:stop", totals=(2,))
    holds(own, "next:roll; roll:6,5,3,4,0,0", totals=(12,))


# --- a turn ---------------------------------------------------------------------------------------

SET_ASIDE = play(RED_543111, "roll:5,4,3,6,6,6; keep:red,blue; next:roll")


@pytest.mark.parametrize(
    ("state", "event", "reason"),
    [
        (start(), "strip:-1", "-1 cannot come now, only 0, 1, 2"),
        (start(), "strip:15", "15 cannot come now, only 0, 1, 2"),
        (play(RED_543111, "roll:5,6,6,6,6,6"), "keep:-", "at least one valid die"),
        (play(RED_543111, "roll:5,6,6,6,6,6"), "next:roll", "not what seat 1 has to choose now"),
        (play(RED_543111, "roll:5,5,6,6,6,6"), "keep:red,blue", "blue shows 5, its target is 4"),
        (SET_ASIDE, "roll:1,0,6,6,6,6", "the red die has been set aside"),
        (play(SET_ASIDE, "roll:0,0,3,6,6,6"), "keep:red,yellow", "the red die has been set aside before"),
    ],
)
def test_what_is_not_allowed_is_explained(state: Any, event: str, reason: str) -> None:
    assert reason in refusal(state, event)


def test_setting_dice_aside() -> None:
    # at least one
    holds(RED_543111, "roll:5,6,6,6,6,6", moves={"keep:red"})
    # any of those that show at most their targets
    holds(RED_543111, "roll:4,4,6,6,6,6", moves={"keep:red", "keep:blue", "keep:red,blue"})
    # they stay
    holds(SET_ASIDE, "", kept=(5, 4, 0, 0, 0, 0), total=6**4)
    holds(SET_ASIDE, "roll:0,0,3,6,6,6; keep:yellow", kept=(5, 4, 3, 0, 0, 0))


def test_a_roll_names_all_six_dice_or_says_zero_and_a_die_shows_one_to_six() -> None:
    with pytest.raises(EventError, match="red, blue, yellow, black, white and green"):
        Roll(0, (1, 2, 3))
    for face in (7, -1):
        refused = RED_543111.refusal(Roll(0, (face, 1, 1, 1, 1, 1)))
        assert refused and "a die shows 1 to 6" in refused.reason
    assert Keep(0, ("green", "red")) == Keep(0, ("red", "green"))
    read = Fiese15.read_event({"roll": {"green": 6, "red": 3}, "seat": 1})
    assert read == Roll(1, (3, 0, 0, 0, 0, 6))


def test_the_score_of_a_turn() -> None:
    # the pips, and for exactly five dice five more
    state = play(BLUE_433221, "roll:1,4,3,3,2,2")
    holds(state, "keep:red; next:stop", totals=(1,))
    holds(state, "keep:red,blue,black,green; next:stop", totals=(1 + 4 + 3 + 2,))
    holds(state, "keep:red,blue,yellow,black,white; next:stop", totals=(1 + 4 + 3 + 3 + 2 + 5,))
    # all six end the turn, no word is asked for, and are doubled without the five
    all_six = f"keep:{','.join(COLOURS)}"
    holds(state, all_six, totals=(2 * (1 + 4 + 3 + 3 + 2 + 2),), phase="strip")
    # a roll with nothing valid scores the missing targets, not the pips, and nothing is kept of it
    missed = "roll:2,1,1,6,3,3; keep:blue,yellow; next:roll; roll:2,0,0,4,3,3"
    holds(BLUE_433221, missed, totals=(1 + 3 + 2 + 2,), phase="strip")
    # nothing for gamblers
    gambler = play(start(gambler=True), "strip:14")
    holds(gambler, "roll:2,5,4,4,3,3", totals=(0,))
    holds(gambler, missed, totals=(0,))
    holds(gambler, "roll:2,1,1,6,3,3; keep:blue,yellow; next:stop", totals=(2,))


# --- rounds, the end ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(1, 7))
def test_ten_rounds_with_a_new_strip_in_which_every_seat_has_one_turn_from_seat_0(players: int) -> None:
    state = start(players)
    for drawn in range(10):
        assert state.chance().total == 15 - drawn
        if drawn:
            assert "cannot come now" in refusal(state, f"strip:{drawn - 1}")
        state = play(state, f"strip:{drawn}")
        for seat in range(players):
            assert state.seat == seat
            state = play(state, "roll:6,6,6,6,6,6")
            if state.actor >= 0:
                state = play(state.apply(state.moves()[-1]), "next:stop")
    assert state.actor == OVER
    assert refusal(state, "strip:10") == "the game is over"


# --- the handicap game ----------------------------------------------------------------------------


def test_handicap_plays_the_back_with_the_tile_as_whites_target() -> None:
    holds(start(handicap=True), "strip:6", tiles=(1,), targets=(5, 4, 3, 1, 1, 1))
    holds(start(handicap=True), "strip:2", targets=(3, 1, 1, 6, 1, 3))
    # the tile counts when white is missing: 1 for the leader, 3 for the other
    state = play(start(2, handicap=True), "strip:6; roll:5,6,6,6,6,6; keep:red; next:stop")
    state = play(state, "roll:4,1,1,1,1,1; keep:red; next:stop; strip:14")
    holds(state, "roll:5,6,6,6,6,6; roll:5,6,6,6,6,6", totals=(5 + 14 + 1, 4 + 14 + 3))


@pytest.mark.parametrize(
    ("totals", "tiles"),
    [
        ((7,), (1,)),
        ((7, 3), (1, 3)),
        ((5, 5), (3, 1)),
        ((5, 9, 1), (2, 1, 4)),
        ((5, 9, 5), (4, 1, 2)),
        ((5, 9, 9), (4, 2, 1)),
        ((1, 2, 3, 4), (5, 3, 2, 1)),
        ((0, 0, 0, 0, 0, 0), (6, 5, 4, 3, 2, 1)),
        ((60, 50, 40, 30, 20, 10), (1, 2, 3, 4, 5, 6)),
    ],
)
def test_handicap_tiles_by_standing_the_earlier_of_equals_the_higher(
    totals: tuple[int, ...], tiles: tuple[int, ...]
) -> None:
    g = Fiese15.agree(len(totals), {"handicap": True}).config
    assert tuple(tile(g, totals, 1, seat) for seat in range(len(totals))) == tiles
