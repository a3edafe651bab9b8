"""Reads files of records, and prints a recorded game event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

from rich.text import Text

from pasch.core.errors import PaschError, RecordError
from pasch.core.match import Match
from pasch.core.record import MAX_BYTES, Record
from pasch.terminal.board import find_board, result_line, scores_line
from pasch.terminal.language import t, word
from pasch.terminal.screen import console


def show_record(file: Path, line: int, at: int | None) -> None:
    """Print game number `line` of a file in words; with `at` first the position after this number of events."""
    record = read_game(file, line)
    match, broken = Match(record.configured_game()), None
    try:
        for event, _ in record.replay():
            match.play(event)
    except RecordError as error:
        broken = error
    if (at or 0) > len(match):
        raise PaschError("this game has {events} events, not {at}", events=len(match), at=at)
    board, screen = find_board(match.game.id), console()
    screen.print(Text(word(match.game.title), style="bold"))
    if at is not None:
        screen.print(board.draw(match.at(at)))
        screen.print(match.at(at).notation(), soft_wrap=True)
    for number in range(at or 0, len(match)):
        before, after = match.at(number), match.at(number + 1)
        screen.print(f"{number + 1:>4}  {board.tell(before, match.events[number])}", soft_wrap=True)
        if after.scores() != before.scores():
            screen.print(f"      {t('Scores: {scores}', scores=scores_line(after))}", soft_wrap=True)
    if match.state.over:
        screen.print(Text(result_line(match.state), style="bold"))
    if broken is not None:
        raise PaschError("event {event}: {problem}", event=broken.event, problem=broken)


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
