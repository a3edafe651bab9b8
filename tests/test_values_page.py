"""docs/values.md: the results are those of the solvers, and the page says what it has to say."""

from __future__ import annotations

import re

from tools import values


def test_the_results_on_the_page_are_fresh() -> None:
    page = values.PAGE.read_text("utf-8")
    assert page.count(values.BEGIN) == page.count(values.END) == 1
    assert values.replaced(page, costly=False) == page, "run `make docs`"


def test_every_plan_strip_and_joker_has_its_figure() -> None:
    page = values.PAGE.read_text("utf-8")
    for plan in (1, 2, 3, 4):
        found = re.search(rf"^\| plan {plan} \| (\d+) \| ([\d.]+) \|$", page, re.MULTILINE)
        assert found and 0 < float(found[2]) < int(found[1])
    assert len(re.findall(r"^\| \d+: \d \d \d \d \d \d \|", page, re.MULTILINE)) == 15
    assert "Würfel Joker 1 | " in page and "five_penalty pushed" in page


def test_a_table_keeps_what_was_not_computed_anew() -> None:
    old = "| plan 4 | 12 | 3.14159 |"
    assert "| plan 4 | 12 | 3.14159 |" in values.lines(False, old)
