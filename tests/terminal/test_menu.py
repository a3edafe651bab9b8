"""Choosing from the list of moves."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.games.fiese15.rules import Keep
from pasch.terminal.board import find_board
from pasch.terminal.menu import MAX_LISTED, Menu, NotUnderstood


def fiese(**faces: int) -> Match:
    """Fiese 15 on strip 4 (targets red 1, blue 6, yellow black white green 2), after a roll."""
    match = Match(find_game("fiese15").agree(1))
    match.play({"strip": 4})
    match.play({"seat": 0, "roll": faces})
    return match


@pytest.fixture
def few() -> Menu:
    match = fiese(red=6, blue=3, yellow=2, black=6, white=6, green=6)
    return Menu(find_board("fiese15"), match.state)


@pytest.fixture
def many() -> Menu:
    match = fiese(red=1, blue=1, yellow=1, black=1, white=1, green=1)
    assert len(match.state.moves()) > MAX_LISTED
    return Menu(find_board("fiese15"), match.state)


def drawn(menu: Menu) -> str:
    screen = Console(width=80)
    with screen.capture() as captured:
        screen.print(menu.draw())
    return captured.get()


def test_few_moves_are_listed_under_their_headings(few: Menu) -> None:
    assert drawn(few).split("\n")[0] == "Set aside 1 die"
    assert "  3) blue 3, yellow 2" in drawn(few)
    move = few.answer("3")
    assert move == Keep(0, ("blue", "yellow"))


def test_many_moves_begin_with_the_headings(many: Menu) -> None:
    assert "63 moves" in drawn(many) and "Set aside 6 dice (1 move)" in drawn(many)
    assert many.answer("6") is None
    move = many.answer("")
    assert isinstance(move, Keep) and len(move.keep) == 6


def test_zero_goes_back_to_the_headings(many: Menu) -> None:
    whole = drawn(many)
    many.answer("2")
    assert "back to all moves" in drawn(many) != whole
    assert many.answer("0") is None
    assert drawn(many) == whole


def test_words_narrow_the_list(many: Menu) -> None:
    assert many.answer("RED blue yellow black white") is None
    listed = drawn(many)
    assert (
        "Set aside 5 dice" in listed and "Set aside 6 dice" in listed and "Set aside 4 dice" not in listed
    )
    move = many.answer("1")
    assert move == Keep(0, ("red", "blue", "yellow", "black", "white"))


def test_a_long_heading_is_divided_by_how_the_moves_begin() -> None:
    match = Match(find_game("crowns").agree(1))
    match.play({"seat": 0, "roll": [1, 2, 3, 4, 5, 6]})
    menu = Menu(find_board("crowns"), match.state)
    assert len(match.state.moves()) > 10 * MAX_LISTED
    # the largest group at each step, until there are moves to choose from
    for _ in range(5):
        if "Which kind?" not in drawn(menu):
            break
        sizes = [int(size) for size in re.findall(r"\((\d+) moves?\)", drawn(menu))]
        assert len(sizes) <= MAX_LISTED
        assert menu.answer(str(sizes.index(max(sizes)) + 1)) is None
    assert menu.answer("1") in match.state.moves()


def test_words_look_among_the_moves_shown_first(many: Menu) -> None:
    many.answer("2")
    many.answer("red")
    assert "Set aside 2 dice" in drawn(many) and "Set aside 3 dice" not in drawn(many)
    many.answer("red blue yellow")
    assert "Set aside 3 dice" in drawn(many)


@pytest.mark.parametrize("typed", ["0", "7", "-1", "purple", "", "²", "9" * 5000])
def test_what_chooses_nothing_is_refused(few: Menu, typed: str) -> None:
    with pytest.raises(NotUnderstood):
        few.answer(typed)
