"""The rules of Crowns, one test per rule; the examples of the rulebook; twins written differently."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pasch.core.chance import rolls
from pasch.core.errors import IllegalMove
from pasch.core.state import CHANCE, OVER
from pasch.games.crowns.box import EDGE, LINES, Pairs, field, mask, title
from pasch.games.crowns.rules import Crowns, CrownsOptions, Discard, Place, Position, Roll, score
from pasch.games.crowns.ways import placements

EXAMPLE = (6, 6, 5, 5, 3, 2)
FULL = (1 << 36) - 1

SOLO = Crowns(1)
SOLO_TWO = Crowns(1, CrownsOptions(solo_minimum=2))
TWO = Crowns(2)
TWO_SPLIT = Crowns(2, CrownsOptions(split=True))


def position(
    game: Crowns, roll: tuple[int, ...], board: int = 0, left: int = 18, seat: int = 0
) -> Position:
    """`seat` has rolled and is about to place; the others have nothing placed."""
    boards = [0] * game.players
    chips = [18] * game.players
    boards[seat], chips[seat] = board, left
    return Position(game, seat, "place", seat, 0, tuple(boards), tuple(chips), roll)


def allows(
    game: Crowns, roll: tuple[int, ...], *pairs: tuple[int, int], board: int = 0, left: int = 18
) -> bool:
    """Whether the pairs are a legal placement; `moves` and `apply` have to agree on it."""
    state = position(game, roll, board, left)
    try:
        state.apply(Place(0, pairs))
        accepted = True
    except IllegalMove:
        accepted = False
    assert (Place(0, pairs) in state.moves()) == accepted
    return accepted


def refusal(state: Position, *pairs: tuple[int, int]) -> str:
    with pytest.raises(IllegalMove) as caught:
        state.apply(Place(state.seat, pairs))
    return caught.value.reason


# --- the rulebook's examples ----------------------------------------------------------------------


def test_example_dice_as_they_lie_with_one_left_unused() -> None:
    after = position(TWO, EXAMPLE).apply(Place(0, ((6, 2), (5, 2), (3, 1))))
    assert after.boards[0] == mask(((6, 2), (5, 2), (3, 1)))
    assert after.left == (15, 18)


def test_example_a_five_dice_lowered_to_2() -> None:
    assert allows(TWO, EXAMPLE, (2, 6))
    assert score(TWO.config, mask(((2, 6),))) == 2, "an edge field always scores"


def test_example_b_four_high_dice_lowered_to_3() -> None:
    assert allows(TWO, EXAMPLE, (3, 5))
    assert TWO.components.crowns()[field(3, 5)] == 4
    assert not allows(TWO, EXAMPLE, (3, 6)), "the 2 cannot be raised"


def test_example_c_sixes_to_fives_and_the_three_to_2() -> None:
    assert allows(TWO, EXAMPLE, (5, 4), (2, 2))


def test_example_d_one_six_lowered_the_rest_as_rolled() -> None:
    assert allows(TWO, EXAMPLE, (6, 1), (5, 3), (3, 1), (2, 1))


def test_example_of_scoring_8_at_the_edge_and_18_in_lines() -> None:
    edge = ((3, 6), (6, 4), (6, 1))
    row = tuple((2, count) for count in range(1, 6))
    diagonal = tuple((value, value) for value in range(1, 6))
    others = ((1, 2), (3, 4), (4, 5), (5, 1))
    assert [score(TWO.config, mask(part)) for part in (edge, row, diagonal, others)] == [8, 6, 12, 0]
    assert score(TWO.config, mask(edge + row + diagonal + others)) == 26


# --- what is refused, in words; the twin below says what is legal ------------------------------------


@pytest.mark.parametrize(
    ("state", "pairs", "said"),
    [
        (position(TWO, (6, 6, 6, 6, 6, 4)), ((5, 1),), "no die shows 5"),
        (position(TWO, (6, 1, 1, 1, 1, 1)), ((6, 2),), "this needs 2 sixes; you have 1"),
        (
            position(TWO, (5, 5, 3, 2, 1, 1)),
            ((5, 2), (3, 2)),
            "this needs 4 dice that show 3 or more; you have 3",
        ),
        (
            position(TWO, (3, 3, 3, 3, 2, 1)),
            ((3, 3), (3, 1)),
            "only one chip for each number: the 3 is used twice",
        ),
        (
            position(TWO_SPLIT, (3, 3, 3, 3, 2, 1)),
            ((3, 2), (3, 2)),
            "2× in the row of 3 is named twice",
        ),
        (position(TWO, EXAMPLE, mask(((3, 5),))), ((3, 5),), "5× in the row of 3 is covered already"),
        (position(TWO, EXAMPLE, left=1), ((6, 1), (5, 1)), "you have only one chip left"),
        (position(SOLO, EXAMPLE), (), "you have to place at least one chip"),
        (position(SOLO_TWO, EXAMPLE), ((5, 4),), "you have to place at least 2 chips"),
        (position(SOLO, (3,) * 6, 0b111111 << 12), (), "no chip fits, so you lose one"),
    ],
)
def test_placements_are_refused_in_words(state: Position, pairs: Pairs, said: str) -> None:
    assert refusal(state, *pairs) == said


@pytest.mark.parametrize(
    ("game", "said"), [(TWO, "only when you play alone"), (SOLO, "only when no chip fits")]
)
def test_a_chip_is_lost_only_when_one_has_to_be(game: Crowns, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        position(game, EXAMPLE).apply(Discard(0))


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
few_fields = st.sets(st.integers(0, 35)).map(lambda fields: sum(1 << number for number in fields))
a_board = few_fields | few_fields.map(lambda board: FULL & ~board)


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


def twin_legal(game: Crowns, roll: tuple[int, ...], board: int, left: int) -> set[Pairs]:
    """The legal placements, by the words of the rules; empty when a chip has to be discarded."""
    possible = {
        pairs
        for pairs in twin_placements(roll, game.options.split)
        if len(pairs) <= left and not any(board >> (6 * value + count - 7) & 1 for value, count in pairs)
    }
    if game.players > 1:
        return possible
    two = {pairs for pairs in possible if len(pairs) >= 2}
    if game.options.solo_minimum == 2 and two:
        return two
    return possible - {()}


a_game = st.builds(
    lambda players, minimum, split: Crowns(players, CrownsOptions(solo_minimum=minimum, split=split)),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2]),
    st.booleans(),
)
some_pairs = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=4)


@given(a_game, a_roll, a_board, st.integers(1, 18), some_pairs)
@settings(max_examples=120, deadline=None)
def test_moves_are_what_the_rules_allow_and_apply_accepts_no_other(
    game: Crowns, roll: tuple[int, ...], board: int, left: int, pairs: list[tuple[int, int]]
) -> None:
    state = position(game, roll, board, left)
    legal = twin_legal(game, roll, board, left)
    moves = state.moves()
    assert len(set(moves)) == len(moves)
    assert {move.place for move in moves if isinstance(move, Place)} == legal
    assert (Discard(0) in moves) == (not legal)
    for move in moves:
        assert state.apply(move).left[0] == left - (len(move.place) if isinstance(move, Place) else 1)
    tried = Place(0, tuple(pairs))
    for event in (tried, Place(0, ()), Discard(0)):
        if event not in moves:
            with pytest.raises(IllegalMove):
                state.apply(event)


# --- scoring --------------------------------------------------------------------------------------


def test_lines_have_the_totals_of_the_default_board() -> None:
    totals = {line: score(TWO.config, line) for line in LINES}
    assert list(totals.values()) == [3, 6, 10, 15, 20, 3, 6, 10, 15, 20, 12, 10]
    assert not any(line >> edge & 1 for line in LINES for edge in EDGE), "the edge is part of no line"


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


# --- turns, rounds, the end -----------------------------------------------------------------------


def test_a_turn_is_one_roll_and_one_placement_in_seat_order() -> None:
    game = Crowns(3)
    state: Any = game.start()
    for seat in (0, 1, 2, 0):
        assert (state.actor, state.seat, state.phase) == (CHANCE, seat, "roll")
        state = state.apply(Roll(seat, EXAMPLE))
        assert (state.actor, state.phase) == (seat, "place")
        state = state.apply(Place(seat, ()))
    assert state.rounds == 1


def test_the_round_is_finished_after_the_last_chip() -> None:
    game = Crowns(3)
    state = Position(game, 1, "place", 1, 7, (0, 0, 0), (4, 1, 2), EXAMPLE)
    state = state.apply(Place(1, ((5, 4),)))
    assert (state.actor, state.seat, state.left) == (CHANCE, 2, (4, 0, 2)), "the last seat has its turn"
    state = state.apply(Roll(2, EXAMPLE)).apply(Place(2, ((2, 6),)))
    assert (state.actor, state.phase, state.rounds) == (OVER, "over", 8)
    assert state.scores() == (0, 0, 2)
    assert state.winners() == (2,)


def test_all_who_tie_win() -> None:
    state = Position(TWO, 1, "place", 1, 9, (1 << field(2, 6), 0), (0, 5), EXAMPLE)
    assert state.apply(Place(1, ((2, 6),))).winners() == (0, 1)


def test_round_limit_ends_the_game_after_that_many_complete_rounds() -> None:
    for players in (1, 2):
        state: Any = Crowns(players, CrownsOptions(round_limit=2)).start()
        for turn in range(2 * players):
            assert not state.over
            seat = turn % players
            state = state.apply(Roll(seat, EXAMPLE)).apply(Place(seat, ((2, 6 - turn),)))
        assert state.over
        assert state.rounds == 2
        assert state.scores()[0] == 2, "chips that are left score nothing"


# --- alone ----------------------------------------------------------------------------------------


def test_alone_a_chip_is_discarded_when_nothing_can_be_placed() -> None:
    stuck = position(SOLO, (3, 3, 3, 3, 3, 3), board=0b111111 << 12, left=5)
    assert stuck.moves() == (Discard(0),)
    after = stuck.apply(Discard(0))
    assert (after.left, after.boards, after.actor) == ((4,), stuck.boards, CHANCE)


def test_alone_the_game_ends_when_no_chip_is_left() -> None:
    stuck = position(SOLO, (3, 3, 3, 3, 3, 3), board=0b111111 << 12, left=1)
    assert stuck.apply(Discard(0)).over
    last = position(SOLO, EXAMPLE, left=1).apply(Place(0, ((2, 6),)))
    assert (last.over, last.winners()) == (True, (0,))


def test_titles_of_the_game_for_one() -> None:
    lowest = {title(score): score for score in range(78, -1, -1)}
    assert lowest == {
        "genius": 40, "professional": 36, "expert": 31, "advanced": 26, "good_beginner": 21, "try_again": 0,
    }  # fmt: skip
