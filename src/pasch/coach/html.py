"""A report as a page that stands alone: no script, nothing loaded from anywhere, readable on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from pasch.coach import pictures
from pasch.coach.report import Noted, Report, SeatReport
from pasch.coach.words import Sentence, say

Speak = Callable[[Sentence], str]

STYLE = """
:root { color-scheme: light dark; --back: #fbfaf7; --card: #fff; --ink: #22252a; --soft: #62676f;
  --rule: #dedbd2; --good: #1d7a46; --bad: #b3341f; --c0: #1f6fb4; --c1: #b9500c; --c2: #14805c;
  --c3: #a8327d; --c4: #80670a; --c5: #6a56b0; }
@media (prefers-color-scheme: dark) { :root { --back: #17191d; --card: #1f2227; --ink: #e8e6e1;
  --soft: #a2a6ad; --rule: #383c44; --good: #6bd39a; --bad: #ff8f7a; --c0: #6db6f2; --c1: #f4a261;
  --c2: #5fd0a5; --c3: #ef8fcb; --c4: #e0c14f; --c5: #b5a4f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: .5rem;
  padding: .5rem; } figcaption { font-size: .85rem; color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
svg { display: block; } .course, .bars { width: 100%; height: auto; }
.symbol { display: inline-block; width: 1em; height: 1em; vertical-align: -.15em; }
.sample { display: inline-block; width: 2.4em; height: .7em; }
.line { fill: none; stroke-width: 2; } .grid { stroke: var(--rule); } .tick { fill: var(--soft);
  font-size: 14px; }
.seat0 { stroke: var(--c0); } .seat1 { stroke: var(--c1); } .seat2 { stroke: var(--c2); }
.seat3 { stroke: var(--c3); } .seat4 { stroke: var(--c4); } .seat5 { stroke: var(--c5); }
.mark { stroke-width: 2.5; } .mark.mistake { stroke: var(--bad); fill: none; }
.mark.lucky { fill: var(--good); stroke: var(--card); stroke-width: 1; }
.mark.unlucky { fill: var(--bad); stroke: var(--card); stroke-width: 1; }
.bar.total { fill: var(--soft); } .bar.good { fill: var(--good); } .bar.bad { fill: var(--bad); }
ul { padding-left: 1.1rem; margin: .3rem 0; } li { margin: .25rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; }
""".strip()


def page(
    report: Report, *, names: Sequence[str] | None = None, speak: Speak = str, language: str = "en"
) -> str:
    """The whole page. `speak` says a sentence in the language of the page."""
    return _Page(report, names, speak, language).write()


class _Page:
    def __init__(self, report: Report, names: Sequence[str] | None, speak: Speak, language: str) -> None:
        self.report = report
        self.speak = speak
        self.language = language
        self.names = names or [speak(say("Player {number}", number=s + 1)) for s in range(report.players)]

    def text(self, template: str, **details: object) -> str:
        """A text in the page's language, safe to stand in it."""
        return escape(self.speak(say(template, **details)))

    def number(self, value: float, digits: int = 1) -> str:
        rounded = f"{value:.{digits}f}".replace("-", "−")
        return rounded.removeprefix("−") if float(rounded.replace("−", "-")) == 0 else rounded

    def write(self) -> str:
        title = self.text("{game}: luck and skill", game=self.report.title)
        parts = [
            "<!doctype html>",
            f'<html lang="{escape(self.language)}">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style></head>",
            f"<body><h1>{title}</h1>",
            f"<p>{self._outcome()}</p>",
            f'<p class="soft">{escape(self.speak(self.report.statement))}</p>',
            *self._ledger(),
            *self._course(),
            *self._chances(),
            *self._expensive(),
            *(part for seat in self.report.seats for part in self._seat(seat)),
            *self._turns(),
            "</body></html>",
        ]
        return "\n".join(parts) + "\n"

    def _outcome(self) -> str:
        scores = ", ".join(
            f"{escape(self.names[seat])} {score}" for seat, score in enumerate(self.report.scores)
        )
        if self.report.players == 1:
            return self.text("Result: {score}", score=self.report.scores[0])
        winners = [self.names[seat] for seat in self.report.winners]
        return f"{scores}. {self.text('Won by {names}.', names=winners)}"

    # --- tables -----------------------------------------------------------------------------------

    def _table(self, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
        head = "".join(f'<th scope="col">{name}</th>' for name in heads)
        body = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
        return ['<div class="wide"><table>', f"<tr>{head}</tr>", *body, "</table></div>"]

    def _ledger(self) -> list[str]:
        heads = ["", self.text("expected"), self.text("luck"), self.text("mistakes")]
        others = any(abs(seat.ledger.others) > 0.005 for seat in self.report.seats)
        rest = any(abs(seat.ledger.remainder) > 0.005 for seat in self.report.seats)
        heads += [self.text("others")] * others + [self.text("rest")] * rest
        heads += [
            self.text("result"),
            self.text("net luck"),
            self.text("without luck"),
            self.text("accuracy"),
        ]
        rows = []
        for seat in self.report.seats:
            entry = seat.ledger
            row = [escape(self.names[seat.seat]), self.number(entry.expectation), self._signed(entry.luck)]
            row.append(self._signed(-entry.costs))
            row += [self._signed(entry.others)] * others + [self._signed(-entry.remainder)] * rest
            row += [self.number(entry.result), self._signed(seat.net_luck), self.number(seat.without_luck)]
            row.append("–" if seat.accuracy is None else f"{self.number(seat.accuracy)} %")
            rows.append(row)
        explained = self.text(
            "Expected is what best play brings on average. Add the luck of the dice and take away what the "
            "moves gave away: that is the result."
        )
        return [f"<h2>{self.text('Luck and skill')}</h2>", *self._table(heads, rows), f"<p>{explained}</p>"]

    def _signed(self, value: float) -> str:
        written = self.number(value)
        return written if written.startswith("−") or float(written) == 0 else f"+{written}"

    # --- pictures ---------------------------------------------------------------------------------

    def _course(self) -> list[str]:
        lines = [
            [(float(after), points[seat]) for after, points in enumerate(self.report.course)]
            for seat in range(self.report.players)
        ]
        label = self.text("The expected final score of every player after each event")
        drawn = pictures.course(lines, self._marks(), label, lambda value: self.number(value, 0))
        signs = (
            ("lucky", self.text("lucky moment")),
            ("unlucky", self.text("unlucky moment")),
            ("mistake", self.text("costly move")),
        )
        legend = [
            *self._samples(),
            *(f"<span>{pictures.symbol(kind)} {name}</span>" for kind, name in signs),
        ]
        return [f"<h2>{self.text('How the game went')}</h2>", *self._figure(drawn, label, legend)]

    def _samples(self) -> list[str]:
        return [
            f"<span>{pictures.sample(seat)} {escape(name)}</span>" for seat, name in enumerate(self.names)
        ]

    def _figure(self, drawn: str, label: str, legend: list[str]) -> list[str]:
        caption = f'<figcaption>{label}<div class="legend">{"".join(legend)}</div></figcaption>'
        return ["<figure>", drawn, caption, "</figure>"]

    def _marks(self) -> list[pictures.Mark]:
        marks = []
        for seat in self.report.seats:
            kinds = (("mistake", seat.expensive), ("lucky", seat.luckiest), ("unlucky", seat.unluckiest))
            for kind, noted in kinds:
                for note in noted:
                    height = self.report.course[note.number][seat.seat]
                    amount = -note.points if kind == "mistake" else note.points
                    words = f"{note.text} ({self._signed(amount)})"
                    marks.append(pictures.Mark(seat.seat, note.number, height, kind, words))
        return marks

    def _chances(self) -> list[str]:
        found = self.report.chances
        if not found or self.report.players == 1:
            return []
        lines = [
            [(float(chances.after), 100 * chances.win[seat]) for chances in found]
            for seat in range(self.report.players)
        ]
        label = self.text("Every player's chance to win after each turn")
        drawn = pictures.course(lines, (), label, lambda value: f"{value:.0f} %")
        return [f"<h2>{self.text('Chances to win')}</h2>", *self._figure(drawn, label, self._samples())]

    # --- moves and rolls --------------------------------------------------------------------------

    def _expensive(self) -> list[str]:
        title = f"<h2>{self.text('The most expensive moves')}</h2>"
        if not self.report.expensive:
            return [title, f"<p>{self.text('Nobody gave anything away.')}</p>"]
        return [title, "<ul>", *map(self._move, self.report.expensive), "</ul>"]

    def _move(self, note: Noted) -> str:
        better = "" if note.best_text is None else f" {self.text('Better:')} {escape(note.best_text)}."
        # the first sentence says what it cost, which stands there already
        reasons = " ".join(escape(self.speak(sentence)) for sentence in note.sentences[1:])
        return (
            f"<li>{self._place(note)} <strong>{self._signed(-note.points)}</strong>: {escape(note.text)}."
            f'{better}<br><span class="soft">{reasons}</span></li>'
        )

    def _roll(self, note: Noted) -> str:
        luck = f"<strong>{self._signed(note.points)}</strong>"
        return f"<li>{self._place(note)} {luck}: {escape(note.text)}</li>"

    def _place(self, note: Noted) -> str:
        return f'<span class="soft">{self.text("Event {number}", number=note.number)}</span>'

    def _seat(self, seat: SeatReport) -> list[str]:
        entry = seat.ledger
        steps = [
            (self.speak(say("expected")), entry.expectation, "total"),
            (self.speak(say("luck")), entry.luck, "good" if entry.luck >= 0 else "bad"),
            (self.speak(say("mistakes")), -entry.costs, "bad"),
        ]
        rest = entry.others - entry.remainder
        if abs(rest) > 0.005:
            steps.append((self.speak(say("others")), rest, "good" if rest >= 0 else "bad"))
        steps.append((self.speak(say("result")), entry.result, "total"))
        name = self.names[seat.seat]
        label = self.text("How the result of {name} came about", name=name)
        parts = [
            f"<h2>{escape(name)}</h2>",
            f"<p>{self._skill(seat)}</p>",
            "<figure>",
            pictures.bars(steps, label, self.number),
            f"<figcaption>{label}</figcaption></figure>",
        ]
        for title, notes, write in (
            (self.text("Expensive moves"), seat.expensive, self._move),
            (self.text("Luckiest moments"), seat.luckiest, self._roll),
            (self.text("Unluckiest moments"), seat.unluckiest, self._roll),
        ):
            if notes:
                parts += [f"<h3>{title}</h3>", "<ul>", *map(write, notes), "</ul>"]
        return parts

    def _skill(self, seat: SeatReport) -> str:
        return self.text(
            "{best} of {decisions} decisions were the best possible.",
            best=seat.decisions - seat.mistakes,
            decisions=seat.decisions,
        )

    def _turns(self) -> list[str]:
        heads = ["", self.text("events"), self.text("before"), self.text("luck"), self.text("mistakes")]
        heads.append(self.text("after"))
        rows = [
            [
                escape(self.names[turn.seat]),
                f"{turn.first}–{turn.last}",
                self.number(turn.ledger.expectation),
                self._signed(turn.ledger.luck),
                self._signed(-turn.ledger.costs),
                self.number(turn.ledger.result),
            ]
            for turn in self.report.turns
        ]
        summary = f"<details><summary>{self.text('Every turn')}</summary>"
        return [summary, *self._table(heads, rows), "</details>"]
