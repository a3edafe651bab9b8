"""Pages, rules, catalogues, files and figures, as fast as they come."""

from __future__ import annotations

from tools.attack.attacker import Attacker
from tools.attack.target import read_answer

PATHS = (
    "/", "/api/rules/crowns", "/api/rules/lines?language=de", "/api/games", "/i18n/de,en,fr.json", "/metrics",
    "/api/openapi.json", "/static/js/main.js", "/static/games/crowns/board.js", "/api/components/lines", "/healthz",
)  # fmt: skip


async def attack(on: Attacker) -> None:
    async def ask() -> None:
        reader, writer = await on.open()
        try:
            for path in PATHS * 5:
                if not on.going:
                    break
                on.counts["tried"] += 1
                writer.write(on.head("GET", path))
                answer = on.note(await read_answer(reader))
                if path == "/healthz":
                    continue
                on.counts["paid for"] += answer.status == 200
                on.within(on.counts["paid for"], "pages")
        finally:
            writer.transport.abort()

    await on.crowd(8, ask)
