"""6mal6 around the rules: what is refused, events, hidden hands, boxes, the beginner, the board."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from rich.console import Console

from pasch.core.errors import ComponentError, IllegalMove, IllegalOutcome
from pasch.games.sixbysix import terminal as board
from pasch.games.sixbysix.beginner import heuristic
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.games.sixbysix.rules import Position, SixBySix
from pasch.games.sixbysix.settling import Row
from tests.games.test_sixbysix import play, start

# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Card(0, 8, 1), "has no 8"),
        (Card(0, 3, 6), "there is a card on field 6 already"),
        (Card(0, 3, 0), "no field 0"),
        (Card(0, 3, 7), "no field 7"),
        (Card(1, 1, 1), "seat 1’s turn"),
        (Draw(0, (1, 2)), "not what seat 1 has to choose now"),
    ],
)
def test_moves_that_are_refused(move: Card | Draw, why: str) -> None:
    state = start().apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6)).apply(Draw(0, (2, 2)))
    state = state.apply(Card(1, 1, 1)).apply(Draw(1, (2, 2)))
    state = state.apply(Card(1, 2, 2)).apply(Draw(1, (2, 2)))
    with pytest.raises(IllegalMove, match=why):
        state.apply(move)


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
    with pytest.raises(IllegalOutcome, match=why):
        state.apply(Deal(deal))
    state.apply(Deal(((1, 2), (), (5, 6))))


def test_the_true_state_refuses_hidden_cards_and_the_wrong_seat() -> None:
    state = start().apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6))
    with pytest.raises(IllegalOutcome, match="have to be named"):
        state.apply(Draw(0, (None, None)))
    with pytest.raises(IllegalOutcome, match="first seat 1’s dice"):
        state.apply(Draw(1, (2, 7)))


# --- events ---------------------------------------------------------------------------------------


def test_order_within_a_hand_or_a_draw_has_no_meaning() -> None:
    assert Draw(0, (7, 2)) == Draw(0, (2, 7))
    assert Deal(((9, 3), (4, 1))) == Deal(((3, 9), (1, 4)))
    assert Deal(((3, 9), (1, 4))) != Deal(((1, 4), (3, 9)))


# --- hidden hands ---------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_have() -> None:
    state = start(3).apply(Deal(((3, 9), (1, 4), (5, 6)))).apply(Card(0, 9, 6))
    assert state.view(0).hands == ((3,), (None, None), (None, None))
    assert state.view(2).hands == ((None,), (None, None), (5, 6))
    assert state.view(None).hands == ((None,), (None, None), (None, None))
    assert state.view(1).rows == state.rows, "fields are open"


def test_a_deal_or_draw_shows_the_others_only_backs() -> None:
    deal, draw = Deal(((3, 9), (), (1, 4))), Draw(1, (2, 7))
    assert deal.view(2) == Deal(((None, None), (), (1, 4)))
    assert deal.view(None) == Deal(((None, None), (), (None, None)))
    assert (draw.view(1), draw.view(0), draw.view(None)) == (draw, *[Draw(1, (None, None))] * 2)
    assert Card(1, 9, 6).view(0) == Card(1, 9, 6)


def test_hands_left_over_vanish_when_the_round_is_settled() -> None:
    state = play(start(), {0: (9,) * 6, 1: (8,) * 6})
    assert state.phase == "deal"
    assert state.hands == ((), ())


def test_in_a_view_the_cards_to_come_are_all_that_the_seat_has_not_seen() -> None:
    state = start().apply(Deal(((9, 9), (9, 9)))).apply(Card(0, 9, 6))
    assert state.chance().probability(Draw(0, (9, 9))) == Fraction(5 * 4, 80 * 79)
    assert state.view(0).unseen == (9, 9, 9, 10, 10, 10, 9, 9, 7)
    assert state.view(0).chance().probability(Draw(0, (9, 9))) == Fraction(7 * 6, 82 * 81)


def test_in_a_view_another_seats_cards_come_as_backs_only() -> None:
    state = start()
    view = state.view(0)
    assert view.chance().probability(Deal(((9, 9), (None, None)))) == Fraction(9 * 8, 84 * 83)
    assert view.chance().probability(Deal(((9, 9), (1, 1)))) == 0
    assert state.view(None).chance().outcomes() == ((Deal(((None, None), (None, None))), 1),)
    drawing = state.apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6)).view(1)
    assert drawing.chance().outcomes() == ((Draw(0, (None, None)), 1),)


def test_a_view_refuses_what_its_seat_cannot_be_told() -> None:
    state = start()
    with pytest.raises(IllegalOutcome, match="hidden in this view"):
        state.view(0).apply(Deal(((3, 9), (1, 4))))
    with pytest.raises(IllegalOutcome, match="have to be named"):
        state.view(0).apply(Deal(((None, None), (None, None))))
    drawing = state.apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6))
    with pytest.raises(IllegalOutcome, match="hidden in this view"):
        drawing.view(1).apply(Draw(0, (2, 7)))


def test_in_a_view_nobody_lays_a_card_that_is_known_to_lie_elsewhere() -> None:
    """All nine 9s can be accounted for by what seat 0 holds and sees, so seat 1 cannot have one."""
    state = start().apply(Deal(((9, 9), (1, 4))))
    view = msgspec.structs.replace(state.apply(Card(0, 9, 6)).apply(Draw(0, (2, 7))).view(0))
    assert view.moves() == (), "seat 1 is to move, and its hand is hidden"
    view.apply(Card(1, 5, 1))
    known = msgspec.structs.replace(view, unseen=(*view.unseen[:8], 0))
    with pytest.raises(IllegalMove, match="has no 9"):
        known.apply(Card(1, 9, 1))


# --- the box --------------------------------------------------------------------------------------


def box(**changes: Any) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(msgspec.json.encode(SixBySix.agree(2).components))
    return written | changes


def deck(*numbers: int) -> list[dict[str, Any]]:
    return [{"card": card, "number": n, "provenance": "seen"} for card, n in enumerate(numbers, 1)]


def test_the_pack_has_84_cards() -> None:
    game = SixBySix.agree(6)
    assert sum(game.config.pack) == 84
    assert game.config.pack == (9, 9, 9, 10, 10, 10, 9, 9, 9)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"start": {"chips": 0}}, "start.chips"),
        ({"start": {"chips": 1001}}, "start.chips"),
        ({"bonus": {"chips": -1}}, "bonus.chips"),
        ({"deck": deck(10, 10, 10, 10, 10, 10, 10, 10, 10, 1)}, "deck[9].card"),
        ({"deck": deck(20, -1, 20)}, "deck[1].number"),
        ({"deck": [*deck(20, 20), *deck(20)]}, "deck[2].card"),
        ({"deck": deck(10, 10, 3)}, "deck"),
    ],
)
def test_a_box_that_cannot_be_played_is_refused(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(ComponentError) as caught:
        SixBySix.agree(2, {"components": box(**changes)})
    assert caught.value.place == place


def test_twelve_cards_for_each_player_are_enough() -> None:
    components = box(deck=deck(0, 0, 36))
    SixBySix.agree(3, {"components": components})
    with pytest.raises(ComponentError, match="48 cards are needed, not 36"):
        SixBySix.agree(4, {"components": components})


def test_the_rules_follow_a_box_of_ones_own() -> None:
    own = box(start={"chips": 30}, bonus={"chips": 7}, deck=deck(6, 6, 6, 0, 0, 0, 0, 0, 6))
    state = start(2, components=own)
    assert state.unseen == (6, 6, 6, 0, 0, 0, 0, 0, 6)
    with pytest.raises(IllegalOutcome):
        state.apply(Deal(((4, 1), (2, 2))))
    state = play(state, {0: (1, 1, 1, 1, 1, 1), 1: (9, 2, 2, 2, 2, 9)})
    assert state.chips == (9, 37)


# --- the greedy player ----------------------------------------------------------------------------


def greedy_looks(view: Position) -> list[float]:
    """How good each move looks to the greedy player."""
    return [heuristic(view.game.config, view.unpack(), code) for code in view.codes()]


def choice(state: Position) -> Card:
    """What the greedy player does in the seat's place."""
    view = state.view(state.actor)
    looks = greedy_looks(view)
    move = view.moves()[looks.index(max(looks))]
    assert isinstance(move, Card)
    return move


def late(mine: Row, hand: tuple[int, ...], theirs: Row, **options: Any) -> Position:
    """Seat 1 fills its row with its last card after everybody else."""
    state = start(**options).apply(Deal(((1, 1), (1, 1))))
    return msgspec.structs.replace(
        state, actor=1, seat=1, laid=11, hands=((1, 1), hand), rows=(theirs, mine)
    )


def test_greedy_lays_high_cards_on_dear_fields_and_low_ones_on_cheap_fields() -> None:
    assert choice(start().apply(Deal(((9, 9), (1, 4))))).field >= 4
    assert choice(start(3).apply(Deal(((1, 1), (1, 4), (2, 2))))).field <= 3


def test_greedy_does_not_pay_where_it_need_not() -> None:
    """The 4 is lower than the card there, the 6 is not."""
    state = late((9, 9, 9, 9, 0, 1), (2, 4, 6), (9, 9, 9, 9, 5, 9))
    assert choice(state).card == 6


def test_greedy_takes_the_bonus_when_it_can() -> None:
    """Field 1 costs nothing with the 3 either, but only the 8 brings the highest sum."""
    state = late((0, 9, 9, 9, 9, 7), (3, 8), (2, 1, 1, 1, 1, 9))
    assert choice(state).card == 8
    state = late((0, 9, 9, 9, 9, 8), (1, 8), (9, 1, 1, 1, 1, 6))
    assert choice(state).card == 8


def test_greedy_finishes_the_longer_street() -> None:
    state = late((0, 2, 3, 4, 9, 9), (1, 8), (1, 1, 1, 1, 1, 1), streets=True)
    assert choice(state).card == 1


@pytest.mark.parametrize("streets", [False, True])
def test_greedy_looks_at_its_own_hand_only(streets: bool) -> None:
    one = start(3, streets=streets).apply(Deal(((3, 9), (1, 4), (5, 6))))
    other = start(3, streets=streets).apply(Deal(((3, 9), (9, 9), (8, 8))))
    assert greedy_looks(one.view(0)) == greedy_looks(other.view(0))


# --- the terminal board ---------------------------------------------------------------------------


def drawn(state: Position) -> str:
    console = Console(width=80, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(board.draw(state))
    return capture.get()


def test_the_board_hides_the_hands_of_others_and_fits_into_80_columns() -> None:
    state = start(6).apply(Deal(((3, 9), (1, 4), (5, 6), (7, 7), (8, 8), (2, 2)))).apply(Card(0, 9, 6))
    text = drawn(state.view(1))
    assert "?? ??" in text and "1 4" in text and "5 6" not in text
    assert "pass 1 of 6" in text and "Player 6 dealt" in text
    crowded = msgspec.structs.replace(state.view(1), hands=((None,) * 7,) * 6)
    assert "?? ?? ?? ?? ?? ?? ??" in drawn(crowded), "a full hand is not cut off"


def test_the_board_marks_what_decided_the_round() -> None:
    state = play(start(), {0: (9,) * 6, 1: (1, 1, 1, 1, 1, 1)})
    assert drawn(state).count("!") == 6 + 1
    state = play(start(streets=True), {0: (1, 2, 3, 4, 9, 9), 1: (9, 9, 9, 1, 1, 1)})
    assert drawn(state).count("!") == 4 + 1
    assert "Player 1 deals round 2" in drawn(state)


def test_the_board_tells_what_happens() -> None:
    state = start()
    deal = Deal(((3, 8), (1, 4)))
    assert board.tell(state.view(1), deal.view(1)) == "Round 1: Player 2 deals; Player 2 gets 1 and 4"
    assert board.tell(state.view(None), deal.view(None)) == "Round 1: Player 2 deals 2 cards to everybody"
    state = state.apply(deal)
    assert board.tell(state, Card(0, 8, 6)) == "Player 1 lays 8 on field 6"
    state = state.apply(Card(0, 8, 6))
    assert board.tell(state, Draw(0, (2, 7))) == "Player 1 draws 2 and 7"
    assert board.tell(state.view(1), Draw(0, (None, None))) == "Player 1 draws 2 cards"


def test_the_board_tells_how_a_round_is_settled() -> None:
    state = late((9, 9, 9, 9, 9, 0), (1, 9), (8, 8, 8, 8, 8, 8))
    said = board.tell(state, Card(1, 1, 6))
    assert said == (
        "Player 2 lays 1 on field 6. Round 1 is settled: Player 1 pays 15, Player 2 pays 6, "
        "Player 1 takes 5. In the pot: 16"
    )
    broke = msgspec.structs.replace(state, chips=(25, 4))
    assert "Player 2 pays 4" in board.tell(broke, Card(1, 1, 6))
    assert "Player 2 is out" in board.tell(broke, Card(1, 1, 6))
    houses = board.tell(late((2, 3, 4, 5, 6, 0), (1, 9), (8,) * 6, streets=True), Card(1, 1, 6))
    assert "Player 1 pays 5, Player 2 takes 5 (a street for 5 chips)" in houses


def test_moves_are_listed_by_card_and_say_what_lies_there() -> None:
    state = start().apply(Deal(((3, 9), (1, 4)))).apply(Card(0, 9, 6)).apply(Draw(0, (2, 7)))
    assert {board.heading(move) for move in state.moves()} == {"Lay the 1", "Lay the 4"}
    assert board.label(state.view(1), Card(1, 4, 6)) == "4 on field 6 (there: 9)"
    assert board.label(state.view(1), Card(1, 4, 5)) == "4 on field 5"


# --- the texts ------------------------------------------------------------------------------------


def test_a_box_of_ones_own_says_how_many_cards_it_has() -> None:
    assert list(map(str, SixBySix.agree(2).components.totals())) == ["84 cards in all"]
