"""Count lines per folder: `*.py` and `*.js` files that git tracks, with folders named `vendor` listed separately."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def folder_of(path: Path) -> str:
    """The folder that a file is counted in: a package of Pasch, or one beside them."""
    if "vendor" in path.parts:
        return "vendor"
    return "/".join(path.parts[:-1][: 3 if path.parts[0] == "src" else 1])


def count() -> dict[str, Counter[str]]:
    """Lines of each folder, by suffix."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "*.js"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    lines: dict[str, Counter[str]] = {}
    for path in sorted(map(Path, filter(None, listed.stdout.split("\0")))):
        if (ROOT / path).exists():
            number = len((ROOT / path).read_text("utf-8").splitlines())
            lines.setdefault(folder_of(path), Counter())[path.suffix] += number
    return lines


def main() -> None:
    lines = count()
    vendored = lines.pop("vendor", Counter())
    lines["all of src"] = sum((of for name, of in lines.items() if name.startswith("src")), Counter())
    lines["all"] = sum((of for name, of in lines.items() if name != "all of src"), Counter())
    lines["vendored, not counted above"] = vendored
    print(f"{'Python':>8} {'JS':>8}")
    for folder, of in sorted(lines.items(), key=lambda item: not item[0].startswith("src/")):
        print(f"{of['.py']:>8,} {of['.js']:>8,}  {folder}")


if __name__ == "__main__":
    main()
