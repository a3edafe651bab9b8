"""6mal6: the course of a round, settling by fields and by streets, and the end of the game."""

from __future__ import annotations

from collections import Counter
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
from pasch.games.sixbysix.rules import Position, SixBySix, next_order, seat_to_lay
from pasch.games.sixbysix.settling import (
    Row,
    Settlement,
    houses,
    settlement,
    street_worth,
    streets,
)


def settle_fields(rows: Sequence[Row], chips: Sequence[int], pot: int, bonus: int) -> Settlement:
    return settlement(False, bonus, rows, chips, pot)


def settle_streets(rows: Sequence[Row], chips: Sequence[int], pot: int) -> Settlement:
    return settlement(True, 0, rows, chips, pot)


def dues(rows: Sequence[Row]) -> tuple[int, ...]:
    return settlement(False, 5, rows, [1000] * len(rows), 0).paid


def start(players: int = 2, *, chips: Sequence[int] = (), pot: int = 0, **options: Any) -> Position:
    """A game before a deal, perhaps with other chips; seats without any are out."""
    state = SixBySix.agree(players, options).start()
    if chips:
        order = tuple(seat for seat in range(players) if chips[seat])
        state = msgspec.structs.replace(state, chips=tuple(chips), pot=pot, order=order, seat=order[0])
    return state


def some(state: Position) -> tuple[int, ...]:
    """Two cards that nobody has seen yet."""
    return tuple(card for card, number in enumerate(state.unseen, 1) for _ in range(number))[:2]


def play(state: Position, rows: dict[int, Row]) -> Position:
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


def test_everybody_starts_with_25_chips_and_an_empty_pot() -> None:
    state = start(6)
    assert state.chips == (25,) * 6 and state.pot == 0
    assert (state.actor, state.phase) == (CHANCE, "deal")


def test_the_last_seat_deals_first_so_that_seat_0_begins() -> None:
    state = start(3)
    assert state.order[-1] == 2
    assert state.apply(Deal(((1, 2), (3, 4), (5, 6)))).actor == 0


def test_a_seat_lays_one_card_of_its_hand_on_one_of_its_empty_fields() -> None:
    state = start().apply(Deal(((3, 9), (1, 4))))
    assert set(state.moves()) == {Card(0, card, field) for card in (3, 9) for field in range(1, 7)}
    state = state.apply(Card(0, 9, 6))
    assert state.rows == ((0, 0, 0, 0, 0, 9), (0,) * 6)
    assert state.hands == ((3,), (1, 4))


def test_a_draw_of_two_follows_each_card_directly() -> None:
    state = start().apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6))
    assert (state.actor, state.phase, state.seat) == (CHANCE, "draw", 0)
    state = state.apply(Draw(0, (7, 2)))
    assert state.hands[0] == (2, 3, 7)
    assert state.actor == 1


def test_there_is_no_drawing_in_the_sixth_pass_and_hands_grow_by_one_each_pass() -> None:
    state = start(3).apply(Deal(((1, 2), (3, 4), (5, 6))))
    laid = draws = 0
    sizes = []
    while state.rounds == 0:
        if state.phase == "card":
            sizes.append(len(state.hands[state.seat]))
            state = state.apply(state.moves()[0])
            laid += 1
        else:
            assert laid <= 15
            draws += 1
            state = state.apply(Draw(state.seat, some(state)))
    assert (laid, draws) == (18, 15)
    assert sizes == [size for size in range(2, 8) for _ in range(3)]


@pytest.mark.parametrize("players", range(2, 7))
def test_each_pass_begins_one_seat_further_left_of_the_dealer_and_goes_clockwise(players: int) -> None:
    order = tuple(range(players))
    laying = [seat_to_lay(order, players, laid) for laid in range(6 * players)]
    for number in range(6):
        one_pass = laying[number * players : (number + 1) * players]
        first = number % players
        assert one_pass == [*range(first, players), *range(first)]


def test_pass_order_counts_only_seats_still_in() -> None:
    state = start(4, chips=(25, 0, 25, 25)).apply(Deal(((1, 1), (), (2, 2), (3, 3))))
    laid = []
    while state.rounds == 0:
        if state.phase == "card":
            laid.append(state.actor)
            state = state.apply(state.moves()[0])
        else:
            state = state.apply(Draw(state.seat, some(state)))
    assert laid == [0, 2, 3, 2, 3, 0, 3, 0, 2] * 2


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
    state = play(start(3), rows)
    assert (state.phase, state.order[-1], state.order) == ("deal", 0, (1, 2, 0))
    assert state.rows == tuple(rows.values())
    assert state.hands == ((), (), ())
    state = state.apply(Deal(((1, 2), (3, 4), (5, 6))))
    assert state.actor == 1
    assert state.rows == ((0,) * 6,) * 3


def test_every_round_is_dealt_from_the_whole_pack() -> None:
    state = play(start(), {0: (9,) * 6, 1: (8,) * 6})
    assert state.unseen == (9, 9, 9, 10, 10, 10, 9, 9, 9) == SixBySix.agree(2).config.pack
    chance = state.chance()
    assert chance.probability(Deal(((9, 9), (9, 9)))) == Fraction(9 * 8 * 7 * 6, 84 * 83 * 82 * 81)


def test_a_draw_comes_from_the_cards_that_lie_nowhere_else() -> None:
    state = start().apply(Deal(((9, 9), (1, 9)))).apply(Card(0, 9, 1))
    assert state.unseen == (8, 9, 9, 10, 10, 10, 9, 9, 6)
    chance = state.chance()
    assert chance.probability(Draw(0, (9, 9))) == Fraction(6 * 5, 80 * 79)
    assert chance.probability(Draw(0, (1, 2))) == Fraction(2 * 8 * 9, 80 * 79)
    assert sum(chance.probability(outcome) for outcome, _ in chance.outcomes()) == 1


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
    assert dues(PRINTED) == (5, 4, 7, 0, 5, 5)
    assert settle_fields(PRINTED, [25] * 6, 0, 5) == Settlement((5, 4, 7, 0, 5, 5), (5, 0, 0, 5, 0, 0), 16)


def test_the_printed_example_played_card_by_card() -> None:
    state = play(start(6), dict(enumerate(PRINTED)))
    assert state.chips == (25, 21, 18, 30, 20, 20)
    assert state.pot == 16
    assert state.phase == "deal"


def test_the_pot_stays_from_round_to_round() -> None:
    state = play(start(6), dict(enumerate(PRINTED)))
    state = play(state, dict(enumerate(PRINTED)))
    assert state.pot == 32
    assert sum(state.chips) + state.pot == 150


def _settled_coin_by_coin(rows: list[Row], chips: list[int], pot: int, bonus: int) -> tuple[list[int], int]:
    """The twin: fields in turn, chip by chip, then the bonus in rounds of one chip for each."""
    purse = list(chips)
    for field in range(1, 7):
        ranked = sorted(range(len(rows)), key=lambda seat: rows[seat][field - 1])
        for seat in ranked:
            if rows[seat][field - 1] > rows[ranked[0]][field - 1]:
                break
            for _ in range(field):
                if purse[seat]:
                    purse[seat] -= 1
                    pot += 1
    best: list[int] = []
    for seat, row in enumerate(rows):
        if not best or row[0] + row[5] > rows[best[0]][0] + rows[best[0]][5]:
            best = [seat]
        elif row[0] + row[5] == rows[best[0]][0] + rows[best[0]][5]:
            best.append(seat)
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
    settled = settle_fields(rows, chips, pot, bonus)
    purse = [c - p + t for c, p, t in zip(chips, settled.paid, settled.taken, strict=True)]
    assert (purse, settled.pot) == _settled_coin_by_coin(rows, chips, pot, bonus)
    assert sum(purse) + settled.pot == sum(chips) + pot


# --- settling by streets --------------------------------------------------------------------------


def test_the_order_of_worth_of_streets() -> None:
    """Each row beats all rows after it."""
    ranked = [
        (4, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 5, 6),
        (9, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 5, 5),
        (1, 1, 6, 7, 8, 9),
        (1, 2, 3, 4, 1, 1),
        (7, 8, 9, 7, 8, 9),
        (7, 8, 9, 2, 3, 4),
        (1, 2, 3, 7, 8, 9),
        (6, 7, 8, 6, 7, 8),
        (1, 2, 3, 1, 2, 3),
        (7, 8, 9, 1, 1, 1),
        (1, 1, 1, 1, 2, 3),
        (9, 8, 7, 6, 5, 4),
    ]
    worths = [street_worth(row) for row in ranked]
    assert worths == sorted(set(worths), reverse=True)


@pytest.mark.parametrize(
    ("row", "paid"),
    [
        ((1, 2, 3, 9, 9, 9), 3),
        ((1, 2, 3, 7, 8, 9), 6),
        ((1, 2, 3, 4, 9, 9), 4),
        ((1, 2, 3, 4, 5, 9), 5),
        ((1, 2, 3, 4, 5, 6), 6),
    ],
)
def test_the_others_pay_as_many_chips_as_the_winner_has_houses(row: Row, paid: int) -> None:
    none = (9, 9, 9, 1, 1, 1)
    assert settle_streets([none, row, none], [25] * 3, 0) == Settlement((paid, 0, paid), (0, paid, 0), paid)


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
    settled = settle_streets(rows, chips, pot)
    for row, paid, taken, had in zip(rows, settled.paid, settled.taken, chips, strict=True):
        beaten = any(_twin_beats(other, row) for other in rows)
        houses = sum(
            map(len, _twin_streets(next(r for r in rows if not any(_twin_beats(o, r) for o in rows))))
        )
        assert paid == (min(had, houses) if beaten else 0)
        assert taken == 0 if beaten else taken <= houses
    full = pot + sum(settled.paid)
    shares = Counter(settled.taken)
    assert settled.pot == full - sum(settled.taken) >= 0
    if settled.pot >= len([t for t in settled.taken if t]) > 0:
        assert max(shares) in (0, 3, 4, 5, 6), "only an empty pot cuts a share"


# --- out, and the end -----------------------------------------------------------------------------

LOW, HIGH = (1, 1, 1, 1, 1, 1), (9, 9, 9, 9, 9, 9)


def test_who_has_no_chips_is_out_and_gets_no_cards() -> None:
    state = play(start(3, chips=(25, 5, 25)), {0: HIGH, 1: LOW, 2: (8,) * 6})
    assert state.chips == (30, 0, 25)
    assert (state.phase, state.order) == ("deal", (2, 0))
    state = state.apply(Deal(((1, 2), (), (3, 4))))
    assert state.hands == ((1, 2), (), (3, 4))
    assert state.actor == 2


def test_who_is_out_is_decided_after_the_bonus() -> None:
    """Seat 1 pays its last chips and gets some back, because fields 1 and 6 are the highest sum."""
    state = play(start(chips=(25, 5)), {0: (1, 9, 9, 9, 9, 8), 1: (9, 1, 1, 1, 1, 9)})
    assert state.chips == (18, 5)
    assert state.phase == "deal"


def test_the_last_one_with_chips_wins() -> None:
    state = play(start(chips=(25, 21)), {0: HIGH, 1: LOW})
    assert (state.actor, state.phase) == (OVER, "over")
    assert state.scores() == (30, 0)
    assert state.winners() == (0,)
    assert state.moves() == ()


def test_the_last_ones_who_run_out_together_share_the_win() -> None:
    """With a bonus somebody always gets a chip back, so it takes a box without. Seat 1 was out before."""
    game = SixBySix.agree(4, {"components": _without_bonus()})
    state = msgspec.structs.replace(game.start(), chips=(3, 0, 2, 1), order=(0, 2, 3))
    state = play(state, dict.fromkeys((0, 2, 3), (1, 2, 3, 4, 5, 6)))
    assert state.over
    assert state.scores() == (0, 0, 0, 0)
    assert state.winners() == (0, 2, 3)


def _without_bonus() -> dict[str, Any]:
    components: dict[str, Any] = msgspec.to_builtins(SixBySix.agree(4).components)
    return components | {"bonus": {"chips": 0, "provenance": "seen"}}


def test_round_limit_ends_the_game_and_most_chips_win() -> None:
    rows: dict[int, Row] = {0: (2,) * 6, 1: (9, 3, 3, 3, 3, 9), 2: (9, 3, 3, 3, 3, 9)}
    state = play(start(3, round_limit=2), rows)
    assert not state.over
    state = play(state, rows)
    assert state.over
    assert state.rounds == 2
    assert state.scores() == (0, 35, 35)
    assert state.winners() == (1, 2)
