"""How a study writes its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pasch.coach.blocks import Markup, Paragraph, number
from pasch.core.registry import find_data
from research.study.figures import Figure, Study
from research.study.study_plan import usual_players

#: with a space at which no line is broken
PERCENT: Final = "\u00a0%"
ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def unit(study: Study) -> str:
    """What is counted in this game: `unit` in its study.toml, or points."""
    return str(find_data(study.game, "study.toml").get("unit", "points"))


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return number(100 * share, digits) + PERCENT


def fine_percent(share: float) -> str:
    """A small share in per cent."""
    return percent(share, 2)


def with_error(figure: Figure, show: Callable[[float], str] = number) -> str:
    """A number with its standard error."""
    value = show(figure.value)
    if figure.error is None:
        return value
    sign = PERCENT if value.endswith(PERCENT) else ""
    return f"{value.removesuffix(sign)}\u00a0± {show(figure.error).removesuffix(sign)}{sign}"


def text(words: str) -> Paragraph:
    """A paragraph with marked words."""
    return Paragraph(Markup(words))


def explanation(words: str) -> Paragraph:
    """What the numbers of a section mean; the same for every game."""
    return Paragraph(Markup(words), "soft")


def key(words: str) -> Paragraph:
    """The sentence that matters most."""
    return Paragraph(Markup(words), "key")


def command(study: Study, part: str = "") -> str:
    """The command that makes a study again, or prints all numbers of one part."""
    table = "" if study.players == usual_players(study.game) else f" --players {study.players}"
    only = f" --part {part}" if part else ""
    return f"python -m research study {study.game}{table} --games {study.games} --seed {study.seed}{only}"


def source(*commands: str) -> Paragraph:
    """The commands that print the numbers of a section."""
    return Paragraph(
        Markup(f"Printed by {' and '.join(f'`{command}`' for command in commands)}."), "source"
    )
