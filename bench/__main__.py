"""`make bench`: prints what was measured; nothing here passes or fails."""

from __future__ import annotations

from functools import partial

from bench import batch, crowns, engine, growth, server, several, sixbysix, solve_lines, values

if __name__ == "__main__":
    for measure in (
        *(engine.main, batch.main, values.main, solve_lines.main, crowns.main),
        *(partial(sixbysix.main, games=9), server.main, growth.main, several.main),
    ):
        measure()
        print()
