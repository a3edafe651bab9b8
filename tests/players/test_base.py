"""Computer players: what they are shown, what they choose, how they are found."""

from __future__ import annotations

import msgspec
import pytest

from pasch import OVER, Match, find_game
from pasch.core.chance import Generator
from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15 import beginner
from pasch.games.fiese15.rules import Fiese15, Keep, Next
from pasch.games.sixbysix.events import Deal
from pasch.players.base import (
    GreedyPlayer,
    Player,
    RandomPlayer,
    choose,
)


class Scripted:
    """A generator that returns given answers and records the questions."""

    def __init__(self, answer: int = 0) -> None:
        self.answer = answer
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.asked.append(stop)
        return self.answer

    def random(self) -> float:
        raise AssertionError("drew a fraction")


def keeping() -> State:
    return Match(Fiese15(2), ["strip:6", "roll:5,4,3,6,6,6"]).state


def test_the_random_player_takes_the_move_that_the_generator_says() -> None:
    for answer in range(7):
        generator = Scripted(answer)
        assert RandomPlayer().choose(keeping(), generator) == keeping().moves()[answer]
        assert generator.asked == [7], "one draw, uniform over the legal moves"


def test_the_greedy_player_takes_the_first_move_of_highest_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginner, "heuristic", lambda g, s, code: float(code == 0b110))
    assert GreedyPlayer().choose(keeping(), Scripted()) == Keep(0, ("blue", "yellow"))
    monkeypatch.setattr(beginner, "heuristic", lambda g, s, code: float(code.bit_count() == 2))
    assert GreedyPlayer().choose(keeping(), Scripted()) == Keep(0, ("red", "blue"))


def test_the_greedy_player_finds_the_module_of_the_game_and_draws_nothing() -> None:
    state = keeping().apply(Keep(0, ("red",)))
    generator = Scripted()
    assert GreedyPlayer().choose(state, generator) in (Next(0, "roll"), Next(0, "stop"))
    assert generator.asked == []


@pytest.mark.parametrize("chooser", [RandomPlayer(), GreedyPlayer()])
def test_there_is_nothing_to_choose_when_it_is_nobodys_turn(chooser: Player) -> None:
    start = Fiese15.agree(1).start()
    for state in (start, msgspec.structs.replace(start, actor=OVER, phase="over")):
        with pytest.raises(IllegalMove, match="nothing to choose"):
            chooser.choose(state, Scripted())


def test_a_player_is_shown_only_the_view_of_the_seat_to_move() -> None:
    shown: list[State] = []

    class Spy:
        def choose(self, view: State, generator: Generator) -> Event:
            shown.append(view)
            return view.moves()[0]

    state = find_game("sixbysix").agree(2).start().apply(Deal(((1, 2), (3, 4))))
    assert choose(Spy(), state, Scripted()) == state.moves()[0]
    assert shown == [state.view(0)] and state.view(0) != state
