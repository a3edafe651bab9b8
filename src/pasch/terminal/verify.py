"""Checks records and receipts, one per line of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

import click
import msgspec

from pasch.coach.figures import check_figures
from pasch.coach.report import report
from pasch.core.errors import PaschError, RecordError
from pasch.core.fair import HEX
from pasch.core.receipt import Finding, Memory, Receipt, ReceiptError
from pasch.core.record import Record
from pasch.terminal.screen import one_line, watched
from pasch.terminal.show import written_lines
from pasch.terminal.value import prepare

#: of one record or receipt: the verdict as JSON values, whether it is right under `ok`, and what is wrong in sentences;
#: at last no verdict, and the summary if all is well
Verdict = tuple[dict[str, Any] | None, Iterable[str]]

#: the seats at a table as they are typed
SEATS: Final = tuple("012345")


def verify_files(
    files: tuple[str, ...],
    receipts: tuple[str, ...],
    commitment: str | None,
    contributions: tuple[str, ...],
    dice_only: bool,
    as_json: bool,
) -> bool:
    """Print what is wrong with files of records and of receipts, one per line; return whether nothing is.

    Lines about several files begin with their names.
    """
    check_receipts, well = partial(_check_receipts, dice_only, _memory(commitment, contributions)), True
    checks: list[tuple[str, Callable[[str], Iterator[Verdict]]]] = [
        *((name, _check_records) for name in files),
        *((name, check_receipts) for name in receipts),
    ]
    for name, check in checks:
        prefix = f"{one_line(name)}: " if len(checks) > 1 else ""
        with watched(f"pasch verify {one_line(name)}", compiles=False) as progress:
            for number, (verdict, lines) in enumerate(check(name), 1):
                well &= verdict is None or verdict["ok"]
                if not as_json:
                    click.echo("".join(f"{prefix}{line}\n" for line in lines), nl=False)
                elif verdict is not None:
                    click.echo(json.dumps(({"file": name} if prefix else {}) | verdict))
                progress(None, f"{number} checked")
    return well


# --- records --------------------------------------------------------------------------------------


def _check_records(name: str) -> Iterator[Verdict]:
    """Lines and events count from 1."""
    games = bad = 0
    for number, line in written_lines(name):
        games, event, reason = games + 1, None, None
        try:
            Record.from_json(line).verify()
        except RecordError as error:
            event, reason, bad = error.event, one_line(error.reason), bad + 1
        place = f"line {number}" if event is None else f"line {number}, event {event}"
        verdict = {"line": number, "ok": reason is None, "event": event, "reason": reason}
        yield verdict, [] if reason is None else [f"{place}: {reason}"]
    if not bad:
        yield None, [f"ok: {games} games"]


# --- receipts -------------------------------------------------------------------------------------


def _reported(record: Record) -> dict[str, Any]:
    """What the coach says of a finished game, as JSON values."""
    prepare(record.configured_game())
    figures: dict[str, Any] = msgspec.to_builtins(report(record))
    return figures


def _memory(commitment: str | None, contributions: tuple[str, ...]) -> Memory:
    """What the user remembers of the dice, as typed; click.BadParameter says what is wrong with it."""
    read: list[tuple[int | None, str]] = []
    for written in contributions:
        seat, equals, digits = written.rpartition("=")
        if equals and seat not in SEATS:
            said = f"a seat is {SEATS[0]} to {SEATS[-1]}, not {one_line(seat[:20])!r}"
            raise click.BadParameter(said, param_hint="--contribution")
        read.append((int(seat) if equals else None, _digits(digits, "--contribution")))
    return Memory(None if commitment is None else _digits(commitment, "--commitment"), tuple(read))


def _digits(written: str, option: str) -> str:
    digits = written.strip().lower()
    if not HEX.fullmatch(digits):
        said = f"it has 64 hexadecimal digits, 0 to 9 and a to f; {one_line(written[:80])!r} is not that"
        raise click.BadParameter(said, param_hint=option)
    return digits


def _check_receipts(dice_only: bool, memory: Memory, name: str) -> Iterator[Verdict]:
    verdicts: list[dict[str, Any]] = []
    for number, (_, written) in enumerate(written_lines(name), 1):
        found, facts = _check_receipt(written, dice_only, memory)
        place = "" if number == 1 else f"receipt {number}: "
        listed = [{"event": f.event, "reason": one_line(f.reason)} for f in found]
        verdicts.append({"receipt": number, "ok": not found, "findings": listed, **facts})
        yield verdicts[-1], [place + one_line(str(finding)) for finding in found]
    if not verdicts:
        raise PaschError("{file}: no receipt", file=name)
    if all(verdict["ok"] for verdict in verdicts):
        many = [f"ok: {len(verdicts)} receipts"]
        yield None, many if len(verdicts) > 1 else _summary(verdicts[0], memory)


def _check_receipt(data: bytes, dice_only: bool, memory: Memory) -> tuple[list[Finding], dict[str, Any]]:
    """What is wrong with a receipt; and unless its dice are wrong, what it is about."""
    try:
        receipt = Receipt.from_json(data)
    except ReceiptError as error:
        return [Finding(None, error.reason)], {}
    if found := receipt.findings(memory):
        return found, {}
    record, coached = receipt.game_record(), receipt.coach is not None and not dice_only
    return _check_coach(receipt) if coached else [], {
        "table": receipt.table,
        "game": record.game,
        "players": record.players,
        "dice": receipt.dice,
        #: how many events were checked to follow from the seed
        "rolls": sum(entry["number"] > receipt.given for entry in receipt.chance),
        "given": receipt.given,
        #: whether the coach's numbers were checked
        "coach": coached,
        "commitment": receipt.commitment,
        #: the seats whose people have added to the dice
        "added": [seat for seat, added in enumerate(receipt.contributions) if added is not None],
    }


def _check_coach(receipt: Receipt) -> list[Finding]:
    if receipt.ended != "over":
        return [Finding(None, "coach: it says nothing about a game that was ended early")]
    try:
        return check_figures(receipt, _reported(receipt.game_record()))
    except PaschError as error:
        return [Finding(None, f"coach: {error.reason}")]


def _summary(one: dict[str, Any], memory: Memory) -> Iterator[str]:
    """Of a receipt without problems."""
    if one["dice"] == "real":
        said = "played with real dice, so that no roll follows from a seed"
    elif one["dice"] == "simulated":
        said = f"all {one['rolls']} rolls and cards of a simulation follow from its seed alone"
    else:
        said = f"all {one['rolls']} rolls and cards follow from the seed and the contributions"
    other = f" ({one['given']} events came from another game)" if one["given"] else ""
    coached = "; the coach's numbers are right" if one["coach"] else ""
    yield f"ok: {said}{other}{coached}"
    yield f"a game of {one['game']} with {one['players']} seats, table {one['table']}"
    if one["commitment"] is not None:
        yield f"the dice were sealed as {one['commitment']}"
        seats = ", ".join(map(str, one["added"]))
        yield f"added to by {'seat ' + seats if seats else 'nobody'}"
        if memory.commitment is not None:
            yield "the seal is the one that you gave"
        if memory.contributions:
            yield "what you gave as added is in the dice"
