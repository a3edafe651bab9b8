"""docs/values.md: the results are those of the solvers."""

from __future__ import annotations

import pytest
from tools import values


@pytest.mark.slow
def test_the_results_on_the_page_are_fresh() -> None:
    page = values.PAGE.read_text("utf-8")
    assert page.count(values.BEGIN) == page.count(values.END) == 1
    assert values.replaced(page, costly=False) == page, "run `make docs`"


def test_a_table_keeps_what_was_not_computed_anew() -> None:
    old = "| plan 4 | 12 | 3.14159 |"
    assert "| plan 4 | 12 | 3.14159 |" in values.lines(False, old)
