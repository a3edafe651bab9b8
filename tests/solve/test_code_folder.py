"""Machine code lies under the cache folder, and `pasch compile` prepares it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from pasch.core.rules import apart
from pasch.solve.compiled import compile_plain


def test_machine_code_is_kept_under_the_cache_folder(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-m", "pasch", "compile", "joker2"]
    own = environment | {"PASCH_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["joker2", "joker2", "Machine"]
    assert lines[-1] == f"Machine code is kept in {tmp_path / 'code'}"
    assert "Compiling" in done.stderr
    assert list((tmp_path / "code").rglob("*.nbi"))


def double(number: int) -> int:
    return 2 * number


@apart
def twice(number: int) -> int:
    return double(number) + 1


def outer(number: int) -> Any:
    return twice(number) + kept(number)


kept = compile_plain(twice, name="kept")


def test_what_only_compiled_code_calls_has_no_wrappers() -> None:
    """They took most of the time and memory of the first game of a strong player."""
    made = compile_plain(outer, name="outer")
    assert made(3) == 14 and kept(3) == 7
    inside = [made.py_func.__globals__[name] for name in ("twice", "kept")]
    assert all(one.targetoptions["no_cpython_wrapper"] for one in inside)
    assert not made.targetoptions.get("no_cpython_wrapper")
    assert all(one.targetoptions["no_cfunc_wrapper"] for one in (made, kept, *inside))
