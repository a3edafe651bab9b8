"""`make bench`: prints what was measured; nothing here passes or fails."""

from __future__ import annotations

from bench import crowd, engine, several, values

if __name__ == "__main__":
    engine.main()
    print()
    values.main()
    print()
    crowd.main()
    print()
    several.main()
