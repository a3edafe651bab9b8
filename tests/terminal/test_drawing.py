"""States and events print themselves, and draw themselves in notebooks."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

import pasch
from pasch.core.registry import AnyGame
from pasch.terminal.board import find_board
from pasch.terminal.screen import console


def played(game: AnyGame, events: int) -> pasch.Match:
    """A random game's first events."""
    match, generator = pasch.new(game.id, game.usual_players()), Random(3)
    while len(match) < events and not match.state.over:
        state = match.state
        waits = state.actor == pasch.CHANCE
        match.play(state.chance().sample(generator) if waits else generator.choice(state.moves()))
    return match


@pytest.mark.parametrize("game", pasch.all_games(), ids=lambda game: game.id)
def test_a_state_prints_as_the_terminal_draws_it(game: AnyGame) -> None:
    match = played(game, 9)
    for number in range(len(match) + 1):
        state = match.at(number)
        screen = console()
        screen.width = 120
        with screen.capture() as captured:
            screen.print(find_board(game.id).draw(state))
        drawn = [line.rstrip() for line in captured.get().splitlines()]
        assert str(state).splitlines() == "\n".join(drawn).strip("\n").splitlines()
        assert repr(state).startswith(f"{type(state).__name__}(game=")


@pytest.mark.parametrize("game", pasch.all_games(), ids=lambda game: game.id)
def test_a_state_is_a_picture_in_a_notebook(game: AnyGame) -> None:
    match = played(game, 9)
    for state in (match.at(0), match.state, match.state.view(0), match.state.view(None)):
        picture = ElementTree.fromstring(state._repr_svg_())
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        words = "".join(picture.itertext()).replace("\xa0", "")
        assert game.title.replace(" ", "") in words.replace(" ", "")
        for word in str(state).split():
            assert word in words
        assert "http" not in state._repr_svg_().replace("http://www.w3.org/2000/svg", "")


def test_an_event_prints_as_a_sentence() -> None:
    game = pasch.find_game("joker1")
    roll = game.read_event({"seat": 1, "roll": [4, 1, 2]})
    assert (str(roll), repr(roll)) == ("Player 2: roll 1 2 4", "Roll(seat=1, roll=(1, 2, 4))")
    assert str(game.read_event({"seat": 0, "push": [[1], [2, 4]]})) == "Player 1: push (1) (2 4)"
    strip = pasch.find_game("fiese15").read_event({"strip": 3})
    assert str(strip) == "strip 3"
    assert "strip" in "".join(ElementTree.fromstring(strip._repr_svg_()).itertext())
