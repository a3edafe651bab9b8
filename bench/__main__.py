"""`make bench`: prints what was measured; nothing here passes or fails."""

from __future__ import annotations

from bench import batch, crowd, crowns, engine, growth, server, several, sixbysix, solve_lines, values

if __name__ == "__main__":
    engine.main()
    print()
    batch.main()
    print()
    values.main()
    print()
    solve_lines.main()
    print()
    crowns.main()
    print()
    sixbysix.main(games=9)
    print()
    server.main()
    print()
    growth.main()
    print()
    crowd.main()
    print()
    several.main()
