"""docs/values.md: the results are those of the solvers."""

from __future__ import annotations

import pytest
from tools import values


@pytest.mark.slow
def test_the_results_on_the_page_are_fresh() -> None:
    page = values.PAGE.read_text("utf-8")
    assert page.count(values.BEGIN) == page.count(values.END) == 1
    assert values.replaced(page, costly=False) == page, "run `make docs`"
