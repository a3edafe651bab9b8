"""Positions and events as strings: everything comes back as it was, and what is wrong is named."""

from __future__ import annotations

import pytest

import pasch


def test_options_and_words_are_part_of_the_line() -> None:
    match = pasch.new("joker1", 1, rounds=3, first_six="busts")
    match.play("roll:1,2,3")
    match.play("push:1/2/3")
    assert match.state.notation() == 'joker1 1 {"rounds":3,"first_six":"busts"} 0 next 0 0 0 111000 3 - 0'
    assert match.play("next:jokers").notation().split()[4] == "joker_roll"
    assert pasch.State.parse(match.state.notation()).game == match.game


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "there is no game"),
        ("joker1", "expected a number of players"),
        ("joker1 9 {} chance roll 0 0 0 000000 3 - 0", "is for 1 to 6 players"),
        ("joker1 1 {x} chance roll 0 0 0 000000 3 - 0", "options"),
        ("joker1 1 [] chance roll 0 0 0 000000 3 - 0", "options"),
        ("joker1 1 {} chance roll 0 0 0 000000 3 -", "has 8 fields (phase, seat, round, totals"),
        ("joker1 1 {} 1 roll 0 0 0 000000 3 - 0", "actor: expected -2 to 0, got 1"),
        ("joker1 1 {} me roll 0 0 0 000000 3 - 0", "Expected `int`, got `str` - at `$.actor`"),
        ("joker1 1 {} chance sleep 0 0 0 000000 3 - 0", "at `$.phase`"),
        ("joker1 1 {} chance roll 99 0 0 000000 3 - 0", "seat: expected 0 to 0, got 99"),
        ("joker1 1 {} chance roll 0 11 0 000000 3 - 0", "round: expected 0 to 10, got 11"),
        ("joker1 1 {} chance roll 0 0 0,0 000000 3 - 0", "totals: expected 1 numbers, got 2"),
        ("joker1 1 {} chance roll 0 0 x 000000 3 - 0", "at `$.totals[0]`"),
        ("joker1 1 {} chance roll 0 0 0 00000 3 - 0", "slides: expected 6 times 0 or 1"),
        ("joker1 1 {} chance roll 0 0 0 000000 3 79 0", "rolled"),
        ("joker1 1 {} chance roll 0 0 0 000000 3 321 0", "is no roll"),
        ('joker1 1 {"rounds":10} chance roll 0 0 0 000000 3 - 0', "expected 'joker1 1 {}"),
        ("lines 1 {} chance plan 0 0 0 0 000000000000 2 -", "at `$.out[0]`"),
    ],
)
def test_what_is_no_position_is_refused(line: str, problem: str) -> None:
    with pytest.raises(pasch.PaschError) as caught:
        pasch.State.parse(line)
    assert problem in str(caught.value)


@pytest.mark.parametrize("text", ["", "fly:1", "push:x", "push:1/", "roll:9", "next:sleep"])
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(pasch.EventError):
        pasch.new("joker1", 1).state.read(text)


def test_a_game_continues_from_a_position() -> None:
    line = 'joker2 2 {"rounds":2} 0 next 0 1 -44,-150 001010010 0 - 0'
    start = pasch.State.parse(line)
    key = pasch.game_key("start", 0)
    match = pasch.play_game(start.game, ["greedy", "random"], key, start=start)
    assert match.at(0) == start and match.state.over
    assert match.branch(3).at(0) == start
    with pytest.raises(pasch.PositionError, match="began in the middle"):
        match.record()
    with pytest.raises(pasch.PositionError, match="another game"):
        pasch.play_game("joker2", ["greedy", "random"], key, start=start)
