"""What the terminal and pictures show of the games besides the golden games (tests/playthroughs)."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from rich.console import Console

from pasch.core.errors import PaschError
from pasch.core.rules import mask_of
from pasch.terminal.board import find_board
from tests.games.rulebook import after, play
from tests.games.test_boxes import written_box

EXAMPLE = "roll:6,6,5,5,3,2"
FULL = (1 << 36) - 1


def crowns(players: int = 2, board: int = 0, left: int = 18) -> Any:
    state = after("crowns", players, EXAMPLE)
    others = (state.boards[1:], state.left[1:])
    return msgspec.structs.replace(state, boards=(board, *others[0]), left=(left, *others[1]))


def lines(covered: tuple[int, ...], other: tuple[int, ...] = (), **options: Any) -> Any:
    masks = mask_of(covered), mask_of(other)
    return msgspec.structs.replace(after("lines", 2, "plan:1", **options), covered=masks)


# --- moves and events that no golden game has -------------------------------------------------------------

DEALT_ONE = after("sixbysix", 2, "deal:3,9/1,4; card:9 field:6")
COVERING = play(lines((3, 7, 8, 10, 1, 11, 12)), "roll:2,3,5")
MENU = [
    (crowns(), "place:-", "Place nothing"),
    (crowns(), "place:2,6", "6x2 (+2 points)"),
    (crowns(1, FULL), "discard:1", "Lose a chip"),
    (after("joker1", 2, "roll:6,6,6"), "push:-", "Push nothing"),
    (after("joker2", 2, "roll:3,3"), "push:?", "Roll again"),
    (after("joker2", 2, "roll:4,2"), "push:3 how:4*2-5", "4×2−5 = 3"),
    (COVERING, "cover:2/5", "2, 5: 1 line"),
    (COVERING, "cover:-", "nothing"),
]


@pytest.mark.parametrize(("state", "move", "listed"), MENU)
def test_moves_in_the_menu(state: Any, move: str, listed: str) -> None:
    assert find_board(state.game.id).label(state, state.read(move)) == listed


DESCRIBED = [
    (crowns(1, FULL, left=1), "discard:1", "Player 1 can place nothing and loses a chip"),
    (play(lines((3, 7, 8, 10)), "roll:2,3,5"), "cover:-", "Player 1 covers nothing: out of the round"),
    (after("sixbysix", 2).view(None), "deal:?,?/?,?", "The cards are dealt"),
    (after("sixbysix", 2).view(1), "deal:?,?/1,4", "The cards are dealt: Player 2 1 and 4"),
    (DEALT_ONE.view(1), "draw:?,?", "Player 1 draws two cards"),
]


@pytest.mark.parametrize(("state", "event", "said"), DESCRIBED)
def test_events_in_words(state: Any, event: str, said: str) -> None:
    assert find_board(state.game.id).tell(state, state.read(event)) == said


# --- drawings -------------------------------------------------------------------------------------------


def test_a_board_of_crowns_with_many_crowns_still_fits() -> None:
    box = written_box("crowns")
    box["rows"][0]["crowns"] = [20] * 6
    screen = Console(width=80)
    with screen.capture() as captured:
        screen.print(find_board("crowns").draw(after("crowns", 6, components=box)))
    assert captured.get().count("1 100→ 20° 20° 20° 20° 20° |  20") == 6


def test_the_end_of_a_game_of_crowns_for_one_names_the_title() -> None:
    over = str(play(crowns(1, left=1), "place:2,6")).splitlines()[0]
    assert over.startswith("The game is over. Better luck with the next game. Better than 0 of 100")


def test_the_picture_of_crowns_has_the_sixes_on_top() -> None:
    drawn = after("crowns", 1)._repr_svg_()
    rows = {int(field): int(y) for y, field in re.findall(r'y="(\d+)" font-size="10"[^>]*>(\d+)<', drawn)}
    assert len(rows) == 36
    assert rows[36] == rows[31] < rows[30] < rows[6] == rows[1], "field 31 is 1x of the sixes"


def test_sixbysix_hides_the_hands_of_others() -> None:
    state = after("sixbysix", 6, "deal:3,9/1,4/5,6/7,7/8,8/2,2; card:9 field:6")
    text = str(state.view(1))
    assert "?? ??" in text and "1 4" in text and "5 6  " not in text
    assert "pass 1 of 6" in text and "Player 6 dealt" in text
    crowded = str(msgspec.structs.replace(state.view(1), hands=((None,) * 7,) * 6))
    assert "?? ?? ?? ?? ?? ?? ??" in crowded and max(map(len, crowded.splitlines())) <= 80


def test_sixbysix_marks_the_lowest_cards_of_a_round_that_is_settled() -> None:
    state = msgspec.structs.replace(after("sixbysix", 2), rows=((9,) * 6, (1,) * 6), rounds=1)
    assert str(state).count("!") == 6 + 1 and "Round 1 is settled; Player 2 deals round 2" in str(state)


# --- real dice and strips of Fiese 15 -----------------------------------------------------------------------

DRAWING, DRAWING_BACKS = after("fiese15", 2), after("fiese15", 2, handicap=True)
ROLLING_TWO = after("fiese15", 2, "strip:6; roll:1,1,1,1,1,1; keep:red,yellow,white,green; next:roll")


@pytest.mark.parametrize(
    ("state", "typed", "event"),
    [
        (DRAWING, "5 4 3 1 1 1", "strip:6"),
        (DRAWING, "5,4, 3 111", "strip:6"),
        (DRAWING, " 6 ", "strip:6"),
        (DRAWING_BACKS, "5 4 3 1 1", "strip:6"),
        (ROLLING_TWO, "3 6", "roll:0,3,0,6,0,0"),
    ],
)
def test_real_dice_and_strips_are_read(state: Any, typed: str, event: str) -> None:
    assert find_board("fiese15").read_outcome(state, typed) == state.read(event)


@pytest.mark.parametrize(
    ("state", "typed", "expected"),
    [
        (DRAWING, "green", "5 1 1 1 1 6"),
        (DRAWING, "5 4 3", "expected the 6 targets"),
        (DRAWING, "1 1 1 1 1 1", "expected the 6 targets"),
        (DRAWING_BACKS, "5 4 3 1 1 1", "expected the 5 targets"),
        (ROLLING_TWO, "1 2 3", "are needed"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_was_expected(
    state: Any, typed: str, expected: str
) -> None:
    with pytest.raises(PaschError, match=expected):
        find_board("fiese15").read_outcome(state, typed)


def test_of_equal_strips_the_one_still_there_is_read() -> None:
    box = written_box("fiese15")
    box["strips"] = box["strips"][:10] + box["strips"][:1]
    state, board = after("fiese15", 1, components=box), find_board("fiese15")
    assert board.read_outcome(state, "5 1 1 1 1 6") == state.read("strip:0")
    later = play(state, "strip:0; roll:6,6,6,6,6,6; keep:green; next:stop")
    assert board.read_outcome(later, "5 1 1 1 1 6") == state.read("strip:10")
