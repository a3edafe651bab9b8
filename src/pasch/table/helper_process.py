"""The helper process (`python -m pasch.table.helper_process`): values, strong computer players, reports.

Only this process imports solvers and compilers; the server talks to it through `pasch.table.helper`. It
ends when its input ends, so it never outlives its server.

Nothing but `build` builds tables of values. The others answer None where one is missing, and the server then
asks a process of its own to build it (`pasch.table.helper_pool`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final

import msgspec

from pasch.coach import judge as coach
from pasch.coach.puzzle_plan import NoPuzzle
from pasch.coach.puzzles import make_puzzle
from pasch.coach.report import report as coach_report
from pasch.core.chance import KeyedGenerator
from pasch.core.game import Game
from pasch.core.record import Record
from pasch.players.adjudication import adjudicate
from pasch.players.base import player
from pasch.solve.tables import NotKept, building, limit_own_tables
from pasch.solve.valuer import valuer
from pasch.table.helper_protocol import answer_requests, read_game, read_state
from pasch.table.puzzle import practice_info, puzzle_info

Request = dict[str, Any]


def choose(request: Request) -> dict[str, Any]:
    """The move of a computer player."""
    chosen = player(request["level"])
    return chosen.choose(read_state(request), KeyedGenerator(bytes.fromhex(request["key"]))).json()


def hint(request: Request) -> dict[str, Any]:
    """Each legal move with its value, best first."""
    state = read_state(request)
    advice = coach.advise(state, chances=_chances_kept(state.game))
    return {
        "moves": [{"event": w.move.json(), "points": w.value, "win": w.win} for w in advice.moves],
        "sentences": msgspec.to_builtins(advice.sentences),
        "exact": advice.exact,
    }


def _chances_kept(game: Game[Any, Any]) -> bool:
    """Whether the chances to win can be told, too, without building a table."""
    try:
        with building("never"):
            valuer(game).prepare()
    except NotKept:
        return False
    return True


def judge(request: Request) -> list[dict[str, Any]]:
    """The coach's judgement of each of some events in a row, of which the first has the number `first`."""
    state, judged = read_state(request), []
    for number, written in enumerate(request["events"], request["first"]):
        event = state.game.read_event(written)
        after = state.apply(event)
        judged.append(coach.judge_event(state, event, after, number, chances=False))
        state = after
    found: list[dict[str, Any]] = msgspec.to_builtins([j for j in judged if j.seat is not None])
    return found


def value(request: Request) -> dict[str, Any]:
    """The verdict on the game if it ended now, by the value of the position.

    With `chances: false` in the request by the expected scores alone, which need less to be built.
    """
    found: dict[str, Any] = msgspec.to_builtins(
        adjudicate(read_state(request), chances=request.get("chances", True))
    )
    return found


def report(request: Request) -> dict[str, Any]:
    """The coach's report of a finished game."""
    early = request.get("early_winners")
    winners = None if early is None else tuple(early)
    found = coach_report(Record.from_json(request["record"]), early_winners=winners)
    made: dict[str, Any] = msgspec.to_builtins(found)
    return made


def puzzle(request: Request) -> dict[str, Any]:
    """The puzzle that follows from a seed, or why there is none."""
    try:
        found = make_puzzle(request["game"], request["seed"], request["difficulty"], request["kind"])
    except NoPuzzle as error:
        return {"refused": {"template": error.template, "details": error.details}}
    return {"puzzle": _plain(puzzle_info(found))}


def practice(request: Request) -> dict[str, Any]:
    """What the seats named can learn from a finished game."""
    record = Record.from_json(request["record"])
    found: dict[str, Any] = _plain(practice_info(record, request["seats"], request["given"]))
    return found


def _plain(struct: msgspec.Struct) -> Any:
    # parts of a position are encoded already
    return msgspec.json.decode(msgspec.json.encode(struct))


FUNCTIONS: Final = {
    function.__name__: function for function in (choose, hint, judge, value, report, puzzle, practice)
}
#: of these one answer is worked out when their values have been built, so that their code is compiled, too
REHEARSED: Final = ("choose", "hint", "value", "puzzle")


def give_way() -> None:
    """Let other processes, the server above all, go first when all processors are busy."""
    if hasattr(os, "nice"):
        os.nice(5)


def build(request: Request) -> bool:
    """Build and keep what the request `for` lacks: tables of values, and compiled code."""
    give_way()  # even to other helpers; the process ends afterwards
    game = read_game(request)
    with building("keep" if getattr(game.options, "components", None) is None else "own"):
        valuer(game).prepare_points()
        if request["for"] in REHEARSED:
            FUNCTIONS[request["for"]](request)
    limit_own_tables()
    return True


def if_kept(function: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """The function, which answers None where a table of values would have to be built."""

    def answer(request: Request) -> Any:
        try:
            with building("never"):
                return function(request)
        except NotKept:
            return None

    return answer


#: what a helper does without building anything
QUICK: Final = {name: if_kept(function) for name, function in FUNCTIONS.items()}


if __name__ == "__main__":
    give_way()
    answer_requests({**QUICK, "build": build}, sys.stdin, sys.stdout)
