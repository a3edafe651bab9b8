"""Machine code lies under the cache folder, and `pasch compile` prepares it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


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
