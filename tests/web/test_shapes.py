"""What a game states about its chance events is what its rules say, in every game that can be played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pasch.core.events import plain
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.receipt import Receipt
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE
from pasch.terminal.conformance import cases
from pasch.web import answers
from pasch.web.files import client_files
from tests.web.asgi import Browser
from tests.web.nodejs import node

SCRIPT = Path(__file__).parent / "js" / "shapes.test.js"


def some_box(game: type[Game[Any, Any]], random: Random) -> dict[str, Any]:
    """A box of one's own: what dice, strips and cards there are differs from the usual one."""
    box: dict[str, Any] = plain(game.default_components())
    if isinstance(box.get("dice"), int):
        box["dice"] = random.randint(1, 4)
    for strips in [box["strips"]] if "strips" in box else []:
        random.shuffle(strips)
        box["rounds"] = random.randint(1, 3)
        del strips[random.randint(box["rounds"], len(strips)) :]
    for plan in box.get("plans", ()):
        plan["dice"] = random.choice([plan["dice"], plan["dice"] + 1]) if plan["dice"] < 3 else plan["dice"]
    for copies in box.get("deck", ()):
        copies["number"] = random.choice([0, 18, 36]) if copies["card"] == 1 else random.randint(9, 12)
    return box


def some_game(name: str, random: Random) -> Match:
    """A random game, with other options each time and sometimes another box."""
    game = find_game(name)
    _, players, options = random.choice(cases(game))
    box = {"components": some_box(game, random)} if random.random() < 0.4 else {}
    match = Match(game.agree(players, {**options, **box}))
    while not match.state.over and len(match) < 400:
        state = match.state
        match.play(state.chance().sample(random) if state.actor == CHANCE else random.choice(state.moves()))
    return match


def some_games(name: str, number: int) -> Iterator[dict[str, Any]]:
    random = Random(f"shapes {name}")
    for _ in range(number):
        match = some_game(name, random)
        made = Receipt.of(
            match.game, match.events, table="t", dice="pasch", seed=bytes(32), contributions=[]
        )  # fmt: skip
        yield {**made.record, "chance": made.chance}


@pytest.mark.parametrize("number", [10, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_shapes_are_those_of_the_rules(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    descriptions = {name: find_game(name).chance_description() for name in game_ids()}
    games = [game for name in game_ids() for game in some_games(name, number)]
    file = tmp_path / "shapes.json"
    file.write_text(json.dumps({"descriptions": descriptions, "games": games}), "utf-8")
    monkeypatch.setenv("PASCH_SHAPES", str(file))
    ran = node("--test", SCRIPT)
    assert ran.returncode == 0, ran.stdout


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a game states, and is kept, is nothing."""
    monkeypatch.setattr(find_game("joker1"), "chance_shapes", {})
    for kept in (answers.chance, client_files):
        kept.cache_clear()
    yield
    for kept in (answers.chance, client_files):
        kept.cache_clear()


async def test_they_come_with_the_page(forgotten: None, browser: Browser) -> None:
    # one that states nothing, as a game of another package may
    assert find_game("joker1").chance_description() is None
    for name in game_ids():
        answer = await browser.get(f"/static/games/{name}/chance.json")
        assert (answer.status, answer.json) == (200, find_game(name).chance_description())
    assert (await browser.get("/static/games/chess/chance.json")).status == 404
