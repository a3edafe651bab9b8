"""Shut the Lines in the terminal: each player's plan, covered numbers in brackets; or the plans to choose from."""

from __future__ import annotations

from collections import defaultdict
from math import cos, pi, sin

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.lines.box import PrintedPlan
from pasch.games.lines.events import ChosenPlan, Cover, Plan, Roll
from pasch.games.lines.rules import (
    Lines,
    LinesState,
    fits,
)
from pasch.games.lines.ways import Groups, mask_of
from pasch.terminal.words import seat_name

#: how far the tips of a star are from its middle, in columns
RADIUS = 10
#: a number is drawn as wide as this: " 12 " or "[12]"
CELL = 4


# --- the board ------------------------------------------------------------------------------------


def draw(state: State) -> RenderableType:
    """All players' plans and the dice on the table; before a plan is chosen, those there are."""
    assert isinstance(state, LinesState)
    if state.phase == "plan" and state.actor >= 0:
        return _draw_choice(state)
    number, printed = _plan(state)
    seats = range(state.game.players)
    parts: list[RenderableType] = [
        Text(
            f"Round {state.round + 1}, plan {number} with {printed.dice} dice;"
            f" {state.game.options.target} points end the game"
        ),
        Columns([_seat(state, seat, number, printed) for seat in seats]),
        _lines(printed),
    ]
    if state.rolled:
        parts.append(Text(f"Dice: {_spaced(state.rolled)}", style="bold"))
    return Group(*parts)


def _draw_choice(state: LinesState) -> RenderableType:
    game = state.game
    assert isinstance(game, Lines)
    totals = (f"{seat_name(seat)} {_count(total, 'point')}" for seat, total in enumerate(state.totals))
    plans = [(number, game.components.plans[number - 1]) for number in game.agreed.choices]
    return Group(
        Text(f"Round {state.round + 1}; {game.options.target} points end the game"),
        Text(", ".join(totals)),
        Columns([Panel(_numbers(plan, 0), title=f"plan {number}", expand=False) for number, plan in plans]),
        Text(f"{seat_name(state.seat)} chooses the plan", style="bold"),
    )


def _plan(state: LinesState) -> tuple[int, PrintedPlan]:
    """The plan on the table, or the one about to be laid out, with its number."""
    game = state.game
    assert isinstance(game, Lines)
    number = state.plan or game.plan_of_round(state.round)
    return number, game.components.plans[number - 1]


def _seat(state: LinesState, seat: int, number: int, printed: PrintedPlan) -> Panel:
    assert isinstance(state.game, Lines)
    covered = state.covered[seat]
    turn = seat == state.seat and not state.over
    title = f"{'> ' if turn else ''}{seat_name(seat)}: {_count(state.totals[seat], 'point')}"
    footer = _count(state.game.plan(number).points(covered), "line") + (", out" if state.out[seat] else "")
    return Panel(
        _numbers(printed, covered),
        title=Text(title, style="bold" if turn else ""),
        subtitle=Text(footer),
        expand=False,
        style="dim" if state.out[seat] else "",
    )


def _numbers(printed: PrintedPlan, covered: int) -> Text:
    rows = _square(printed) if printed.square else _star(printed)
    drawing = Text(no_wrap=True)
    for row in rows:
        end = 0
        for column, number in row:
            # numbers that would overlap move to the right
            start = max(column, end)
            drawing.append(" " * (start - end))
            if covered >> number - 1 & 1:
                drawing.append(f"[{number:>2}]", style="reverse")
            else:
                drawing.append(f" {number:>2} ")
            end = start + CELL
        drawing.append("\n")
    drawing.right_crop(1)
    return drawing


Rows = list[list[tuple[int, int]]]


def _square(printed: PrintedPlan) -> Rows:
    return [[(CELL * at, number) for at, number in enumerate(row)] for row in printed.square]


def _star(printed: PrintedPlan) -> Rows:
    """Rows of pairs (column, number). Numbers of the same height share a row; no row is empty."""
    tips, step = len(printed.tips), printed.step
    turn = 2 * pi / tips
    # two neighbouring lines cross half a turn beside the middle of either
    nearer, later = cos(step * turn / 2) / cos(turn / 2), (step - 1) / 2
    rows: dict[float, list[tuple[int, int]]] = defaultdict(list)
    for radius, shift, ring in ((1.0, 0.0, printed.tips), (nearer, later, printed.inner)):
        for at, number in enumerate(ring):
            angle = (at + shift) * turn
            column = round(RADIUS * (1 + radius * sin(angle)))
            rows[round(radius * cos(angle), 6) + 0.0].append((column, number))
    return [sorted(rows[height]) for height in sorted(rows, reverse=True)]


def _lines(printed: PrintedPlan) -> Text:
    if printed.square:
        return Text(f"Lines (each adds up to {printed.sum}): rows, columns and both diagonals")
    lines = "  ".join("-".join(map(str, line)) for line in printed.lines)
    return Text(f"Lines (each adds up to {printed.sum}): {lines}")


# --- events in words ------------------------------------------------------------------------------


def tell(state: State, event: Event) -> str:
    """What happened, and what followed at once; `state` is the one before it."""
    assert isinstance(state, LinesState)
    if isinstance(event, Plan):
        _, printed = _plan(state)
        return (
            f"Round {state.round + 1} is played on plan {event.plan} with {printed.dice} dice;"
            f" {seat_name(state.seat)} begins"
        )
    if isinstance(event, ChosenPlan):
        dice = state.game.plan(event.plan).dice
        return f"{seat_name(event.seat)} chooses plan {event.plan} with {dice} dice for round {state.round + 1}"
    after = state.apply(event)
    if isinstance(event, Roll):
        return f"{seat_name(event.seat)} rolls {_spaced(event.roll)}{_fate(state, event.roll, after)}"
    assert isinstance(event, Cover)
    told = f"{seat_name(event.seat)} covers {_covering(event.cover) or 'nothing'}"
    finished = _finished(state, event)
    if finished:
        told += f", which completes {_count(finished, 'line')}"
    if sum(map(len, event.cover)) < len(state.rolled):
        told += ", and is out of the round"
    return told + _settled(state, after)


def _fate(state: LinesState, roll: tuple[int, ...], after: LinesState) -> str:
    if after.phase != "cover":
        why = "nothing fits" if state.free else "everything is covered"
        return f": {why}, out of the round{_settled(state, after)}"
    return "" if fits(roll, state.free) else ": not all the dice fit, so this is the last turn of the round"


def _settled(state: LinesState, after: LinesState) -> str:
    """What the round brought, if it is over."""
    if after.phase not in ("plan", "over"):
        return ""
    brought = (
        f"{_count(now - before, 'point')} to {seat_name(seat)}"
        for seat, (before, now) in enumerate(zip(state.totals, after.totals, strict=True))
    )
    return f". The round brings {', '.join(brought)}"


def heading(move: Event) -> str:
    """Covers are listed by how many numbers they cover."""
    if isinstance(move, ChosenPlan):
        return "Choose the plan"
    assert isinstance(move, Cover)
    return f"Cover {_count(len(move.cover), 'number')}" if move.cover else "Cover nothing"


def label(state: State, move: Event) -> str:
    """The numbers covered, with the dice where there are several; or what a plan is like."""
    assert isinstance(state, LinesState)
    if isinstance(move, ChosenPlan):
        plan = state.game.components.plans[move.plan - 1]
        return f"plan {move.plan}: 1 to {plan.numbers}, {plan.line_count} lines, {plan.dice} dice"
    assert isinstance(move, Cover)
    finished = _finished(state, move)
    return (_covering(move.cover) or "nothing") + (f": {_count(finished, 'line')}" if finished else "")


def _finished(state: LinesState, move: Cover) -> int:
    """How many lines the cover completes."""
    before = state.covered[state.seat]
    points = state.table.points
    return points(before | mask_of(tuple(map(sum, move.cover)))) - points(before)


def _covering(groups: Groups) -> str:
    """For example "4 (1+3), 5"."""

    def written(group: tuple[int, ...]) -> str:
        return f"{sum(group)} ({'+'.join(map(str, group))})" if len(group) > 1 else str(group[0])

    return ", ".join(map(written, sorted(groups, key=sum)))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _spaced(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


# --- real dice ------------------------------------------------------------------------------------


def prompt(state: State) -> str:
    """What to type for the plan or the dice awaited."""
    assert isinstance(state, LinesState)
    number, printed = _plan(state)
    if state.phase == "plan":
        return f"Lay out plan {number} and type {number}"
    return f"{seat_name(state.seat)} rolls {printed.dice} dice; type their faces, as in {_example(printed)}"


def read_outcome(state: State, text: str) -> Event:
    """The plan or the dice that were typed; commas and spaces do not matter."""
    assert isinstance(state, LinesState)
    number, printed = _plan(state)
    typed = text.replace(",", " ").split()
    plan = state.phase == "plan"
    digits = "".join(typed)
    if not digits.isdecimal() or len(digits) != (1 if plan else printed.dice):
        expected = str(number) if plan else f"{printed.dice} faces, as in {_example(printed)}"
        raise EventError("expected {expected}, got {got!r}", expected=expected, got=text)
    faces = tuple(map(int, digits))
    return Plan(faces[0]) if plan else Roll(state.seat, faces)


def _example(printed: PrintedPlan) -> str:
    return _spaced((1, 3, 5, 5, 6)[: printed.dice])
