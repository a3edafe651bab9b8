"""The report of a game as Markdown, for the terminal and for pages that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

import msgspec

from pasch.coach.markdown import Document, escaped, folded, number, table
from pasch.coach.report import VISIBLE, Column, Noted, Report, SumRow, amounts
from pasch.core.words import Sentence, say

#: renders a sentence in the language of the document
Speak = Callable[[Sentence], str]
#: the number of moves and rolls listed
MAX_LISTED = 5

#: writes a number with this many digits after the point, as the language does
Write = Callable[[float, int], str]


def document(report: Report, speak: Speak = str, write: Write = number) -> Document:
    """The whole report."""
    writer = _Writer(report, speak, write)
    return Document(writer.title, "\n\n".join(writer.blocks()))


class _Writer:
    def __init__(self, report: Report, speak: Speak, write: Write) -> None:
        self.report = report
        self._speak = speak
        self._write = write
        self.names = [self.text("Player {n}", n=seat + 1) for seat in range(report.players)]
        self.title = self.text("{game}: luck and skill", game=report.title)

    def text(self, template: str, **details: object) -> str:
        """A text in the document's language."""
        return self._speak(say(template, **details))

    def speak(self, sentence: Sentence) -> str:
        """A sentence of the report, with names for seats and numbers as they are to be written."""
        rendered = {name: self._rendered(detail) for name, detail in sentence.details.items()}
        return escaped(self._speak(msgspec.structs.replace(sentence, details=rendered)))

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

    def blocks(self) -> Iterator[str]:
        """The paragraphs and tables, in order."""
        report = self.report
        moves = sorted((note for seat in report.seats for note in seat.expensive), key=_size)[:MAX_LISTED]
        rolls = sorted((note for seat in report.seats for note in seat.rolls), key=_size)[:MAX_LISTED]
        yield self._outcome()
        yield "## " + self.text("Luck and skill")
        yield self._in_short()
        yield from self._sums()
        yield f"*{self.speak(report.statement)}*"
        yield "## " + self.text("Expensive moves")
        yield self._notes(moves) if moves else self.text("Nobody gave anything away.")
        yield "## " + self.text("Where luck mattered most")
        yield self._notes(rolls) if rolls else self.text("Luck mattered little.")
        yield "## " + self.text("Every turn")
        yield self._turns()

    # --- in words ---------------------------------------------------------------------------------

    def _outcome(self) -> str:
        if self.report.players == 1:
            return self.text("Result: {score}", score=self.report.scores[0])
        scores = ", ".join(f"{self.names[seat]} {score}" for seat, score in enumerate(self.report.scores))
        winners = [self.names[seat] for seat in self.report.winners]
        return f"{scores}. {self.text('Won by {names}.', names=winners)}"

    def _in_short(self) -> str:
        """The result in one or two sentences."""
        seats = self.report.seats
        best, *others = sorted(seats, key=lambda seat: (-seat.score, seat.seat))
        if not others:
            dice = "Luck was with you." if best.account.luck >= 0 else "Luck was against you."
            moves = "Some moves could have been better."
            if best.account.costs < VISIBLE:
                moves = "No move could have been better."
            return f"{self.text(dice)} {self.text(moves)}"
        luckiest = max(seats, key=lambda seat: (seat.account.luck, -seat.seat))
        careful = min(seats, key=lambda seat: (seat.account.costs, seat.seat))
        if any(seat.to_win for seat in seats):
            # their losses have no common unit
            careful = max(seats, key=lambda seat: (seat.accuracy or 0.0, -seat.seat))
        if best.score == others[0].score or best not in (luckiest, careful):
            said = "{luckiest} was the luckiest, {careful} made the best moves."
        elif luckiest == careful:
            said = "{winner} was luckier and made the better moves too."
        elif luckiest == best:
            said = "{careful} made the better moves, but {winner} was luckier."
        else:
            said = "{luckiest} was luckier, but {winner} made the better moves."
        named = {"winner": best, "luckiest": luckiest, "careful": careful}
        return self.text(said, **{name: self.names[seat.seat] for name, seat in named.items()})

    # --- sums -------------------------------------------------------------------------------------

    def _sums(self) -> Iterator[str]:
        columns, rows = self.report.sums.columns, self.report.sums.rows
        labels = [self.speak(column.label) for column in columns]
        meanings = [self.speak(column.meaning) for column in columns]
        cells = [
            (self.names[row.seat], *map(self._amount, columns, row.amounts, repeat(row))) for row in rows
        ]
        yield table(("", *labels), cells)
        yield " ".join(map("{}: {}".format, labels, meanings))
        for row in rows:
            yield f"### {self.names[row.seat]}"
            yield " ".join(map(self.speak, row.remarks))

    def _amount(self, column: Column, amount: float, row: SumRow) -> str:
        if column.kind in ("start", "result"):
            return self.number(amount) + row.unit
        written = self.signed(amount)
        error = f" ± {self.number(row.error)}" if column.kind == "estimates" else ""
        return f"{written}{error}{row.unit}"

    def _turns(self) -> str:
        columns = self.report.sums.columns[1:-1]
        labels = [self.speak(column.label) for column in columns]
        heads = ("", self.text("events"), self.text("before"), *labels, self.text("after"))
        rows = [
            (
                self.names[turn.seat],
                f"{turn.first}–{turn.last}",
                self.number(turn.account.expectation + turn.account.rounds),
                *map(self.signed, amounts(turn.account, columns)),
                self.number(turn.account.result),
            )
            for turn in self.report.turns
        ]
        label = self.text("What each player could expect before and after every turn")
        return folded(label, table(heads, rows))

    # --- moves and rolls --------------------------------------------------------------------------

    def _notes(self, notes: Sequence[Noted]) -> str:
        return "\n".join(map(self._note, notes))

    def _note(self, note: Noted) -> str:
        place, said = self.text("Event {number}", number=note.number), escaped(_sentence(note.text))
        if note.best_text is not None:
            said += " " + self.text("Better: {move}", move=escaped(_sentence(note.best_text)))
        remark = " ".join(map(self.speak, note.sentences))
        below = f"\\\n  *{remark}*" if remark else ""
        return f"- *{place}* **{self._points(note)}**: {said}{below}"

    def _points(self, note: Noted) -> str:
        """What a move gave away or a roll brought, with its sign; of a seat that plays to win in chances."""
        if note.win is not None:
            return f"{self.signed(-100 * note.win)} %"
        return self.signed(-note.points if note.kind == "move" else note.points)


def _size(note: Noted) -> tuple[float, int]:
    return -abs(note.points), note.number


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
