"""The sections of a study, and how it writes its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pasch.coach import markdown
from pasch.coach.markdown import number
from pasch.core.registry import find_data, find_game
from pasch.lab.score_statistics import QUANTILES
from pasch.solve.valuer import valuer
from research.study import charts
from research.study.charts import Bar, Group
from research.study.figures import (
    Figure,
    HabitFigures,
    Habits,
    LevelScores,
    Luck,
    SeatAdvantage,
    Start,
    Study,
    Winning,
)
from research.study.measure import usual_players

#: with a space at which no line is broken
PERCENT: Final = "\u00a0%"
ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def unit(study: Study) -> str:
    """What is counted in this game: `unit` in its study.toml, or points."""
    return str(find_data(study.game, "study.toml").get("unit", "points"))


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return number(100 * share, digits) + PERCENT


def fine_percent(share: float) -> str:
    """A small share in per cent."""
    return percent(share, 2)


def with_error(figure: Figure, show: Callable[[float], str] = number) -> str:
    """A number with its standard error."""
    value = show(figure.value)
    if figure.error is None:
        return value
    sign = PERCENT if value.endswith(PERCENT) else ""
    return f"{value.removesuffix(sign)}\u00a0± {show(figure.error).removesuffix(sign)}{sign}"


def explanation(words: str) -> str:
    """What the numbers of a section mean; the same for every game."""
    return f"> {words}"


def command(study: Study, part: str = "") -> str:
    """The command that makes a study again, or prints all numbers of one part."""
    table = "" if study.players == usual_players(study.game) else f" --players {study.players}"
    only = f" --part {part}" if part else ""
    return f"python -m research study {study.game}{table} --games {study.games} --seed {study.seed}{only}"


def source(*commands: str) -> str:
    """The commands that print the numbers of a section."""
    return f"> Printed by {' and '.join(f'`{command}`' for command in commands)}."


# --- scores: what the start is worth, how scores are spread, who begins ------------------------------


def start(study: Study) -> list[str]:
    """Before the first roll."""
    found = study.start
    assert found is not None
    blocks: list[str] = [_expected(found, unit(study))]
    if found.turn is not None and found.exact_turn and not found.exact_value:
        blocks.append(f"The first round alone is worth {number(found.turn, 4)} (exact).")
    perfect = next((level for level in study.levels or () if level.player == "perfect"), None)
    if perfect is not None:
        blocks.append(
            "Measured: the player `perfect`, everybody playing so, averages "
            f"{with_error(perfect.mean)} {unit(study)} in {perfect.games:,} games."
        )
    if found.win is not None and len(found.win) > 1:
        chances = ", ".join(f"{ORDINALS[seat]} seat {percent(win)}" for seat, win in enumerate(found.win))
        blocks.append(
            f"Chances to be among the winners if everybody plays to win: {chances} "
            f"({'exact' if found.exact_win else 'estimates'}). All who tie win, so they may add up to "
            "more than 100 %."
        )
    return [*blocks, source(f"pasch value {study.game} --players {study.players}")]


def _expected(found: Start, counted: str) -> str:
    if found.value is None:
        return "Nobody knows what the start is worth."
    sure = "exact" if found.exact_value else "estimate"
    if found.error is not None and not found.exact_value:
        sure = f"an estimate, with a standard error of about {number(found.error)}"
    worth = sorted({number(value) for value in found.value})
    if len(worth) == 1:
        return f"A player can expect **{worth[0]}** {counted} ({sure})."
    each = ", ".join(f"{ORDINALS[seat]} seat **{number(value)}**" for seat, value in enumerate(found.value))
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
        charts.figure(charts.ridges(found, label), caption),
        markdown.table((*heads, "most"), map(_level, found)),
        explanation(
            "A column in per cent is the score that this share of the games does not exceed."
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


def seats(study: Study) -> list[str]:
    """How much it matters who begins."""
    tables = study.seats
    assert tables is not None
    blocks: list[str] = [_first(next(one for one in tables if one.player == "perfect"))]
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
        drawn = charts.bars(groups, label, _signed_percent, dots=True)
        blocks.append(
            charts.figure(drawn, f"{label}, in percentage points. Whiskers: two standard errors.")
        )
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
        markdown.table(heads, map(_seat_row, tables)),
        source(command(study, "seats"), simulate),
    ]


def _signed_percent(share: float) -> str:
    written = number(100 * share, 1)
    return f"+{written}" if float(f"{100 * share:.1f}") > 0 else written


def _edge(one: SeatAdvantage, seat: int) -> Figure:
    return Figure(one.win[seat].value - 1 / one.players, one.win[seat].error)


def _first(one: SeatAdvantage) -> str:
    edge = _edge(one, 0)
    if edge.error is not None and abs(edge.value) < charts.ERRORS * edge.error:
        way = "has no advantage that could be measured"
    else:
        way = "is at an advantage" if edge.value > 0 else "is at a disadvantage"
    return (
        f"Between {one.players} players who play for points as well as they can, the first seat {way}: "
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


# --- skill: what is luck, when points are not wins, what to learn first ------------------------------


#: smaller shares get no bar
VISIBLE: Final = 0.005


def luck(study: Study) -> list[str]:
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
    blocks: list[str] = [
        _decided(tables[0]),
        explanation(
            "The *ledger* splits every result: the luck of a roll is what it changes in the "
            "expectation, the cost of a move what it gives away; expectation plus luck less costs is the "
            "result. A part’s share of the variance is its covariance with the result. So the shares add "
            "up to 100 %, and a negative one works against the others."
        ),
        charts.figure(
            charts.bars(groups, label, percent),
            f"{label}, by who sits at the table. Whiskers: two standard errors.",
        ),
        markdown.table(heads, (_row(one, between) for one in tables)),
    ]
    if any(abs(one.score.rest.value) > VISIBLE for one in tables):
        blocks.append(
            "What is left over is expectation that not every game has alike: rounds that are not "
            "always played, and estimates that correct themselves on the way."
        )
    if any(abs(one.score.others.value) > VISIBLE for one in tables):
        blocks.append(
            "*Others* is what other players’ moves did to a seat’s expectation. Without sight of "
            "their cards it is luck as well."
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


def _decided(one: Luck) -> str:
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
    return said


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
        _disagree(found),
        _certainty(found, study.game),
        charts.figure(charts.bars(groups, label, percent), caption),
        source(command(study, "winning")),
    ]


def _disagree(found: Winning) -> str:
    return (
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


def habits(study: Study) -> list[str]:
    """What the greedy player gives away, the most expensive habit first."""
    found, counted = study.habits, unit(study)
    assert found is not None
    worst = [kind for kind in found.kinds if kind.per_game.value >= VISIBLE * found.per_game.value]
    label = f"What the greedy player’s habits cost in a game, in {counted}"
    groups = [Group(kind.name, [Bar("", kind.per_game)]) for kind in worst]
    blocks: list[str] = [
        _first_lesson(found, counted),
        (
            "The player `greedy` does what looks best at once, as many people do. Its mistakes, the "
            f"dearest first; costs in {counted} of the final score, for one seat."
        ),
        charts.figure(charts.bars(groups, label, number), f"{label}. Whiskers: two standard errors."),
        "\n".join(f"1. {_habit(kind, counted)}" for kind in found.kinds),
    ]
    if not found.exact:
        blocks.append(
            "The values are estimates. Where several moves are nearly equal, errors alone make one of "
            "them look better, so small costs are overstated."
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
    return f"{said}."


def _first_lesson(found: Habits, counted: str) -> str:
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
    return said
