"""Tables are read with the standard library and msgspec, without any other package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from pasch.core.registry import find_game
from pasch.games.lines.values.rounds import rounds_on
from pasch.solve.valuer import valuer

#: plays a game with players of all levels, has moves and rolls judged, and makes a report
SCRIPT = """
import json, random, sys

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in sys.stdlib_module_names | {"pasch", "msgspec"}:
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, NothingElse())

from pasch.coach.judge import advise, judge
from pasch.coach.report import report
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.core.state import CHANCE
from pasch.players.base import player
from pasch.solve.valuer import valuer

game = find_game(sys.argv[1]).agree(2, json.loads(sys.argv[2]))
values, generator = valuer(game), random.Random("read")
match, players = Match(game), [player(name) for name in ("easy", "medium", "hard", "perfect", "winner")]
while not match.state.over:
    state = match.state
    if state.actor == CHANCE:
        match.play(state.chance().sample(generator))
    else:
        points, wins = values.move_points(state), [move.win for move in values.moves(state)]
        assert abs(max(points) - values.points(state)[state.actor]) < 1e-9
        assert abs(max(wins) - values.worth(state).win[state.actor]) < 1e-9
        assert advise(state).moves[0].move == state.moves()[points.index(max(points))]
        match.play(generator.choice(players).choose(state, generator))
for number in range(1, min(len(match), 10)):
    judge(match.at(number - 1), match.events[number - 1], match.at(number), number)
report(match)
"""


#: short games
OPTIONS: dict[str, dict[str, Any]] = {
    "fiese15": {
        "components": msgspec.to_builtins(
            msgspec.structs.replace(find_game("fiese15")(1).components, rounds=1)
        )
    },
    "joker1": {"rounds": 1},
    "joker2": {"rounds": 1},
    "lines": {"plans": [1, 2, 3], "target": 2},
}


@pytest.mark.parametrize("game", OPTIONS)
def test_values_players_and_coach_need_no_other_package(game: str) -> None:
    created = find_game(game).agree(2, OPTIONS[game])
    rounds_on.cache_clear()  # tables of another folder may be remembered
    # a new object, so that the tables are in today's folder, whatever other tests have opened
    type(valuer(created))(created).prepare()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game, json.dumps(OPTIONS[game])],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stderr
