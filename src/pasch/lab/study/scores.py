"""The sections of a study about scores: what the start is worth, how scores are spread, who begins."""

from __future__ import annotations

from pasch.lab.study import pictures
from pasch.lab.study.figures import Figure, Level, Seats, Start, Study
from pasch.lab.study.pictures import Bar, Group
from pasch.lab.study.writing import (
    ORDINALS,
    figure,
    given,
    how,
    key,
    part,
    percent,
    points,
    signed,
    table,
    unit,
)
from pasch.lab.tally import QUANTILES


def start(study: Study) -> list[str]:
    """Before the first roll."""
    found = study.start
    assert found is not None
    lines = [key(_expected(found, unit(study)))]
    if found.turn is not None and found.exact_turn and not found.exact_value:
        lines.append(f"<p>The first round alone is worth {points(found.turn, 4)} (exact).</p>")
    perfect = next((level for level in study.levels or () if level.player == "perfect"), None)
    if perfect is not None:
        lines.append(
            "<p>Measured: the player <code>perfect</code>, everybody playing so, averages "
            f"{given(perfect.mean, points)} {unit(study)} in {perfect.games:,} games.</p>"
        )
    if found.win is not None and len(found.win) > 1:
        chances = ", ".join(f"{ORDINALS[seat]} seat {percent(win)}" for seat, win in enumerate(found.win))
        lines.append(
            f"<p>Chances to be among the winners if everybody plays to win: {chances} "
            f"({'exact' if found.exact_win else 'estimates'}). All who tie win, so they may add up to "
            "more than 100 %.</p>"
        )
    return [*lines, how(f"pasch value {study.game} --players {study.players}")]


def _expected(found: Start, counted: str) -> str:
    if found.value is None:
        return "Nobody knows what the start is worth."
    sure = "exact" if found.exact_value else "estimate"
    if found.error is not None and not found.exact_value:
        sure = f"an estimate, with a standard error of about {points(found.error)}"
    worth = sorted({points(value) for value in found.value})
    if len(worth) == 1:
        return f"A player can expect <strong>{worth[0]}</strong> {counted} ({sure})."
    each = ", ".join(
        f"{ORDINALS[seat]} seat <strong>{points(value)}</strong>" for seat, value in enumerate(found.value)
    )
    return f"Players can expect, in {counted}: {each} ({sure})."


# --- levels ---------------------------------------------------------------------------------------


def levels(study: Study) -> list[str]:
    """How the scores of each player are spread."""
    found = study.levels
    assert found is not None
    label = f"Scores of players who all play alike, in {unit(study)}"
    caption = (
        f"{label}. Each hill has its own height; the line through it is the mean. Below: the thin line "
        "holds nine tenths of the scores, the thick one half of them."
    )
    heads = ["player", "games", "mean", "deviation", "least"]
    heads += [f"{100 * share:g} %" for share in QUANTILES] + ["most"]
    seats = ",".join(["NAME"] * study.players)
    winner = any(level.player == "winner" for level in found)
    return [
        *figure(pictures.ridges(found, label), caption),
        *table(heads, map(_level, found)),
        "<p>A column in per cent says which score so many games do not exceed."
        + (" <code>winner</code> plays for the win, not for points.</p>" if winner else "</p>"),
        how(
            part(study, "levels"),
            f"pasch simulate {study.game} --seats {seats} --games N --seed {study.seed}",
        ),
    ]


def _level(level: Level) -> list[str]:
    scores = [level.least, *level.quantiles, level.most]
    return [
        level.player,
        f"{level.games:,}",
        given(level.mean, points),
        "–" if level.deviation is None else points(level.deviation, 1),
        *(pictures.number(score) for score in scores),
    ]


# --- seats ----------------------------------------------------------------------------------------


def seats(study: Study) -> list[str]:
    """How much it matters who begins."""
    tables = study.seats
    assert tables is not None
    lines = [key(_first(next(one for one in tables if one.player == "perfect")))]
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
        caption = f"{label}, in percentage points. Whiskers: two standard errors."
        lines += figure(pictures.dots(groups, label, signed), caption)
    heads = [
        "player",
        "players",
        "games",
        "1st seat wins",
        "equal share",
        "1st seat’s mean score",
        "others’",
    ]
    command = f"pasch simulate {study.game} --seats NAME,NAME,… --games N --seed {study.seed}"
    return [*lines, *table(heads, map(_seat_row, tables)), how(part(study, "seats"), command)]


def _edge(one: Seats, seat: int) -> Figure:
    return Figure(one.win[seat].value - 1 / one.players, one.win[seat].error)


def _first(one: Seats) -> str:
    edge = _edge(one, 0)
    if edge.error is not None and abs(edge.value) < pictures.ERRORS * edge.error:
        way = "has no advantage that could be measured"
    else:
        way = "is at an advantage" if edge.value > 0 else "is at a disadvantage"
    return (
        f"Between {one.players} players who play for points as well as they can, whoever begins {way}: "
        f"<strong>{given(one.win[0], percent)}</strong> of the wins, a shared one counting in parts."
    )


def _seat_row(one: Seats) -> list[str]:
    others = [score.value for score in one.score[1:]]
    return [
        one.player,
        str(one.players),
        f"{one.games:,}",
        given(one.win[0], percent),
        percent(1 / one.players),
        given(one.score[0], points),
        points(sum(others) / len(others)),
    ]
