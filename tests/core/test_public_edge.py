"""What programs hand over is checked where it comes in, and what Python shows of things is of use."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import pasch

KEY = pasch.game_key("edge", 0)


@pytest.mark.parametrize("game", pasch.all_games(), ids=lambda game: game.id)
def test_seats_that_a_game_does_not_have_are_refused(game: Any) -> None:
    state = game.agree(2).start()
    for wrong in (2, 9, -1):
        with pytest.raises(pasch.OptionError, match=f"seat: expected 0 to 1, got {wrong}"):
            state.view(wrong)
    with pytest.raises(pasch.PositionError, match=r"(seat|actor): expected"):
        state.game.read_state(state.snapshot() | {"seat": 99, "actor": 99})
    with pytest.raises(pasch.PositionError, match="missing required field `phase`"):
        state.game.read_state({name: value for name, value in state.snapshot().items() if name != "phase"})
    with pytest.raises(pasch.PositionError, match="unknown field `more`"):
        state.game.read_state(state.snapshot() | {"more": 1})


@pytest.mark.parametrize("wrong", ["2", 2.0, None])
def test_the_number_of_players_is_a_number(wrong: Any) -> None:
    with pytest.raises(pasch.OptionError, match="players: expected a whole number, got"):
        pasch.find_game("joker1").agree(wrong)


def test_keys_and_players_are_checked() -> None:
    with pytest.raises(pasch.OptionError, match="key: expected 16 bytes or more, got 1"):
        pasch.play_game("joker1", ["random"], b"1")
    with pytest.raises(pasch.UnknownPlayer, match="there is no player 'nobody'"):
        pasch.play_game("joker1", ["nobody"], KEY)
    players: Any = [3]
    with pytest.raises(pasch.UnknownPlayer, match=r"choose\(view, generator\); got int"):
        pasch.play_game("joker1", players, KEY)
    configured = pasch.find_game("joker1").agree(1)
    with pytest.raises(pasch.OptionError, match="2 players for a game of 1"):
        pasch.play_game(configured, ["random", "random"], KEY)
    with pytest.raises(pasch.OptionError, match="rounds: this game is configured"):
        pasch.play_game(configured, ["random"], KEY, rounds=3)


class First:
    """Makes the first move, as a user may write it in a notebook."""

    def choose(self, view: pasch.State, generator: pasch.Generator) -> pasch.Event:
        return view.moves()[0]


def test_games_and_players_are_names_or_objects() -> None:
    def first(view: pasch.State, generator: pasch.Generator) -> pasch.Event:
        return view.moves()[0]

    configured = pasch.find_game("joker1").agree(2, {"rounds": 2})
    played = [pasch.play_game(configured, [made, "greedy"], KEY).events for made in (First(), First, first)]
    by_name = pasch.play_game("joker1", [First(), pasch.player("greedy")], KEY, rounds=2).events
    assert played == [by_name] * 3


def test_record_files_are_read(tmp_path: Path) -> None:
    match = pasch.play_game("joker1", ["random"], KEY, rounds=1)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{match.record().to_json()}\n\n{match.record().to_json()}\n")
    records = list(pasch.read_records(file))
    assert len(records) == 2 and pasch.Match.replay(records[1]).state == match.state
    file.write_text(f"{match.record().to_json()}\n{{}}\n")
    with pytest.raises(pasch.RecordError, match="line 2: this is not a record"):
        list(pasch.read_records(str(file)))


def test_dice_are_drawn_with_their_pips() -> None:
    state = pasch.State.parse("joker1 1 {} 0 push 0 0 0 000000 3 145 0")
    picture = ElementTree.fromstring(state._repr_svg_())
    boxes = picture.findall("{http://www.w3.org/2000/svg}rect")
    assert sum(box.get("width") == box.get("height") == "5" for box in boxes) == 1 + 4 + 5
