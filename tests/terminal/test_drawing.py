"""States and events print themselves, and draw themselves in notebooks."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

import pasch
from pasch.core.registry import AnyGame
from pasch.terminal.board import find_board
from pasch.terminal.conformance import random_match
from pasch.terminal.screen import console


@pytest.mark.parametrize("game", pasch.all_games(), ids=lambda game: game.id)
def test_a_state_prints_as_the_terminal_draws_it_and_is_a_picture_in_a_notebook(game: AnyGame) -> None:
    match = random_match(game.agree(game.usual_players()), Random(3), 9)
    for state in (
        *map(match.at, range(len(match))),
        match.state,
        match.state.view(0),
        match.state.view(None),
    ):
        screen = console()
        screen.width = 120
        with screen.capture() as captured:
            screen.print(find_board(game.id).draw(state))
        drawn = [line.rstrip() for line in captured.get().splitlines()]
        assert str(state).splitlines() == "\n".join(drawn).strip("\n").splitlines()
        assert repr(state).startswith(f"{type(state).__name__}(game=")
        svg = state._repr_svg_()
        picture = ElementTree.fromstring(svg)
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        words = "".join(picture.itertext()).replace("\xa0", "")
        assert game.title.replace(" ", "") in words.replace(" ", "")
        assert all(word in words for word in str(state).split())
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_an_event_prints_as_a_sentence() -> None:
    game = pasch.find_game("joker1")
    roll = game.read_event({"seat": 1, "roll": [4, 1, 2]})
    assert (str(roll), repr(roll)) == ("Player 2: roll 1 2 4", "Roll(seat=1, roll=(1, 2, 4))")
    strip = pasch.find_game("fiese15").read_event({"strip": 3})
    assert str(strip) == "strip 3"
    assert "strip" in "".join(ElementTree.fromstring(strip._repr_svg_()).itertext())
