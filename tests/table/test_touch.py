"""What people touch: every move has tokens of its own, and what is not possible says why."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pasch import CHANCE, all_games
from pasch.core.errors import IllegalOutcome
from pasch.core.registry import AnyGame, find_game
from pasch.core.state import State
from pasch.table.touch import ask, read, touch

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
#: what a client may touch, possible or not
TOUCHED = [
    *(f"field:{v}:{c}" for v in range(1, 7) for c in range(1, 7)),
    *(f"push:{a}+{b}" for a in range(1, 7) for b in range(a, 7)),
    *(f"slide:{n}" for n in range(10)),
    *(f"number:{n}" for n in range(30)),
    *(f"die:{c}" for c in ("red", "blue", "yellow", "black", "white", "green", "pink")),
    *(f"card:{n}" for n in range(11)),
    *(f"field:{n}" for n in range(8)),
    *("next:roll", "next:stop", "next:jokers", "discard", "forgo", "how:4-2+5", "how:x", "push:", "", ":"),
]


def states(game: AnyGame, seed: int, most: int = 400) -> Iterator[State]:
    """The states of a random game."""
    random = Random(seed)
    state = game(2).start()
    for _ in range(most):
        yield state
        if state.over:
            return
        event = state.chance().sample(random) if state.actor == CHANCE else random.choice(state.moves())
        state = state.apply(event)


@GAMES
def test_no_two_choices_have_the_same_tokens_unless_they_do_the_same(game: AnyGame) -> None:
    tokens = touch(game.id).tokens
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
        possible = [set(touch(game.id).tokens(move)) for move in state.moves()]
        for _ in range(30):
            tokens = tuple(random.sample(TOUCHED, random.randint(1, 3)))
            if not any(names >= set(tokens) for names in possible):
                reason = touch(game.id).why(state, tokens)
                assert reason.reason


@GAMES
def test_every_outcome_can_be_read_off_the_table(game: AnyGame) -> None:
    random = Random(3)
    for state in states(game, 3, 150):
        if state.actor != CHANCE:
            continue
        asked = ask(state)
        chance = state.chance()
        prefix: tuple[int, ...] = ()
        values: list[int] = []
        for _ in asked.parts:
            value, _ = random.choice(chance.step(prefix))
            prefix = (*prefix, value)
            # strips are read by their own numbers, everything else as it is counted
            values.append(asked.values[value] if asked.parts == ("strip",) else value)
        assert chance.step(prefix) == ()
        assert set(values) <= set(asked.values)
        assert read(state, tuple(values)) == chance.finish(prefix)


@GAMES
def test_what_cannot_lie_there_is_refused(game: AnyGame) -> None:
    state = next(s for s in states(game, 4) if s.actor == CHANCE and s.chance().total > 1)
    parts = len(ask(state).parts)
    for values in ((), (1,) * (parts + 1), (99,) * parts, (-1,) * parts):
        with pytest.raises(IllegalOutcome):
            read(state, values)


ONES = dict.fromkeys(("red", "blue", "yellow", "black", "white", "green"), 1)
REASONS = [
    ("crowns", [{"seat": 0, "roll": [1, 1, 1, 1, 1, 1]}], ["field:6:1"], "no die shows 6"),
    ("crowns", [{"seat": 0, "roll": [6, 5, 5, 4, 3, 1]}], ["field:6:2"], "needs 2 sixes, the roll has 1"),
    ("joker1", [{"seat": 0, "roll": [1, 2, 4]}], ["push:4+4"], "not so many dice showing 4"),
    (
        "joker1",
        [{"seat": 0, "roll": [1, 2, 4]}, {"seat": 0, "push": [[1, 2], [4]]}],
        ["next:jokers"],
        "only with a combination",
    ),
    ("joker2", [{"seat": 0, "roll": [4, 2]}], ["slide:5"], "these dice do not make 5"),
    ("joker2", [{"seat": 0, "roll": [4, 2]}], ["forgo"], "only a double may be forgone"),
    ("lines", [{"plan": 1}, {"seat": 0, "roll": [1, 3, 5]}], ["number:7"], "the dice do not make 7"),
    ("lines", [{"plan": 1}, {"seat": 0, "roll": [1, 3, 5]}], ["number:13"], "there is no 13"),
    (
        "fiese15",
        [{"strip": 0}, {"seat": 0, "roll": ONES}],
        ["die:pink"],
        "not possible",
    ),
    ("sixbysix", [{"deal": [[3, 9], [1, 4]]}], ["card:5"], "has no 5"),
]


@pytest.mark.parametrize(("game", "events", "tokens", "reason"), REASONS)
def test_reasons(game: str, events: list[dict[str, object]], tokens: list[str], reason: str) -> None:
    agreed = find_game(game)(2)
    state = agreed.start()
    for event in events:
        state = state.apply(agreed.read_event(event))
    assert reason in touch(game).why(state, tuple(tokens)).reason


def test_a_forgone_double_is_rolled_again_without_a_word() -> None:
    game = find_game("joker2")(1)
    state = game.start()
    roll = game.read_event({"seat": 0, "roll": [3, 3]})
    assert not touch("joker2").goes_on(state, roll)
    forgo = game.read_event({"seat": 0, "push": None})
    assert touch("joker2").goes_on(state.apply(roll), forgo)


@pytest.mark.parametrize(
    ("game", "written", "on"),
    [
        ("fiese15", {"seat": 0, "next": "roll"}, True),
        ("fiese15", {"seat": 0, "next": "stop"}, False),
        ("joker1", {"seat": 0, "next": "jokers"}, True),
        ("joker1", {"seat": 0, "next": "stop"}, False),
        ("joker2", {"seat": 0, "next": "roll"}, True),
        ("sixbysix", {"seat": 0, "card": 3, "field": 1}, True),
        ("crowns", {"seat": 0, "place": []}, False),
        ("lines", {"seat": 0, "cover": []}, False),
    ],
)
def test_whose_roll_needs_no_press(game: str, written: dict[str, object], on: bool) -> None:
    agreed = find_game(game)(2)
    assert touch(game).goes_on(agreed.start(), agreed.read_event(written)) is on
