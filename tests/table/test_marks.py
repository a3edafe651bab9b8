"""What the drawings mark follows from the rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE, State
from pasch.games.crowns import field
from pasch.table.marks import marks


def played(game: str, players: int, *events: dict[str, Any], **options: Any) -> State:
    state: State = find_game(game).agree(players, options).start()
    for event in events:
        state = state.apply(state.game.read_event(event))
    return state


def with_fields(state: State, **fields: Any) -> State:
    return msgspec.structs.replace(state, **fields)


@pytest.mark.parametrize("game", game_ids())
def test_every_position_of_every_game_has_marks_that_are_json(game: str) -> None:
    state = find_game(game)(2).start()
    for turn in range(400):
        json = msgspec.json.encode(marks(state))
        assert marks(state).keys() == msgspec.json.decode(json).keys()
        if state.over:
            break
        if state.actor == CHANCE:
            chance = state.chance()
            state = state.apply(chance.pick(turn * 7919 % chance.total))
        else:
            moves = state.moves()
            state = state.apply(moves[turn % len(moves)])


def test_crowns_a_line_is_complete_with_its_fifth_field_and_not_before() -> None:
    state = find_game("crowns")(2).start()
    row = [field(3, count) for count in range(1, 6)]
    four, five = sum(1 << bit for bit in row[:4]), sum(1 << bit for bit in row)
    assert marks(with_fields(state, boards=(four, five)))["lines"] == ((), (tuple(row),))


def test_crowns_only_a_finished_game_for_one_has_a_title() -> None:
    alone, two = find_game("crowns")(1).start(), find_game("crowns")(2).start()
    assert "title" not in marks(alone)
    assert marks(with_fields(alone, actor=-2, phase="over"))["title"] == "try_again"
    assert "title" not in marks(with_fields(two, actor=-2, phase="over"))


def test_joker1_slides_up_make_a_combination_and_spoil_others() -> None:
    state = played("joker1", 1, {"seat": 0, "roll": [1, 6, 6]}, {"seat": 0, "push": [[1], [6]]})
    assert marks(state)["stands"] == "kleine Brücke"
    assert marks(state)["worth"] == 7
    assert {"kleiner Sprung", "großer Sprung", "kleine Straße"} <= set(marks(state)["lost"])
    assert not {"kleiner Schritt", "großer Schritt", "große Brücke", "Parade"} & set(marks(state)["lost"])


def test_joker1_each_joker_doubles_what_stopping_scores() -> None:
    state = played("joker1", 1, {"seat": 0, "roll": [1, 6, 6]}, {"seat": 0, "push": [[1], [6]]})
    assert marks(with_fields(state, jokers=2))["worth"] == 28


def test_joker2_the_slides_down_count_and_the_five_multiplies_them() -> None:
    state = find_game("joker2")(1).start()
    assert marks(with_fields(state, slides=0b111111100))["worth"] == -3
    assert marks(with_fields(state, slides=0b111111100, fivefold=True))["worth"] == -15


def test_lines_the_plan_to_come_and_the_complete_lines() -> None:
    state = find_game("lines").agree(2, {"plans": [3]}).start()
    assert marks(state) == {"plan": 3, "lines": ((), ())}
    first_row = sum(1 << number - 1 for number in (16, 3, 2, 13))
    covered = with_fields(state, plan=3, covered=(first_row, 0))
    assert marks(covered)["lines"][0] == (0,)
    assert marks(with_fields(state, plan=3, covered=(first_row - (1 << 15), 0)))["lines"][0] == ()


def test_fiese15_what_stopping_and_missing_score() -> None:
    state = played("fiese15", 1, {"strip": 3})
    kept = with_fields(state, kept=(3, 2, 1, 2, 1, 0))
    assert marks(kept) == {"worth": 3 + 2 + 1 + 2 + 1 + 5, "missed": 1}
    gambling = with_fields(played("fiese15", 1, {"strip": 3}, gambler=True), kept=(3, 0, 0, 0, 0, 0))
    assert marks(gambling) == {"worth": 3, "missed": 0}


def test_sixbysix_the_lowest_cards_and_the_bonus_are_marked_once_a_round_is_settled() -> None:
    rows = ((6, 2, 3, 9, 7, 9), (2, 4, 3, 5, 7, 9))
    playing = with_fields(find_game("sixbysix")(2).start(), phase="card", rows=rows)
    assert marks(playing) == {}
    settled = marks(with_fields(playing, phase="deal"))
    assert settled["lowest"] == [(1, 1), (0, 2), (0, 3), (1, 3), (1, 4), (0, 5), (1, 5), (0, 6), (1, 6)]
    assert settled["bonus"] == [0]


def test_sixbysix_with_streets_only_the_streets_are_marked() -> None:
    start = find_game("sixbysix").agree(2, {"streets": True}).start()
    rows = ((1, 2, 3, 5, 6, 6), (9, 4, 5, 6, 7, 1))
    settled = marks(with_fields(start, phase="deal", rows=rows))
    assert settled == {"street": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (1, 4), (1, 5)]}
