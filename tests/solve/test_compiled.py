"""Machine code is kept below the cache folder until a file changes from which it follows.

Run `make test-all` when you change `pasch compile` or where its code lies.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pasch.core.rules import kernel
from pasch.solve.compiled import compile_plain

INNER = "from pasch.solve.compiled import compile_plain\n@compile_plain\ndef inner(x): return x + {more}\n"
MIDDLE = "from inner_part import inner\nfrom pasch.solve.compiled import compile_plain\n"
MIDDLE += "@compile_plain\ndef middle(x): return inner(x)\n"
OUTER = "from middle_part import middle\ndef outer(x): return middle(x)\n"
PARTS = ("inner_part", "middle_part", "outer_part")


def test_a_change_far_below_makes_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called was compiled already, and what that calls, too.

    So does one of a module beside: code whose arguments have types from there cannot be read when they are gone.
    """
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folders = dict(zip(PARTS, (tmp_path / "inner", tmp_path, tmp_path), strict=True))
    folders["inner_part"].mkdir()
    for folder in folders.values():
        monkeypatch.syspath_prepend(str(folder))
    names = []
    for more, types in ((1, ""), (1, ""), (2, ""), (2, "class Row: pass\n")):
        for part, text in zip(PARTS, (INNER.format(more=more), MIDDLE, OUTER), strict=True):
            (folders[part] / f"{part}.py").write_text(text, "utf-8")
            monkeypatch.delitem(sys.modules, part, raising=False)
        (tmp_path / "types_of_outer.py").write_text(types, "utf-8")
        importlib.invalidate_caches()
        names.append(compile_plain(importlib.import_module("outer_part").outer).py_func.__qualname__)
    assert names[0] == names[1] and len({*names}) == 3
    for part in PARTS:
        sys.modules.pop(part, None)


@pytest.mark.exhaustive
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


@kernel(allocates=True)
def inner(number: int) -> int:
    return 2 * number + 1


def outer(number: int) -> int:
    return inner(number) + 1


def test_what_only_compiled_code_calls_has_no_wrappers() -> None:
    """They took most of the time and memory of the first game of a strong player."""
    made = compile_plain(outer, name="outer")
    assert made(3) == 8
    options = made.targetoptions, made.py_func.__globals__["inner"].targetoptions
    assert ["no_cpython_wrapper" in some for some in options] == [False, True]
    assert all(some["no_cfunc_wrapper"] for some in options)
