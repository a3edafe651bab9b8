"""Checking records: one verdict per line of a file."""

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

#: a longer line is not even read
LONGEST = MOST_BYTES


class Verdict(msgspec.Struct, frozen=True):
    """What is to be said of one line; lines and events count from 1."""

    line: int
    ok: bool
    event: int | None = None
    reason: str | None = None

    def __str__(self) -> str:
        place = f"line {self.line}" + ("" if self.event is None else f", event {self.event}")
        return f"{place}: {self.reason}"


def verify_files(names: tuple[str, ...], as_json: bool) -> bool:
    """Print the verdicts; whether everything could be read and was right."""
    verdicts = [_verify_file(name, len(names) > 1, as_json) for name in names]
    return all(verdicts)


def _verify_file(name: str, several: bool, as_json: bool) -> bool:
    prefix = f"{one_line(name)}: " if several else ""
    games = bad = 0
    try:
        for verdict in _verdicts(name):
            games += 1
            bad += not verdict.ok
            if as_json:
                click.echo(
                    json.dumps(({"file": name} if several else {}) | msgspec.structs.asdict(verdict))
                )
            elif not verdict.ok:
                click.echo(f"{prefix}{verdict}")
    except BrokenPipeError:
        raise
    except OSError as error:
        click.echo(f"pasch: {one_line(name)}: {error.strerror or error}", err=True)
        return False
    if not bad and not as_json:
        click.echo(f"{prefix}ok: {games} games")
    return not bad


def _verdicts(name: str) -> Iterator[Verdict]:
    if name == "-":
        yield from verdicts(sys.stdin.buffer)
    else:
        with Path(name).open("rb") as file:
            yield from verdicts(file)


def verdicts(file: BinaryIO) -> Iterator[Verdict]:
    """A verdict for each line that is not blank."""
    for number, line in written_lines(file):
        yield _verdict(number, line)


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


def _verdict(number: int, line: bytes) -> Verdict:
    try:
        read_record(line).verify()
    except RecordError as error:
        return Verdict(number, False, error.event, one_line(error.reason))
    return Verdict(number, True)
