"""Hints during a game, and building the tables that computer players need beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from pasch.coach.judge import advise
from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.state import State
from pasch.players.levels import LEVELS
from pasch.solve.valuer import valuer
from pasch.terminal.board import find_board
from pasch.terminal.language import sentence, t
from pasch.terminal.progress import prepare
from pasch.terminal.value import moves_table

#: how many moves are shown
MOST = 5


class NoHint(PaschError):
    """There is nothing to advise."""


def hint(screen: Console, state: State, seat: int | None) -> None:
    """Print the best moves of the seat to choose, and the reasons for the best one."""
    if seat is None or state.actor != seat:
        raise NoHint("there is nothing to choose now")
    prepare(state.game)
    chances = valuer(state.game).chances_ready
    advice = advise(state, chances=chances)
    screen.print(moves_table(state, advice.moves, MOST))
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
        told = t("For chances to win make their tables once: {command}", command=command)
        screen.print(Text(told, style="italic"))


def ready_players(game: Game[Any, Any], seats: Sequence[str]) -> None:
    """Build the tables that these computer players need, so that nobody waits during the game."""
    if any(name in LEVELS for name in seats):
        prepare(game, chances="winner" in seats)
