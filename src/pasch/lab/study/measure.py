"""Playing for a study, and counting what happened."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import msgspec
import numpy as np

from pasch.coach.judge import SAME_CHANCE
from pasch.coach.ledger import NOTICEABLE, exact_points, keep_ledger
from pasch.core.chance import derive, seed_key, subkey
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.lab.habits import habit
from pasch.lab.simulation import Simulation, simulated
from pasch.lab.study import figures
from pasch.lab.study.figures import Figure, Floats, jackknife, mean, ratio
from pasch.lab.study.plan import FORMAT, MIXED, PARTS, PLAYERS, SLOW, TABLES, Plan, fingerprint, several
from pasch.lab.tally import QUANTILES, round_width
from pasch.lab.work import spread
from pasch.players.base import player
from pasch.players.levels import EQUAL
from pasch.solve.valuer import Report, Valuer, silent, valuer

#: a difference in the chance to win that a person would mind
MATTERS: Final = 0.005
#: a game is divided into so many stages
STAGES: Final = 5
#: ranges of scores in a picture, at most
SPANS: Final = 60
#: situations that are named of each habit, at most
WHENS: Final = 4


def study(
    plan: Plan,
    parts: Sequence[str] = PARTS,
    workers: int | None = None,
    report: Report = silent,
) -> figures.Study:
    """Measure these parts of a study."""
    workers, word = workers or os.cpu_count() or 1, fingerprint(plan)
    # the ledgers are kept once for both parts that read them
    tables = TABLES if "luck" in parts else ("greedy",) if "habits" in parts else ()
    ledgers = cache(lambda: keep_ledgers(plan, tables, workers))
    measures: dict[str, Callable[[], Any]] = {
        "start": lambda: start(plan),
        "levels": lambda: levels(plan, workers),
        "seats": lambda: seats(plan, workers),
        "luck": lambda: tuple(luck(plan, table, ledgers()[table]) for table in TABLES),
        "winning": lambda: winning(plan, workers),
        "habits": lambda: habits(plan, ledgers()["greedy"]),
    }
    found = {}
    for number, name in enumerate(parts):
        report(number / len(parts), name)
        found[name] = measures[name]()
    title = find_game(plan.game).title
    return figures.Study(FORMAT, plan.game, title, plan.players, plan.simulated, plan.seed, word, **found)


# --- the start ------------------------------------------------------------------------------------


def start(plan: Plan) -> figures.Start:
    """As `pasch value` says."""
    game = plan.agreed()
    values = valuer(game)
    values.prepare()
    worth = values.worth(game.start())
    exact = worth.exact
    return figures.Start(
        worth.value, worth.win, worth.turn, exact.value, exact.turn, exact.win, worth.error
    )


# --- simulations ----------------------------------------------------------------------------------


def simulation(plan: Plan, name: str, players: int | None = None) -> Simulation:
    """Everybody plays like this one: as `pasch simulate` does it."""
    game = plan.agreed(players)
    if name not in ("random", "greedy"):
        # before threads or processes ask for the same tables at once
        values = valuer(game)
        (values.prepare if name == "winner" else values.prepare_points)()
    return Simulation(game, [name] * game.players, plan.games_of(name), plan.seed)


def shown_players(plan: Plan) -> tuple[str, ...]:
    """The players whose scores are shown; alone nobody can play to win."""
    return PLAYERS if plan.players == 1 else (*PLAYERS, "winner")


def levels(plan: Plan, workers: int) -> tuple[figures.Level, ...]:
    """How the scores of each player are spread; all in ranges of the same width."""
    simulations = [simulation(plan, name) for name in shown_players(plan)]
    tallies = [one.tallies(workers) for one in simulations]
    together = [tally.together for tally in tallies]
    least, most = min(min(t.scores) for t in together), max(max(t.scores) for t in together)
    width = round_width(most - least + 1, SPANS)
    return tuple(
        figures.Level(
            one.seats[0],
            tally.games,
            one.engine,
            Figure(tally.mean, tally.error),
            scores.moments.deviation,
            min(scores.scores),
            max(scores.scores),
            tuple(map(scores.quantile, QUANTILES)),
            width,
            tuple((span.low, span.games) for span in scores.spans(width)),
        )
        for one, tally, scores in zip(simulations, tallies, together, strict=True)
    )


def seats(plan: Plan, workers: int) -> tuple[figures.Seats, ...]:
    """How much it matters who begins: by the number of players.

    Where good players are slow, they are asked for the smallest table only.
    """
    tables = several(find_game(plan.game))
    asked = [("greedy", number) for number in tables]
    asked += [("perfect", number) for number in (tables[:1] if plan.game in SLOW else tables)]
    found = []
    for name, players in asked:
        tallies = simulation(plan, name, players).tallies(workers)
        won = tuple(Figure(tally.win_share, tally.win_error) for tally in tallies.seats)
        scores = tuple(Figure(tally.mean, tally.error) for tally in tallies.seats)
        found.append(figures.Seats(name, players, tallies.games, won, scores))
    return tuple(found)


# --- ledgers --------------------------------------------------------------------------------------


class Job(msgspec.Struct, frozen=True):
    """One game to be played and looked at, written so that any process can read it."""

    plan: Plan
    players: int
    #: who plays, or `mixed`
    table: str
    number: int


class Mistake(msgspec.Struct, frozen=True):
    """A move that gave something away."""

    seat: int
    name: str
    when: str
    cost: float


class Ledgered(msgspec.Struct, frozen=True):
    """What a ledger says of one game, by seat."""

    #: [seat]: luck, what was given away, what others did, everything else, and the result
    accounts: tuple[tuple[float, ...], ...]
    #: [seat] decisions in which there was something to choose
    decisions: tuple[int, ...]
    mistakes: tuple[Mistake, ...]


def _play(job: Job) -> Match:
    game = job.plan.agreed(job.players)
    names = [job.table] * job.players
    if job.table == "mixed":
        key = subkey(seed_key(job.plan.seed), "mixed", job.number)
        names = [MIXED[derive(key, seat + 1, len(MIXED))] for seat in range(job.players)]
    return simulated(game, [player(name) for name in names], f"{job.plan.seed}/{job.table}", job.number)


def ledgered(job: Job) -> Ledgered:
    """Play a game and keep its ledger."""
    match = _play(job)
    ledger = keep_ledger(match)
    accounts = []
    for seat in ledger.seats:
        account = seat.account
        told = [float(account.luck), float(account.costs), float(account.others), float(account.result)]
        # result = rest + luck - costs + others
        accounts.append((*told[:3], told[3] - told[0] + told[1] - told[2], told[3]))
    mistakes, decisions = [], [0] * job.players
    for line in ledger.lines:
        if line.kind != "move" or line.seat is None:
            continue
        before = match.at(line.number - 1)
        decisions[line.seat] += len(before.moves()) > 1
        if line.cost > NOTICEABLE and line.best is not None:
            made, best = match.events[line.number - 1], match.game.read_event(line.best)
            kind = habit(before.view(line.seat), made, best)
            mistakes.append(Mistake(line.seat, kind.name, kind.when, float(line.cost)))
    return Ledgered(tuple(accounts), tuple(decisions), tuple(mistakes))


def keep_ledgers(plan: Plan, tables: Sequence[str], workers: int) -> dict[str, list[Ledgered]]:
    """The ledgers of all games at these tables."""
    valuer(plan.agreed()).prepare_points()
    jobs = [
        Job(plan, plan.players, table, number)
        for table in tables
        for number in range(plan.ledgers * (2 if table == "mixed" else 1))
    ]
    found: dict[str, list[Ledgered]] = {table: [] for table in tables}
    for job, game in zip(jobs, spread(ledgered, jobs, workers=workers), strict=True):
        found[job.table].append(game)
    return found


def luck(plan: Plan, table: str, games: Sequence[Ledgered]) -> figures.Luck:
    """Where differences between results come from at a table."""
    accounts = np.array([game.accounts for game in games])
    margins = accounts[:, 0] - accounts[:, 1] if plan.players == 2 else None
    luck, costs = accounts[..., 0].ravel(), accounts[..., 1].ravel()
    return figures.Luck(
        table,
        len(games),
        mean([float(costs.mean()) for costs in accounts[..., 1]]),
        float(luck.std()),
        float(costs.std()),
        _shares(accounts),
        None if margins is None else _shares(margins[:, None]),
        None if margins is None else _ahead(margins[:, 0], margins[:, 4]),
        None if margins is None else _ahead(-margins[:, 1], margins[:, 4]),
    )


def _shares(accounts: Floats) -> figures.Shares:
    """Shares of the variance of the results: each part's covariance with the result.

    [game, seat, part]; games are independent, the seats of one game are not.
    """

    def of(chosen: Any) -> Floats:
        rows = accounts[chosen].reshape(-1, accounts.shape[-1])
        away = rows - rows.mean(axis=0)
        result = away[:, 4]
        total = float(result @ result)
        if not total:
            return np.zeros(4)
        shares: Floats = np.array([1, -1, 1, 1]) * (away[:, :4].T @ result) / total
        return shares

    deviation = float(accounts[..., 4].std())
    return figures.Shares(deviation, *map(_unless_rounding, jackknife(len(accounts), of)))


def _unless_rounding(share: Figure) -> Figure:
    return share if abs(share.value) > NOTICEABLE else Figure(0.0, 0.0)


def _ahead(what: Floats, results: Floats) -> Figure | None:
    """How often whoever has more of something is ahead in the end; a tie counts half."""
    told = np.abs(what) > NOTICEABLE
    if not told.any():
        return None
    agree = np.sign(what[told]) * np.sign(results[told])
    return mean([float(0.5 + 0.5 * sign) for sign in agree])


# --- habits ---------------------------------------------------------------------------------------


def habits(plan: Plan, games: Sequence[Ledgered]) -> figures.Habits:
    """What the greedy player gives away in a game, by kind of mistake, the dearest first."""
    each = 1 / plan.players
    decisions = [sum(game.decisions) * each for game in games]
    wrong = [len(game.mistakes) * each for game in games]
    lost = [sum(mistake.cost for mistake in game.mistakes) * each for game in games]
    names = sorted({mistake.name for game in games for mistake in game.mistakes})
    kinds = [_kind(name, games, each) for name in names]
    return figures.Habits(
        len(games),
        plan.players,
        mean(decisions),
        ratio([all_of - some for all_of, some in zip(decisions, wrong, strict=True)], decisions),
        mean(lost),
        tuple(sorted(kinds, key=lambda kind: (-kind.per_game.value, kind.name))),
        exact_points(valuer(plan.agreed())),
    )


def _kind(name: str, games: Sequence[Ledgered], each: float) -> figures.HabitFigures:
    own = [[mistake for mistake in game.mistakes if mistake.name == name] for game in games]
    often = [len(mistakes) * each for mistakes in own]
    lost = [sum(mistake.cost for mistake in mistakes) * each for mistakes in own]
    when: dict[str, float] = defaultdict(float)
    for mistakes in own:
        for mistake in mistakes:
            when[mistake.when] += mistake.cost
    total = sum(when.values())
    common = sorted(when.items(), key=lambda item: (-item[1], item[0]))[:WHENS]
    shares = tuple((words, cost / total) for words, cost in common if words)
    return figures.HabitFigures(name, mean(often), ratio(lost, often), mean(lost), shares)


# --- points or wins -------------------------------------------------------------------------------


class Decisions(msgspec.Struct, frozen=True):
    """What playing for points costs in the decisions of one game, in chances to win."""

    #: by stage
    losses: tuple[tuple[float, ...], ...]


def decided(job: Job) -> Decisions:
    """Play a game for points and ask at every decision what that costs in chances to win."""
    match = _play(job)
    values = valuer(match.game)
    stages: list[list[float]] = [[] for _ in range(STAGES)]
    for number in range(len(match)):
        state = match.at(number)
        if state.actor >= 0 and len(state.moves()) > 1:
            loss = lost_chance(state.view(state.actor), values)
            if loss is not None:
                stages[STAGES * number // len(match)].append(loss)
    return Decisions(tuple(map(tuple, stages)))


def lost_chance(view: State, values: Valuer) -> float | None:
    """By how much the best move for points wins less often than the best one to win; None if unknown."""
    chances = [entry.win for entry in values.moves(view)]
    points = values.move_points(view)
    best = max(points) - EQUAL
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances):
        return None
    # of moves that are equally good for points the one that wins more often
    for_points = max(chance for chance, worth in zip(known, points, strict=True) if worth >= best)
    return max(known) - for_points


def winning(plan: Plan, workers: int) -> figures.Winning:
    """How often, and when in the game, playing for points is not playing to win."""
    players = several(find_game(plan.game))[0]
    game = plan.agreed(players)
    valuer(game).prepare()
    jobs = (Job(plan, players, "perfect", number) for number in range(plan.chances))
    games = list(spread(decided, jobs, workers=workers))
    whole = [[loss for stage in game.losses for loss in stage] for game in games]
    stages = [[game.losses[stage] for game in games] for stage in range(STAGES)]
    return figures.Winning(
        players,
        len(games),
        sum(map(len, whole)),
        valuer(game).exact.win,
        *_differences(whole),
        ratio([sum(losses) for losses in whole], [_more(losses, SAME_CHANCE) for losses in whole]),
        mean([sum(losses) / players for losses in whole]),
        tuple(figures.Stage(sum(map(len, stage)), *_differences(stage)) for stage in stages),
    )


def _differences(games: Sequence[Sequence[float]]) -> tuple[Figure, Figure]:
    """Shares of the decisions in which there is any difference, and one that matters."""
    decisions = [len(losses) for losses in games]
    any_of = ratio([_more(losses, SAME_CHANCE) for losses in games], decisions)
    return any_of, ratio([_more(losses, MATTERS) for losses in games], decisions)


def _more(losses: Sequence[float], least: float) -> int:
    return sum(loss > least for loss in losses)
