"""`pasch.simulate`: the statistics of many games in one call."""

from __future__ import annotations

from collections import Counter

import pytest

import pasch


def test_statistics_are_those_of_the_same_games_played_one_by_one() -> None:
    found = pasch.simulate("joker1", ["random", "random"], 20, seed=7, rounds=1)
    game, players = pasch.find_game("joker1").agree(2, {"rounds": 1}), [pasch.player("random")] * 2
    ends = [pasch.play_game(game, players, pasch.game_key(7, number)).state for number in range(20)]
    for seat, own in enumerate(found.seats):
        assert own.scores == Counter(end.scores()[seat] for end in ends)
        assert own.won == Counter(len(end.winners()) for end in ends if seat in end.winners())
    assert found.games == 20


def test_options_and_players_are_checked() -> None:
    with pytest.raises(pasch.OptionError, match="nonsense"):
        pasch.simulate("joker1", ["random"], 1, nonsense=1)
    with pytest.raises(pasch.UnknownPlayer, match="nobody"):
        pasch.simulate("joker1", ["nobody"], 1)
