"""docs/security.md names the test that shows each answer; all of them exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)


def test_every_test_that_the_page_names_exists() -> None:
    assert len(NAMED) > 40
    for path, name in NAMED:
        file = ROOT / path
        assert file.is_file(), f"there is no {path}"
        functions = {
            n.name
            for n in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert not name or name in functions, f"{path} has no {name}"


def test_every_attempt_has_an_answer_and_a_test() -> None:
    tables = PAGE.split("## Who might attack")[1].split("## Nothing is lost")[0]
    rows = [
        line for line in tables.splitlines() if line.startswith("| ") and "attempt | answer" not in line
    ]
    assert len(rows) > 25
    for row in rows:
        assert row.count(" | ") == 2 and re.search(r"`tests/\S+::\w+`", row), row
