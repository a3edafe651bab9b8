"""The sections of a study about skill: what is luck, when points are not wins, what to learn first."""

from __future__ import annotations

from typing import Final

from pasch.coach.blocks import Block, DataTable, Markup, NumberedList, Paragraph, Picture, number
from pasch.core.registry import find_game
from pasch.solve.valuer import valuer
from research.study import charts
from research.study.charts import Bar, Group
from research.study.figures import HabitFigures, Habits, Luck, Study, Winning
from research.study.formatting import (
    ORDINALS,
    command,
    explanation,
    fine_percent,
    key,
    percent,
    source,
    text,
    unit,
    with_error,
)

#: smaller shares get no bar
VISIBLE: Final = 0.005


def luck(study: Study) -> list[Block]:
    """What decides a game."""
    tables = study.luck
    assert tables is not None
    between = tables[0].margin is not None
    what = "the difference between two players’ scores" if between else "a player’s score"
    label = f"What decides {what}, in per cent of its variance"
    groups = [Group(_table_name(one), _bars(one)) for one in tables]
    heads = ["table", "games", f"{unit(study)} given away", "deviation of luck", "of skill"]
    heads += ["luck’s share of a score"]
    if between:
        heads += ["luckier player ahead", "better player ahead"]
    blocks: list[Block] = [
        _decided(tables[0]),
        explanation(
            "The *ledger* takes every game apart: the luck of a roll is what it changes in the "
            "expectation, the cost of a move what it gives away; expectation plus luck less costs is the "
            "result. A part’s share of the variance is its covariance with the result. So the shares add "
            "up to 100 %, and a negative one works against the others."
        ),
        Picture(
            charts.bars(groups, label, percent),
            f"{label}, by who sits at the table. Whiskers: two standard errors.",
        ),
        DataTable(tuple(heads), tuple(_row(one, between) for one in tables)),
    ]
    if any(abs(one.score.rest.value) > VISIBLE for one in tables):
        blocks.append(
            text(
                "What is left over is expectation that not every game has alike: rounds that are not "
                "always played, and estimates that correct themselves on the way."
            )
        )
    if any(abs(one.score.others.value) > VISIBLE for one in tables):
        blocks.append(
            text(
                "*Others* is what other players’ moves did to a seat’s expectation. Whoever cannot see "
                "their cards may call that luck as well."
            )
        )
    return [*blocks, source(command(study, "luck"))]


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


def _decided(one: Luck) -> Paragraph:
    share = with_error((one.margin or one.score).luck, percent)
    what = "of the variance of the difference between two of them" if one.margin else "of the variance"
    said = (
        "With players of mixed strength (each `easy`, `medium`, `hard` or `perfect`), "
        f"**{share}** {what} is luck."
    )
    if one.better is not None and one.luckier is not None:
        said += (
            f" The luckier one is ahead in {with_error(one.luckier, percent)} of the games, the one who "
            f"plays better in {with_error(one.better, percent)}."
        )
    return key(said)


def _row(one: Luck, between: bool) -> tuple[str, ...]:
    ahead = (one.luckier, one.better) if between else ()
    return (
        _table_name(one),
        f"{one.games:,}",
        with_error(one.costs),
        number(one.luck_deviation, 1),
        number(one.costs_deviation, 1),
        with_error(one.score.luck, percent),
        *("–" if share is None else with_error(share, percent) for share in ahead),
    )


# --- points or wins -------------------------------------------------------------------------------


def winning(study: Study) -> list[Block]:
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
        _disagree(found),
        text(_certainty(found, study.game)),
        Picture(charts.bars(groups, label, percent), caption),
        source(command(study, "winning")),
    ]


def _disagree(found: Winning) -> Paragraph:
    return key(
        f"In **{with_error(found.differ, percent)}** of {found.decisions:,} decisions, met in "
        f"{found.games:,} games between {found.players} players who play for points, another move wins "
        f"more often; in {with_error(found.matter, percent)} by at least half a percentage point. Each of "
        f"these moves costs {with_error(found.each, fine_percent)} of the chance to win on average, all of "
        f"them together {with_error(found.per_game, fine_percent)} for a seat in a whole game."
    )


def _certainty(found: Winning, game: str) -> str:
    if found.exact:
        return "The chances are exact for two players."
    if not valuer(find_game(game).agree(found.players)).exact.turn:
        return (
            "The chances are estimates here. Where several moves are nearly equal, errors alone make one "
            "of them look better, so these numbers are too high, the sum over a game most of all."
        )
    return (
        "The chances are exact in the last turns. Before, the turn under way is played to win and later "
        "ones are taken to be played for points, which is very nearly the same."
    )


# --- habits ---------------------------------------------------------------------------------------


def habits(study: Study) -> list[Block]:
    """What the greedy player gives away, the most expensive habit first."""
    found, counted = study.habits, unit(study)
    assert found is not None
    worst = [kind for kind in found.kinds if kind.per_game.value >= VISIBLE * found.per_game.value]
    label = f"What the greedy player’s habits cost in a game, in {counted}"
    groups = [Group(kind.name, [Bar("", kind.per_game)]) for kind in worst]
    blocks: list[Block] = [
        _first_lesson(found, counted),
        text(
            "The player `greedy` does what looks best at once, as many people do. Its mistakes, the "
            f"dearest first; costs in {counted} of the final score, for one seat."
        ),
        Picture(charts.bars(groups, label, number), f"{label}. Whiskers: two standard errors."),
        NumberedList(tuple(_habit(kind, counted) for kind in found.kinds)),
    ]
    if not found.exact:
        blocks.append(
            text(
                "The values are estimates. Where several moves are nearly equal, errors alone make one of "
                "them look better, so small costs are overstated."
            )
        )
    return [*blocks, source(command(study, "habits"))]


def _habit(kind: HabitFigures, counted: str) -> str:
    """A habit in one sentence."""
    said = (
        f"**{kind.name}**: {with_error(kind.often)} times a game at {with_error(kind.each)} {counted} each "
        f"time, together {with_error(kind.per_game)}"
    )
    if kind.when:
        mostly = ", ".join(f"{words} ({percent(share, 0)})" for words, share in kind.when)
        said += f". Of the costs: {mostly}"
    return Markup(f"{said}.")


def _first_lesson(found: Habits, counted: str) -> Paragraph:
    said = (
        f"Playing greedily gives away **{with_error(found.per_game)}** {counted} a game; "
        f"{with_error(found.right, percent)} of its {number(found.decisions.value, 0)} decisions give "
        "nothing away."
    )
    if found.kinds and found.per_game.value > 0:
        first = found.kinds[0]
        share = first.per_game.value / found.per_game.value
        words = first.name[:1].lower() + first.name[1:]
        said += f" The first habit to drop: it {words} ({percent(share, 0)} of the costs)."
    return key(said)
