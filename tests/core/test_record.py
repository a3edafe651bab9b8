"""Records: what is written, what is read, and what is wrong with a bad one."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from pasch import Match, Record
from pasch.core.errors import PaschError, RecordError
from pasch.games.fiese15.rules import Fiese15
from pasch.terminal.conformance import random_match

FINISHED = random_match(Fiese15(2), Random(15)).record().to_json()


def test_a_record_says_everything() -> None:
    written = json.loads(FINISHED)
    assert list(written) == ["format", "game", "options", "players", "events", "scores", "winners"]
    assert written["format"] == "pasch/1" and written["options"] == {"handicap": False, "gambler": False}
    for line in (FINISHED, b"\xef\xbb\xbf" + FINISHED.encode()):
        assert Record.from_json(line).verify().over


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    written = json.loads(FINISHED)
    change(written)
    return json.dumps(written)


@pytest.mark.parametrize(
    ("line", "event", "words"),
    [
        ("", None, "broken JSON"),
        ("{", None, "broken JSON"),
        ("[" * 100_000, None, "nested more than 32 deep"),
        ('{"format":NaN}', None, "broken JSON"),
        ('{"format":"pasch/1","format":"pasch/1"}', None, "stands twice"),
        ("[]", None, "Expected `object`, got `array`"),
        (b"{\xff", None, "not UTF-8 at byte 1"),
        ("{}", None, "missing required field `format`"),
        (changed(lambda r: r.update(format="pasch/2")), None, "format"),
        (changed(lambda r: r.update(game="chess")), None, "there is no game 'chess'"),
        (changed(lambda r: r.update(note="hello")), None, "unknown field `note`"),
        (changed(lambda r: r.pop("scores")), None, "missing required field `scores`"),
        (changed(lambda r: r.update(players=9)), None, "players"),
        (changed(lambda r: r.update(players=True)), None, "players"),
        (changed(lambda r: r.update(players="2")), None, "players"),
        (changed(lambda r: r.update(options=[])), None, "options"),
        (changed(lambda r: r["options"].update(speed=1)), None, "there is no option 'speed'"),
        (changed(lambda r: r["options"].pop("gambler")), None, "option gambler is missing"),
        (changed(lambda r: r["options"].update(gambler=0)), None, "option gambler"),
        (changed(lambda r: r["events"].pop(0)), 1, "strip"),
        (changed(lambda r: r["events"][1].update(x=1)), 2, "has no such move"),
        (changed(lambda r: r["events"][1].update(seat=1)), 2, "seat 1’s dice"),
        (changed(lambda r: r["events"][1].update(seat=0.0)), 2, "seat"),
        (changed(lambda r: r["events"].insert(3, r["events"][2])), 4, ""),
        (changed(lambda r: r["scores"].reverse() or r["scores"].append(1)), None, "scores: written"),
        (changed(lambda r: r.update(winners=[])), None, "winners: written"),
    ],
)
def test_bad_records_are_verdicts(line: str | bytes, event: int | None, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.from_json(line).verify()
    assert caught.value.event == event
    assert words in caught.value.reason


def test_a_branch_has_the_same_states_and_what_is_refused_changes_nothing() -> None:
    match = Match(Fiese15(2), Record.from_json(FINISHED).events)
    events, half = list(match.events), len(match) // 2
    twin = match.branch(half)
    assert twin.state == match.at(half) and list(twin.events) == events[:half]
    with pytest.raises(PaschError):
        twin.play({"strip": 99})
    assert len(twin) == half
    for event in events[half:]:
        twin.play(event)
    assert twin.state == match.state
    assert twin.undo(len(match) - half) == match.at(half)
    assert list(match.events) == events
    for beyond in (twin.undo, match.at):
        with pytest.raises(IndexError):
            beyond(len(match) + 1)
