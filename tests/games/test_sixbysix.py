"""6mal6: the course of a round, settling by fields and by streets, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pasch.core.state import CHANCE, OVER
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.games.sixbysix.rules import Position, SixBySix, next_order
from pasch.games.sixbysix.settling import Row, dues, houses, settle, street_worth, streets
from tests.games.rulebook import holds, play, refusal


def settled_round(
    rows: Sequence[Row], chips: Sequence[int], pot: int, bonus: int = 0, by_streets: bool = False
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Who pays and who takes how many chips, and what is in the pot then."""
    order, left = range(len(rows)), [*chips]
    paid = [min(dues(by_streets, rows, order, len(rows), seat), chips[seat]) for seat in order]
    pot = settle(by_streets, bonus, rows, order, len(rows), left, pot)
    return tuple(paid), tuple(left[seat] - chips[seat] + paid[seat] for seat in order), pot


def start(players: int = 2, *, chips: Sequence[int] = (), **options: Any) -> Any:
    """A game before a deal, perhaps with other chips; seats without any are out."""
    state = SixBySix.agree(players, options).start()
    if chips:
        order = tuple(seat for seat in range(players) if chips[seat])
        state = msgspec.structs.replace(state, chips=tuple(chips), order=order, seat=order[0])
    return state


def some(state: Position) -> tuple[int, ...]:
    """Two cards that nobody has seen yet."""
    return tuple(card for card, number in enumerate(state.unseen, 1) for _ in range(number))[:2]


def play_round(state: Any, rows: dict[int, Row]) -> Any:
    """A whole round in which everybody fills the fields from left to right and these rows come out."""
    before = state.rounds
    state = state.apply(Deal(tuple(rows.get(seat, ())[:2] for seat in range(len(state.chips)))))
    while state.rounds == before:
        seat = state.seat
        done = sum(map(bool, state.rows[seat]))
        if state.phase == "card":
            state = state.apply(Card(seat, rows[seat][done], done + 1))
        else:
            needed = rows[seat][2 * done : 2 * done + 2]
            state = state.apply(Draw(seat, needed or some(state)))
    return state


# --- the course of a round ------------------------------------------------------------------------


def test_a_round_begins() -> None:
    # everybody starts with 25 chips; the last seat deals first, so that seat 0 begins
    holds(start(3), "", chips=(25,) * 3, pot=0, actor=CHANCE, phase="deal", order=(0, 1, 2))
    holds(start(3), "deal:1,2/3,4/5,6", actor=0)
    assert start(2).game.config.pack == (9, 9, 9, 10, 10, 10, 9, 9, 9)


def test_a_seat_lays_one_card_of_its_hand_on_one_of_its_empty_fields_and_draws_two() -> None:
    dealt = play(start(), "deal:3,9/1,4")
    lays = {f"card:{card} field:{field}" for card in (3, 9) for field in range(1, 7)}
    holds(dealt, "", moves=lays)
    laid = play(dealt, "card:9 field:6")
    holds(laid, "", rows=((0, 0, 0, 0, 0, 9), (0,) * 6), hands=((3,), (1, 4)))
    holds(laid, "", actor=CHANCE, phase="draw", seat=0)
    holds(laid, "draw:7,2", hands=((2, 3, 7), (1, 4)), actor=1)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("card:8 field:1", "has no 8"),
        ("card:3 field:6", "there is a card on field 6 already"),
        ("draw:1,2", "not what seat 1 has to choose now"),
    ],
)
def test_moves_that_are_refused(event: str, why: str) -> None:
    lays = "card:9 field:6; draw:2,2; card:1 field:1; draw:2,2; card:2 field:2; draw:2,2"
    state = play(start(), f"deal:3,9/1,4; {lays}")
    assert why in refusal(state, event)
    for field in (0, 7):
        refused = state.refusal(Card(0, 3, field))
        assert refused and f"no field {field}" in refused.reason


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (((1, 2), (3, 4)), "cards go to the seats 1 and 3"),
        (((1, 2), (3, 4), (5, 6)), "cards go to the seats 1 and 3"),
        (((1, 2), (), ()), "cards go to the seats 1 and 3"),
        (((None, None), (), (5, 6)), "seat 1’s cards have to be named"),
    ],
)
def test_deals_that_are_refused(deal: Any, why: str) -> None:
    state = start(3, chips=(25, 0, 25))
    refused = state.refusal(Deal(deal))
    assert refused and why in refused.reason
    state.apply(Deal(((1, 2), (), (5, 6))))


def test_passes() -> None:
    """Each begins one seat further left, only seats still in take part, and after the sixth nobody draws."""
    state = start(4, chips=(25, 0, 25, 25)).apply(Deal(((1, 1), (), (2, 2), (3, 3))))
    laid, sizes, draws = [], [], 0
    while state.rounds == 0:
        if state.phase == "card":
            laid.append(state.actor)
            sizes.append(len(state.hands[state.seat]))
            state = state.apply(state.moves()[0])
        else:
            draws += 1
            state = state.apply(Draw(state.seat, some(state)))
    assert laid == [0, 2, 3, 2, 3, 0, 3, 0, 2] * 2
    assert sizes == [size for size in range(2, 8) for _ in range(3)] and draws == 15


@pytest.mark.parametrize(
    ("dealer", "chips", "order"),
    [
        (3, (1, 1, 1, 1), (1, 2, 3, 0)),
        (0, (1, 1, 1, 1), (2, 3, 0, 1)),
        (3, (0, 1, 1, 1), (2, 3, 1)),  # the next dealer would be out
        (3, (1, 1, 1, 0), (1, 2, 0)),  # the old dealer is out
        (1, (1, 0, 0, 1), (0, 3)),
        (0, (0, 1, 0, 1), (3, 1)),
    ],
)
def test_the_dealership_passes_to_the_next_seat_still_in(
    dealer: int, chips: tuple[int, ...], order: tuple[int, ...]
) -> None:
    found = [-1] * 4
    playing = next_order(SixBySix.agree(4).config, dealer, chips, found)
    assert tuple(found[:playing]) == order
    assert order[-1] == next(s % 4 for s in range(dealer + 1, dealer + 5) if chips[s % 4])


def test_the_dealership_moves_after_settling_and_the_cards_stay_until_the_next_deal() -> None:
    rows: dict[int, Row] = {0: (1, 2, 3, 4, 5, 6), 1: (9, 8, 7, 6, 5, 4), 2: (5, 5, 5, 5, 5, 5)}
    state = play_round(start(3), rows)
    # hands that are left over vanish, and the whole pack is dealt again
    holds(state, "", phase="deal", order=(1, 2, 0), rows=tuple(rows.values()), hands=((), (), ()))
    assert state.unseen == state.game.config.pack
    holds(state, "deal:1,2/3,4/5,6", actor=1, rows=((0,) * 6,) * 3)


# --- settling by fields ---------------------------------------------------------------------------

PRINTED = [
    (6, 2, 3, 9, 7, 9),
    (2, 4, 4, 5, 7, 9),
    (1, 5, 4, 7, 6, 6),
    (8, 3, 5, 6, 8, 7),
    (3, 4, 4, 6, 5, 8),
    (4, 2, 3, 6, 7, 7),
]


def test_the_printed_example_of_settling_with_six_players() -> None:
    assert settled_round(PRINTED, [25] * 6, 0, 5) == ((5, 4, 7, 0, 5, 5), (5, 0, 0, 5, 0, 0), 16)
    state = play_round(start(6), dict(enumerate(PRINTED)))
    holds(state, "", chips=(25, 21, 18, 30, 20, 20), pot=16, phase="deal")
    # the pot stays from round to round
    assert play_round(state, dict(enumerate(PRINTED))).pot == 32


def _settled_coin_by_coin(rows: list[Row], chips: list[int], pot: int, bonus: int) -> tuple[list[int], int]:
    """The twin: fields in turn, chip by chip, then the bonus in rounds of one chip for each."""
    purse = list(chips)
    for field in range(1, 7):
        lowest = min(row[field - 1] for row in rows)
        for seat in [seat for seat, row in enumerate(rows) if row[field - 1] == lowest] * field:
            if purse[seat]:
                purse[seat] -= 1
                pot += 1
    sums = [row[0] + row[5] for row in rows]
    best = [seat for seat, its in enumerate(sums) if its == max(sums)]
    for _ in range(bonus):
        if pot >= len(best):
            pot -= len(best)
            for seat in best:
                purse[seat] += 1
    return purse, pot


CARDS = st.integers(1, 9)
ROWS = st.lists(st.tuples(*[CARDS] * 6), min_size=2, max_size=6)


@given(st.data(), ROWS, st.integers(0, 30), st.integers(0, 9))
def test_settling_by_fields_agrees_with_counting_coin_by_coin(
    data: st.DataObject, rows: list[Row], pot: int, bonus: int
) -> None:
    chips = data.draw(st.lists(st.integers(1, 30), min_size=len(rows), max_size=len(rows)))
    paid, taken, left = settled_round(rows, chips, pot, bonus)
    purse = [c - p + t for c, p, t in zip(chips, paid, taken, strict=True)]
    assert (purse, left) == _settled_coin_by_coin(rows, chips, pot, bonus)
    assert sum(purse) + left == sum(chips) + pot


# --- settling by streets --------------------------------------------------------------------------


def test_the_others_pay_a_chip_for_each_house_of_the_winner() -> None:
    none = (9, 9, 9, 1, 1, 1)
    for row, paid in (((1, 2, 3, 9, 9, 9), 3), ((1, 2, 3, 7, 8, 9), 6), ((1, 2, 3, 4, 5, 9), 5)):
        found = settled_round([none, row, none], [25] * 3, 0, by_streets=True)
        assert found == ((paid, 0, paid), (0, paid, 0), paid)


def _twin_streets(row: Row) -> list[tuple[int, ...]]:
    """The twin: all stretches of fields that count up, less those inside a longer one."""
    stretches = [
        (start, end)
        for start, end in product(range(6), range(1, 7))
        if end - start >= 3 and row[start:end] == tuple(range(row[start], row[start] + end - start))
    ]
    return [
        row[start:end]
        for start, end in stretches
        if not any(s <= start and end <= e and (s, e) != (start, end) for s, e in stretches)
    ]


def _twin_beats(one: Row, other: Row) -> bool:
    """The twin: the printed order of worth asked question by question."""
    mine, theirs = _twin_streets(one), _twin_streets(other)
    longest, theirs_longest = max(map(len, mine), default=0), max(map(len, theirs), default=0)
    if longest != theirs_longest:
        return longest > theirs_longest
    if len(mine) != len(theirs):
        return len(mine) > len(theirs)
    highest = [sorted((street[-1] for street in s), reverse=True) for s in (mine, theirs)]
    return highest[0] > highest[1]


#: rows in which streets are frequent: runs with a step now and then
RUNS = st.tuples(*[st.sampled_from([0, 0, 0, 0, 1, 2, 5])] * 6, st.integers(1, 9)).map(
    lambda drawn: tuple((drawn[6] + step + sum(drawn[: step + 1]) - 1) % 9 + 1 for step in range(6))
)


@given(RUNS, RUNS)
def test_streets_and_their_order_agree_with_the_twin(one: Row, other: Row) -> None:
    assert [tuple(one[place] for place in run) for run in streets(one)] == _twin_streets(one)
    assert houses(street_worth(one)) == sum(map(len, _twin_streets(one)))
    assert (street_worth(one) > street_worth(other)) == _twin_beats(one, other)


@given(st.data(), st.lists(RUNS, min_size=2, max_size=6), st.integers(0, 30))
def test_settling_by_streets_agrees_with_the_twin(data: st.DataObject, rows: list[Row], pot: int) -> None:
    chips = data.draw(st.lists(st.integers(1, 30), min_size=len(rows), max_size=len(rows)))
    paid, taken, left = settled_round(rows, chips, pot, by_streets=True)
    best = next(row for row in rows if not any(_twin_beats(other, row) for other in rows))
    due = sum(map(len, _twin_streets(best)))
    for row, pays, takes, had in zip(rows, paid, taken, chips, strict=True):
        beaten = _twin_beats(best, row)
        assert pays == (min(had, due) if beaten else 0)
        assert takes == 0 if beaten else takes <= due
    assert left == pot + sum(paid) - sum(taken) >= 0
    if left >= sum(map(bool, taken)) > 0:
        assert max(taken) == due, "only an empty pot cuts a share"


# --- out, and the end -----------------------------------------------------------------------------

LOW, HIGH = (1, 1, 1, 1, 1, 1), (9, 9, 9, 9, 9, 9)


def test_who_has_no_chips_is_out_and_gets_no_cards() -> None:
    state = play_round(start(3, chips=(25, 5, 25)), {0: HIGH, 1: LOW, 2: (8,) * 6})
    holds(state, "", chips=(30, 0, 25), phase="deal", order=(2, 0))
    holds(state, "deal:1,2/-/3,4", hands=((1, 2), (), (3, 4)), actor=2)
    # that is decided after the bonus: seat 1 pays its last chips, and has the highest sum of fields 1 and 6
    state = play_round(start(chips=(25, 5)), {0: (1, 9, 9, 9, 9, 8), 1: (9, 1, 1, 1, 1, 9)})
    holds(state, "", chips=(18, 5), phase="deal")


def test_the_last_one_with_chips_wins() -> None:
    state = play_round(start(chips=(25, 21)), {0: HIGH, 1: LOW})
    holds(state, "", actor=OVER, phase="over", scores=(30, 0), winners=(0,), moves=set())


def test_the_last_ones_who_run_out_together_share_the_win() -> None:
    """With a bonus somebody always gets a chip back, so it takes a box without. Seat 1 was out before."""
    box: dict[str, Any] = msgspec.to_builtins(SixBySix.agree(4).components)
    state = start(4, chips=(3, 0, 2, 1), components=box | {"bonus": {"chips": 0}})
    state = play_round(state, dict.fromkeys((0, 2, 3), (1, 2, 3, 4, 5, 6)))
    holds(state, "", over=True, scores=(0, 0, 0, 0), winners=(0, 2, 3))


def test_round_limit_ends_the_game_and_most_chips_win() -> None:
    rows: dict[int, Row] = {0: (2,) * 6, 1: (9, 3, 3, 3, 3, 9), 2: (9, 3, 3, 3, 3, 9)}
    state = play_round(start(3, round_limit=2), rows)
    assert not state.over
    holds(play_round(state, rows), "", over=True, rounds=2, scores=(0, 35, 35), winners=(1, 2))


# --- hidden hands ---------------------------------------------------------------------------------

DEALT = play(start(), "deal:3,9/1,4")
DRAWING = play(DEALT, "card:9 field:6")


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_have() -> None:
    state = play(start(3), "deal:3,9/1,4/5,6; card:9 field:6")
    assert state.view(0).hands == ((3,), (None, None), (None, None))
    assert state.view(2).hands == ((None,), (None, None), (5, 6))
    assert state.view(None).hands == ((None,), (None, None), (None, None))
    assert state.view(1).rows == state.rows, "fields are open"


def test_in_a_view_unseen_cards_may_come_and_those_of_others_come_as_backs() -> None:
    state = play(start(), "deal:9,9/9,9; card:9 field:6")
    assert state.chance().probability(Draw(0, (9, 9))) == Fraction(5 * 4, 80 * 79)
    assert state.view(0).unseen == (9, 9, 9, 10, 10, 10, 9, 9, 7)
    assert state.view(0).chance().probability(Draw(0, (9, 9))) == Fraction(7 * 6, 82 * 81)
    view = start().view(0)
    assert view.chance().probability(Deal(((9, 9), (None, None)))) == Fraction(9 * 8, 84 * 83)
    assert view.chance().probability(Deal(((9, 9), (1, 1)))) == 0
    assert start().view(None).chance().outcomes() == ((Deal(((None, None), (None, None))), 1),)
    assert DRAWING.view(1).chance().outcomes() == ((Draw(0, (None, None)), 1),)


@pytest.mark.parametrize(
    ("state", "event", "why"),
    [
        (start().view(0), "deal:3,9/1,4", "hidden in this view"),
        (start().view(0), "deal:?,?/?,?", "have to be named"),
        (DRAWING.view(1), "draw:2,7", "hidden in this view"),
        (DRAWING, "draw:?,?", "have to be named"),
    ],
)
def test_a_view_takes_what_its_seat_sees_and_the_true_state_everything(
    state: Any, event: str, why: str
) -> None:
    assert why in refusal(state, event)


def test_in_a_view_nobody_lays_a_card_that_is_known_to_lie_elsewhere() -> None:
    """All nine 9s can be accounted for by what seat 0 holds and sees, so seat 1 cannot have one."""
    view = play(start(), "deal:9,9/1,4; card:9 field:6; draw:2,7").view(0)
    assert view.moves() == (), "seat 1 is to move, and its hand is hidden"
    view.apply(Card(1, 5, 1))
    known = msgspec.structs.replace(view, unseen=(*view.unseen[:8], 0))
    assert "has no 9" in refusal(known, "card:9 field:1")
