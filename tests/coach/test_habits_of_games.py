"""The habit that a mistake belongs to, in every game."""

from __future__ import annotations

import pytest

from pasch.coach.reasons import habit
from pasch.core.chance import seed_key
from pasch.core.match import Match
from pasch.core.registry import find_game, game_ids
from pasch.games.fiese15.rules import COLOURS, Keep, Next
from pasch.players.arena import play_game
from pasch.players.base import player


def test_habits_of_fiese15_are_distinguished() -> None:
    ones = {"seat": 0, "roll": dict.fromkeys(COLOURS, 1)}
    match = Match(find_game("fiese15").agree(1), [{"strip": 14}, ones])
    state = match.state
    few, many, other = Keep(0, ("red",)), Keep(0, ("red", "blue")), Keep(0, ("blue",))
    found = habit(state, many, few)
    assert (found.name, str(found.when)) == (
        "Sets aside too many dice",
        "2 instead of 1 of the first roll",
    )
    assert habit(state, few, many).name == "Sets aside too few dice"
    assert habit(state, other, few).name.startswith("Sets aside the wrong dice")
    state = match.play(many)
    stop, roll = Next(0, "stop"), Next(0, "roll")
    found = habit(state, stop, roll)
    assert (found.name, str(found.when)) == ("Stops where rolling on is better", "with 2 dice set aside")
    assert habit(state, roll, stop).name == "Rolls on where it should stop"


@pytest.mark.parametrize("name", game_ids())
def test_every_two_moves_have_a_habit(name: str) -> None:
    game = find_game(name).agree(2)
    match = play_game(game, [player("random")] * 2, seed_key("habits"))
    found = set()
    for place in range(len(match)):
        state = match.at(place)
        if state.actor >= 0 and len(moves := state.moves()) > 1:
            view = state.view(state.actor)
            found |= {habit(view, moves[0], moves[-1]).name, habit(view, moves[-1], moves[0]).name}
    assert len(found) > 1 and all(words[0].isupper() for words in found)
