"""The browser client as far as it needs no browser: its units, types and style sheets, its boards, its dice.

Run `make test-all` when you change a board: `make test` draws one golden game of each, not every variant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tools.playthroughs import FOLDER, VARIANTS, replay

from pasch.core.events import plain
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.receipt import Receipt
from pasch.core.registry import find_file, find_game, game_ids
from pasch.core.state import CHANCE
from pasch.table.lesson import example_table
from pasch.table.redact import Redactor, Viewer
from pasch.terminal.conformance import cases
from pasch.web.files import STATIC
from tests.web.nodejs import ROOT, TYPESCRIPT, need_typescript, node

JS = Path(__file__).parent / "js"


def test_the_units_of_the_client() -> None:
    files = sorted(JS.glob("*.test.js"))
    ran = node("--test", *files)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
def test_the_client_keeps_its_types() -> None:
    need_typescript()
    checked = node(TYPESCRIPT / "bin" / "tsc", "--project", ROOT / "tsconfig.json", "--pretty", "false")
    assert checked.returncode == 0, checked.stdout


def test_nothing_is_asked_for_by_an_absolute_address() -> None:
    """A site may lie in any folder of its host; what builds it changes the addresses of index.html alone."""
    boards = (
        file for game in game_ids() for name in ("board.js", "board.css") if (file := find_file(game, name))
    )
    files = [*STATIC.glob("*/*.js"), *STATIC.glob("css/*.css"), *boards]
    absolute = re.compile(r"""(?:from |import\(|url\(|href: )["'`]?/(?:static|games)/""")
    assert len(files) > 80
    assert [str(file) for file in files if absolute.search(file.read_text("utf-8"))] == []


def test_the_lock_file_of_npm_names_no_host() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages and all("integrity" in package for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]


# --- boards draw and tell the golden games, and show no face before its die rests ----------------------


def recorded(name: str, game: str, players: int, options: dict[str, Any], you: tuple[int, ...]) -> Any:
    """A golden game as the server sends it to a client with these seats."""
    match = replay((FOLDER / f"{name}.txt").read_text("utf-8"), game, players, options)
    live = example_table(name, match.game, you[0] if len(you) == 1 else None)
    viewer = Viewer(you)
    first = Redactor(live).position(viewer)
    steps = []
    for event in match.events:
        live.apply(live.play(event))
        steps.append(Redactor(live).step(viewer))
    known = {"id": game, "has_secrets": live.has_secrets}
    return {"game": known, "yours": you, "table": live.info(), "first": first, "steps": steps}


def golden() -> Iterator[Any]:
    """All golden games; the second and later ones of a game are exhaustive."""
    seen: set[str] = set()
    for name, game, *rest in VARIANTS:
        yield pytest.param(
            name, game, *rest, id=name, marks=[pytest.mark.exhaustive] if game in seen else []
        )
        seen.add(game)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game", "players", "options"), list(golden()))
def test_every_position_of_a_golden_game_is_drawn(
    name: str, game: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    seats = tuple(range(players))
    games = [recorded(name, game, players, options, you) for you in {seats[:1], seats}]
    path = tmp_path / "games.json"
    path.write_bytes(msgspec.json.encode(games))
    ran = node("--import", JS / "golden" / "paths.js", JS / "golden" / "boards.js", path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert json.loads(ran.stdout)["positions"] == 2 * sum(len(one["steps"]) for one in games)


# --- what a game states about its chance events is what its rules say ----------------------------------


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
    ran = node("--test", JS / "shapes.test.js")
    assert ran.returncode == 0, ran.stdout
