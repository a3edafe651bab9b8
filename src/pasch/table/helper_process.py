"""The helper process (`python -m pasch.table.helper_process`): values, strong computer players, reports.

Only this process imports solvers and compilers; the server talks to it through `pasch.table.helper`. It
ends when its input ends, so it never outlives its server.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from pasch.coach import judge as coach
from pasch.coach.report import report as coach_report
from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.players.adjudication import adjudicate
from pasch.players.base import player
from pasch.players.fallback import FallbackPlayer, start_building, values_ready
from pasch.players.levels import LEVELS
from pasch.table.helper_protocol import answer_requests, read_game, read_state

Request = dict[str, Any]


def choose(request: Request) -> dict[str, Any]:
    """The move of a computer player; a greedy one while the player's tables are being built."""
    level = request["level"]
    chosen = player(level)
    if level in LEVELS:
        chosen = FallbackPlayer(chosen, chances=level == "winner")
    return chosen.choose(read_state(request), KeyedGenerator(bytes.fromhex(request["key"]))).json()


def hint(request: Request) -> dict[str, Any] | None:
    """Each legal move with its value, best first; None while the values are being built."""
    state = read_state(request)
    if not _ready(state.game):
        return None
    advice = coach.advise(state, chances=values_ready(state.game, chances=True))
    return {
        "moves": [{"event": w.move.json(), "points": w.value, "win": w.win} for w in advice.moves],
        "sentences": msgspec.to_builtins(advice.sentences),
        "exact": advice.exact,
    }


def judge(request: Request) -> list[dict[str, Any]] | None:
    """The coach's judgement of each event from number `first` (counted from 0) on; None as for `hint`."""
    game = read_game(request)
    if not _ready(game):
        return None
    match = Match(game, request["events"])
    judged = [coach.judge(match, n, chances=False) for n in range(request["first"] + 1, len(match) + 1)]
    found: list[dict[str, Any]] = msgspec.to_builtins([j for j in judged if j.seat is not None])
    return found


def value(request: Request) -> dict[str, Any]:
    """The verdict on the game if it ended now, by the value of the position."""
    state = read_state(request)
    if not _ready(state.game, request["patience"]):
        raise PaschError("the values are not at hand yet")
    found: dict[str, Any] = msgspec.to_builtins(adjudicate(state))
    return found


def report(request: Request) -> dict[str, Any] | None:
    """The coach's report of a finished game; None while the values are being built."""
    record = Record.from_json(request["record"])
    if not _ready(record.agreed()):
        return None
    made: dict[str, Any] = msgspec.to_builtins(coach_report(record))
    return made


def _ready(game: Game[Any, Any], patience: float = 0.0) -> bool:
    """Whether the values of a game are ready; if not, they begin to be built."""
    if not values_ready(game):
        start_building(game).join(patience)
    return values_ready(game)


if __name__ == "__main__":
    functions = {function.__name__: function for function in (choose, hint, judge, value, report)}
    answer_requests(functions, sys.stdin, sys.stdout)
