"""`pasch.simulate`: the statistics of many games in one call."""

from __future__ import annotations

import pytest

import pasch


def test_statistics_are_those_of_the_same_games_played_one_by_one() -> None:
    found = pasch.simulate("joker1", ["random", "random"], 20, seed=7, rounds=1)
    game, players = pasch.find_game("joker1").agree(2, {"rounds": 1}), [pasch.player("random")] * 2
    counted = pasch.GameStatistics(2)
    for number in range(20):
        end = pasch.play_game(game, players, pasch.game_key(7, number)).state
        counted.add(end.scores(), end.winners())
    assert [seat.json() for seat in found.seats] == [seat.json() for seat in counted.seats]
    assert found.games == 20


def test_options_and_players_are_checked() -> None:
    with pytest.raises(pasch.OptionError, match="nonsense"):
        pasch.simulate("joker1", ["random"], 1, nonsense=1)
    with pytest.raises(pasch.UnknownPlayer, match="nobody"):
        pasch.simulate("joker1", ["nobody"], 1)
