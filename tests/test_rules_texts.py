"""What the rules' texts work out is what the rules work out, and what they print comes from the box."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch import new
from pasch.core.components import GUESS, marked
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.texts import languages, rendered, rules_markdown
from pasch.core.words import counted, say
from pasch.games.joker1.box import standings
from pasch.terminal.games import rules_text
from pasch.terminal.language import use

GAMES = Path(__file__).parents[1] / "src" / "pasch" / "games"


def part(game: str, language: str, *headings: str) -> str:
    """The text below one of these headings, up to the next."""
    found = re.search(
        rf"^#+ (?:{'|'.join(headings)})\n(.*?)(?=^#)", rules_markdown(game, language), re.M | re.S
    )
    assert found, headings
    return found[1]


# --- Würfel Joker 1 -----------------------------------------------------------------------------------


def scene(game: str, number: int) -> list[dict[str, Any]]:
    written = tomllib.loads((GAMES / game / "scenes.toml").read_text("utf-8"))["scenes"][number]
    return [find_game(game).read_event(json.loads(one)).json() for one in written["events"]]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_whole_turn_of_joker1_is_one(language: str) -> None:
    match = new("joker1", players=1, rounds=1)
    events = scene("joker1", 1)
    for event in events:
        match.play(event)
    state = match.play({"seat": 0, "next": "stop"})
    assert state.over and state.scores() == (40,)
    text = part("joker1", language, "A whole turn", "Ein ganzer Zug")
    rolls = [sorted(map(int, re.findall(r"\d", bold))) for bold in re.findall(r"\*\*(.*?)\*\*", text)]
    assert rolls == [sorted(event["roll"]) for event in events if "roll" in event]
    assert standings(match.game.components)[0b111110].best == ("große Straße", 20)
    assert " 20" in text and text.count("40") == 2


@pytest.mark.parametrize("language", languages())
def test_the_table_of_combinations_is_that_of_the_box(language: str) -> None:
    rows = re.findall(r"^\| (.*) \|$", rules_markdown("joker1", language), re.M)[2:]
    box = find_game("joker1").default_components()
    shown = [(cells[1], cells[3]) for cells in (row.split(" | ") for row in rows)]
    assert shown == [
        (" ".join(map(str, one.slides)), marked(one.value, one.provenance)) for one in box.combinations
    ]
    assert ("1 6", "7") in shown and ("1 2 3", "6°") in shown, "only the small bridge's points are printed"
    assert rules_markdown("joker1", language).count("\n\n°") == 1, "one footnote"
    assert all("<!--" not in rules_markdown(game.id, language) for game in all_games())
    assert all("<!--" not in rules_markdown(game.id, language, steps=True) for game in all_games())


# --- Würfel Joker 2 -----------------------------------------------------------------------------------

#: up to here only 1 and 4 are down, and the five has been used
TURN = [
    ([4, 1], 5, "4+1"), ([4, 2], 3, "4*2-5"), ([1, 1], 2, "1+1"), ([5, 1], 6, "5+1"),
    ([6, 1], 7, "6+1"), ([6, 2], 8, "6+2"), ([6, 3], 9, "6+3"),
]  # fmt: skip
#: the same without the five: the 3 is 2+1
WITHOUT = [([2, 1], 3, "2+1") if slide == 3 else (roll, slide, how) for roll, slide, how in TURN]


@pytest.mark.parametrize(("turn", "stopped", "bust"), [(TURN, -70, -60), (WITHOUT, -5, -12)])
def test_the_worked_score_with_the_five_is_right(turn: Any, stopped: int, bust: int) -> None:
    match = new("joker2", players=1, rounds=1)
    for number, (roll, slide, how) in enumerate(turn):
        if number:
            match.play({"seat": 0, "next": "roll"})
        match.play({"seat": 0, "roll": roll})
        match.play({"seat": 0, "push": slide, "how": how})
    assert match.state.apply(match.game.read_event({"seat": 0, "next": "stop"})).scores() == (stopped,)
    match.play({"seat": 0, "next": "roll"})
    assert match.play({"seat": 0, "roll": [5, 2]}).scores() == (bust,)
    headings = (
        "End and scoring",
        "Ende und Wertung",
        "Final y puntos",
        "Fin et décompte",
        "Fine e punti",
        "Einde en punten",
    )
    for language in languages():
        text = part("joker2", language, *headings)
        assert f"−{-stopped}" in text and f"−{-bust}" in text


# --- every game ---------------------------------------------------------------------------------------


def test_sentences_have_the_form_for_their_number() -> None:
    forms = "{n} chip each", "{n} chips each"
    assert rendered(counted(*forms, 1), "de", "crowns") == "je 1 Chip"
    assert rendered(counted(*forms, 18), "de", "crowns") == "je 18 Chips"
    names = say("the names: {names}", names=["small step", "parade", "mine"])
    assert rendered(names, "de", "joker1") == "die Namen: kleiner Schritt, Parade und mine"
    assert rendered(names, "en", "joker1") == str(names)


# --- where the values of a box come from ---------------------------------------------------------------


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_rules_say_of_every_value_of_the_box_where_it_comes_from(game: AnyGame) -> None:
    if not game.__module__.startswith("pasch.games."):
        return
    use("en")
    table = rules_text(game.id).split("## Where the data come from")[1]
    rows = [line.split(" | ")[-1] for line in table.splitlines() if line.startswith("| ")][2:]
    assert rows and all(row.startswith(("printed", "seen", "reconstructed")) for row in rows)
    numbers = set(re.findall(r"\d+", table))
    box = json.loads(msgspec.json.encode(game.default_components()))
    # how the numbers of a plan lie is one entry
    leaves = [] if game.id == "lines" else list(_numbers(box))
    assert {str(number) for number in leaves} <= numbers


def _numbers(box: Any) -> Any:
    for one in box.values() if isinstance(box, dict) else box if isinstance(box, list) else ():
        if isinstance(one, int) and not isinstance(one, bool):
            yield one
        yield from _numbers(one)


#: what a board shows at the start, or after these events
SHOWN = [
    ("crowns", {}, [], "2°", True),
    ("joker1", {}, [], "15°", True),
    ("lines", {}, [{"plan": 1}], "plan 1°", True),
    ("fiese15", {}, [{"strip": 4}], "6°", True),
    ("fiese15", {}, [{"strip": 6}], GUESS, False),
    ("fiese15", {"handicap": True}, [{"strip": 6}], "5°", True),
    ("joker2", {}, [], GUESS, False),
]


@pytest.mark.parametrize(("game", "options", "events", "sign", "there"), SHOWN)
def test_reconstructed_values_have_a_sign_on_the_board_and_one_footnote(
    game: str, options: Any, events: Any, sign: str, there: bool
) -> None:
    use("en")
    match = new(game, players=1, **options)
    for event in events:
        match.play(event)
    drawn = str(match.state)
    assert (sign in drawn) is there
    assert drawn.count("° our best guess; your box may show something else") == there


def test_an_own_box_has_no_guesses() -> None:
    use("en")
    box = json.loads(msgspec.json.encode(find_game("crowns").default_components()))
    own = {**box, "rows": [{**row, "provenance": "seen"} for row in box["rows"]]}
    assert GUESS not in str(new("crowns", players=1, components=own).state)
