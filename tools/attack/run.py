"""One attack with its bystander and its watch, and the limits that every result must keep."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from tools.attack.attacker import Job, Outcome
from tools.attack.attacks import ATTACKS
from tools.attack.bystander import Bystander, Felt, still_answers
from tools.attack.person import Gone, LockedOut
from tools.attack.server import Seen, Watch
from tools.attack.target import Target

#: the measure: 99 of 100 moves, and all hints and computers' answers, within these limits, in seconds
MOVES: Final = 0.25
HINTS: Final = 5.0
#: the server's own process, in MiB
MEMORY: Final = 300.0
#: what one address may add to the disk (its share of 100 MB, and SQLite's write-ahead log) and to the server's own
#: log, in MiB
DISK: Final = 112.0
LOG: Final = 1.0
#: a person who joins only afterwards
STRANGER: Final = "127.4.0.2"


class Result(msgspec.Struct):
    """What was tried, what a bystander measured, what the server used, and which limits were exceeded."""

    name: str
    outcome: Outcome
    felt: Felt
    seen: Seen
    #: whatever the machine's speed
    broken: list[str]
    #: what depends on how fast the machine is
    slow: list[str]


async def attack(job: Job) -> Outcome:
    """The outcome of an attack, which runs in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools.attack.attacks", msgspec.json.encode(job).decode(), stdout=PIPE
    )
    try:
        output, _ = await process.communicate()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if process.returncode:
        raise RuntimeError(f"the attacker has ended at {job.name}")
    return msgspec.json.decode(output, type=Outcome)


async def run(name: str, target: Target, seconds: float, *, short: bool = False) -> Result:
    """The result of an attack of `seconds`; the bystander sits down before it, everybody must be let in after it."""
    number = [*ATTACKS].index(name) + 2
    bystander = Bystander(target, f"127.2.0.{number}", f"127.3.0.{number}", short=short)
    try:
        stage = await bystander.prepare()
    except (LockedOut, Gone) as error:
        bystander.felt.locked_out.append(f"before it began: {error}")
        return judge(name, Outcome({}, [], 0.0), bystander.felt, Watch(target), well=False)
    watch = Watch(target)
    bystander.start()
    watching = asyncio.create_task(_watch(watch))
    try:
        outcome = await attack(Job(name, target, f"127.1.0.{number}", seconds, stage))
    finally:
        watching.cancel()
        await bystander.stop()
    watch.look()
    well = await still_answers(target, STRANGER)
    return judge(name, outcome, bystander.felt, watch, well)


async def _watch(watch: Watch) -> None:
    while True:
        watch.look()
        await asyncio.sleep(0.2)


def judge(name: str, outcome: Outcome, felt: Felt, watch: Watch, well: bool) -> Result:
    """The result, with the limits that were exceeded."""
    seen, odd = watch.most, watch.odd_lines()
    broken = [
        *outcome.problems,
        *(f"locked out: {text}" for text in dict.fromkeys(felt.locked_out)),
        *(["the server has ended"] if not watch.alive else []),
        *(["a stranger is not let in afterwards"] if not well else []),
        *([f"memory {seen.memory:.0f} MiB"] if seen.memory > MEMORY else []),
        *([f"disk {seen.disk:.0f} MiB"] if seen.disk > DISK else []),
        *([f"log {seen.log:.1f} MiB"] if seen.log > LOG else []),
        *([f"{len(odd)} odd lines in the log, such as {odd[0][:80]}"] if odd else []),
    ]
    slow = [
        *([f"moves {quantile(felt.moves, 0.99):.2f} s"] if quantile(felt.moves, 0.99) > MOVES else []),
        *([f"hints {max(felt.hints):.1f} s"] if max(felt.hints, default=0) > HINTS else []),
        *([f"computer {max(felt.computer):.1f} s"] if max(felt.computer, default=0) > HINTS else []),
        *(["not a single move"] if not felt.moves else []),
        *dict.fromkeys(felt.errors),
    ]
    return Result(name, outcome, felt, seen, broken, slow)


def quantile(numbers: Sequence[float], share: float) -> float:
    """The number that this share of all does not exceed."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


# --- what is printed ----------------------------------------------------------------------------------

HEADS: Final = (
    "attack", "tried, and what was said", "moves p50/p99/max ms", "hint, computer, page, return max s",
    "memory+helpers MiB", "disk, log MiB", "verdict",
)  # fmt: skip


def cells(result: Result) -> list[str]:
    """The line of the table for one attack."""
    felt, seen = result.felt, result.seen
    counts = sorted(result.outcome.counts.items(), key=lambda one: (one[0] != "tried", -one[1]))
    milliseconds = "/".join(f"{1000 * quantile(felt.moves, share):.0f}" for share in (0.5, 0.99, 1))
    longest = ", ".join(
        f"{max(times):.1f}" if times else "-"
        for times in (felt.hints, felt.computer, felt.pages, felt.returns)
    )
    return [
        result.name,
        ", ".join(f"{name}: {count}" for name, count in counts[:6]),
        milliseconds,
        longest,
        f"{seen.memory:.0f}+{seen.helpers:.0f}",
        f"{seen.disk:.0f}, {seen.log:.2f}",
        "; ".join([*result.broken, *result.slow])[:300] or "well",
    ]


def markdown(rows: list[list[Any]]) -> str:
    """The table for a page of the documentation."""
    lines = [HEADS, ["---"] * len(HEADS), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines
    )


def plain(row: list[str]) -> str:
    """One line of the table, for a terminal."""
    widths = (14, 62, 20, 22, 12, 12, 0)
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
