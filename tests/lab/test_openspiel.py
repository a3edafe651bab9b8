"""OpenSpiel: its own tests pass, chance is exact, information states hide what they must."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

from pasch.core.errors import PaschError
from pasch.core.registry import all_games
from pasch.games.fiese15 import rules as fiese15
from pasch.lab.openspiel_games import chance_actions, register_games
from pasch.lab.spaces import actions, observe
from tests.lab.games import CASES, Case, agree, name, random_game

EXAMPLES = Path(__file__).parents[2] / "examples"


def written(case: Case, **more: Any) -> str:
    """A case as OpenSpiel writes games."""
    game, players, options = case
    params = {"players": players} | options | more
    values = ",".join(
        f"{key}={'[' + ' '.join(map(str, value)) + ']' if isinstance(value, list) else value}"
        for key, value in params.items()
    )
    return f"python_pasch_{game}({values})"


def follow(case: Case, events: int | None = None) -> Any:
    """The state of OpenSpiel after the first events of a random game, the same as ours after each of them."""
    match = random_game(case)
    spiel = pyspiel.load_game(written(case)).new_initial_state()
    for number, event in enumerate(match.events[:events]):
        state = match.at(number)
        assert spiel.state == state
        if state.actor >= 0:
            assert spiel.current_player() == state.actor
            spiel.apply_action(actions(state.game).number(event))
        else:
            steps, came = chance_actions(state.chance(), event), 1.0
            for step in steps:
                outcomes = dict(spiel.chance_outcomes())
                assert spiel.is_chance_node() and sum(outcomes.values()) == pytest.approx(1)
                came *= outcomes[step]
                spiel.apply_action(step)
            # the product of the steps' probabilities; cards that come in another order are the same hand
            probability = float(state.chance().probability(event))
            assert came <= probability * (1 + 1e-9)
            if len(steps) == 1 or isinstance(state.game, fiese15.Fiese15):
                assert came == pytest.approx(probability)
    return spiel


@pytest.mark.parametrize(
    "spec",
    [
        "crowns(players=1,round_limit=4)",
        "fiese15(players=1)",
        "joker1(rounds=1,utility=win)",
        "lines(target=1,plans=[2 4])",
        "sixbysix(players=3,round_limit=1,utility=win)",
        "sixbysix(round_limit=1,streets=true)",
    ],
)
def test_it_passes_with_serialisation_after_every_step(spec: str) -> None:
    game = pyspiel.load_game(f"python_pasch_{spec}")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_game_is_registered_and_loads_without_parameters(game: Any) -> None:
    register_games()
    loaded = pyspiel.load_game(f"python_pasch_{game.id}")
    kind = loaded.get_type()
    assert (kind.min_num_players, kind.max_num_players) == (game.seats[0], game.seats[-1])
    assert loaded.num_distinct_actions() == len(actions(game.agree(2)))
    secret = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert secret == (game.id == "sixbysix")
    assert pickle.loads(pickle.dumps(loaded)).get_parameters() == loaded.get_parameters()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_chance_is_exact_and_utilities_are_points_or_wins(case: Case) -> None:
    players = case[1]
    state = random_game(case).state
    start = agree(case).start().scores()
    spiel = follow(case)
    assert spiel.is_terminal() and spiel.node.events == random_game(case).events
    assert spiel.returns() == [now - then for now, then in zip(state.scores(), start, strict=True)]
    if players > 1:
        won = pyspiel.load_game(written(case, utility="win")).new_initial_state()
        for action in spiel.history():
            won.apply_action(action)
        assert sum(won.returns()) == pytest.approx(0)
        assert [value > -1 for value in won.returns()] == [s in state.winners() for s in range(players)]


def test_information_states_hold_the_events_a_seat_saw() -> None:
    case: Case = ("sixbysix", 4, {"streets": True, "round_limit": 2})
    match, spiel = random_game(case), follow(case)
    for seat in range(4):
        known = json.loads(spiel.information_state_string(seat))
        assert known == {"player": seat, "events": [event.view(seat).json() for event in match.events]}
        seen = json.loads(spiel.observation_string(seat))
        assert seen == {"player": seat, **match.state.view(seat).snapshot()}
        assert np.array_equal(spiel.observation_tensor(seat), observe(match.state, seat))


def test_observers_tell_what_they_are_asked_for() -> None:
    spiel = follow(("sixbysix", 2, {"round_limit": 3}), 1)
    game, kind = spiel.get_game(), pyspiel.PrivateInfoType

    def observer(private: Any, recall: bool, public: bool = True) -> Any:
        wanted = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        return game.make_py_observer(wanted)

    for recall in (False, True):
        for private, hands in ((kind.NONE, 0), (kind.SINGLE_PLAYER, 2), (kind.ALL_PLAYERS, 4)):
            known = json.loads(observer(private, recall).string_from(spiel, 0))
            cards = known["events"][0]["deal"] if recall else known["hands"]
            assert sum(card is not None for hand in cards for card in hand) == hands
        # without public information: what a spectator does not know
        own = observer(kind.SINGLE_PLAYER, recall, public=False)
        known = json.loads(own.string_from(spiel, 1))
        assert set(known) == ({"player", "events"} if recall else {"player", "hands", "sees", "unseen"})
        own.set_from(spiel, 1)
        assert recall or 0 < np.count_nonzero(own.tensor) < len(own.tensor)
    with pytest.raises(ValueError, match="parameters"):
        game.make_py_observer(None, {"a": 1})
    lines = follow(("lines", 2, {"target": 1}), 3)
    wanted = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    assert lines.get_game().make_py_observer(wanted).string_from(lines, 0) == '{"player":0}'


def test_a_long_game_is_pickled_and_serialised() -> None:
    spiel = pyspiel.load_game("python_pasch_joker2(rounds=100)").new_initial_state()
    generator = np.random.default_rng(1)
    while len(spiel.history()) < 1500 and not spiel.is_terminal():
        spiel.apply_action(int(generator.choice(spiel.legal_actions())))
    assert len(spiel.history()) > 300
    _, twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel.get_game(), spiel))
    for other in (twin, pickle.loads(pickle.dumps(spiel)), copy.deepcopy(spiel), spiel.clone()):
        assert other.history() == spiel.history() and other.node.events == spiel.node.events


def test_worlds_that_look_the_same_to_a_player_are_drawn_alike() -> None:
    """After two deals and some cards: what is known stays, and every card not seen is equally likely elsewhere."""
    spiel = follow(("sixbysix", 3, {"round_limit": 3, "streets": True}), 12)
    draw = np.random.default_rng(2).random
    state = spiel.state
    pool = state.view(1).unseen
    counted, drawn = np.zeros(9), 0
    for _ in range(300):
        other = spiel.resample_from_infostate(1, draw)
        assert other.information_state_string(1) == spiel.information_state_string(1)
        assert len(other.history()) == len(spiel.history())
        for seat in (0, 2):
            for card in other.state.hands[seat]:
                counted[card - 1] += 1
                drawn += 1
    assert drawn
    expected = drawn * np.array(pool) / sum(pool)
    assert np.all(np.abs(counted - expected) < 5 * np.sqrt(expected + 1))
    lines = follow(("lines", 2, {"target": 1}), 5)
    assert lines.resample_from_infostate(0, draw).history() == lines.history()


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("lines(plans=[1 9])", "plans"),
        ("lines(plans=[one])", "a list of 1 to"),
        ("lines(players=9)", "1 to 4"),
        ("joker1(utility=glory)", "points or win"),
        ("joker1(players=1,utility=win)", "nobody to win against"),
        ("joker1(components=nowhere.toml)", "No such file"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(spec: str, problem: str) -> None:
    with pytest.raises(PaschError, match=problem):
        pyspiel.load_game(f"python_pasch_{spec}")


def test_the_example_with_tree_search_runs_and_python_ends_well() -> None:
    command = [sys.executable, str(EXAMPLES / "openspiel_mcts.py"), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("over 1 games the search won")
