"""The report of a game as a document, for the terminal and for pages that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from pasch.coach import layout, pictures
from pasch.coach.blocks import (
    Block,
    DataTable,
    Document,
    Heading,
    Note,
    NoteList,
    Paragraph,
    Picture,
    number,
)
from pasch.coach.layout import Column, Noted, Report, SumRow, Sums, Turns
from pasch.core.words import Sentence, say

#: renders a sentence in the language of the document
Speak = Callable[[Sentence], str]
#: writes a number with this many digits after the point, as the language does
Write = Callable[[float, int], str]


def document(
    report: Report, names: Sequence[str] | None = None, speak: Speak = str, write: Write = number
) -> Document:
    """The whole report, laid out by `report.layout`; `names` are the players' names by seat."""
    return _Writer(report, names, speak, write).write()


class _Writer:
    def __init__(self, report: Report, names: Sequence[str] | None, speak: Speak, write: Write) -> None:
        self.report = report
        self._speak = speak
        self._write = write
        self.names = names or [self.text("Player {n}", n=seat + 1) for seat in range(report.players)]

    def text(self, template: str, **details: object) -> str:
        """A text in the document's language."""
        return self._speak(say(template, **details))

    def speak(self, sentence: Sentence) -> str:
        """A sentence of the layout, with names for seats and numbers as they are to be written."""
        rendered = {name: self._rendered(detail) for name, detail in sentence.details.items()}
        return self._speak(msgspec.structs.replace(sentence, details=rendered))

    def _rendered(self, detail: Any) -> Any:
        if not isinstance(detail, dict):
            return detail
        if "seat" in detail:
            return self.names[detail["seat"]]
        return self._write(detail["number"], detail["digits"])

    def number(self, value: float) -> str:
        return self._write(value, self.report.digits)

    def signed(self, value: float) -> str:
        """A number with its sign; zero has none."""
        written = self.number(value)
        return written if round(value, self.report.digits) <= 0 else f"+{written}"

    def write(self) -> Document:
        blocks: list[Block] = [Paragraph(self._outcome())]
        for section in self.report.layout:
            blocks.append(Heading(self.speak(section.title)))
            for block in section.blocks:
                blocks += self._block(block)
        return Document(self.text("{game}: luck and skill", game=self.report.title), tuple(blocks))

    def _outcome(self) -> str:
        if self.report.players == 1:
            return self.text("Result: {score}", score=self.report.scores[0])
        scores = ", ".join(f"{self.names[seat]} {score}" for seat, score in enumerate(self.report.scores))
        winners = [self.names[seat] for seat in self.report.winners]
        return f"{scores}. {self.text('Won by {names}.', names=winners)}"

    def _block(self, block: layout.Block) -> Iterator[Block]:
        match block:
            case layout.Words(sentences, kind):
                yield Paragraph(" ".join(map(self.speak, sentences)), "soft" if kind == "soft" else "")
            case layout.Sums():
                yield from self._sums(block)
            case layout.Course():
                yield self._course(block)
            case layout.Moments(notes, none):
                yield NoteList(tuple(map(self._note, notes))) if notes else Paragraph(self.speak(none))
            case layout.ChancesPicture():
                yield from self._chances(self.speak(block.label))
            case layout.Turns():
                yield self._turns(block)

    # --- sums -------------------------------------------------------------------------------------

    def _sums(self, sums: Sums) -> Iterator[Block]:
        labels = [self.speak(column.label) for column in sums.columns]
        rows = [
            (
                self.names[row.seat],
                *(self._amount(column, row, place) for place, column in enumerate(sums.columns)),
            )
            for row in sums.rows
        ]
        yield DataTable(("", *labels), tuple(rows))
        yield Paragraph(
            " ".join(
                f"{label}: {self.speak(column.meaning)}"
                for label, column in zip(labels, sums.columns, strict=True)
            )
        )
        for row in sums.rows:
            name = self.names[row.seat]
            yield Heading(name, 3)
            yield Paragraph(" ".join(map(self.speak, row.remarks)))
            label = self.text("How the result of {name} came about", name=name)
            steps = [
                (text, amount, _look(column, amount))
                for text, column, amount in zip(labels, sums.columns, row.amounts, strict=True)
            ]
            yield Picture(pictures.bars(steps, label, self.number), label)

    def _amount(self, column: Column, row: SumRow, place: int) -> str:
        amount = row.amounts[place]
        if column.kind in ("start", "result"):
            return self.number(amount) + row.unit
        written = self.signed(amount)
        error = f" ± {self.number(row.error)}" if column.kind == "estimates" else ""
        return f"{written}{error}{row.unit}"

    def _turns(self, block: Turns) -> DataTable:
        labels = [self.speak(column.label) for column in block.columns]
        heads = ("", self.text("events"), self.text("before"), *labels, self.text("after"))
        rows = [
            (
                self.names[turn.seat],
                f"{turn.first}–{turn.last}",
                self.number(before),
                *map(self.signed, changes),
                self.number(after),
            )
            for turn, (before, *changes, after) in zip(self.report.turns, block.rows, strict=True)
        ]
        return DataTable(heads, tuple(rows), self.speak(block.label))

    # --- pictures ---------------------------------------------------------------------------------

    def _course(self, block: layout.Course) -> Picture:
        lines = [
            [(float(after), points[seat]) for after, points in enumerate(self.report.course)]
            for seat in range(self.report.players)
        ]
        label = self.speak(block.label)
        drawn = pictures.course(
            lines, tuple(map(self._mark, block.marks)), label, lambda value: self._write(value, 0)
        )
        signs = (
            (pictures.symbol("lucky"), self.text("lucky moment")),
            (pictures.symbol("unlucky"), self.text("unlucky moment")),
            (pictures.symbol("mistake"), self.text("costly move")),
        )
        return Picture(drawn, label, (*self._samples(), *signs))

    def _samples(self) -> Iterator[tuple[str, str]]:
        return ((pictures.sample(seat), name) for seat, name in enumerate(self.names))

    def _mark(self, note: Noted) -> pictures.Mark:
        seat = note.seat or 0
        kind = "mistake" if note.kind == "move" else "lucky" if note.points > 0 else "unlucky"
        height = self.report.course[note.number][seat]
        return pictures.Mark(seat, note.number, height, kind, f"{note.text} ({self._points(note)})")

    def _chances(self, label: str) -> Iterator[Block]:
        chances = self.report.chances or ()
        lines = [
            [(float(each.after), 100 * each.win[seat]) for each in chances]
            for seat in range(self.report.players)
        ]
        drawn = pictures.course(lines, (), label, lambda value: f"{self._write(value, 0)} %")
        yield Picture(drawn, label, tuple(self._samples()))
        rows = [
            (str(each.after), *(f"{self._write(100 * win, 1)} %" for win in each.win)) for each in chances
        ]
        heads = (self.text("event"), *self.names)
        yield DataTable(heads, tuple(rows), self.text("Chances to win after each turn"))

    # --- moves and rolls --------------------------------------------------------------------------

    def _note(self, note: Noted) -> Note:
        better = (
            "" if note.best_text is None else self.text("Better: {move}", move=_sentence(note.best_text))
        )
        remark = " ".join(map(self.speak, note.sentences))
        place = self.text("Event {number}", number=note.number)
        return Note(place, self._points(note), _sentence(note.text), better, remark)

    def _points(self, note: Noted) -> str:
        """What a move gave away or a roll brought, with its sign; of a seat that plays to win in chances."""
        if note.win is not None:
            return f"{self.signed(-100 * note.win)} %"
        return self.signed(-note.points if note.kind == "move" else note.points)


def _look(column: Column, amount: float) -> str:
    if column.kind in ("start", "result"):
        return "total"
    return "good" if amount >= 0 else "bad"


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
