"""The list of legal moves from which a person chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import NamedTuple, TypeVar

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


class Entry(NamedTuple):
    """A legal move as it is listed."""

    heading: str
    label: str
    move: Event


def _by_heading(entries: list[Entry], words: int = 0) -> dict[str, list[Entry]]:
    """Entries by their heading, or by this number of first words of their labels."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        start = " ".join(entry.label.split()[:words]) + " …" if words else entry.heading
        found.setdefault(start, []).append(entry)
    return found


class Menu:
    """Legal moves by heading. When there are many, a heading is chosen first, or words narrow the list."""

    def __init__(self, board: Board, state: State) -> None:
        moves = [Entry(board.heading(move), board.label(state, move), move) for move in state.moves()]
        self._all = [entry for entries in _by_heading(moves).values() for entry in entries]
        self._shown = self._all

    @property
    def _kinds(self) -> dict[str, list[Entry]]:
        """What has to be chosen first if there are too many moves to list: a heading, or first words."""
        if len(self._shown) > MAX_LISTED:
            for words in range(10):
                kinds = _by_heading(self._shown, words)
                if len(kinds) > 1:
                    return kinds if len(kinds) <= MAX_LISTED else {}
        return {}

    def draw(self) -> RenderableType:
        """The headings, or the moves under their headings, numbered."""
        back = [] if self._shown is self._all else [_entry(0, t("back to all moves"))]
        if kinds := self._kinds:
            lines = [
                _entry(n, tn("{heading} ({n} move)", "{heading} ({n} moves)", len(found), heading=kind))
                for n, (kind, found) in enumerate(kinds.items(), 1)
            ]
            asked = t("{n} moves. Which kind?", n=len(self._shown))
            return Group(Text(asked, style="italic"), *lines, *back)
        parts: list[RenderableType] = []
        numbers = count(1)
        for heading, entries in _by_heading(self._shown).items():
            parts += [Text(heading, style="italic")] if heading else []
            lines = [_entry(next(numbers), entry.label) for entry in entries]
            parts.append(Columns(lines, padding=(0, 2), equal=True, column_first=True))
        return Group(*parts, *back)

    def question(self) -> str:
        """The prompt: what may be typed now."""
        if kinds := self._kinds:
            example = self._shown[-1].label.split()[0].strip(",")
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
            return self._shown[0].move
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
            return self._shown[number - 1].move
        return None

    def _look_for(self, typed: str) -> None:
        """Search the moves shown; if none of them matches, all moves."""
        words = typed.lower().split()
        for entries in (self._shown, self._all):
            if found := [entry for entry in entries if all(word in entry.label.lower() for word in words)]:
                self._shown = found
                return
        raise PaschError("no move contains {typed!r}; type a number, or ? for help", typed=typed)


def ask_until(
    screen: Console,
    question: Callable[[], str],
    read: Callable[[str], T | None],
    commands: Mapping[str, Callable[[], object]],
) -> T:
    """Ask until `read` makes something of what is typed; what it refuses is said, and commands are obeyed."""
    while True:
        typed = ask(screen, question())
        try:
            if command := commands.get(typed.lower()):
                command()
            elif (found := read(typed)) is not None:
                return found
        except PaschError as error:
            why = reason(error)
            screen.print(Text(f"{why[:1].upper()}{why[1:]}.", style="red"))


def leave() -> None:
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
