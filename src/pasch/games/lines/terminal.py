"""Shut the Lines in the terminal: each player's plan, covered numbers in brackets; or the plans to choose from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import cos, pi, sin
from operator import sub
from typing import cast

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event, Roll
from pasch.core.rolls import Groups
from pasch.games.lines.box import PrintedPlan
from pasch.games.lines.rules import ChosenPlan, Cover, Plan, Position, points
from pasch.games.lines.ways import dice_in, numbers_of
from pasch.terminal.board import guess_note, rolls, seat_name, spaced
from pasch.terminal.language import t, tn

#: how far the tips of a star are from its middle, in columns
RADIUS = 10
#: a number is drawn as wide as this: " 12 " or "[12]"
CELL = 4


# --- the board ------------------------------------------------------------------------------------


def draw(state: Position) -> RenderableType:
    """All players' plans and the dice on the table; before a plan is chosen, those there are."""
    if state.phase == "plan" and state.actor >= 0:
        return _draw_choice(state)
    number, printed = _plan(state)
    plan, goal = marked(number, printed.arrangement), state.game.options.target
    said = "Round {n}, plan {plan} with {dice} dice; {points} points end the game"
    parts: list[RenderableType] = [
        Text(t(said, n=state.round + 1, plan=plan, dice=printed.dice, points=goal)),
        Columns([_seat(state, seat, number, printed) for seat in range(state.game.players)]),
        _lines(printed),
    ]
    if state.rolled:
        parts.append(Text(t("Dice: {dice}", dice=spaced(state.rolled)), style="bold"))
    return Group(*parts, *guess_note([printed.arrangement]))


def _draw_choice(state: Position) -> RenderableType:
    game = state.game
    plans = [
        Panel(_numbers(game.components.plans[number - 1], 0), title=t("Plan {n}", n=number), expand=False)
        for number in game.config.choices
    ]
    return Group(
        Text(t("Round {n}; {points} points end the game", n=state.round + 1, points=game.options.target)),
        Text(_scores(state.totals)),
        Columns(plans),
        Text(t("{name} chooses the plan", name=seat_name(state.seat)), style="bold"),
    )


def _plan(state: Position) -> tuple[int, PrintedPlan]:
    """The plan on the table, or the one about to be laid out, with its number."""
    number = state.plan or cast(Plan, state.chance().pick(0)).plan
    return number, state.game.components.plans[number - 1]


def _seat(state: Position, seat: int, number: int, printed: PrintedPlan) -> Panel:
    covered = state.covered[seat]
    turn = seat == state.seat and not state.over
    title = ("> " if turn else "") + _score(seat, state.totals[seat])
    footer = _lines_complete(points(state.game.config.lines[number - 1], covered))
    if state.out[seat]:
        footer = t("{what}, out", what=footer)
    return Panel(
        _numbers(printed, covered),
        title=Text(title, style="bold" if turn else ""),
        subtitle=Text(footer),
        expand=False,
        style="dim" if state.out[seat] else "",
    )


def _numbers(printed: PrintedPlan, covered: int) -> Text:
    rows = [[(CELL * at, number) for at, number in enumerate(row)] for row in printed.square]
    drawing = Text(no_wrap=True)
    for row in rows or _star(printed):
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


def _star(printed: PrintedPlan) -> list[list[tuple[int, int]]]:
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
        return Text(t("Lines (each adds up to {sum}): rows, columns and both diagonals", sum=printed.sum))
    lines = "  ".join("-".join(map(str, line)) for line in printed.lines)
    return Text(t("Lines (each adds up to {sum}): {lines}", sum=printed.sum, lines=lines))


# --- events in words ------------------------------------------------------------------------------


def tell(state: Position, event: Event) -> str:
    """What happened, and what followed at once; `state` is the one before it."""
    after, who = state.apply(event), seat_name(state.seat)
    if isinstance(event, Plan):
        return t("A round on plan {plan} begins", plan=event.plan)
    if isinstance(event, ChosenPlan):
        return t("{name} chooses plan {plan}", name=who, plan=event.plan)
    if isinstance(event, Roll):
        said = rolls(state, spaced(event.roll))
        if after.phase != "cover":
            said = t("{what}: nothing fits, out of the round", what=said)
    else:
        assert isinstance(event, Cover)
        covered = t("{name} covers {numbers}", name=who, numbers=_covering(event.cover))
        said = covered if event.cover else t("{name} covers nothing", name=who)
        if dice_in(event.cover) < len(state.rolled):
            said = t("{what}: out of the round", what=said)
    if after.phase in ("roll", "cover"):
        return said
    points = _scores([*map(sub, after.totals, state.totals)])
    return t("{what}. Points of the round: {points}", what=said, points=points)


def label(state: Position, move: Event) -> str:
    """The numbers covered, with the dice where there are several; or what a plan is like."""
    if isinstance(move, ChosenPlan):
        plan = state.game.components.plans[move.plan - 1]
        said = "Plan {n}: 1 to {numbers}, {lines} lines, {dice} dice"
        return t(said, n=move.plan, numbers=plan.numbers, lines=plan.line_count, dice=plan.dice)
    assert isinstance(move, Cover)
    before, lines = state.covered[state.seat], state.game.config.lines[state.plan - 1]
    finished = points(lines, before | numbers_of(move.cover)) - points(lines, before)
    covering = _covering(move.cover) or t("nothing")
    return f"{covering}: {_lines_complete(finished)}" if finished else covering


def _covering(groups: Groups) -> str:
    """For example "4 (1+3), 5"."""

    def written(group: tuple[int, ...]) -> str:
        return f"{sum(group)} ({'+'.join(map(str, group))})" if len(group) > 1 else str(group[0])

    return ", ".join(map(written, sorted(groups, key=sum)))


def _lines_complete(number: int) -> str:
    return tn("{n} line", "{n} lines", number)


def _score(seat: int, total: int) -> str:
    return tn("{name}: {n} point", "{name}: {n} points", total, name=seat_name(seat))


def _scores(totals: Sequence[int]) -> str:
    return ", ".join(_score(seat, total) for seat, total in enumerate(totals))
