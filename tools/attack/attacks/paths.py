"""Addresses, methods, names and origins that make no sense."""

from __future__ import annotations

import asyncio

from tools.attack.attacker import Attacker
from tools.attack.frames import shake_hands
from tools.attack.target import read_answer

PATHS = (
    "/static/%00.js", "/static/" + "a" * 5_000 + ".js", "/static/" + "a/" * 15_000 + "b.js", "/%ff%fe",
    "/" + "%2e%2e/" * 4_000, "/static/" + "a/../" * 8_000 + "js/main.js", "/static/games/%00/board.js",
    "/i18n/" + "x," * 20_000 + ".json", "/api/rules/" + "%F0%9F%8E%B2" * 900, "/api/tables/%00/record",
    "/t/" + "a" * 60_000, "/static/../../../etc/passwd", "/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//",
    "/api/games?language=" + "%00" * 3_000, "*", "/ws/%00", "/api//games", "/static/con.js",
    "/api/tables/" + "-" * 30_000 + "/replay", "/report/%E2%80%AE", "/?" + "a=b&" * 12_000,
)  # fmt: skip
HEADERS = (
    "Host: evil.example\r\n",
    "Origin: http://evil.example\r\n",
    "Origin: null\r\n",
    "Range: bytes=0-,0-,0-\r\n",
    "Expect: 100-continue\r\n",
)
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "TRACE", "PUT", "BREW")


async def attack(on: Attacker) -> None:
    """Whatever it is, it is refused with a status below 500, and no word of it is a traceback."""
    number = 0

    async def ask() -> None:
        nonlocal number
        path, method = PATHS[number % len(PATHS)], METHODS[number // len(PATHS) % len(METHODS)]
        headers = HEADERS[number % len(HEADERS)] if number % 3 == 0 else ""
        number += 1
        answer = await on.get(path, method=method, headers=headers)
        if answer.status > 500 and answer.status != 503:
            on.problem(f"{method} {path[:30]}: {answer.status}")
        if b"Traceback" in answer.body or b"root:" in answer.body:
            on.problem(f"{method} {path[:30]}: tells too much")

    await on.crowd(6, ask)
    for origin in ("http://evil.example", "null", f"http://{on.target.host}:1"):
        try:
            _, writer = await shake_hands(on, on.stage.table, headers=f"Origin: {origin}\r\n")
        except ConnectionError as refused:
            on.counts[f"other origins: {refused}"] += 1
        else:
            writer.transport.abort()
            on.problem(f"a page at {origin} may open a WebSocket")
    # many in one write, answered one after the other or not at all
    reader, writer = await on.open()
    writer.write(b"".join(on.head("GET", path) for path in PATHS if len(path) < 500) * 20)
    try:
        for _ in range(40):
            async with asyncio.timeout(1):
                on.note(await read_answer(reader))
            on.counts["pipelined"] += 1
    finally:
        writer.transport.abort()
