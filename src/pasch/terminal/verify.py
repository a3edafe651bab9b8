"""Checks records, one result per line of a file, and receipts; writes the receipt of a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import click
import msgspec

from pasch.coach.figures import Figures, check_figures
from pasch.coach.report import report
from pasch.core.errors import PaschError, RecordError
from pasch.core.fair import HEX
from pasch.core.receipt import NO_MEMORY, Finding, Memory, Receipt, ReceiptError, RulesHash
from pasch.core.record import Record
from pasch.terminal.saved import SavedGame
from pasch.terminal.screen import watched
from pasch.terminal.show import MAX_LINE_BYTES, read_record, written_lines
from pasch.terminal.value import prepare
from pasch.terminal.words import one_line


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
    """Print the results; return whether every line is a correct record."""

    def verify(name: str, prefix: str) -> bool:
        games = bad = 0
        with watched(f"pasch verify {one_line(name)}", compiles=False) as report:
            for number, line in written_lines(name):
                result = _check(number, line)
                games += 1
                bad += not result.ok
                if as_json:
                    click.echo(
                        json.dumps(({"file": name} if prefix else {}) | msgspec.structs.asdict(result))
                    )
                elif not result.ok:
                    click.echo(f"{prefix}{result}")
                report(None, f"{games} games")
        if not bad and not as_json:
            click.echo(f"{prefix}ok: {games} games")
        return not bad

    return _each(names, verify)


def _each(names: tuple[str, ...], verify: Callable[[str, str], bool]) -> bool:
    """Verify all files, also after one that fails; lines about several begin with their names."""
    right = True
    for name in names:
        try:
            right &= verify(name, f"{one_line(name)}: " if len(names) > 1 else "")
        except BrokenPipeError:
            raise
        except OSError as error:
            click.echo(f"pasch: {one_line(name)}: {error.strerror or error}", err=True)
            right = False
    return right


def _check(number: int, line: bytes) -> LineResult:
    try:
        read_record(line).verify()
    except RecordError as error:
        return LineResult(number, False, error.event, one_line(error.reason))
    return LineResult(number, True)


#: the seats at a table as they are typed
SEATS: Final = tuple("012345")


def receipt_of(saved: SavedGame) -> Receipt:
    """The receipt of a finished game of the terminal, with the coach's numbers if it has any."""
    match = saved.match
    coach = coach_figures(match.record())
    return Receipt.of(
        match.game,
        match.events,
        table=saved.id,
        dice=saved.header.dice,
        seed=saved.seed,
        contributions=saved.contributions,
        coach=msgspec.to_builtins(coach),
    )


def coach_figures(record: Record) -> Figures:
    """What the coach says of a finished game, in numbers."""
    return Figures.of(_reported(record), RulesHash.of(record.agreed()).hash)


def _reported(record: Record) -> dict[str, Any]:
    prepare(record.agreed())
    figures: dict[str, Any] = msgspec.to_builtins(report(record))
    return figures


def read_memory(commitment: str | None, contributions: tuple[str, ...]) -> Memory:
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


def verify_receipts(names: tuple[str, ...], as_json: bool, dice_only: bool, memory: Memory) -> bool:
    """Print the problems of each receipt; return whether there are none."""

    def verify(name: str, prefix: str) -> bool:
        right: list[Facts] = []
        number = 0
        with watched(f"pasch verify {one_line(name)}", compiles=False) as report:
            for number, written in enumerate(_receipts(name), 1):
                found, facts = check_receipt(written, dice_only, memory)
                if as_json:
                    listed = [{"event": f.event, "reason": one_line(f.reason)} for f in found]
                    verdict: dict[str, Any] = {"file": name} if prefix else {}
                    verdict |= {"receipt": number, "ok": not found, "findings": listed}
                    click.echo(json.dumps(verdict | (msgspec.structs.asdict(facts) if facts else {})))
                elif found:
                    place = prefix if number == 1 else f"{prefix}receipt {number}: "
                    click.echo("\n".join(place + one_line(str(finding)) for finding in found))
                if facts is not None and not found:
                    right.append(facts)
                report(None, f"{number} receipts")
        if not number:
            click.echo(f"pasch: {one_line(name)}: no receipt", err=True)
        elif len(right) == number and not as_json:
            click.echo("\n".join(prefix + line for line in _account(right, memory)))
        return 0 < len(right) == number

    return _each(names, verify)


def _receipts(name: str) -> Iterator[bytes]:
    """The receipts of a file: one per line, or a single one that is spread over several."""
    lines = written_lines(name)
    for _, line in lines:
        if line.strip() != b"{":
            yield line
            continue
        for _, more in lines:
            line += more  # noqa: PLW2901 - one receipt grows
            if len(line) > MAX_LINE_BYTES:
                break
        yield line
        return


class Facts(msgspec.Struct, frozen=True):
    """What a receipt is about."""

    table: str
    game: str
    players: int
    dice: str
    #: how many events were checked to follow from the seed
    rolls: int
    given: int
    #: whether the coach's numbers were checked
    coach: bool
    commitment: str | None
    #: the seats whose people have added to the dice
    added: list[int]


def check_receipt(
    data: bytes, dice_only: bool = False, memory: Memory = NO_MEMORY
) -> tuple[list[Finding], Facts | None]:
    """What is wrong with a receipt, and what it is about if that can be said."""
    try:
        if len(data) > MAX_LINE_BYTES:
            raise ReceiptError("longer than {limit} bytes, so no receipt", limit=MAX_LINE_BYTES)
        receipt = Receipt.from_json(data)
    except ReceiptError as error:
        return [Finding(None, error.reason)], None
    found = receipt.findings(memory)
    coached = receipt.coach is not None and not dice_only
    if found:
        return found, None
    rolls = sum(entry["number"] > receipt.given for entry in receipt.chance)
    added = [seat for seat, contribution in enumerate(receipt.contributions) if contribution is not None]
    record = receipt.game_record()
    about = receipt.table, record.game, record.players, receipt.dice
    facts = Facts(*about, rolls, receipt.given, coached, receipt.commitment, added)
    return (_check_coach(receipt) if coached else []), facts


def _check_coach(receipt: Receipt) -> list[Finding]:
    if receipt.ended != "over":
        return [Finding(None, "coach: it says nothing about a game that was ended early")]
    try:
        reported = _reported(receipt.game_record())
    except PaschError as error:
        return [Finding(None, f"coach: {error.reason}")]
    return check_figures(receipt, reported)


def _account(facts: list[Facts], memory: Memory) -> Iterator[str]:
    """The summary of receipts without problems."""
    yield f"ok: {_in_words(facts)}"
    if len(facts) > 1:
        return
    (one,) = facts
    yield f"a game of {one.game} with {one.players} seats, table {one.table}"
    if one.commitment is not None:
        yield f"the dice were sealed as {one.commitment}"
        seats = ", ".join(map(str, one.added))
        yield f"added to by {'seat ' + seats if seats else 'nobody'}"
        if memory.commitment is not None:
            yield "the seal is the one that you gave"
        if memory.contributions:
            yield "what you gave as added is in the dice"


def _in_words(facts: list[Facts]) -> str:
    rolls, given = sum(one.rolls for one in facts), sum(one.given for one in facts)
    if all(one.dice == "real" for one in facts):
        said = "played with real dice, so that no roll follows from a seed"
    elif any(one.dice == "simulated" for one in facts):
        said = f"all {rolls} rolls and cards of a simulation follow from its seed alone"
    else:
        said = f"all {rolls} rolls and cards follow from the seed and the contributions"
    if len(facts) > 1:
        said = f"{len(facts)} receipts, {said}"
    if given:
        said += f" ({given} events came from another game)"
    return said + ("; the coach's numbers are right" if all(one.coach for one in facts) else "")
