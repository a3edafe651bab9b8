"""A document as Markdown; pictures are left out."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.blocks import (
    Block,
    DataTable,
    Document,
    Heading,
    NoteList,
    NumberedList,
    Paragraph,
    Picture,
    render_text,
)

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
        case NoteList(notes):
            for note in notes:
                told = (f"{note.place} {note.amount}: {note.text}", note.better, note.remark)
                yield f"- {' '.join(filter(None, told))}"
        case NumberedList(items):
            for place, item in enumerate(items, 1):
                yield f"{place}. {_text(item)}"
        case Picture():
            return


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(_text(cell).replace('|', '&#124;') for cell in cells)} |"
