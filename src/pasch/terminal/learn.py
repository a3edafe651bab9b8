"""A game's lesson in the terminal: prepared dice, a remark before each move, and at the end a turn of one's own."""

from __future__ import annotations

import secrets
import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.fair import SEED_BYTES
from pasch.core.lesson import YOU, Moment, agreed, has_lesson, moments
from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.terminal.board import Board, find_board
from pasch.terminal.menu import Menu
from pasch.terminal.play import Leave, play_on
from pasch.terminal.saved import SavedGame
from pasch.terminal.screen import ask, console


class NoLesson(PaschError):
    """The game has no lesson, or it has fewer steps."""


def learn_game(game: str, language: str, first: int = 1) -> None:
    """Go through a lesson from step `first`, counted from 1, then play on from where it ends."""
    title = find_game(game).title
    if not has_lesson(game):
        raise NoLesson("{title} has no lesson; `pasch rules {game}` explains it", title=title, game=game)
    steps = list(moments(game))
    if first > len(steps):
        raise NoLesson("the lesson has {n} steps", n=len(steps))
    screen, board, number = console(), find_board(game), first
    screen.print(Text(f"{title}: the lesson", style="bold"))
    try:
        for number, moment in enumerate(steps[first - 1 :], first):
            if number > first:  # after coming back nothing has just happened
                _tell(screen, board, steps[number - 2].state, moment.events)
            screen.print()
            screen.print(board.draw(moment.state.view(YOU)))
            screen.print(Text(f"\n{number} of {len(steps)}", style="italic"))
            screen.print(Text(textwrap.fill(moment.remark(language), min(screen.width, 88)), style="bold"))
            _do(screen, board, moment, language, last=number == len(steps))
    except (Leave, EOFError, KeyboardInterrupt):
        screen.print(f"\nGo on with: pasch learn {game} --from {number}")
        return
    play_on(_continued(game, [event for moment in steps for event in moment.events]))


def _tell(screen: Console, board: Board, state: State, events: Sequence[Event]) -> None:
    """Say what happened since the last step, which was in this state."""
    for event in events:
        screen.print(Text(board.tell(state.view(YOU), event.view(YOU))))
        state = state.apply(event)


def _do(screen: Console, board: Board, moment: Moment, language: str, last: bool) -> None:
    """Ask until the person does what this step wants."""
    if moment.do is None or moment.state.actor != YOU:
        what = "play on" if last else "roll or draw" if moment.do else "go on"
        if ask(screen, f"Enter to {what}, q leaves:").lower() in {"q", "quit"}:
            raise Leave
        return
    menu = Menu(board, moment.state.view(YOU))
    while True:
        screen.print(menu.draw())
        typed = ask(screen, f"Your choice ({menu.question()}; q leaves):")
        if typed.lower() in {"q", "quit"}:
            raise Leave
        try:
            move = menu.answer(typed)
        except PaschError as error:
            screen.print(Text(error.reason, style="red"))
            continue
        if move is None:
            continue
        if moment.accepts(move):
            return
        objection = (
            moment.objection(language) or "That would be possible too. Read once more what is asked."
        )
        screen.print(Text(objection, style="red"))


def _continued(game: str, events: Sequence[Event]) -> SavedGame:
    """A new saved game that begins where the lesson ends, against beginners."""
    table = agreed(game)
    seats = ["me" if seat == YOU else "greedy" for seat in range(table.players)]
    saved = SavedGame.create(table, seats, "pasch", secrets.token_bytes(SEED_BYTES))
    for event in events:
        saved.play(event)
    return saved
