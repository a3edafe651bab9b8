"""The report of a game as a document: what it says, in which order and in which words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pasch.coach import pictures
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
from pasch.coach.report import Noted, Report, SeatReport
from pasch.core.words import Sentence, say

#: says a sentence in the language of the document
Speak = Callable[[Sentence], str]
#: writes a number with so many digits after the point, as the language does
Write = Callable[[float, int], str]
#: columns are left out if all their numbers are smaller than this
VISIBLE = 0.005


def document(
    report: Report, names: Sequence[str] | None = None, speak: Speak = str, write: Write = number
) -> Document:
    """The whole report; `names` are the players' names by seat."""
    return _Writer(report, names, speak, write).write()


class _Writer:
    def __init__(self, report: Report, names: Sequence[str] | None, speak: Speak, write: Write) -> None:
        self.report = report
        # alone, everybody wins
        self.chances = (report.chances or ()) if report.players > 1 else ()
        self.speak = speak
        self._write = write
        self.names = names or [self.text("Player {n}", n=seat + 1) for seat in range(report.players)]

    def text(self, template: str, **details: object) -> str:
        """A text in the document's language."""
        return self.speak(say(template, **details))

    def number(self, value: float, digits: int = 2) -> str:
        return self._write(value, digits)

    def signed(self, value: float) -> str:
        """A number with its sign; zero has none."""
        written = self.number(value)
        return written if value < 0 or round(value, 2) == 0 else f"+{written}"

    def write(self) -> Document:
        blocks: list[Block] = [
            Paragraph(self._outcome()),
            Paragraph(self.speak(self.report.statement), "soft"),
            *self._ledger(),
            self._course(),
            *self._chances_picture(),
            *self._expensive(),
        ]
        for seat in self.report.seats:
            blocks += self._seat(seat)
        blocks += [*self._chances_table(), self._turns()]
        return Document(self.text("{game}: luck and skill", game=self.report.title), tuple(blocks))

    def _outcome(self) -> str:
        if self.report.players == 1:
            return self.text("Result: {score}", score=self.report.scores[0])
        scores = ", ".join(f"{self.names[seat]} {score}" for seat, score in enumerate(self.report.scores))
        winners = [self.names[seat] for seat in self.report.winners]
        return f"{scores}. {self.text('Won by {names}.', names=winners)}"

    # --- tables -----------------------------------------------------------------------------------

    def _ledger(self) -> Iterator[Block]:
        others = any(abs(seat.ledger.others) > VISIBLE for seat in self.report.seats)
        rest = any(abs(seat.ledger.remainder) > VISIBLE for seat in self.report.seats)
        heads = [self.text("expected"), self.text("luck"), self.text("mistakes")]
        heads += [self.text("others")] * others + [self.text("rest")] * rest
        heads += [self.text("result"), self.text("net luck")]
        heads += [self.text("without luck"), self.text("accuracy")]
        rows = []
        for seat in self.report.seats:
            sums = seat.ledger
            row = [
                self.names[seat.seat],
                self.number(sums.expectation),
                self.signed(sums.luck),
                self.signed(-sums.costs),
            ]
            row += [self.signed(sums.others)] * others + [self.signed(-sums.remainder)] * rest
            row += [self.number(sums.result), self.signed(seat.net_luck), self.number(seat.without_luck)]
            row.append("–" if seat.accuracy is None else f"{self.number(seat.accuracy)} %")
            rows.append(tuple(row))
        yield Heading(self.text("Luck and skill"))
        yield DataTable(("", *heads), tuple(rows))
        yield Paragraph(
            self.text(
                "Expected is what best play brings on average. Add the luck of the dice and take away what "
                "the moves gave away: that is the result. Net luck is luck less the table's average; "
                "without luck: what the same moves bring on average; accuracy: 100 % gives nothing away, "
                "0 % as much as random moves."
            )
        )

    def _turns(self) -> DataTable:
        heads = (self.text("before"), self.text("luck"), self.text("mistakes"), self.text("after"))
        rows = [
            (
                self.names[turn.seat],
                f"{turn.first}–{turn.last}",
                self.number(turn.ledger.expectation),
                self.signed(turn.ledger.luck),
                self.signed(-turn.ledger.costs),
                self.number(turn.ledger.result),
            )
            for turn in self.report.turns
        ]
        return DataTable(("", self.text("events"), *heads), tuple(rows), self.text("Every turn"))

    def _chances_table(self) -> Iterator[DataTable]:
        if self.chances:
            rows = [
                (str(c.after), *(f"{self.number(100 * win, 1)} %" for win in c.win)) for c in self.chances
            ]
            heads = (self.text("event"), *self.names)
            yield DataTable(heads, tuple(rows), self.text("Chances to win after each turn"))

    # --- pictures ---------------------------------------------------------------------------------

    def _course(self) -> Picture:
        lines = [
            [(float(after), points[seat]) for after, points in enumerate(self.report.course)]
            for seat in range(self.report.players)
        ]
        label = self.text("The expected final score of every player after each event")
        drawn = pictures.course(lines, self._marks(), label, lambda value: self.number(value, 0))
        signs = (
            (pictures.symbol("lucky"), self.text("lucky moment")),
            (pictures.symbol("unlucky"), self.text("unlucky moment")),
            (pictures.symbol("mistake"), self.text("costly move")),
        )
        return Picture(drawn, label, (*self._samples(), *signs), self.text("How the game went"))

    def _samples(self) -> Iterator[tuple[str, str]]:
        return ((pictures.sample(seat), name) for seat, name in enumerate(self.names))

    def _marks(self) -> list[pictures.Mark]:
        marks = []
        for seat in self.report.seats:
            kinds = (("mistake", seat.expensive), ("lucky", seat.luckiest), ("unlucky", seat.unluckiest))
            for kind, noted in kinds:
                for note in noted:
                    height = self.report.course[note.number][seat.seat]
                    words = f"{note.text} ({self._amount(note)})"
                    marks.append(pictures.Mark(seat.seat, note.number, height, kind, words))
        return marks

    def _chances_picture(self) -> Iterator[Picture]:
        if self.chances:
            lines = [
                [(float(chances.after), 100 * chances.win[seat]) for chances in self.chances]
                for seat in range(self.report.players)
            ]
            label = self.text("Every player's chance to win after each turn")
            drawn = pictures.course(lines, (), label, lambda value: f"{self.number(value, 0)} %")
            yield Picture(drawn, label, tuple(self._samples()), self.text("Chances to win"))

    # --- moves and rolls --------------------------------------------------------------------------

    def _expensive(self) -> Iterator[Block]:
        yield Heading(self.text("The most expensive moves"))
        if self.report.expensive:
            yield self._notes(self.report.expensive)
        else:
            yield Paragraph(self.text("Nobody gave anything away."))

    def _notes(self, noted: Iterable[Noted]) -> NoteList:
        return NoteList(tuple(map(self._note, noted)))

    def _note(self, note: Noted) -> Note:
        better = (
            "" if note.best_text is None else self.text("Better: {move}", move=_sentence(note.best_text))
        )
        # the first sentence says what a move cost, which the amount does already
        remark = " ".join(map(self.speak, note.sentences[1:]))
        place = self.text("Event {number}", number=note.number)
        return Note(place, self._amount(note), _sentence(note.text), better, remark)

    def _amount(self, note: Noted) -> str:
        """What a move gave away or a roll brought, with its sign."""
        return self.signed(-note.points if note.kind == "move" else note.points)

    def _seat(self, seat: SeatReport) -> Iterator[Block]:
        sums, name = seat.ledger, self.names[seat.seat]
        steps = [
            (self.text("expected"), sums.expectation, "total"),
            (self.text("luck"), sums.luck, "good" if sums.luck >= 0 else "bad"),
            (self.text("mistakes"), -sums.costs, "bad"),
        ]
        rest = sums.others - sums.remainder
        if abs(rest) > VISIBLE:
            steps.append((self.text("others"), rest, "good" if rest >= 0 else "bad"))
        steps.append((self.text("result"), sums.result, "total"))
        label = self.text("How the result of {name} came about", name=name)
        yield Heading(name)
        yield Paragraph(
            self.text(
                "{best} of {decisions} decisions were the best possible.",
                best=seat.decisions - seat.mistakes,
                decisions=seat.decisions,
            )
        )
        yield Picture(pictures.bars(steps, label, self.number), label)
        for title, noted in (
            # alone, the game's most expensive moves are listed already
            (self.text("Expensive moves"), seat.expensive if self.report.players > 1 else ()),
            (self.text("Luckiest moments"), seat.luckiest),
            (self.text("Unluckiest moments"), seat.unluckiest),
        ):
            if noted:
                yield Heading(title, 3)
                yield self._notes(noted)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
