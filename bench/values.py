"""Values: how long tables take, how large they are, how fast games are graded and players decide."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.clock import per_cpu_second
from pasch import find_game
from pasch.coach.ledger import keep_ledger
from pasch.core.chance import seed_key, subkey
from pasch.core.game import Game
from pasch.core.state import State
from pasch.players.arena import play_game
from pasch.players.base import player, player_names
from pasch.solve import solved
from pasch.solve.solved import SolvedValues

#: game, players, options
SOLVED: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("fiese15", 2, {}),
    ("fiese15", 2, {"handicap": True}),
    ("joker1", 2, {}),
    ("joker2", 2, {}),
    ("lines", 2, {"plans": [1, 2, 3]}),
    ("lines", 2, {"plans": [4]}),
    ("crowns", 1, {}),
    ("sixbysix", 2, {}),
)
GRADED = ("fiese15", "joker1", "joker2", "lines")


def solve_alone(name: str, players: int, options: dict[str, Any]) -> None:
    """Build the tables of one game and print what that took; runs in a process of its own."""
    from pasch.solve.valuer import valuer

    begun = time.perf_counter()
    values = valuer(find_game(name).agree(players, options))
    values.prepare_points()
    points = time.perf_counter() - begun
    values.prepare()
    whole = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    folder = Path(os.environ["PASCH_CACHE"])
    size = sum(path.stat().st_size for path in folder.glob("*")) / 2**20 if folder.is_dir() else 0.0
    print(f"{points:>12.1f}{whole:>12.1f}{size:>12.1f}{peak:>12.0f}")


def _solving() -> None:
    print("Making tables in a fresh process and folder (seconds, MiB)")
    print(f"{'game':<40}{'points':>12}{'all':>12}{'tables':>12}{'peak memory':>12}")
    for name, players, options in SOLVED:
        label = f"{name}, {players} players" + "".join(f", {key} {value}" for key, value in options.items())
        print(f"{label:<40}", end="", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            program = f"from bench.values import solve_alone; solve_alone({name!r}, {players}, {options!r})"
            environment = {**os.environ, "PASCH_CACHE": folder}
            subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def _grading() -> None:
    print("\nGrading a recorded game once its tables exist (CPU milliseconds a game, target: at most 100)")
    for name in GRADED:
        for players in (2, max(find_game(name).seats)):
            game = find_game(name).agree(players)
            matches = [_game(game, "greedy", number) for number in range(10)]
            keep_ledger(matches[0])
            begun = time.process_time()
            for match in matches:
                keep_ledger(match)
            spent = 100 * (time.process_time() - begun)
            events = sum(map(len, matches)) / len(matches)
            print(f"{name + f', {players} players':<40}{spent:>12.1f} ({events:.0f} events)")


def _deciding() -> None:
    print("\nDecisions per CPU-second of each player, games for two")
    print(f"{'game':<12}" + "".join(f"{name:>10}" for name in player_names()))
    for name in (*GRADED, "crowns", "sixbysix"):
        game = find_game(name).agree(2)
        speeds = []
        for who in player_names():
            numbers = iter(range(1_000_000))

            def work(who: str = who, game: Game[Any, Any] = game, numbers: Any = numbers) -> int:
                match = _game(game, who, next(numbers))
                return sum(match.at(number).actor >= 0 for number in range(len(match)))

            speeds.append(per_cpu_second(work, seconds=1.0, runs=1))
        print(f"{name:<12}" + "".join(f"{speed:>10,.0f}" for speed in speeds), flush=True)


def _asking() -> None:
    print("\nA position that its table does not hold, and its moves, in plain Python (target: at most 100)")
    print("and by compiled code, which follows after many of them (target: at most 1; CPU milliseconds)")
    print(f"{'game':<40}{'mean':>12}{'most':>12}{'compiled':>12}{'most':>12}")
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "yahtzee" / "src"))
    game = import_module("pasch_yahtzee.rules").Yahtzee(1)
    SolvedValues(game).solve()  # takes minutes
    matches = [_game(game, "random", number) for number in range(4)]
    asked = [match.at(number) for number in range(min(map(len, matches))) for match in matches]
    plain = [_milliseconds(SolvedValues(game), state) for state in asked]
    usual, solved.MAX_QUERY_CALLS = solved.MAX_QUERY_CALLS, -1
    values = SolvedValues(game)
    _milliseconds(values, matches[0].at(1))  # load the code
    # the next question is always about another game, so another stage
    quick = [_milliseconds(values, state) for state in asked]
    solved.MAX_QUERY_CALLS = usual
    figures = (figure for some in (plain, quick) for figure in (sum(some) / len(some), max(some)))
    print(f"{game.id:<40}" + "".join(f"{figure:>12.2f}" for figure in figures), flush=True)


def _milliseconds(values: SolvedValues, state: State) -> float:
    """The CPU time that it takes to ask for the value of a position and of its moves."""
    values.prepare_points()
    begun = time.process_time()
    values.points(state), values.move_points(state) if state.actor >= 0 else ()
    return 1000 * (time.process_time() - begun)


def _game(game: Game[Any, Any], who: str, number: int) -> Any:
    return play_game(game, [player(who)] * game.players, subkey(seed_key("bench"), game.id, number))


def main() -> None:
    _solving()
    _grading()
    _deciding()
    _asking()


if __name__ == "__main__":
    main()
