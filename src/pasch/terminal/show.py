"""Shows a recorded game event by event."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pasch.core.errors import PaschError, RecordError
from pasch.core.match import Match
from pasch.core.record import MAX_BYTES, Record
from pasch.terminal.board import Board, find_board, result_line, scores_line
from pasch.terminal.language import reason, t, word
from pasch.terminal.menu import LEAVING, ask_until
from pasch.terminal.screen import console, interactive


def show_record(file: Path, line: int, at: int | None) -> None:
    """Show game number `line` of a file."""
    match, broken = recorded(read_game(file, line), at)
    board, screen = find_board(match.game.id), console()
    if interactive():
        _step_through(screen, board, match, at or 0, broken)
    else:
        _print_all(screen, board, match, at or 0)
    if broken is not None:
        raise wrong_event(broken)


def recorded(record: Record, at: int | None) -> tuple[Match, RecordError | None]:
    """A record as far as it follows the rules, and what is wrong then; PaschError if it has no `at` events."""
    match, broken = Match(record.configured_game()), None
    try:
        for event, _ in record.replay():
            match.play(event)
    except RecordError as error:
        broken = error
    if (at or 0) > len(match):
        raise PaschError("this game has {events} events, not {at}", events=len(match), at=at)
    return match, broken


def wrong_event(error: RecordError) -> PaschError:
    """The error that names the event at which a record goes wrong."""
    return PaschError("event {event}: {problem}", event=error.event, problem=error)


def written_lines(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file (- is stdin) that are not blank, numbered; of a line too long only the beginning."""
    with nullcontext(sys.stdin.buffer) if str(path) == "-" else Path(path).open("rb") as file:
        number = 0
        while line := file.readline(MAX_BYTES + 1):
            number += 1
            if line.strip():
                yield number, line
            part = line
            while len(part) > MAX_BYTES and not part.endswith(b"\n"):
                part = file.readline(MAX_BYTES + 1)


def read_games(path: Path) -> Iterator[Record]:
    """All games of a file, not yet checked against the rules; PaschError names the line that holds none."""
    for number, line in written_lines(path):
        try:
            yield Record.from_json(line)
        except RecordError as error:
            said = "{path}, line {number}: {problem}"
            raise PaschError(said, path=path, number=number, problem=error) from None


def read_game(path: Path, wanted: int) -> Record:
    """Game number `wanted` of a file, blank lines not counted; not yet checked against the rules."""
    for record in islice(read_games(path), wanted - 1, wanted):
        return record
    raise PaschError("there is no game {wanted} in this file", wanted=wanted)


def _print_all(screen: Console, board: Board, match: Match, start: int) -> None:
    screen.print(Text(word(match.game.title), style="bold"))
    for number in range(start, len(match)):
        before, after = match.at(number), match.at(number + 1)
        screen.print(f"{number + 1:>4}  {board.tell(before, match.events[number])}", soft_wrap=True)
        if after.scores() != before.scores():
            screen.print(f"      {t('Scores: {scores}', scores=scores_line(after))}", soft_wrap=True)
    if match.state.over:
        screen.print(Text(result_line(match.state), style="bold"))


def _step_through(
    screen: Console, board: Board, match: Match, place: int, broken: RecordError | None
) -> None:
    """Let a person step forwards and backwards."""

    def show(wanted: int) -> None:
        nonlocal place
        if not 0 <= wanted <= len(match):
            screen.print(t("There is nothing before.") if wanted < 0 else t("There is nothing after that."))
            return
        place, state = wanted, match.at(wanted)
        screen.print()
        screen.print(board.draw(state))
        if place:
            screen.print(Text(f"{place}. {board.tell(match.at(place - 1), match.events[place - 1])}"))
        if state.over:
            screen.print(Text(result_line(state), style="bold"))
        elif place == len(match) and broken is not None:
            screen.print(
                Text(t("Here the record goes wrong: {problem}", problem=reason(broken)), style="red")
            )

    def read(typed: str) -> None:
        if re.fullmatch("[0-9]+", typed):
            show(int(typed[:9]))
        else:
            screen.print(explained)

    explained = t("Enter or n: next · p: back · a number: go there · first · last · q: leave")
    following = dict.fromkeys(("", "n"), lambda: show(place + 1))
    jumps = {"p": lambda: show(place - 1), "first": lambda: show(0), "last": lambda: show(len(match))}
    screen.print(explained)
    show(place)
    try:
        ask_until(screen, lambda: f"{place}/{len(match)}:", read, {**LEAVING, **following, **jumps})
    except (EOFError, KeyboardInterrupt):
        screen.print()
