"""What people touch, why something is not possible, what is read off the table, and what is marked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pasch import CHANCE, all_games
from pasch.core.registry import AnyGame, find_game
from pasch.core.state import State
from pasch.games.crowns.box import field
from pasch.table.show import ask, marks, show, why
from pasch.terminal.conformance import random_match

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
#: what a client may touch, possible or not
TOUCHED = [
    *(f"field:{v}:{c}" for v in range(1, 7) for c in range(1, 7)),
    *(f"push:{a}+{b}" for a in range(1, 7) for b in range(a, 7)),
    *(f"slide:{n}" for n in range(10)),
    *(f"number:{n}" for n in range(30)),
    *(f"keep:{c}" for c in ("red", "blue", "yellow", "black", "white", "green", "pink")),
    *(f"card:{n}" for n in range(11)),
    *(f"field:{n}" for n in range(8)),
    *("next:roll", "next:stop", "next:jokers", "discard", "forgo", "how:4-2+5", "how:x", "push:", "", ":"),
]


def states(game: AnyGame, seed: int, most: int = 400) -> Iterator[State]:
    """The first positions of a random game."""
    match = random_match(game(2), Random(seed), most)
    return map(match.at, range(len(match)))


def played(game: str, players: int, *events: dict[str, Any], **options: Any) -> State:
    state: State = find_game(game).agree(players, options).start()
    for event in events:
        state = state.apply(state.game.read_event(event))
    return state


@GAMES
def test_no_two_choices_have_the_same_tokens_unless_they_do_the_same(game: AnyGame) -> None:
    tokens = show(game.id).tokens
    for state in states(game, 1):
        found: dict[frozenset[str], State] = {}
        for move in state.moves():
            names = tokens(move)
            assert len(set(names)) == len(names)
            after = found.setdefault(frozenset(names), state.apply(move))
            assert after == state.apply(move)


@GAMES
def test_whatever_is_touched_in_vain_gets_a_reason(game: AnyGame) -> None:
    random = Random(7)
    for state in states(game, 2, 120):
        if state.actor < 0:
            continue
        possible = [set(show(game.id).tokens(move)) for move in state.moves()]
        for _ in range(30):
            tokens = tuple(random.sample(TOUCHED, random.randint(1, 3)))
            if not any(names >= set(tokens) for names in possible):
                reason = why(state, tokens)
                assert reason.reason


@GAMES
def test_every_outcome_can_be_read_off_the_table(game: AnyGame) -> None:
    random = Random(3)
    for state in states(game, 3, 150):
        if state.actor != CHANCE:
            continue
        asked, chance = ask(state), state.chance()
        prefix: tuple[int, ...] = ()
        while steps := chance.step(prefix):
            prefix = (*prefix, random.choice(steps)[0])
        assert len(prefix) == len(asked.parts) and set(prefix) <= set(asked.values)
        assert chance.read(prefix) == chance.finish(prefix)


ONES = dict.fromkeys(("red", "blue", "yellow", "black", "white", "green"), 1)
REASONS = [
    ("crowns", [{"seat": 0, "roll": [6, 5, 5, 4, 3, 1]}], ["field:6:2"], "this needs 2 sixes; you have 1"),
    ("joker1", [{"seat": 0, "roll": [1, 2, 4]}], ["push:4+4"], "not that many dice showing 4"),
    (
        "joker1",
        [{"seat": 0, "roll": [1, 2, 4]}, {"seat": 0, "push": [[1, 2], [4]]}],
        ["next:jokers"],
        "need a combination",
    ),
    ("joker2", [{"seat": 0, "roll": [4, 2]}], ["slide:5"], "these dice do not make 5"),
    ("joker2", [{"seat": 0, "roll": [4, 2]}], ["forgo"], "only a double may be forgone"),
    ("lines", [{"plan": 1}, {"seat": 0, "roll": [1, 3, 5]}], ["number:13"], "your dice do not make 13"),
    (
        "fiese15",
        [{"strip": 0}, {"seat": 0, "roll": ONES}],
        ["keep:pink"],
        "there is no die called 'pink'",
    ),
    ("sixbysix", [{"deal": [[3, 9], [1, 4]]}], ["card:5"], "has no 5"),
    ("sixbysix", [{"deal": [[3, 9], [1, 4]]}], ["field:7"], "this does not read as a move"),
    ("crowns", [{"seat": 0, "roll": [1, 1, 1, 1, 1, 1]}], ["discard"], "only when you play alone"),
    ("lines", [{"plan": 1}, {"seat": 0, "roll": [1, 3, 5]}], ["next:stop"], "this is not possible now"),
]


@pytest.mark.parametrize(("game", "events", "tokens", "reason"), REASONS)
def test_reasons(game: str, events: list[dict[str, object]], tokens: list[str], reason: str) -> None:
    assert reason in why(played(game, 2, *events), tuple(tokens)).reason


KEPT = [{"strip": 0}, {"seat": 0, "roll": ONES}, {"seat": 0, "keep": ["red"]}]
DOUBLE = {"seat": 0, "roll": [3, 3]}


@pytest.mark.parametrize(
    ("game", "events", "written", "on"),
    [
        ("fiese15", KEPT, {"seat": 0, "next": "roll"}, True),
        ("fiese15", KEPT, {"seat": 0, "next": "stop"}, False),
        ("joker1", [], {"seat": 0, "next": "jokers"}, True),
        ("joker1", [], {"seat": 0, "next": "stop"}, False),
        ("joker2", [], {"seat": 0, "next": "roll"}, True),
        # after a roll the push comes; after a double is forgone, the next roll
        ("joker2", [], DOUBLE, False),
        ("joker2", [DOUBLE], {"seat": 0, "push": None}, True),
        ("sixbysix", [], {"seat": 0, "card": 3, "field": 1}, True),
        ("crowns", [], {"seat": 0, "place": []}, False),
    ],
)
def test_whose_roll_needs_no_press(game: str, events: Any, written: dict[str, object], on: bool) -> None:
    before = played(game, 2, *events)
    assert show(game).rolls_automatically(before, before.game.read_event(written)) is on


# --- what is marked ---------------------------------------------------------------------------------


def test_crowns_complete_lines_and_the_title() -> None:
    state = find_game("crowns")(2).start()
    row = [field(3, count) for count in range(1, 6)]
    four, five = sum(1 << bit for bit in row[:4]), sum(1 << bit for bit in row)
    assert marks(replace(state, boards=(four, five)))["lines"] == ((), (tuple(row),))
    # only a finished game for one has a title
    alone, over = find_game("crowns")(1).start(), {"actor": -2, "phase": "over"}
    assert "title" not in marks(alone) and "title" not in marks(replace(state, **over))
    assert marks(replace(alone, **over))["title"] == "try_again"


def test_joker1_slides_up_make_a_combination_and_spoil_others() -> None:
    state = played("joker1", 1, {"seat": 0, "roll": [1, 6, 6]}, {"seat": 0, "push": [[1], [6]]})
    assert marks(state)["stands"] == "kleine Brücke"
    assert marks(state)["worth"] == 7
    assert {"kleiner Sprung", "großer Sprung", "kleine Straße"} <= set(marks(state)["lost"])
    assert not {"kleiner Schritt", "großer Schritt", "große Brücke", "Parade"} & set(marks(state)["lost"])
    # each joker doubles what stopping scores
    assert marks(replace(state, jokers=2))["worth"] == 28


def test_joker2_the_slides_down_count_and_the_five_multiplies_them() -> None:
    state = find_game("joker2")(1).start()
    assert marks(replace(state, slides=0b111111100))["worth"] == -3
    assert marks(replace(state, slides=0b111111100, fivefold=True))["worth"] == -15
    # a push says what stopping would score after it
    rolled = replace(played("joker2", 1, {"seat": 0, "roll": [2, 6]}), slides=0b011111111 & ~0b1000)
    assert marks(rolled)["then"]["6-2"] == -9
    # the five has its price, unless all slides are up
    assert marks(rolled)["then"]["6-2+5"] == -5 * (4 + 8)
    assert marks(replace(rolled, slides=0b111110111))["then"] == {"6-2": 45}


def test_lines_the_plan_to_come_and_the_complete_lines() -> None:
    state = find_game("lines").agree(2, {"plans": [3]}).start()
    assert marks(state) == {"plan": 3, "lines": ((), ())}
    first_row = sum(1 << number - 1 for number in (16, 3, 2, 13))
    covered = replace(state, plan=3, covered=(first_row, 0))
    assert marks(covered)["lines"][0] == (0,)
    assert marks(replace(state, plan=3, covered=(first_row - (1 << 15), 0)))["lines"][0] == ()


def test_fiese15_what_stopping_and_missing_score() -> None:
    state = played("fiese15", 1, {"strip": 3})
    kept = replace(state, kept=(3, 2, 1, 2, 1, 0))
    assert marks(kept) == {"worth": 3 + 2 + 1 + 2 + 1 + 5, "missed": 1}


def test_sixbysix_the_lowest_cards_and_the_bonus_are_marked_once_a_round_is_settled() -> None:
    rows = ((6, 2, 3, 9, 7, 9), (2, 4, 3, 5, 7, 9))
    playing = replace(find_game("sixbysix")(2).start(), phase="card", rows=rows)
    assert marks(playing) == {}
    settled = marks(replace(playing, phase="deal"))
    assert settled["lowest"] == [(1, 1), (0, 2), (0, 3), (1, 3), (1, 4), (0, 5), (1, 5), (0, 6), (1, 6)]
    assert settled["bonus"] == [0]
    # with streets only the streets
    start = find_game("sixbysix").agree(2, {"streets": True}).start()
    rows = ((1, 2, 3, 5, 6, 6), (9, 4, 5, 6, 7, 1))
    streets = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (1, 4), (1, 5)]
    assert marks(replace(start, phase="deal", rows=rows)) == {"street": streets}
