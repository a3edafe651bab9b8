"""A study as a document, and the summary of several studies as Markdown.

Every section names the command that prints its numbers. There is no date in it, so that the same study
gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from pasch.coach import html
from pasch.coach.blocks import (
    Block,
    DataTable,
    Document,
    Heading,
    Markup,
    NumberedList,
    Paragraph,
    number,
    render_text,
)
from pasch.core.record import FORMAT as RECORDS
from pasch.core.registry import find_game
from research.study import charts, sections
from research.study.figures import Study
from research.study.sections import command, percent, text, unit, with_error

#: the sections in the order of the page: title, and what writes it
SECTIONS: Final = {
    "start": ("Before the first roll", sections.start),
    "levels": ("Scores", sections.levels),
    "seats": ("Who begins", sections.seats),
    "luck": ("Luck and skill", sections.luck),
    "winning": ("Points or wins", sections.winning),
    "habits": ("What to learn first", sections.habits),
}


def page(study: Study) -> str:
    """The study as a page that stands alone and carries its numbers as JSON."""
    plain = study.json()
    data = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
    # written from the rounded numbers, so that `read` and `page` give the same page again
    return html.page(document(Study.from_json(plain)), style=charts.STYLE, data=data)


def read(page: str) -> Study:
    """The study that a page was written from."""
    begin = page.index(">", page.rindex("<script")) + 1
    return Study.from_json(json.loads(page[begin : page.index("</script>", begin)]))


def document(study: Study) -> Document:
    """The whole study; sections that were not measured are left out."""
    blocks: list[Block] = [_opening(study)]
    for name, (heading, write) in SECTIONS.items():
        if getattr(study, name) is not None:
            blocks += [Heading(heading, anchor=name), *write(study)]
    return Document(f"{study.title}: a study", (*blocks, *_footer(study)))


def _opening(study: Study) -> Paragraph:
    who = "one player" if study.players == 1 else f"{study.players} players"
    why = ""
    if study.players == 1 and find_game(study.game).seats[-1] > 1:
        why = (
            " Alone, because its values are known best there; in races between several they are rougher "
            f"(`python -m research study {study.game} -p 2`)."
        )
    return text(
        f"{study.title} with its usual options, for {who} unless something else is said.{why} A number "
        "after ± is a standard error; values without one are exact or say that they are estimates."
    )


def _footer(study: Study) -> list[Paragraph]:
    rules = find_game(study.game).rules_version
    told = (
        f"Made by `{command(study)}`, which gives this page again, byte for byte. All its numbers are in it as "
        f"JSON as well. Format {study.format}, records {RECORDS}, rules version {rules}, Pasch "
        f"{study.version}."
    )
    return [Paragraph(Markup(told), "source")]


# --- the summary ----------------------------------------------------------------------------------


def summary(studies: Sequence[Study]) -> str:
    """The main tables of several studies as one Markdown page."""
    blocks: list[Block] = [
        text(
            "What each game is worth, how its scores are spread, who has an advantage, what is luck and "
            "what to learn first. `make studies` measures all this anew, writes this page, and writes into "
            "`build/studies` a page for each game with pictures and the commands that print each number; "
            "[docs/lab.md](lab.md#studies) explains how."
        ),
        _overview(studies),
        text(
            "*Luck decides*: luck’s share of the variance of the difference between two players of mixed "
            "strength (for a game played alone: of the score). *Beginning wins*: the first seat’s part of "
            "the wins if both play for points as well as they can."
        ),
    ]
    for study in studies:
        blocks.append(Heading(study.title))
        for block in document(study).blocks:
            if isinstance(block, Heading):
                blocks.append(block._replace(level=block.level + 1))
            elif not isinstance(block, Paragraph) or not _left_out(block, blocks):
                blocks.append(block)
    return markdown(Document("Studies", tuple(blocks)))


def _left_out(paragraph: Paragraph, before: Sequence[Block]) -> bool:
    """Commands are left out, and explanations after the first game."""
    return paragraph.kind == "source" or (paragraph.kind == "soft" and paragraph in before)


def _overview(studies: Sequence[Study]) -> DataTable:
    """One row per game with what matters most."""
    heads = (
        "game",
        "the start is worth",
        "luck decides",
        "beginning wins (two players)",
        "first habit to drop",
    )
    rows = []
    for study in studies:
        start, table, habits = study.start, (study.luck or [None])[0], study.habits
        two = next((one for one in study.seats or () if one.player == "perfect"), None)
        rows.append(
            (
                study.title,
                "–" if start is None or start.value is None else f"{number(start.value[0])} {unit(study)}",
                "–" if table is None else with_error((table.margin or table.score).luck, percent),
                "–" if two is None else with_error(two.win[0], percent),
                "–" if habits is None or not habits.kinds else habits.kinds[0].name,
            )
        )
    return DataTable(heads, tuple(rows))


# --- as Markdown; pictures are left out --------------------------------------------------------------


_WRITTEN = {
    "code": lambda inner: f"`{inner}`",
    "strong": lambda inner: f"**{inner}**",
    "em": lambda inner: f"*{inner}*",
}


def markdown(document: Document) -> str:
    """The whole document, headings from level 1 on."""
    lines = [f"# {_text(document.title)}", ""]
    for block in document.blocks:
        written = list(_block(block))
        lines += [*written, ""] if written else []
    return "\n".join(lines)


def _text(text: str) -> str:
    return render_text(text, str, _WRITTEN).replace("\u00a0", " ")


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            yield f"{'#' * level} {_text(text)}"
        case Paragraph(text):
            yield _text(text)
        case DataTable(heads, rows):
            yield _row(heads)
            yield f"|---|{'---:|' * (len(heads) - 1)}"
            yield from map(_row, rows)
        case NumberedList(items):
            for place, item in enumerate(items, 1):
                yield f"{place}. {_text(item)}"


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(_text(cell).replace('|', '&#124;') for cell in cells)} |"
