"""The rules of Crowns, the examples of the rulebook, twins written differently, and what is marked."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pasch.core.chance import rolls
from pasch.core.state import CHANCE, OVER
from pasch.games.crowns.box import Pairs, field, mask, title
from pasch.games.crowns.rules import Crowns, CrownsOptions, Place, Position, score
from pasch.games.crowns.show import marks, uses
from pasch.games.crowns.ways import placements
from tests.games.rulebook import holds, play, refusal

EXAMPLE = (6, 6, 5, 5, 3, 2)
ROLL = "roll:6,6,5,5,3,2"
FULL = (1 << 36) - 1

SOLO = Crowns(1)
SOLO_TWO = Crowns(1, CrownsOptions(solo_minimum=2))
TWO = Crowns(2)
TWO_SPLIT = Crowns(2, CrownsOptions(split=True))


def position(game: Crowns, roll: tuple[int, ...], board: int = 0, left: int = 18) -> Position:
    """Seat 0 has rolled and is about to place; the others have nothing placed."""
    others = game.players - 1
    return Position(game, 0, "place", 0, 0, (board, *[0] * others), (left, *[18] * others), roll)


STUCK = position(SOLO, (3, 3, 3, 3, 3, 3), 0b111111 << 12, left=5)

# --- the rulebook's examples ----------------------------------------------------------------------


def test_the_examples_of_placing() -> None:
    state = position(TWO, EXAMPLE)
    # dice as they lie, with one left unused
    holds(state, "place:6,2/5,2/3,1", boards=(mask(((6, 2), (5, 2), (3, 1))), 0), left=(15, 18))
    # a) five dice lowered to 2; an edge field always scores
    holds(state, "place:2,6", scores=(2, 0))
    # b) four high dice lowered to 3
    holds(state, "place:3,5", left=(17, 18))
    assert TWO.components.crowns()[field(3, 5)] == 4
    assert "needs 6 dice that show 3 or more" in refusal(state, "place:3,6"), "the 2 cannot be raised"
    # c) sixes to fives and the three to 2; d) one six lowered, the rest as rolled
    holds(state, "place:5,4/2,2", left=(16, 18))
    holds(state, "place:6,1/5,3/3,1/2,1", left=(14, 18))


def test_the_example_of_scoring_8_at_the_edge_and_18_in_lines() -> None:
    edge = ((3, 6), (6, 4), (6, 1))
    row = tuple((2, count) for count in range(1, 6))
    diagonal = tuple((value, value) for value in range(1, 6))
    others = ((1, 2), (3, 4), (4, 5), (5, 1))
    assert [score(TWO.config, mask(part)) for part in (edge, row, diagonal, others)] == [8, 6, 12, 0]
    assert score(TWO.config, mask(edge + row + diagonal + others)) == 26


# --- what is refused, in words; the twin below says what is legal ------------------------------------


@pytest.mark.parametrize(
    ("state", "event", "said"),
    [
        (TWO.start(), "roll:6,5,4,3,2", "there are 6 dice in play, not 5"),
        (position(TWO, (6, 6, 6, 6, 6, 4)), "place:5,1", "no die shows 5"),
        (position(TWO, (6, 1, 1, 1, 1, 1)), "place:6,2", "this needs 2 sixes; you have 1"),
        (position(TWO, EXAMPLE), "place:5,5", "this needs 5 dice that show 5 or more; you have 4"),
        (position(TWO, EXAMPLE), "place:2,3/2,1", "only one chip for each number: the 2 is used twice"),
        (position(TWO_SPLIT, (3, 3, 3, 3, 2, 1)), "place:3,2/3,2", "2× in the row of 3 is named twice"),
        (position(TWO, EXAMPLE, mask(((3, 5),))), "place:3,5", "5× in the row of 3 is covered already"),
        (position(TWO, EXAMPLE, left=1), "place:6,1/5,1", "you have only one chip left"),
        (position(SOLO, EXAMPLE), "place:-", "you have to place at least one chip"),
        (position(SOLO_TWO, EXAMPLE), "place:5,4", "you have to place at least 2 chips"),
        (STUCK, "place:-", "no chip fits, so you lose one"),
        (position(TWO, EXAMPLE), "discard:1", "you lose chips only when you play alone"),
        (position(SOLO, EXAMPLE), "discard:1", "you lose a chip only when no chip fits"),
    ],
)
def test_what_is_not_allowed_is_refused_in_words(state: Position, event: str, said: str) -> None:
    assert refusal(state, event) == said


def test_how_many_chips_are_placed() -> None:
    one_field = FULL & ~(1 << field(2, 6))
    # with others none to as many as fit; alone at least one, or two where two fit
    holds(position(TWO, EXAMPLE, one_field), "", moves={"place:-", "place:2,6"})
    for game in (SOLO, SOLO_TWO):
        holds(position(game, EXAMPLE, one_field), "", moves={"place:2,6"})
    for game, fewest in ((TWO, 0), (SOLO, 1), (SOLO_TWO, 2)):
        moves = position(game, (6, 5, 4, 3, 2, 1)).moves()
        assert {len(move.place) for move in moves if isinstance(move, Place)} == {*range(fewest, 7)}
    # split: several chips in one row, each die used once
    split = position(TWO_SPLIT, (3, 3, 3, 3, 2, 1))
    holds(split, "place:3,3/3,1", boards=(mask(((3, 3), (3, 1))), 0), left=(16, 18))
    assert refusal(split, "place:3,3/3,2")


# --- the same, as a twin: dice turned one by one --------------------------------------------------


@cache
def turned(roll: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """All that the dice can show after turning one after the other down to what another one shows."""
    found = {roll}
    todo = [roll]
    while todo:
        dice = todo.pop()
        for die, other in product(range(6), repeat=2):
            if dice[other] < dice[die]:
                after = tuple(sorted((*dice[:die], *dice[die + 1 :], dice[other]), reverse=True))
                if after not in found:
                    found.add(after)
                    todo.append(after)
    return frozenset(found)


@cache
def parts(dice: int, split: bool) -> tuple[tuple[int, ...], ...]:
    """The sets of counts that this number of dice of one value can make up."""
    most = 3 if split else 1
    return tuple(
        chosen
        for number in range(most + 1)
        for chosen in combinations((6, 5, 4, 3, 2, 1), number)
        if sum(chosen) <= dice
    )


def twin_placements(roll: tuple[int, ...], split: bool) -> set[Pairs]:
    found = set()
    for dice in turned(roll):
        shown = sorted(Counter(dice).items(), reverse=True)
        for choice in product(*(parts(number, split) for _, number in shown)):
            found.add(
                tuple(
                    (value, count)
                    for (value, _), counts in zip(shown, choice, strict=True)
                    for count in counts
                )
            )
    return found


a_roll = st.sampled_from([roll[::-1] for roll, _ in rolls(6)])


@pytest.mark.parametrize("split", [False, True])
@given(roll=a_roll)
@example(roll=(6, 5, 4, 3, 2, 1))
@example(roll=EXAMPLE)
@settings(max_examples=40, deadline=None)
def test_placements_are_those_of_dice_turned_one_by_one(split: bool, roll: tuple[int, ...]) -> None:
    found = placements(roll, split)
    assert {placement.pairs for placement in found} == twin_placements(roll, split)
    assert len({placement.pairs for placement in found}) == len(found)
    for placement in found:
        assert placement.mask == mask(placement.pairs)
        assert placement.chips == len(placement.pairs) == placement.mask.bit_count()
        assert list(placement.pairs) == sorted(placement.pairs, reverse=True)
    assert placements(tuple(sorted(roll)), split) == found, "the order of the dice has no meaning"


def test_dice_of_the_value_are_used_first_and_then_the_nearest_higher_ones() -> None:
    state = position(TWO, (6, 6, 5, 5, 3, 1))
    assert uses(state, Place(0, ((5, 3),))) == (0, 5, 5, 5, 0, 0)
    assert uses(state, Place(0, ((6, 1), (5, 3), (1, 2)))) == (6, 5, 5, 5, 1, 1)


# --- scoring --------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 35)))
def test_score_is_that_of_a_count_by_hand(covered: set[int]) -> None:
    grid = [[value * 6 + count in covered for count in range(6)] for value in range(6)]
    crowns = [TWO.components.crowns()[value * 6 : value * 6 + 6] for value in range(6)]
    expected = sum(crowns[5][n] * grid[5][n] + crowns[n][5] * grid[n][5] for n in range(5)) + 6 * grid[5][5]
    inner = range(5)
    lines = [[(v, c) for c in inner] for v in inner] + [[(v, c) for v in inner] for c in inner]
    lines += [[(n, n) for n in inner], [(n, 4 - n) for n in inner]]
    for line in lines:
        if all(grid[v][c] for v, c in line):
            expected += sum(crowns[v][c] for v, c in line)
    assert score(TWO.config, sum(1 << number for number in covered)) == expected


def test_the_parts_of_the_final_score_add_up_to_it() -> None:
    random = Random(3)
    state: Any = Crowns(3, CrownsOptions(round_limit=25)).start()
    while not state.over:
        assert "settlement" not in marks(state)
        state = state.apply(state.chance().sample(random) if state.actor == CHANCE else state.moves()[-1])
    parts = marks(state)["settlement"]
    assert tuple(sum(points for _, points in seat) for seat in parts) == state.scores()
    assert any(kind == "line" for seat in parts for kind, _ in seat)


# --- turns, rounds, the end -----------------------------------------------------------------------


def test_the_round_is_finished_after_the_last_chip() -> None:
    state = Position(Crowns(3), 1, "place", 1, 7, (0, 0, 0), (4, 1, 2), EXAMPLE)
    holds(state, "place:5,4", actor=CHANCE, seat=2, left=(4, 0, 2))
    end = {"actor": OVER, "phase": "over", "rounds": 8, "scores": (0, 0, 2), "winners": (2,)}
    holds(state, f"place:5,4; {ROLL}; place:2,6", **end)


def test_all_who_tie_win() -> None:
    state = Position(TWO, 1, "place", 1, 9, (1 << field(2, 6), 0), (0, 5), EXAMPLE)
    holds(state, "place:2,6", winners=(0, 1))


def test_round_limit_ends_the_game_after_that_many_complete_rounds() -> None:
    for players in (1, 2):
        state: Any = Crowns(players, CrownsOptions(round_limit=2)).start()
        for turn in range(2 * players):
            assert not state.over
            state = play(state, f"{ROLL}; place:2,{6 - turn}")
        assert state.over and state.rounds == 2
        assert state.scores()[0] == 2, "chips that are left score nothing"


# --- alone ----------------------------------------------------------------------------------------


def test_alone_a_chip_is_discarded_when_nothing_can_be_placed() -> None:
    holds(STUCK, "", moves={"discard:1"})
    holds(STUCK, "discard:1", left=(4,), boards=STUCK.boards, actor=CHANCE)


def test_alone_the_game_ends_when_no_chip_is_left() -> None:
    holds(position(SOLO, STUCK.rolled, STUCK.boards[0], left=1), "discard:1", over=True)
    holds(position(SOLO, EXAMPLE, left=1), "place:2,6", over=True, winners=(0,))


def test_titles_of_the_game_for_one() -> None:
    lowest = {title(score): score for score in range(78, -1, -1)}
    assert lowest.pop("try_again") == 0
    assert [*lowest] == ["genius", "professional", "expert", "advanced", "good_beginner"]
    assert [*lowest.values()] == [40, 36, 31, 26, 21]
