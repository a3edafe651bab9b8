"""The value of a position and of all its moves, hints during a game, and building the tables they need."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.coach.judge import advise
from pasch.core.errors import PaschError, RecordError
from pasch.core.game import Game
from pasch.core.registry import AnyGame, find_game
from pasch.core.state import CHANCE, State
from pasch.players.levels import LEVELS
from pasch.solve.tables import chances_kept
from pasch.solve.valuer import MoveWorth, Worth, valuer
from pasch.terminal.board import find_board
from pasch.terminal.language import number, percent, sentence, shown, t, word
from pasch.terminal.screen import console, table, watched
from pasch.terminal.show import read_game
from pasch.terminal.words import seat_name


def prepare(game: Game[Any, Any], *, chances: bool = False) -> None:
    """Build the tables of a game if necessary, with a progress bar.

    `chances`: those for the chances to win as well.
    """
    values = valuer(game)
    if chances or not values.ready:
        with watched(word(game.title)) as report:
            (values.prepare if chances else values.prepare_points)(report)


def show_value(
    name: str,
    players: int | None,
    options: Mapping[str, Any],
    components: Path | None,
    record: Path | None,
    line: int,
    at: int | None,
    position: str | None,
    as_json: bool,
) -> None:
    """Print what a position is worth: the start of a game, one of a record, or one written as a line."""
    game, agreed = find_game(name), players is not None or bool(options) or components is not None
    if position is not None:
        if agreed or record is not None or at is not None:
            raise PaschError(
                "a position says itself what was agreed; leave players, options and records out"
            )
        state = State.parse(f"{name} {position.strip().removeprefix(f'{name} ')}")
    elif record is None:
        if at is not None:
            raise PaschError("--at counts the events of a record; name one with --record")
        state = game.agree(players or game.usual_players(), options, components=components).start()
    else:
        if agreed:
            raise PaschError("a record says itself what was agreed; leave players and options out")
        state = _recorded(game, record, line, at)
    prepare(state.game, chances=True)
    values = valuer(state.game)
    worth = values.worth(state)
    # what a seat is advised may depend on nothing that it cannot see
    moves = values.moves(state.view(state.actor)) if state.actor >= 0 else ()
    if as_json:
        click.echo(json.dumps({"position": state.notation()} | as_plain(worth, moves)))
    else:
        _print(console(wide=True), state, worth, moves)


def _recorded(game: AnyGame, path: Path, line: int, at: int | None) -> State:
    """The position after `at` events of a record, without `at` after all of them; it may be unfinished."""
    record = read_game(path, line)
    if record.game != game.id:
        raise PaschError("this record is of {got}, not of {game}", got=record.game, game=game.id)
    if at is not None and at > len(record.events):
        raise PaschError("this game has {events} events, not {at}", events=len(record.events), at=at)
    wanted = len(record.events) if at is None else at
    state = record.agreed().start()
    if wanted == 0:
        return state
    try:
        for place, (_, after) in enumerate(record.replay(), 1):
            if place == wanted:
                return after
    except RecordError as error:
        raise PaschError("event {event}: {problem}", event=error.event, problem=error) from None
    return state


def as_plain(worth: Worth, moves: tuple[MoveWorth, ...]) -> dict[str, Any]:
    """The value as JSON: nothing but numbers, lists and events."""
    return {
        "turn": worth.turn,
        "value": None if worth.value is None else list(worth.value),
        "win": None if worth.win is None else list(worth.win),
        "exact": msgspec.to_builtins(worth.exact),
        "moves": [{"move": entry.move.json(), "turn": entry.turn, "win": entry.win} for entry in moves],
    }


# --- for people -----------------------------------------------------------------------------------


def _print(screen: Console, state: State, worth: Worth, moves: tuple[MoveWorth, ...]) -> None:
    screen.print(Text(word(state.game.title), style="bold"))
    screen.print(_waits_for(state))
    if worth.turn is not None:
        expected = t("Expected points of this turn: {points}", points=number(worth.turn, 4))
        screen.print(_how_sure(expected, worth.exact.turn))
    if worth.error is not None:
        screen.print(t("Standard error of the estimates: {points} points", points=number(worth.error, 3)))
    screen.print(_seats(state, worth))
    if moves:
        screen.print(moves_table(state, moves))


def _waits_for(state: State) -> str:
    if state.over:
        return t("The game is over.")
    if state.actor == CHANCE:
        seat = state.chance().pick(0).seat
        if seat is None:
            return t("Waiting for chance.")
        return t("Waiting for chance: it is the turn of {name}.", name=seat_name(seat))
    return t("{name} has to choose.", name=seat_name(state.actor))


def _how_sure(what: str, exact: bool) -> str:
    return t("{what} (exact)", what=what) if exact else t("{what} (estimate)", what=what)


def _seats(state: State, worth: Worth) -> Table:
    columns = {t("score"): [shown(score) for score in state.scores()]}
    if worth.value is not None:
        columns[_how_sure(t("expected"), worth.exact.value)] = [number(value, 3) for value in worth.value]
    if worth.win is not None:
        columns[_how_sure(t("chance to win"), worth.exact.win)] = [percent(chance) for chance in worth.win]
    made = table("", *columns)
    for seat, figures in enumerate(zip(*columns.values(), strict=True)):
        made.add_row(seat_name(seat), *figures)
    return made


def moves_table(state: State, moves: tuple[MoveWorth, ...], limit: int | None = None) -> Table:
    """Moves with their values, the best first."""
    board, view = find_board(state.game.id), state.view(state.actor)
    titles = {"turn": t("this turn"), "value": t("final score"), "win": t("chance to win")}
    known = [name for name in titles if any(getattr(move, name) is not None for move in moves)]
    made = table(t("move"), *(titles[name] for name in known))
    for entry in best_first(moves)[:limit]:
        figures = [_figure(name, getattr(entry, name)) for name in known]
        made.add_row(Text(board.label(view, entry.move)), *figures)
    return made


def best_first(moves: tuple[MoveWorth, ...]) -> list[MoveWorth]:
    """By points, then in the order of the game."""

    def points(entry: MoveWorth) -> float:
        found = entry.turn if entry.turn is not None else entry.value
        return entry.win or 0.0 if found is None else found

    return sorted(moves, key=lambda entry: -points(entry))


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if name == "win" else number(value, 3)


#: how many moves are shown
MAX_HINTS = 5


class NoHint(PaschError):
    """There is nothing to advise."""


def hint(screen: Console, state: State, seat: int | None) -> None:
    """Print the best moves of the seat to choose, and the reasons for the best one."""
    if seat is None or state.actor != seat:
        raise NoHint("there is nothing to choose now")
    prepare(state.game)
    chances = chances_kept(state.game)
    advice = advise(state, chances=chances)
    screen.print(moves_table(state, advice.moves, MAX_HINTS))
    if not advice.exact:
        screen.print(Text(t("These values are estimates."), style="italic"))
    if advice.best_to_win is not None:
        move = state.game.read_event(advice.best_to_win)
        label = find_board(state.game.id).label(state.view(seat), move)
        screen.print(t("To win: {move}", move=label))
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
