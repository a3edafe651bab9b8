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
from pasch.terminal.language import current, reason, t, word
from pasch.terminal.menu import Menu
from pasch.terminal.play import Leave, play_on
from pasch.terminal.saved import SavedGame
from pasch.terminal.screen import ask, console


class NoLesson(PaschError):
    """The game has no lesson, or it has fewer steps."""


def learn_game(game: str, first: int = 1) -> None:
    """Go through a lesson from step `first`, counted from 1, then play on from where it ends."""
    title = find_game(game).title
    if not has_lesson(game):
        raise NoLesson("{title} has no lesson; `pasch rules {game}` explains it", title=title, game=game)
    steps = list(moments(game))
    if first > len(steps):
        raise NoLesson("the lesson has {n} steps", n=len(steps))
    screen, board, number = console(), find_board(game), first
    screen.print(Text(t("{game}: the lesson", game=word(title)), style="bold"))
    try:
        for number, moment in enumerate(steps[first - 1 :], first):
            if number > first:  # after coming back nothing has just happened
                _tell(screen, board, steps[number - 2].state, moment.events)
            screen.print()
            screen.print(board.draw(moment.state.view(YOU)))
            screen.print(Text(f"\n{t('{n} of {all}', n=number, all=len(steps))}", style="italic"))
            screen.print(Text(textwrap.fill(moment.remark(current()), min(screen.width, 88)), style="bold"))
            _do(screen, board, moment, last=number == len(steps))
    except (Leave, EOFError, KeyboardInterrupt):
        command = f"pasch learn {game} --from {number}"
        screen.print(f"\n{t('Go on with: {command}', command=command)}")
        return
    play_on(_continued(game, [event for moment in steps for event in moment.events]))


def _tell(screen: Console, board: Board, state: State, events: Sequence[Event]) -> None:
    """Say what happened since the last step, which was in this state."""
    for event in events:
        screen.print(Text(board.tell(state.view(YOU), event.view(YOU))))
        state = state.apply(event)


def _do(screen: Console, board: Board, moment: Moment, last: bool) -> None:
    """Ask until the person does what this step wants."""
    if moment.do is None or moment.state.actor != YOU:
        if last:
            question = t("Enter to play on, q leaves:")
        else:
            question = (
                t("Enter to roll or draw, q leaves:") if moment.do else t("Enter to go on, q leaves:")
            )
        if ask(screen, question).lower() in {"q", "quit"}:
            raise Leave
        return
    menu = Menu(board, moment.state.view(YOU))
    while True:
        screen.print(menu.draw())
        typed = ask(screen, t("Your choice ({choices}; q leaves):", choices=menu.question()))
        if typed.lower() in {"q", "quit"}:
            raise Leave
        try:
            move = menu.answer(typed)
        except PaschError as error:
            screen.print(Text(reason(error), style="red"))
            continue
        if move is None:
            continue
        if moment.accepts(move):
            return
        objection = moment.objection(current())
        screen.print(Text(objection or t("Not this time. Read once more what is asked."), style="red"))


def _continued(game: str, events: Sequence[Event]) -> SavedGame:
    """A new saved game that begins where the lesson ends, against beginners."""
    table = agreed(game)
    seats = ["me" if seat == YOU else "greedy" for seat in range(table.players)]
    saved = SavedGame.create(table, seats, "pasch", secrets.token_bytes(SEED_BYTES))
    for event in events:
        saved.play(event)
    return saved
