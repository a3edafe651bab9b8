"""What helpers work out: moves of strong computer players, hints, judgements, verdicts, reports, puzzles.

Only helper processes, and a worker of a browser, import this module with its solvers and compilers; the server asks
for its functions by name through `pasch.table.helpers`. They take plain values and return what can be encoded as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from pasch.coach import judge as coach
from pasch.coach.judge import EventJudgement
from pasch.coach.puzzle_plan import NoPuzzle, puzzle_games
from pasch.coach.puzzles import make_puzzle
from pasch.coach.report import Report
from pasch.coach.report import report as coach_report
from pasch.core.chance import KeyedGenerator
from pasch.core.record import Record
from pasch.players.adjudication import Verdict, adjudicate
from pasch.players.base import player
from pasch.solve.tables import NotKept, building, chances_kept, limit_own_tables, own_tables
from pasch.solve.valuer import valuer
from pasch.table.helpers import JobAnswer, read_game, read_state
from pasch.table.puzzle import PracticeInfo, practice_info, puzzle_info

Arguments = dict[str, Any]


def choose(arguments: Arguments) -> dict[str, Any]:
    """The move of a computer player."""
    chosen = player(arguments["level"])
    return chosen.choose(read_state(arguments), KeyedGenerator(bytes.fromhex(arguments["key"]))).json()


def hint(arguments: Arguments) -> dict[str, Any]:
    """Each legal move with its value, best first."""
    state = read_state(arguments)
    advice = coach.advise(state, chances=chances_kept(state.game))
    return {
        "moves": [{"event": w.move.json(), "points": w.value, "win": w.win} for w in advice.moves],
        "sentences": advice.sentences,
        "exact": advice.exact,
    }


def judge(arguments: Arguments) -> EventJudgement:
    """The coach's judgement of an event."""
    state = read_state(arguments)
    event = state.game.read_event(arguments["event"])
    return coach.judge(state, event, state.apply(event), arguments["number"])


def value(arguments: Arguments) -> Verdict:
    """The verdict on the game if it ended now, by the value of the position.

    With `chances: false` by the expected scores alone, which need less to be built.
    """
    return adjudicate(read_state(arguments), chances=arguments.get("chances", True))


def report(arguments: Arguments) -> Report:
    """The coach's report of a game that has ended; computers that play to win are judged by their chances."""
    early = arguments.get("early_winners")
    record = Record.from_json(arguments["record"])
    to_win = arguments.get("to_win", ()) if chances_kept(record.configured_game()) else ()
    return coach_report(record, to_win=to_win, early_winners=None if early is None else tuple(early))


def puzzle(arguments: Arguments) -> dict[str, Any]:
    """The puzzle that follows from a seed, or why there is none."""
    try:
        found = make_puzzle(
            arguments["game"], arguments["seed"], arguments["difficulty"], arguments["kind"]
        )
    except NoPuzzle as error:
        return {"refused": {"template": error.template, "details": error.details}}
    return {"puzzle": puzzle_info(found)}


def practice(arguments: Arguments) -> PracticeInfo:
    """What the seats named can learn from a finished game."""
    return practice_info(Record.from_json(arguments["record"]), arguments["seats"], arguments["given"])


FUNCTIONS: Final[dict[str, Callable[[Arguments], Any]]] = {
    function.__name__: function for function in (choose, hint, judge, value, report, puzzle, practice)
}


def answer(do: str, arguments: Arguments, build: bool = False) -> bytes:
    """The `JobAnswer` of a function, as JSON; without `build` it names the values that would have to be built."""
    try:
        if build:
            return msgspec.json.encode(_build(do, arguments))
        with building("never"):
            return msgspec.json.encode(JobAnswer(_encoded(FUNCTIONS[do](arguments))))
    except NotKept:
        return msgspec.json.encode(JobAnswer(missing=True))
    except Exception as error:  # noqa: BLE001 - the next job may succeed
        return msgspec.json.encode(JobAnswer(problem=f"{type(error).__name__}: {error}"))


def answer_line(line: str) -> str:
    """The same for a worker of a browser: `do` and `arguments` as JSON."""
    asked = msgspec.json.decode(line)
    return answer(asked["do"], asked["arguments"]).decode()


def _build(do: str, arguments: Arguments) -> JobAnswer:
    """Build and keep the values that a job lacks, compile its code, and do it."""
    game, before = read_game(arguments), own_tables()
    with building("keep" if getattr(game.options, "components", None) is None else "own"):
        # the next puzzle may be of another variant
        for one in puzzle_games(game.id) if do == "puzzle" else (game,):
            valuer(one).prepare_points()
        found = _encoded(FUNCTIONS[do](arguments))
    built = sum(stat.st_size for path, stat in own_tables().items() if path not in before)
    limit_own_tables()
    return JobAnswer(found, built=built)


def _encoded(found: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(found))
