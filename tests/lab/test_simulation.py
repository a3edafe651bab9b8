"""Simulations, batches and tournaments take games and players as names or as objects, and show themselves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import pasch


class First:
    """Makes the first move."""

    def choose(self, view: pasch.State, generator: pasch.Generator) -> pasch.Event:
        return view.moves()[0]


def test_statistics_are_those_of_the_same_games_played_one_by_one() -> None:
    game = pasch.find_game("joker1").agree(2, {"rounds": 2})
    found = pasch.simulate("joker1", [First(), "greedy"], 20, seed=7, rounds=2)
    again = pasch.simulate(game, [First, pasch.player("greedy")], 20, seed=7)
    keys = [pasch.game_key(7, number) for number in range(20)]
    ends = [pasch.play_game(game, [First(), "greedy"], key).state for key in keys]
    for seat, own in enumerate(found.seats):
        assert own.scores == again.seats[seat].scores == Counter(end.scores()[seat] for end in ends)
        assert own.won == Counter(len(end.winners()) for end in ends if seat in end.winners())
    assert repr(found).startswith("<GameStatistics of 20 games>\nseat 0: mean ")
    assert "<table>" in found._repr_html_() and "20 games" in found._repr_html_()
    assert "of 20 games, mean" in repr(found.seats[0])
    simulation = pasch.Simulation(game, [First(), "greedy"], 5)
    assert simulation.seats == ("First", "greedy") and simulation.engine == "ordinary"
    with pytest.raises(pasch.OptionError, match="in this process only"):
        list(simulation.parts(ray="auto"))


def test_the_same_players_by_name_and_as_objects_play_the_same_batch() -> None:
    named = pasch.batch("joker1", ["greedy", "random"], rounds=1).play(50, "1")
    configured = pasch.find_game("joker1").agree(2, {"rounds": 1})
    made = pasch.batch(configured, [pasch.player("greedy"), pasch.player("random")]).play(50, "1")
    assert (named.scores == made.scores).all()
    with pytest.raises(pasch.NoBatch, match="First plays no batches"):
        pasch.batch(configured, [First(), "greedy"])


@pytest.mark.parametrize("wrong", [-5, 0, 2.5, "9"])
def test_numbers_of_games_and_workers_are_checked(wrong: Any) -> None:
    for run in (pasch.simulate, pasch.tournament):
        with pytest.raises(pasch.OptionError, match="games: expected a whole number from 1 on, got"):
            run("joker1", ["random", "greedy"], wrong, rounds=1)
    if wrong:
        with pytest.raises(pasch.OptionError, match="games: expected a whole number from 0 on"):
            pasch.batch("joker1", ["random"], rounds=1).play(wrong, "1")
    with pytest.raises(pasch.OptionError, match="workers: expected"):
        pasch.simulate("joker1", ["random"], 5, workers=wrong, rounds=1)


def test_a_tournament_is_held_in_python() -> None:
    found = pasch.tournament("joker1", ["greedy", First()], 20, seed=3, luck=False, rounds=1)
    assert found.games == 20 and {player.name for player in found.players} == {"greedy", "First"}
    assert repr(found).startswith("<TournamentStatistics of 20 games>\n") and "rating" in repr(found)
    options: dict[str, Any] = {"seed": 3, "luck": False, "rounds": 1}
    one, two = (pasch.tournament("joker1", ["greedy", "random"], 20, workers=n, **options) for n in (1, 2))
    assert one == two
    with pytest.raises(pasch.PaschError, match="First is named twice"):
        pasch.tournament("joker1", [First(), First()], 4)
