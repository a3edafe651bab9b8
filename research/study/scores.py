"""The sections of a study about scores: what the start is worth, how scores are spread, who begins."""

from __future__ import annotations

from pasch.coach.blocks import Block, DataTable, Paragraph, Picture, number, signed
from pasch.lab.score_statistics import QUANTILES
from research.study import charts
from research.study.charts import Bar, Group
from research.study.figures import Figure, LevelScores, SeatAdvantage, Start, Study
from research.study.formatting import (
    ORDINALS,
    command,
    explanation,
    key,
    percent,
    source,
    text,
    unit,
    with_error,
)


def start(study: Study) -> list[Block]:
    """Before the first roll."""
    found = study.start
    assert found is not None
    blocks: list[Block] = [_expected(found, unit(study))]
    if found.turn is not None and found.exact_turn and not found.exact_value:
        blocks.append(text(f"The first round alone is worth {number(found.turn, 4)} (exact)."))
    perfect = next((level for level in study.levels or () if level.player == "perfect"), None)
    if perfect is not None:
        blocks.append(
            text(
                "Measured: the player `perfect`, everybody playing so, averages "
                f"{with_error(perfect.mean)} {unit(study)} in {perfect.games:,} games."
            )
        )
    if found.win is not None and len(found.win) > 1:
        chances = ", ".join(f"{ORDINALS[seat]} seat {percent(win)}" for seat, win in enumerate(found.win))
        blocks.append(
            text(
                f"Chances to be among the winners if everybody plays to win: {chances} "
                f"({'exact' if found.exact_win else 'estimates'}). All who tie win, so they may add up to "
                "more than 100 %."
            )
        )
    return [*blocks, source(f"pasch value {study.game} --players {study.players}")]


def _expected(found: Start, counted: str) -> Paragraph:
    if found.value is None:
        return key("Nobody knows what the start is worth.")
    sure = "exact" if found.exact_value else "estimate"
    if found.error is not None and not found.exact_value:
        sure = f"an estimate, with a standard error of about {number(found.error)}"
    worth = sorted({number(value) for value in found.value})
    if len(worth) == 1:
        return key(f"A player can expect **{worth[0]}** {counted} ({sure}).")
    each = ", ".join(f"{ORDINALS[seat]} seat **{number(value)}**" for seat, value in enumerate(found.value))
    return key(f"Players can expect, in {counted}: {each} ({sure}).")


# --- levels ---------------------------------------------------------------------------------------


def levels(study: Study) -> list[Block]:
    """How the scores of each player are spread."""
    found = study.levels
    assert found is not None
    label = f"Scores of players who all play alike, in {unit(study)}"
    caption = (
        f"{label}. Each hill has its own height; the line through it is the mean. Below: the thin line "
        "holds nine tenths of the scores, the thick one half of them."
    )
    heads = (
        "player",
        "games",
        "mean",
        "deviation",
        "least",
        *(f"{100 * share:g} %" for share in QUANTILES),
    )
    seats = ",".join(["NAME"] * study.players)
    winner = any(level.player == "winner" for level in found)
    return [
        Picture(charts.ridges(found, label), caption),
        DataTable((*heads, "most"), tuple(map(_level, found))),
        explanation(
            "A column in per cent says which score so many games do not exceed."
            + (" `winner` plays for the win, not for points." if winner else "")
        ),
        source(
            command(study, "levels"),
            f"pasch simulate {study.game} --seats {seats} --games N --seed {study.seed}",
        ),
    ]


def _level(level: LevelScores) -> tuple[str, ...]:
    scores = [level.least, *level.quantiles, level.most]
    return (
        level.player,
        f"{level.games:,}",
        with_error(level.mean),
        "–" if level.deviation is None else number(level.deviation, 1),
        *(charts.axis_number(score) for score in scores),
    )


# --- seats ----------------------------------------------------------------------------------------


def seats(study: Study) -> list[Block]:
    """How much it matters who begins."""
    tables = study.seats
    assert tables is not None
    blocks: list[Block] = [_first(next(one for one in tables if one.player == "perfect"))]
    # where good players are too slow for larger tables, greedy ones stand in for them
    whole = len({one.players for one in tables if one.player == "perfect"}) == len(
        {one.players for one in tables}
    )
    for name in ("perfect",) if whole else ("perfect", "greedy"):
        groups = [
            Group(
                f"{one.players} players",
                [Bar(f"{ORDINALS[seat]} seat", _edge(one, seat)) for seat in range(one.players)],
            )
            for one in tables
            if one.player == name
        ]
        label = f"Wins of each seat above or below an equal share, everybody playing like {name}"
        drawn = charts.bars(groups, label, lambda value: signed(100 * value, 1), dots=True)
        blocks.append(Picture(drawn, f"{label}, in percentage points. Whiskers: two standard errors."))
    heads = (
        "player",
        "players",
        "games",
        "1st seat wins",
        "equal share",
        "1st seat’s mean score",
        "others’",
    )
    simulate = f"pasch simulate {study.game} --seats NAME,NAME,… --games N --seed {study.seed}"
    return [
        *blocks,
        DataTable(heads, tuple(map(_seat_row, tables))),
        source(command(study, "seats"), simulate),
    ]


def _edge(one: SeatAdvantage, seat: int) -> Figure:
    return Figure(one.win[seat].value - 1 / one.players, one.win[seat].error)


def _first(one: SeatAdvantage) -> Paragraph:
    edge = _edge(one, 0)
    if edge.error is not None and abs(edge.value) < charts.ERRORS * edge.error:
        way = "has no advantage that could be measured"
    else:
        way = "is at an advantage" if edge.value > 0 else "is at a disadvantage"
    return key(
        f"Between {one.players} players who play for points as well as they can, whoever begins {way}: "
        f"**{with_error(one.win[0], percent)}** of the wins, a shared one counting in parts."
    )


def _seat_row(one: SeatAdvantage) -> tuple[str, ...]:
    others = [score.value for score in one.score[1:]]
    return (
        one.player,
        str(one.players),
        f"{one.games:,}",
        with_error(one.win[0], percent),
        percent(1 / one.players),
        with_error(one.score[0]),
        number(sum(others) / len(others)),
    )
