"""Replays, records and receipts of the longest games, over and over."""

from __future__ import annotations

from tools.attack.attacker import Attacker

WHAT = ("replay", "record", "receipt?coach=no", "replay?first=0&count=100000")


async def attack(on: Attacker) -> None:
    made = await on.make_long(finished=True)

    async def ask() -> None:
        answer = await on.get(f"/api/tables/{made['id']}/{WHAT[on.counts['tried'] % len(WHAT)]}")
        on.counts["KiB"] += len(answer.body) // 1024

    await on.crowd(12, ask)
