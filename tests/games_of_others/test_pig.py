"""A package with nothing but rules and one text is a game like every other, everywhere."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from pasch.coach.ledger import keep_ledger
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import game_key
from pasch.core.prepare import prepare_types
from pasch.core.record import Record
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE, State
from pasch.lab.batch import NoBatch, batch
from pasch.lab.gymnasium_env import PaschEnv, register_envs
from pasch.lab.openspiel_games import register_games
from pasch.lab.pettingzoo_env import env
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve import value, values
from pasch.table.helpers import HelperProcesses
from pasch.table.show import ask, read, show, why
from pasch.terminal.board import find_board
from pasch.terminal.conformance import BEGINNING, WHOLE, Property, cases, check
from tests.core.test_prepare import shared_types
from tests.games_of_others.installing import environment
from tests.lab.test_pettingzoo import MASKS
from tests.terminal.conftest import Pasch
from tests.web.asgi import Browser, with_server
from tests.web.test_playing import play

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("pig")]


def agreed(target: int = 100, players: int = 2) -> Game[Any, Any]:
    return find_game("pig").agree(players, {"target": target})


def after(game: Game[Any, Any], *events: dict[str, Any]) -> State:
    return Match(game, events).state


def rolled(seat: int, *faces: int) -> list[dict[str, Any]]:
    """A turn so far: every roll but the first was chosen."""
    events: list[dict[str, Any]] = []
    for face in faces:
        events += [{"seat": seat, "next": "roll"}, {"seat": seat, "roll": face}]
    return events[1:]


HOLD = {"seat": 0, "next": "hold"}


# --- the rules ----------------------------------------------------------------------------------------


def test_faces_add_up_and_holding_keeps_them() -> None:
    state = after(agreed(), *rolled(0, 4, 6), HOLD)
    assert (state.scores(), state.mover, state.actor) == ((10, 0), 1, CHANCE)


def test_a_one_takes_the_turn_away() -> None:
    state = after(agreed(), *rolled(0, 4, 6, 1))
    assert (state.scores(), state.mover) == ((0, 0), 1)


def test_whoever_has_the_target_has_won_at_once() -> None:
    state = after(agreed(10), *rolled(0, 4, 6))
    assert state.over and state.winners() == (0,) and state.scores() == (10, 0)


@pytest.mark.parametrize("wanted", [*WHOLE, *BEGINNING], ids=lambda wanted: wanted.__name__)
def test_it_passes_the_conformance_suite(wanted: Property) -> None:
    check(wanted, cases(find_game("pig")))


# --- on the command line ------------------------------------------------------------------------------


def test_another_process_lists_it_too(pig: Path) -> None:
    command = [sys.executable, "-m", "pasch", "games"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment(pig))
    assert "pig" in done.stdout.split() and "as often as you dare" in done.stdout
    assert set(game_ids()) > {"pig"}


def test_its_rules_are_read_in_english_whoever_asks(pasch: Pasch) -> None:
    for language in ("en", "de"):
        done = pasch("rules", "pig", "--language", language)
        assert done.exit_code == 0 and "A race with a single die" in done.stdout
        assert "| target | 10 " in done.stdout and "The points that win." in done.stdout


def test_a_person_plays_it_in_the_terminal(pasch: Pasch, data: Path) -> None:
    seats = ("play", "pig", "--seats", "me,me", "--dice", "real", "--option", "target=12")
    done = pasch(*seats, typed="4|roll||6|h|hold||7|3|roll||2|roll||1|2")
    assert done.exit_code == 0, done.output
    assert "Player 1: roll 4" in done.stdout and "Player 1: next hold" in done.stdout
    assert "turn: 10" in done.stdout and "7 cannot lie there" in done.stdout
    assert "These values are estimates." not in done.stdout
    (kept,) = (data / "records").iterdir()
    assert Record.from_json(kept.read_bytes()).verify().scores() == (12, 0)


def test_computers_play_it_and_their_records_are_right(pasch: Pasch, tmp_path: Path) -> None:
    records, receipts = tmp_path / "records.jsonl", tmp_path / "receipts.jsonl"
    seats = ("--seats", "greedy,random", "--option", "target=30", "-n", "20", "--json")
    done = pasch("simulate", "pig", *seats, "--records", records, "--receipts", receipts)
    assert done.exit_code == 0, done.output
    assert pasch("verify", records).exit_code == 0
    assert pasch("verify", "--receipt", receipts).exit_code == 0
    assert len(records.read_text().splitlines()) == 20


def test_a_tournament_finds_out_who_plays_better(pasch: Pasch) -> None:
    wanted = ("--entrants", "random,greedy", "-n", "60", "-o", "target=30", "--workers", "1")
    done = pasch("tournament", "pig", *wanted)
    assert done.exit_code == 0, done.output
    ratings = dict(re.findall(r"^ (greedy|random) +(\d+) ±", done.stdout, re.MULTILINE))
    assert int(ratings["greedy"]) > int(ratings["random"]) + 100


def test_values_and_reports_are_exact(pasch: Pasch, tmp_path: Path) -> None:
    told = json.loads(pasch("value", "pig", "--option", "target=20", "--json").stdout)
    assert told["exact"] == {"turn": True, "value": True, "win": True}
    assert told["win"] == pytest.approx([0.615558550, 0.384441450], abs=1e-9)
    match = play_game(agreed(20), [player("perfect"), player("random")], seed_key(3))
    record = tmp_path / "game.jsonl"
    record.write_text(match.record().to_json())
    done = pasch("report", record)
    assert done.exit_code == 0 and "The values are estimates" not in done.stdout
    (first, _) = keep_ledger(match).seats
    assert first.account.costs == pytest.approx(0, abs=1e-9), "perfect gives nothing away"


# --- what plays and knows by default ------------------------------------------------------------------


def test_the_greedy_player_rolls_on_early_and_holds_late() -> None:
    """To hold at 20 is the usual advice; a few playouts cannot tell 17 from 22."""
    greedy, chosen = player("greedy"), {}
    for faces in ((2,), (5,), (5, 4), (6, 6, 6, 6, 6), (6, 6, 6, 6, 6, 6)):
        state = after(agreed(), *rolled(0, *faces))
        move = greedy.choose(state, KeyedGenerator(b""))
        assert move == greedy.choose(state, KeyedGenerator(b"other luck"))
        chosen[sum(faces)] = move.json()["next"]
    assert chosen == {2: "roll", 5: "roll", 9: "roll", 30: "hold", 36: "hold"}


def test_moves_are_worth_what_follows_from_them() -> None:
    state = after(agreed(20), *rolled(0, 5, 4))
    for move in values(state):
        follows = value(state.apply(move.move))
        assert follows.value is not None and follows.win is not None
        assert (move.value, move.win) == pytest.approx((follows.value[0], follows.win[0]), abs=1e-9)
    found = value(state)
    assert found.win is not None and found.win[0] == max(move.win or 0.0 for move in values(state))


def test_what_is_touched_read_and_told() -> None:
    state = after(agreed(), *rolled(0, 5))
    roll, hold = state.moves()
    assert show("pig").tokens(roll) == ("next:roll",) and show("pig").tokens(hold) == ("next:hold",)
    assert "Expected" in why(state, ("next:jump",)).reason or "Invalid" in why(state, ("next:jump",)).reason
    assert why(state, ("field:3",)).reason == "this is not possible now"
    assert show("pig").goes_on(state, roll) and not show("pig").goes_on(state, hold)
    asked = ask(agreed().start())
    assert (asked.parts, asked.values) == (("die",), (1, 2, 3, 4, 5, 6))
    assert read(agreed().start(), (3,)).json() == {"seat": 0, "roll": 3}
    board = find_board("pig")
    assert board.tell(state, hold) == "Player 1: next hold" and board.label(state, hold) == "hold"
    assert board.prompt(agreed().start()) == "Player 1, type a number for the die (1 to 6)"


# --- research interfaces ------------------------------------------------------------------------------


def test_gymnasium() -> None:
    register_envs()
    check_env(gymnasium.make("pasch/pig-v1", target=20).unwrapped)
    learner = PaschEnv("pig", target=20)
    _, info = learner.reset(seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = learner.step(np.int64(info["action_mask"].argmax()))
        total += float(reward)
    assert total == info["score"]


def test_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", MASKS, UserWarning)
        api_test(env("pig", 3, target=20), num_cycles=60)
    seed_test(lambda: env("pig", 3, target=20), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_batches_are_compiled_and_play_the_same_games() -> None:
    game, players = agreed(30), [player("random")] * 2
    played = batch(game, ["random", "random"]).play(5, "pig")
    plain = [play_game(game, players, game_key("pig", number)).state.scores() for number in range(5)]
    assert [tuple(scores) for scores in played.scores.tolist()] == plain
    with pytest.raises(NoBatch, match="Pig has no compiled greedy"):
        batch(game, ["greedy", "random"])


def test_openspiel() -> None:
    register_games()
    game = pyspiel.load_game("python_pasch_pig(players=2,target=20,utility=win)")
    assert game.num_distinct_actions() == 2
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


# --- at the table -------------------------------------------------------------------------------------


def test_it_is_played_on_the_server_with_hints_and_a_report(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        listed = (await browser.get("/api/games")).json
        (pig,) = [game for game in listed if game["id"] == "pig"]
        assert pig["players"] == [2, 3, 4, 5, 6] and not pig["has_secrets"]
        rules = (await browser.get("/api/rules/pig?language=de")).json
        assert "single die" in rules["markdown"] and rules["scenes"] == []
        wish = {"options": {"target": 10}, "coach": "hints", "events": rolled(0, 5)}
        made = await browser.make("pig", "here", "greedy", "easy", **wish)
        socket = browser.open(made["id"])
        welcome = await socket.hello(*made["seats"].values(), made["maker"])
        assert [choice["tokens"] for choice in welcome["position"]["moves"]] == [
            ["next:roll"],
            ["next:hold"],
        ]
        told = await socket.ask("hint")
        assert told["type"] == "advice" and len(told["moves"]) == 2 and told["exact"]
        refused = await socket.ask("why", tokens=["next:stop"])
        assert refused["type"] == "because"
        again = await socket.hello(*made["seats"].values(), made["maker"])
        end = await play(socket, again, Random(1))
        assert end["winners"] and max(end["scores"]) >= 10
        answer = await browser.get(f"/api/tables/{made['id']}/record")
        assert Record.from_json(answer.body).verify().scores() == tuple(end["scores"])
        while (report := await browser.get(f"/api/tables/{made['id']}/report")).status == 202:
            await asyncio.sleep(0.1)
        assert report.status == 200 and report.json["exact"]

    with_server(tmp_path, run, helper=HelperProcesses(2))


def test_it_is_played_round_one_screen_with_real_dice(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        made = await browser.make("pig", "here", "here", options={"target": 15}, dice="real")
        socket = browser.open(made["id"])
        welcome = await socket.hello(*made["seats"].values())
        assert (await play(socket, welcome, Random(3)))["winners"]

    with_server(tmp_path, run)


def test_its_types_are_prepared_before_threads_share_them() -> None:
    assert shared_types(find_game("pig")) <= prepare_types()
