"""The value of a position and of all its moves, hints during a game, and building the tables they need."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.coach.judge import advise
from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.registry import all_games, find_game
from pasch.core.state import State
from pasch.players.levels import LEVELS
from pasch.solve.solved import SolvedValues
from pasch.solve.tables import cache_folder, chances_kept, code_folder, variants, watching
from pasch.solve.valuer import MoveValue, Value, valuer
from pasch.terminal.board import find_board, seat_name
from pasch.terminal.language import number, percent, sentence, shown, t, word
from pasch.terminal.screen import console, table, watched


def prepare(game: Game[Any, Any], *, chances: bool = False) -> None:
    """Build the tables of a game if necessary, with a progress bar.

    `chances`: those for the chances to win as well.
    """
    values = valuer(game)
    if chances or not values.ready:
        with watched(word(game.title)) as report:
            (values.prepare if chances else values.prepare_points)(report)


def show_value(
    game: str,
    players: int | None,
    options: Mapping[str, Any],
    components: Path | None,
    position: str | None,
    as_json: bool,
) -> None:
    """Print what a position is worth: the start of a game, or one written as a line."""
    if position is None:
        kind = find_game(game)
        state = kind.agree(players or kind.usual_players(), options, components=components).start()
    elif players is not None or options or components is not None:
        raise PaschError("a position already has its players and options; leave both out")
    else:
        state = State.parse(f"{game} {position.strip().removeprefix(f'{game} ')}")
    prepare(state.game, chances=True)
    values = valuer(state.game)
    worth = values.worth(state)
    # what a seat is advised may depend on nothing that it cannot see
    moves = values.moves(state.view(state.actor)) if state.actor >= 0 else ()
    if as_json:
        click.echo(json.dumps({"position": state.notation()} | as_plain(worth, moves)))
    else:
        _print(console(wide=True), state, worth, moves)


def as_plain(worth: Value, moves: tuple[MoveValue, ...]) -> dict[str, Any]:
    """The value as JSON: nothing but numbers, lists and events."""
    return {
        "turn": worth.turn,
        "value": None if worth.value is None else list(worth.value),
        "win": None if worth.win is None else list(worth.win),
        "exact": msgspec.to_builtins(worth.exact),
        "moves": [{"move": entry.move.json(), "turn": entry.turn, "win": entry.win} for entry in moves],
    }


# --- for people -----------------------------------------------------------------------------------


def _print(screen: Console, state: State, worth: Value, moves: tuple[MoveValue, ...]) -> None:
    screen.print(Text(word(state.game.title), style="bold"))
    screen.print(find_board(state.game.id).draw(state))
    if worth.turn is not None:
        expected = t("Expected points of this turn: {points}", points=number(worth.turn, 4))
        screen.print(_how_sure(expected, worth.exact.turn))
    if worth.error is not None:
        screen.print(t("Standard error of the estimates: {points} points", points=number(worth.error, 3)))
    screen.print(_seats(state, worth))
    if moves:
        screen.print(moves_table(state, moves))


def _how_sure(what: str, exact: bool) -> str:
    return t("{what} (exact)", what=what) if exact else t("{what} (estimate)", what=what)


def _seats(state: State, worth: Value) -> Table:
    columns = {t("score"): list(map(shown, state.scores()))}
    if worth.value is not None:
        columns[_how_sure(t("expected"), worth.exact.value)] = [number(value, 3) for value in worth.value]
    if worth.win is not None:
        columns[_how_sure(t("chance to win"), worth.exact.win)] = [percent(chance) for chance in worth.win]
    seats = map(seat_name, range(state.game.players))
    return table("", *columns, rows=zip(seats, *columns.values(), strict=True))


def moves_table(state: State, moves: tuple[MoveValue, ...], limit: int | None = None) -> Table:
    """Moves with their values, the best first."""
    board, view = find_board(state.game.id), state.view(state.actor)
    titles = {"turn": t("this turn"), "value": t("final score"), "win": t("chance to win")}
    known = [name for name in titles if any(getattr(move, name) is not None for move in moves)]
    rows = [
        (board.label(view, entry.move), *(_figure(name, getattr(entry, name)) for name in known))
        for entry in sorted(moves, key=_points, reverse=True)[:limit]
    ]
    return table(t("move"), *(titles[name] for name in known), rows=rows)


def _points(entry: MoveValue) -> float:
    """What a move is worth in points; where no points are known, its chance to win."""
    return next((worth for worth in (entry.turn, entry.value) if worth is not None), entry.win or 0.0)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if name == "win" else number(value, 3)


#: how many moves are shown
MAX_HINTS = 5


def hint(screen: Console, state: State, seat: int | None) -> None:
    """Print the best moves of the seat to choose, and the reasons for the best one."""
    if seat is None or state.actor != seat:
        raise PaschError("there is nothing to choose now")
    prepare(state.game)
    chances = chances_kept(state.game)
    advice = advise(state, chances=chances)
    screen.print(moves_table(state, advice.moves, MAX_HINTS))
    if not advice.exact:
        screen.print(Text(t("These values are estimates."), style="italic"))
    if advice.best_to_win is not None:
        best = state.game.read_event(advice.best_to_win)
        screen.print(t("To win: {move}", move=find_board(state.game.id).label(state.view(seat), best)))
    for said in advice.sentences:
        screen.print(sentence(said))
    if not chances:
        command = f"pasch solve {state.game.id} --players {state.game.players}"
        advice_on_tables = t("For chances to win make their tables once: {command}", command=command)
        screen.print(Text(advice_on_tables, style="italic"))


def ready_players(game: Game[Any, Any], seats: Sequence[str]) -> None:
    """Build the tables that these computer players need, so that nobody waits during the game."""
    if any(name in LEVELS for name in seats):
        prepare(game, chances="winner" in seats)


# --- tables beforehand ------------------------------------------------------------------------------


def solve_games(
    game: str | None,
    everything: bool,
    players: int | None,
    options: Mapping[str, Any],
    components: Path | None,
    explain: bool,
    **limits: Any,
) -> None:
    """Build or find the tables of one game, or of all in all variants; `limits` are those of a `Budget`."""
    if game is None:
        solve([configured for kind in all_games() for configured in variants(kind)])
        return
    kind = find_game(game)
    configured = kind.agree(players or kind.usual_players(), options, components=components)
    values = valuer(configured)
    if isinstance(values, SolvedValues):
        given = {name: limit for name, limit in limits.items() if limit is not None}
        values.budget = values.budget._replace(**given)
    solve([configured], thoroughly=True)
    if explain:
        console(wide=True).print(values.explain(), soft_wrap=True)


def solve(games: list[Game[Any, Any]], *, thoroughly: bool = False) -> None:
    """Build or find the tables of these games, and print a line for every file.

    `thoroughly`: also those that are not built on demand.
    """
    rows: dict[Path | str, tuple[str, ...]] = {}
    for game in games:

        def note(path: Path, built: bool, game_id: str = game.id) -> None:
            size = f"{path.stat().st_size / 2**20:.2f} MiB"
            rows.setdefault(path, (game_id, path.stem, "built" if built else "found", size))

        with watched(game.title) as report, watching(note):
            (valuer(game).solve if thoroughly else valuer(game).prepare)(report)
    screen = console(wide=True)
    drawn = table("game", "table", "", "size", rows=rows.values(), left=3, fixed=4)
    screen.print(drawn if rows else "There are no tables: these values are computed when needed.")
    for remark in dict.fromkeys(remark for game in games for remark in valuer(game).remarks):
        screen.print(remark, soft_wrap=True)
    screen.print(f"Tables are kept in {cache_folder()}", soft_wrap=True)


def compile_games(game: str | None) -> None:
    """Compile what plays many games, of one game or of all, and print the seconds that it took."""
    from pasch.lab.batch import NoBatch, batch

    screen = console(wide=True)
    for kind in [find_game(game)] if game else all_games():
        configured = kind.agree(kind.usual_players())
        for players in (("random", "greedy"), ("perfect", "easy")):
            begun, seats = time.perf_counter(), (players * configured.players)[: configured.players]
            try:
                if players[0] in LEVELS:
                    prepare(configured)
                with watched(kind.title) as report:
                    report(0.0, f"Compiling {', '.join(players)} …")
                    batch(configured, seats).play(1, "0")
                took = f"{time.perf_counter() - begun:.1f} s"
            except NoBatch as error:
                took = error.reason
            screen.print(f"{kind.id:<10} {', '.join(players):<16} {took}", soft_wrap=True)
    screen.print(f"Machine code is kept in {code_folder()}", soft_wrap=True)
