"""A package with nothing but rules and one text is a game like every other, everywhere."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env

from pasch.coach.ledger import keep_ledger
from pasch.core.chance import seed_key
from pasch.core.game import Game
from pasch.core.philox import game_key
from pasch.core.record import Record
from pasch.core.registry import find_game, game_ids
from pasch.lab.batch import NoBatch, batch
from pasch.lab.gymnasium_env import register_envs
from pasch.lab.openspiel_games import register_games
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.table.processes import HelperProcesses
from pasch.terminal.conformance import PROPERTIES, Property, cases, check
from tests.games_of_others.installing import environment
from tests.terminal.conftest import Pasch
from tests.web.asgi import server
from tests.web.test_playing import play

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("pig")]


def pig_game(target: int = 100, players: int = 2) -> Game[Any, Any]:
    return find_game("pig").agree(players, {"target": target})


@pytest.mark.parametrize("wanted", PROPERTIES, ids=lambda wanted: wanted.__name__)
def test_it_passes_the_conformance_suite(wanted: Property) -> None:
    check(wanted, cases(find_game("pig")))


# --- on the command line ------------------------------------------------------------------------------


def test_another_process_lists_it_too(pig: Path) -> None:
    command = [sys.executable, "-m", "pasch", "games"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment(pig))
    assert "pig" in done.stdout.split() and "as often as you dare" in done.stdout
    assert set(game_ids()) > {"pig"}


def test_its_rules_are_read_in_english_in_every_language(pasch: Pasch) -> None:
    for language in ("en", "de"):
        done = pasch("rules", "pig", "--language", language)
        assert done.exit_code == 0 and "A race with a single die" in done.stdout
        assert "| target | 10 " in done.stdout and "The points that win." in done.stdout


def test_a_person_plays_it_in_the_terminal(pasch: Pasch, data: Path) -> None:
    seats = ("play", "pig", "--seats", "me,me", "--dice", "real", "--option", "target=12")
    done = pasch(*seats, typed="4|roll||6|h|hold||7|3|roll||2|roll||1|2")
    assert done.exit_code == 0, done.output
    assert "Player 1: roll 4" in done.stdout and "Player 1: next hold" in done.stdout
    assert "turn: 10" in done.stdout and "7 cannot be there" in done.stdout
    assert "These values are estimates." not in done.stdout
    (kept,) = (data / "records").iterdir()
    assert Record.from_json(kept.read_bytes()).verify().scores() == (12, 0)


def test_values_and_reports_are_exact(pasch: Pasch, tmp_path: Path) -> None:
    shown = json.loads(pasch("value", "pig", "--option", "target=20", "--json").stdout)
    assert shown["exact"] == {"turn": True, "value": True, "win": True}
    assert shown["win"] == pytest.approx([0.615558550, 0.384441450], abs=1e-9)
    match = play_game(pig_game(20), [player("perfect"), player("random")], seed_key(3))
    record = tmp_path / "game.jsonl"
    record.write_text(match.record().to_json())
    done = pasch("report", record)
    assert done.exit_code == 0 and "The values are estimates" not in done.stdout
    (first, _) = keep_ledger(match).seats
    assert first.account.costs == pytest.approx(0, abs=1e-9), "perfect gives nothing away"


# --- research interfaces ------------------------------------------------------------------------------


def test_gymnasium() -> None:
    register_envs()
    check_env(gymnasium.make("pasch/pig-v1", target=20).unwrapped)


def test_batches_are_compiled_and_play_the_same_games() -> None:
    game, players = pig_game(30), [player("random")] * 2
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


async def test_it_is_played_on_the_server_with_hints_and_a_report(tmp_path: Path) -> None:
    async with server(tmp_path, helper=HelperProcesses(2)) as browser:
        listed = (await browser.get("/api/games")).json
        (pig,) = [game for game in listed if game["id"] == "pig"]
        assert pig["players"] == [2, 3, 4, 5, 6] and not pig["has_secrets"]
        rules = (await browser.get("/api/rules/pig?language=de")).json
        assert "single die" in rules["markdown"] and rules["scenes"] == []
        wish = {"options": {"target": 10}, "coach": "hints", "events": [{"seat": 0, "roll": 5}]}
        made = await browser.make("pig", "here", "greedy", "easy", **wish)
        socket = browser.open(made["id"])
        welcome = await socket.hello(*made["seats"].values(), made["maker"])
        assert [choice["tokens"] for choice in welcome["position"]["moves"]] == [
            ["next:roll"],
            ["next:hold"],
        ]
        advice = await socket.ask("hint")
        assert advice["type"] == "advice" and len(advice["moves"]) == 2 and advice["exact"]
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
