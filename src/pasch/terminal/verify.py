"""Checks records: one result per line of a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from pasch.core.errors import RecordError
from pasch.core.record import MOST_BYTES, Record
from pasch.terminal.words import one_line

#: longer lines are not parsed
LONGEST = MOST_BYTES


class LineResult(msgspec.Struct, frozen=True):
    """The result for one line; lines and events count from 1."""

    line: int
    ok: bool
    event: int | None = None
    reason: str | None = None

    def __str__(self) -> str:
        place = f"line {self.line}" + ("" if self.event is None else f", event {self.event}")
        return f"{place}: {self.reason}"


def verify_files(names: tuple[str, ...], as_json: bool) -> bool:
    """Print the results; whether every line is a correct record."""
    correct = [_verify_file(name, len(names) > 1, as_json) for name in names]
    return all(correct)


def _verify_file(name: str, several: bool, as_json: bool) -> bool:
    prefix = f"{one_line(name)}: " if several else ""
    games = bad = 0
    try:
        for result in _results(name):
            games += 1
            bad += not result.ok
            if as_json:
                click.echo(json.dumps(({"file": name} if several else {}) | msgspec.structs.asdict(result)))
            elif not result.ok:
                click.echo(f"{prefix}{result}")
    except BrokenPipeError:
        raise
    except OSError as error:
        click.echo(f"pasch: {one_line(name)}: {error.strerror or error}", err=True)
        return False
    if not bad and not as_json:
        click.echo(f"{prefix}ok: {games} games")
    return not bad


def _results(name: str) -> Iterator[LineResult]:
    if name == "-":
        yield from check_lines(sys.stdin.buffer)
    else:
        with Path(name).open("rb") as file:
            yield from check_lines(file)


def check_lines(file: BinaryIO) -> Iterator[LineResult]:
    """A result for each line that is not blank."""
    for number, line in written_lines(file):
        yield _check(number, line)


def written_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers; of a line too long only the beginning."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if line.strip():
            yield number, line
        part = line
        while len(part) > LONGEST and not part.endswith(b"\n"):
            part = file.readline(LONGEST + 1)


def read_record(line: bytes) -> Record:
    """The record on a line of a file."""
    if len(line) > LONGEST:
        raise RecordError("longer than {limit} bytes, so no record", limit=LONGEST)
    return Record.from_json(line)


def _check(number: int, line: bytes) -> LineResult:
    try:
        read_record(line).verify()
    except RecordError as error:
        return LineResult(number, False, error.event, one_line(error.reason))
    return LineResult(number, True)
