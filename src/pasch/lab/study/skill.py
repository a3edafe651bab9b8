"""The sections of a study about skill: what is luck, when points are not wins, what to learn first."""

from __future__ import annotations

from html import escape

from pasch.core.registry import find_game
from pasch.lab.study import pictures
from pasch.lab.study.figures import HabitFigures, Habits, Luck, Study, Winning
from pasch.lab.study.pictures import Bar, Group
from pasch.lab.study.writing import (
    ORDINALS,
    figure,
    finely,
    given,
    how,
    key,
    part,
    percent,
    points,
    table,
    unit,
)
from pasch.solve.valuer import valuer

#: smaller shares are not worth a bar
VISIBLE = 0.005


def luck(study: Study) -> list[str]:
    """What decides a game."""
    tables = study.luck
    assert tables is not None
    between = tables[0].margin is not None
    what = "the difference between two players’ scores" if between else "a player’s score"
    label = f"What decides {what}, in per cent of its variance"
    groups = [Group(_table_name(one), _bars(one)) for one in tables]
    lines = [
        key(_decided(tables[0])),
        "<p>The <em>ledger</em> takes every game apart: the luck of a roll is what it changes in the "
        "expectation, the cost of a move what it gives away; expectation plus luck less costs is the "
        "result. A part’s share of the variance is its covariance with the result. So the shares add up "
        "to 100 %, and a negative one works against the others.</p>",
        *figure(
            pictures.bars(groups, label, percent, names=60),
            f"{label}, by who sits at the table. Whiskers: two standard errors.",
        ),
    ]
    heads = ["table", "games", f"{unit(study)} given away", "deviation of luck", "of skill"]
    heads += ["luck’s share of a score"]
    if between:
        heads += ["luckier player ahead", "better player ahead"]
    lines += table(heads, [_row(one, between) for one in tables])
    if any(abs(one.score.rest.value) > VISIBLE for one in tables):
        lines.append(
            "<p>What is left over is expectation that not every game has alike: rounds that are not "
            "always played, and estimates that correct themselves on the way.</p>"
        )
    if any(abs(one.score.others.value) > VISIBLE for one in tables):
        lines.append(
            "<p><em>Others</em> is what other players’ moves did to a seat’s expectation. Whoever "
            "cannot see their cards may call that luck as well.</p>"
        )
    return [*lines, how(part(study, "luck"))]


def _table_name(one: Luck) -> str:
    return "mixed strength" if one.table == "mixed" else f"all {one.table}"


def _bars(one: Luck) -> list[Bar]:
    shares = one.margin or one.score
    rest = [Bar("others", shares.others, 2), Bar("rest", shares.rest, 3)]
    return [
        Bar("luck", shares.luck, 0),
        Bar("skill", shares.skill, 1),
        *(bar for bar in rest if abs(bar.figure.value) > VISIBLE),
    ]


def _decided(one: Luck) -> str:
    share = given((one.margin or one.score).luck, percent)
    what = "of the variance of the difference between two of them" if one.margin else "of the variance"
    said = (
        "With players of mixed strength (each <code>easy</code>, <code>medium</code>, <code>hard</code> "
        f"or <code>perfect</code>), <strong>{share}</strong> {what} is luck."
    )
    if one.better is not None and one.luckier is not None:
        said += (
            f" The luckier one is ahead in {given(one.luckier, percent)} of the games, the one who plays "
            f"better in {given(one.better, percent)}."
        )
    return said


def _row(one: Luck, between: bool) -> list[str]:
    row = [
        _table_name(one),
        f"{one.games:,}",
        given(one.costs, points),
        points(one.luck_deviation, 1),
        points(one.costs_deviation, 1),
        given(one.score.luck, percent),
    ]
    if between:
        row += ["–" if share is None else given(share, percent) for share in (one.luckier, one.better)]
    return row


# --- points or wins -------------------------------------------------------------------------------


def winning(study: Study) -> list[str]:
    """How often playing for points is not playing to win."""
    found = study.winning
    assert found is not None
    groups = [
        Group(
            f"{ORDINALS[place]} fifth of the game",
            [Bar("at all", stage.differ, 0), Bar("clearly", stage.matter, 1)],
        )
        for place, stage in enumerate(found.stages)
    ]
    label = "Decisions in which another move than the best for points wins more often"
    caption = (
        f"{label}, in per cent: at all, and clearly, by half a percentage point or more. Whiskers: two "
        "standard errors."
    )
    return [
        key(_disagree(found)),
        f"<p>{_sure(found, study.game)}</p>",
        *figure(pictures.bars(groups, label, percent), caption),
        how(part(study, "winning")),
    ]


def _disagree(found: Winning) -> str:
    return (
        f"In <strong>{given(found.differ, percent)}</strong> of {found.decisions:,} decisions, met in "
        f"{found.games:,} games between {found.players} players who play for points, another move wins "
        f"more often; in {given(found.matter, percent)} by at least half a percentage point. Each of "
        f"these moves costs {given(found.each, finely)} of the chance to win on average, all of them "
        f"together {given(found.per_game, finely)} for a seat in a whole game."
    )


def _sure(found: Winning, game: str) -> str:
    if found.exact:
        return "The chances are exact for two players."
    if not valuer(find_game(game).agree(found.players)).exact.turn:
        return (
            "The chances are estimates here. Where several moves are nearly equal, errors alone make "
            "one of them look better, so these numbers are too high, the sum over a game most of all."
        )
    return (
        "The chances are exact in the last turns. Before, the turn under way is played to win and later "
        "ones are taken to be played for points, which is very nearly the same."
    )


# --- habits ---------------------------------------------------------------------------------------


def habits(study: Study) -> list[str]:
    """What the greedy player gives away, the dearest habit first."""
    found = study.habits
    assert found is not None
    dear = [kind for kind in found.kinds if kind.per_game.value >= VISIBLE * found.per_game.value]
    label = f"What the greedy player’s habits cost in a game, in {unit(study)}"
    groups = [Group(kind.name, [Bar("", kind.per_game)]) for kind in dear]
    lines = [
        key(_first_lesson(found, unit(study))),
        "<p>The player <code>greedy</code> does what looks best at once, as many people do. Its "
        f"mistakes, the dearest first; costs in {unit(study)} of the final score, for one seat.</p>",
        *figure(pictures.bars(groups, label, points, names=0), f"{label}. Whiskers: two standard errors."),
        "<ol>",
        *(f"<li>{_told(kind, unit(study))}</li>" for kind in found.kinds),
        "</ol>",
    ]
    if not found.exact:
        lines.append(
            "<p>The values are estimates. Where several moves are nearly equal, errors alone make one "
            "of them look better, so small costs are overstated.</p>"
        )
    return [*lines, how(part(study, "habits"))]


def _told(kind: HabitFigures, counted: str) -> str:
    """A habit in one sentence."""
    said = (
        f"<strong>{escape(kind.name)}</strong>: {given(kind.often, points)} times a game at "
        f"{given(kind.each, points)} {counted} each time, together {given(kind.per_game, points)}"
    )
    if kind.when:
        mostly = ", ".join(f"{words} ({percent(share, 0)})" for words, share in kind.when)
        said += f'. <span class="soft">Of the costs: {escape(mostly)}</span>'
    return f"{said}."


def _first_lesson(found: Habits, counted: str) -> str:
    said = (
        f"Playing greedily gives away <strong>{given(found.per_game, points)}</strong> {counted} a game; "
        f"{given(found.right, percent)} of its {points(found.decisions.value, 0)} decisions give nothing "
        "away."
    )
    if found.kinds and found.per_game.value > 0:
        first = found.kinds[0]
        share = first.per_game.value / found.per_game.value
        words = escape(first.name[:1].lower() + first.name[1:])
        said += f" The first habit to drop: it {words} ({percent(share, 0)} of the costs)."
    return said
