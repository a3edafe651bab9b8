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
from pasch.terminal.language import reason, t, tn
from pasch.terminal.screen import ask

T = TypeVar("T")

#: more moves than this are not listed at once
MAX_LISTED = 30


class Menu:
    """Legal moves, numbered. When there are many, their first words are chosen first, or words narrow the list."""

    def __init__(self, board: Board, state: State) -> None:
        self._all = [(board.label(state, move), move) for move in state.moves()]
        self._shown = self._all

    @property
    def _kinds(self) -> dict[str, list[tuple[str, Event]]]:
        """If there are too many moves to list: those that begin with the same words."""
        for words in range(1, 10) if len(self._shown) > MAX_LISTED else ():
            kinds: dict[str, list[tuple[str, Event]]] = {}
            for label, move in self._shown:
                start = " ".join(label.split()[:words]).rstrip(",")
                kinds.setdefault(f"{start} …", []).append((label, move))
            if len(kinds) > 1:
                return kinds if len(kinds) <= MAX_LISTED else {}
        return {}

    def draw(self) -> RenderableType:
        """The moves, or how they begin, numbered."""
        back = [] if self._shown is self._all else [_entry(0, t("back to all moves"))]
        kinds = self._kinds
        if not kinds:
            lines = [_entry(number, label) for number, (label, _) in enumerate(self._shown, 1)]
            return Group(Columns(lines, padding=(0, 2), equal=True, column_first=True), *back)
        lines = [
            _entry(n, tn("{heading} ({n} move)", "{heading} ({n} moves)", len(found), heading=kind))
            for n, (kind, found) in enumerate(kinds.items(), 1)
        ]
        return Group(Text(t("{n} moves. Which kind?", n=len(self._shown)), style="italic"), *lines, *back)

    def question(self) -> str:
        """The prompt: what may be typed now."""
        if kinds := self._kinds:
            example = self._shown[-1][0].split()[0].strip(",")
            return t("1-{n}, or part of a move such as {example}", n=len(kinds), example=example)
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

    def _numbered(self, number: int) -> Event | None:
        kinds = list(self._kinds.values())
        if number == 0 and self._shown is not self._all:
            self._shown = self._all
        elif not 1 <= number <= len(kinds or self._shown):
            raise PaschError("there is no number {number} in the list", number=number)
        elif kinds:
            self._shown = kinds[number - 1]
        else:
            return self._shown[number - 1][1]
        return None

    def _look_for(self, typed: str) -> None:
        """Search the moves shown; if none of them matches, all moves."""
        words = typed.lower().split()
        for entries in (self._shown, self._all):
            if found := [entry for entry in entries if all(word in entry[0].lower() for word in words)]:
                self._shown = found
                return
        raise PaschError("no move contains {typed!r}; type a number, or ? for help", typed=typed)


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


def _entry(number: int, words: str) -> Text:
    return Text.assemble((f"{number:>3}) ", "bold"), words)
