"""How a study's page writes numbers, tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Final

from pasch.lab.study.figures import Figure, Study

#: what is counted, where it is not points
UNITS: Final = {"crowns": "crowns", "lines": "lines", "sixbysix": "chips"}
#: the sign does not stray into the next line
PERCENT: Final = "\u00a0%"
ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def unit(study: Study) -> str:
    """What is counted in this game."""
    return UNITS.get(study.game, "points")


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return _plain(f"{100 * share:.{digits}f}") + PERCENT


def finely(share: float) -> str:
    """A small share in per cent."""
    return percent(share, 2)


def points(value: float, digits: int = 2) -> str:
    """A number of points."""
    return _plain(f"{value:.{digits}f}")


def signed(value: float) -> str:
    """A difference between shares, in percentage points."""
    written = _plain(f"{100 * value:.1f}")
    return written if written.startswith("−") or float(written) == 0 else f"+{written}"


def _plain(written: str) -> str:
    return written.removeprefix("-") if float(written) == 0 else written.replace("-", "−")


def given(figure: Figure, show: Callable[[float], str]) -> str:
    """A number with its standard error."""
    value = show(figure.value)
    if figure.error is None:
        return value
    sign = PERCENT if value.endswith(PERCENT) else ""
    return f"{value.removesuffix(sign)}\u00a0± {show(figure.error).removesuffix(sign)}{sign}"


# --- pieces of the page ---------------------------------------------------------------------------


def part(study: Study, name: str) -> str:
    """The command that prints all numbers of one part."""
    return f"pasch study {study.game} --games {study.games} --seed {study.seed} --part {name}"


def how(*commands: str) -> str:
    """By which commands the numbers of a section are printed."""
    written = " and ".join(f"<code>{escape(command)}</code>" for command in commands)
    return f'<p class="how">Printed by {written}.</p>'


def key(words: str) -> str:
    """The sentence that matters most."""
    return f'<p class="key">{words}</p>'


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table that can be pushed sideways where it is too wide."""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return ['<div class="wide"><table>', f"<tr>{head}</tr>", *body, "</table></div>"]


def figure(drawn: str, caption: str) -> list[str]:
    """A picture with what it shows."""
    return ["<figure>", drawn, f"<figcaption>{caption}</figcaption>", "</figure>"]
