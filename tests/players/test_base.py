"""Computer players: what they are shown, what they choose."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from pasch import OVER, Match
from pasch.core.chance import seed_key
from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15 import beginner
from pasch.games.fiese15.rules import Fiese15, Keep, Next
from pasch.players.arena import play_game
from pasch.players.base import GreedyPlayer, Player, RandomPlayer

#: a player that draws from this fails
NO_LUCK: Any = None


def keeping() -> State:
    return Match(Fiese15(2), ["strip:6", "roll:5,4,3,6,6,6"]).state


def test_the_random_player_takes_the_move_that_the_generator_says() -> None:
    """One draw, uniform over the legal moves."""
    for answer in range(7):
        generator: Any = SimpleNamespace(randrange={7: answer}.__getitem__)
        assert RandomPlayer().choose(keeping(), generator) == keeping().moves()[answer]


def test_the_greedy_player_takes_the_first_move_of_highest_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keeping().apply(Keep(0, ("red",)))
    assert GreedyPlayer().choose(kept, NO_LUCK) in (Next(0, "roll"), Next(0, "stop"))
    monkeypatch.setattr(beginner, "heuristic", lambda g, s, code: float(code == 0b110))
    assert GreedyPlayer().choose(keeping(), NO_LUCK) == Keep(0, ("blue", "yellow"))
    monkeypatch.setattr(beginner, "heuristic", lambda g, s, code: float(code.bit_count() == 2))
    assert GreedyPlayer().choose(keeping(), NO_LUCK) == Keep(0, ("red", "blue"))


@pytest.mark.parametrize("chooser", [RandomPlayer(), GreedyPlayer()])
def test_there_is_nothing_to_choose_when_it_is_nobodys_turn(chooser: Player) -> None:
    start = Fiese15.agree(1).start()
    for state in (start, msgspec.structs.replace(start, actor=OVER, phase="over")):
        with pytest.raises(IllegalMove, match="nothing to choose"):
            chooser.choose(state, NO_LUCK)


def test_a_player_is_shown_only_the_view_of_the_seat_to_move() -> None:
    shown: list[State] = []

    def spy(view: State, generator: object) -> Event:
        shown.append(view)
        return view.moves()[0]

    match = play_game("sixbysix", [spy, spy], seed_key(1), round_limit=1)
    asked = [state for state in map(match.at, range(len(match))) if state.actor >= 0]
    assert shown == [state.view(state.actor) for state in asked] != asked
