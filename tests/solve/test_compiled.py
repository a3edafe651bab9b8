"""Machine code is kept for as long as every file is unchanged that it follows from."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from pasch.solve.compiled import compile_plain

INNER = "from pasch.solve.compiled import compile_plain\n@compile_plain\ndef inner(x): return x + {more}\n"
MIDDLE = "from inner_part import inner\nfrom pasch.solve.compiled import compile_plain\n"
MIDDLE += "@compile_plain\ndef middle(x): return inner(x)\n"
OUTER = "from middle_part import middle\ndef outer(x): return middle(x)\n"
PARTS = ("inner_part", "middle_part", "outer_part")


def test_a_change_far_below_makes_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called was compiled already, and what that calls, too."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    names = []
    for more in (1, 1, 2):
        for part, text in zip(PARTS, (INNER.format(more=more), MIDDLE, OUTER), strict=True):
            (tmp_path / f"{part}.py").write_text(text, "utf-8")
            monkeypatch.delitem(sys.modules, part, raising=False)
        importlib.invalidate_caches()
        names.append(compile_plain(importlib.import_module("outer_part").outer).py_func.__qualname__)
    assert names[0] == names[1] != names[2]
    for part in PARTS:
        sys.modules.pop(part, None)
