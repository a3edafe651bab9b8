"""The list of legal moves from which a person chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, TypeVar

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.terminal.board import Board
from pasch.terminal.language import reason, t
from pasch.terminal.screen import ask

T = TypeVar("T")

#: the maximum number of moves that are listed at once
MAX_LISTED = 30


class Menu:
    """Legal moves, numbered; words choose which of them are listed."""

    def __init__(self, board: Board, state: State) -> None:
        self._all = [(board.label(state, move), move) for move in state.moves()]
        self._shown = self._all

    def draw(self) -> RenderableType:
        """The moves, numbered."""
        lines = [
            Text.assemble((f"{number:>3}) ", "bold"), label)
            for number, (label, _) in enumerate(self._shown[:MAX_LISTED], 1)
        ]
        more = [Text("  …")] if len(self._shown) > MAX_LISTED else []
        return Group(Columns(lines, padding=(0, 2), equal=True, column_first=True), *more)

    def question(self) -> str:
        """The prompt: what may be typed now."""
        if len(self._shown) > MAX_LISTED:
            example = self._shown[-1][0].split()[0].strip(",")
            return t("1-{n}, or part of a move such as {example}", n=MAX_LISTED, example=example)
        return t("Enter takes it") if len(self._shown) == 1 else f"1-{len(self._shown)}"

    def answer(self, typed: str) -> Event | None:
        """The move chosen, or None when the list has changed and is to be shown again."""
        if typed.isascii() and typed.isdigit():
            return self._numbered(int(typed[:9]))
        if typed:
            self._look_for(typed)
            return None
        if len(self._shown) == 1:
            return self._shown[0][1]
        raise PaschError("type the number of your choice, or ? for help")

    def _numbered(self, number: int) -> Event:
        if not 1 <= number <= min(len(self._shown), MAX_LISTED):
            raise PaschError("there is no number {number} in the list", number=number)
        return self._shown[number - 1][1]

    def _look_for(self, typed: str) -> None:
        """Show the moves that contain all of these words."""
        words = typed.lower().split()
        found = [entry for entry in self._all if all(word in entry[0].lower() for word in words)]
        if not found:
            raise PaschError("no move contains {typed!r}; type a number, or ? for help", typed=typed)
        self._shown = found


def ask_until(
    screen: Console,
    question: Callable[[], str],
    read: Callable[[str], T | None],
    commands: Mapping[str, Callable[[], T | None]],
) -> T:
    """Ask until a command, or `read` of anything else that is typed, returns something; what is refused is said."""
    while True:
        typed = ask(screen, question())
        command = commands.get(typed.lower())
        try:
            found = command() if command else read(typed)
        except PaschError as error:
            why = reason(error)
            screen.print(Text(f"{why[:1].upper()}{why[1:]}.", style="red"))
        else:
            if found is not None:
                return found


def leave() -> NoReturn:
    """End what asks, as if the input had ended."""
    raise EOFError


#: what ends a question
LEAVING = dict.fromkeys(("q", "quit", "exit"), leave)


def choose(screen: Console, menu: Menu) -> Event:
    """Ask until a move is chosen; EOFError if the person leaves."""

    def question() -> str:
        screen.print(menu.draw())
        return t("Your choice ({choices}; q to leave):", choices=menu.question())

    return ask_until(screen, question, menu.answer, LEAVING)
