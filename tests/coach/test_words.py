"""Sentences: a template for the catalogues, and numbers as people say them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pasch.coach
from pasch.core.words import percent, say, shown

COACH = Path(pasch.coach.__file__).parent


@pytest.mark.parametrize(
    ("number", "text"), [(2.0, "2"), (12.345, "12.3"), (0.123, "0.12"), (-0.5, "-0.5"), (0.999, "1")]
)
def test_numbers_are_written_as_people_say_them(number: float, text: str) -> None:
    assert str(say("{n}", n=number)) == text


def test_chances_near_nothing_and_certainty_keep_a_digit() -> None:
    assert (percent(0.5), percent(0.012), percent(0.9954), percent(1.0)) == (50, 1.2, 99.5, 100)
    assert shown([1, 2.5]) == "1 and 2.5"


def test_templates_have_plain_names_only_so_that_every_language_can_fill_them() -> None:
    """The browser replaces `{name}`; formats and attributes are for Python alone."""
    for path in COACH.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = getattr(getattr(node, "func", None), "id", "")
            if called in ("say", "counted"):
                for argument in node.args[: 2 if called == "counted" else 1]:  # type: ignore[attr-defined]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        assert re.sub(r"\{\w+\}", "", argument.value).count("{") == 0, argument.value
