"""What helpers work out: moves, values, reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.players.base import player
from pasch.solve.tables import limit_own_tables
from pasch.table import jobs
from pasch.table.descriptions import describe_state


def answered(do: str, arguments: dict[str, Any], build: bool = False) -> Any:
    return msgspec.json.decode(jobs.answer(do, msgspec.json.decode(msgspec.json.encode(arguments)), build))


def test_it_chooses_as_the_player_would_from_what_its_seat_knows() -> None:
    match = Match(find_game("sixbysix")(2), [{"deal": [[3, 9], [1, 4]]}])
    asked = describe_state(match.state, 0)
    assert asked["state"]["hands"] == [[3, 9], [None, None]]
    for level in ("greedy", "random"):
        move = answered("choose", {**asked, "level": level, "key": "00"})["answer"]
        assert move == player(level).choose(match.state.view(0), KeyedGenerator(b"\0")).json()


def test_what_it_cannot_do_is_said() -> None:
    match = Match(find_game("sixbysix")(2), [{"deal": [[3, 9], [1, 4]]}])
    asked = {**describe_state(match.state, 0), "level": "nobody", "key": "00"}
    assert "nobody" in answered("choose", asked)["problem"]
    assert "dance" in answered("dance", {})["problem"]


@pytest.mark.slow
def test_nothing_is_built_but_by_the_builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table is missing a job says so at once; one for a stranger's box may be removed again."""
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    game = find_game("joker1")
    box = msgspec.to_builtins(game.default_components())
    state = game.agree(1, {"components": box, "rounds": 13}).start()
    while state.actor < 0:
        state = state.apply(state.chance().pick(0))
    asked = {**describe_state(state, 0), "level": "perfect", "key": "00"}
    assert answered("choose", asked) == {"missing": True} and not [*tmp_path.iterdir()]
    built = answered("choose", asked, build=True)
    assert built["built"] == sum(file.stat().st_size for file in tmp_path.iterdir()) > 0
    assert state.game.read_event(answered("choose", asked)["answer"]) in state.moves()
    assert [*tmp_path.iterdir()] and limit_own_tables(most_files=0)
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_the_report_of_a_game_that_was_ended_early() -> None:
    match = Match(find_game("joker1").agree(2, {"rounds": 1}), [{"seat": 0, "roll": [1, 2, 4]}])
    asked = {"record": match.record().to_json()}
    reply = jobs.report({**asked, "early_winners": [1]})
    assert (reply.winners, reply.scores) == ((1,), (0, 0))
    assert "ended early" in reply.statement.template
    with pytest.raises(PaschError, match="ends before the game does"):
        jobs.report(asked)
