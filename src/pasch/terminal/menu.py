"""The list of legal moves from which a person chooses."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.terminal.board import Board
from pasch.terminal.language import reason, t, tn
from pasch.terminal.screen import ask

#: more moves than this are not listed at once
MAX_LISTED = 30


class NotUnderstood(PaschError):
    """The input selects no move."""


class Menu:
    """Legal moves by heading. When there are many, a heading is chosen first, or words narrow the list."""

    def __init__(self, board: Board, state: State) -> None:
        self._all: dict[str, list[tuple[str, Event]]] = {}
        for move in state.moves():
            self._all.setdefault(board.heading(move), []).append((board.label(state, move), move))
        self._shown = self._all

    @property
    def _moves(self) -> list[tuple[str, Event]]:
        return [entry for entries in self._shown.values() for entry in entries]

    @property
    def _kinds(self) -> dict[str, list[tuple[str, Event]]]:
        """What has to be chosen first if there are too many moves to list: a heading, or a first word."""
        moves = self._moves
        if len(moves) <= MAX_LISTED:
            return {}
        if len(self._shown) > 1:
            return self._shown
        for length in range(1, 10):
            kinds: dict[str, list[tuple[str, Event]]] = {}
            for label, move in moves:
                kinds.setdefault(" ".join(label.split()[:length]) + " …", []).append((label, move))
            if len(kinds) > 1:
                return kinds if len(kinds) <= MAX_LISTED else {}
        return {}

    @property
    def _narrowed(self) -> bool:
        return self._shown is not self._all

    def draw(self) -> RenderableType:
        """The headings, or the moves under their headings, numbered."""
        back = [_entry(0, t("back to all moves"))] if self._narrowed else []
        if kinds := self._kinds:
            lines = [_entry(n, _counted(kind, len(kinds[kind]))) for n, kind in enumerate(kinds, 1)]
            asked = t("{n} moves. Which kind?", n=len(self._moves))
            return Group(Text(asked, style="italic"), *lines, *back)
        parts: list[RenderableType] = []
        number = 0
        for heading, entries in self._shown.items():
            parts.append(Text(heading, style="italic"))
            lines = [_entry(number + n, label) for n, (label, _) in enumerate(entries, 1)]
            number += len(entries)
            parts.append(Columns(lines, padding=(0, 2), equal=True, column_first=True))
        return Group(*parts, *back)

    def question(self) -> str:
        """The prompt: what may be typed now."""
        if kinds := self._kinds:
            example = self._moves[-1][0].split()[0].strip(",")
            return t("1-{n}, or part of a move such as {example}", n=len(kinds), example=example)
        return t("Enter takes it") if len(self._moves) == 1 else f"1-{len(self._moves)}"

    def answer(self, typed: str) -> Event | None:
        """The move chosen, or None when the list has changed and is to be shown again."""
        if typed.isascii() and typed.isdigit():
            return self._numbered(int(typed[:9]))
        if typed:
            self._look_for(typed)
            return None
        if len(self._moves) == 1:
            return self._moves[0][1]
        raise NotUnderstood("type the number of your choice, or ? for help")

    def _numbered(self, number: int) -> Event | None:
        if number == 0 and self._narrowed:
            self._shown = self._all
            return None
        if kinds := self._kinds:
            if 1 <= number <= len(kinds):
                kind = list(kinds)[number - 1]
                self._shown = {kind: kinds[kind]}
                return None
        elif 1 <= number <= len(self._moves):
            return self._moves[number - 1][1]
        raise NotUnderstood("there is no number {number} in the list", number=number)

    def _look_for(self, typed: str) -> None:
        """Search the moves shown; if none of them matches, all moves."""
        words = typed.lower().split()
        for moves in (self._shown, self._all):
            found = {
                heading: hits
                for heading, entries in moves.items()
                if (hits := [e for e in entries if all(word in e[0].lower() for word in words)])
            }
            if found:
                break
        else:
            raise NotUnderstood("no move contains {typed!r}; type a number, or ? for help", typed=typed)
        self._shown = found


def choose(screen: Console, menu: Menu) -> Event:
    """Ask until a move is chosen; EOFError if the person leaves."""
    while True:
        screen.print(menu.draw())
        typed = ask(screen, t("Your choice ({choices}; q leaves):", choices=menu.question()))
        if typed.lower() in {"q", "quit"}:
            raise EOFError
        try:
            move = menu.answer(typed)
        except PaschError as error:
            screen.print(Text(reason(error), style="red"))
            continue
        if move is not None:
            return move


def _entry(number: int, words: str) -> Text:
    return Text.assemble((f"{number:>3}) ", "bold"), words)


def _counted(heading: str, moves: int) -> str:
    return tn("{heading} ({n} move)", "{heading} ({n} moves)", moves, heading=heading)
