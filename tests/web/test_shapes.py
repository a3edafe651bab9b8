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
from pasch.core.options import OptionSpec, option_specs
from pasch.core.receipt import Receipt
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE
from pasch.web import answers
from pasch.web.files import client_files
from tests.web.asgi import Browser, with_server
from tests.web.nodejs import node

SCRIPT = Path(__file__).parent / "js" / "shapes.test.js"


def some_value(spec: OptionSpec, random: Random) -> Any:
    if spec.kind == "switch":
        return random.random() < 0.5
    if spec.kind == "choice":
        return random.choice(spec.choices)
    if spec.kind == "list":
        return random.choices(spec.choices, k=random.randint(1, 3))
    return random.randint(spec.least or 0, (spec.least or 0) + 2)


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
    game = find_game(name)
    options = {spec.name: some_value(spec, random) for spec in option_specs(game.Options)}
    if random.random() < 0.4:
        options["components"] = some_box(game, random)
    configured = game.agree(random.choice(game.seats), options)
    match = Match(configured)
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


def compare(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    descriptions = {name: find_game(name).chance_description() for name in game_ids()}
    games = [game for name in game_ids() for game in some_games(name, number)]
    file = folder / "shapes.json"
    file.write_text(json.dumps({"descriptions": descriptions, "games": games}), "utf-8")
    monkeypatch.setenv("PASCH_SHAPES", str(file))
    ran = node("--test", SCRIPT)
    assert ran.returncode == 0, ran.stdout


def test_shapes_are_those_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(tmp_path, monkeypatch, 10)


@pytest.mark.exhaustive
def test_shapes_are_those_of_the_rules_in_hundreds_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(tmp_path, monkeypatch, 200)


def forget() -> None:
    """Clear the caches."""
    answers.chance.cache_clear()
    client_files.cache_clear()


def test_they_come_with_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # one that states nothing, as a game of another package may
    monkeypatch.setattr(find_game("joker1"), "chance_shapes", {})
    assert find_game("joker1").chance_description() is None
    forget()

    async def run(browser: Browser) -> None:
        for name in game_ids():
            answer = await browser.get(f"/static/games/{name}/chance.json")
            assert (answer.status, answer.json) == (200, find_game(name).chance_description())
        assert (await browser.get("/static/games/chess/chance.json")).status == 404

    with_server(tmp_path, run)
    forget()
