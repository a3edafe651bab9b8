"""A study as a page that stands alone: nothing is loaded from anywhere, nothing runs, readable on a phone.

Every number is followed by the command that prints it. There is no date and no time in it, so that the same
study gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Final

from pasch.coach import html
from pasch.core.record import FORMAT as RECORDS
from pasch.core.registry import find_game
from pasch.lab.study import pictures, scores, skill
from pasch.lab.study.figures import Study
from pasch.lab.study.writing import given, percent, points, unit

STYLE: Final = "\n".join(
    (
        html.STYLE,
        pictures.STYLE,
        """
body { max-width: 52rem; } p, .how { max-width: 44rem; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
.how { font-size: .85rem; color: var(--soft); border-left: 3px solid var(--rule); padding-left: .6rem; }
.key { font-size: 1.05rem; } figure { margin: .6rem 0; } figcaption { margin-top: .4rem; }
ol { padding-left: 1.4rem; max-width: 44rem; } footer { margin: 2.5rem 0 1rem; }
nav a { color: inherit; margin-right: .9rem; display: inline-block; }
""".strip(),
    )
)

#: how the list of studies begins
HEADING: Final = "# Studies"
#: between these the numbers stand in a page
BEGIN: Final = '<script type="application/json" id="study">'
END: Final = "</script>"

#: the parts in the order of the page: title, and who writes it
SECTIONS: Final = {
    "start": ("Before the first roll", scores.start),
    "levels": ("Scores", scores.levels),
    "seats": ("Who begins", scores.seats),
    "luck": ("Luck and skill", skill.luck),
    "winning": ("Points or wins", skill.winning),
    "habits": ("What to learn first", skill.habits),
}


def page(study: Study) -> str:
    """The whole page; parts that were not measured are left out."""
    plain = study.json()
    # so that the page can be written again from the numbers in it
    study = Study.from_json(plain)
    title = escape(f"{study.title}: a study")
    there = [name for name in SECTIONS if getattr(study, name) is not None]
    links = "".join(f'<a href="#{name}">{SECTIONS[name][0]}</a>' for name in there)
    data = json.dumps(plain, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="pasch-study" content="{study.fingerprint}">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style></head>",
        f"<body><h1>{title}</h1>",
        f"<p>{_opening(study)}</p>",
        f"<nav>{links}</nav>",
    ]
    for name in there:
        heading, write = SECTIONS[name]
        parts += [f'<section id="{name}"><h2>{heading}</h2>', *write(study), "</section>"]
    parts += [
        *_footer(study),
        f"{BEGIN}{data}{END}",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def read(written: str) -> Study:
    """The study from which a page was written."""
    begin = written.index(BEGIN) + len(BEGIN)
    return Study.from_json(json.loads(written[begin : written.index(END, begin)]))


def _opening(study: Study) -> str:
    who = "one player" if study.players == 1 else f"{study.players} players"
    why = ""
    if study.players == 1 and find_game(study.game).seats[-1] > 1:
        why = " Alone, because its values are known best there; in races between several they are rougher."
    return (
        f"{escape(study.title)} with its usual options, for {who} unless something else is said.{why} A "
        "number after ± is a standard error; values without one are exact or say that they are "
        "estimates."
    )


def _footer(study: Study) -> list[str]:
    command = f"pasch study {study.game} --games {study.games} --seed {study.seed}"
    rules = find_game(study.game).rules_version
    return [
        '<footer class="soft">',
        f"<p>Made by <code>{escape(command)}</code>, which gives this page again, byte for byte. All its "
        "numbers are in it as JSON as well.</p>",
        f"<p>Format {study.format}, records {RECORDS}, rules version {rules}. What the numbers follow "
        f"from has the SHA-256 <code>{study.fingerprint}</code>.</p>",
        "</footer>",
    ]


def index(studies: Sequence[Study]) -> str:
    """A page that leads to the studies, with what matters most of each, as Markdown."""
    lines = [
        HEADING,
        "",
        "What each game is worth, how its scores are spread, who has an advantage, what is luck and "
        "what to learn first. Every page stands alone and says by which command each number is printed. "
        "Made by `make studies`; [docs/lab.md](../lab.md#studies) explains how.",
        "",
        "| game | the start is worth | luck decides | beginning wins (two players) | first habit to drop |",
        "|---|---:|---:|---:|---|",
    ]
    for study in studies:
        start, table, two, habits = (
            study.start,
            (study.luck or [None])[0],
            next((s for s in study.seats or () if s.player == "perfect"), None),
            study.habits,
        )
        worth = "–" if start is None or start.value is None else f"{points(start.value[0])} {unit(study)}"
        decided = "–" if table is None else given((table.margin or table.score).luck, percent)
        first = "–" if two is None else given(two.win[0], percent)
        habit = "–" if habits is None or not habits.kinds else habits.kinds[0].name
        lines.append(f"| [{study.title}]({study.game}.html) | {worth} | {decided} | {first} | {habit} |")
    lines += [
        "",
        "*Luck decides*: luck’s share of the variance of the difference between two players of mixed "
        "strength (for a game played alone: of the score). *Beginning wins*: the first seat’s part of "
        "the wins if both play for points as well as they can.",
    ]
    return "\n".join(lines).replace("\u00a0", " ") + "\n"
