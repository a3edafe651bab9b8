"""The size of a study: how many games of which kind are played; playing them, and measuring."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import msgspec
import numpy as np

from pasch.coach.ledger import exact_points, keep_ledger
from pasch.coach.reasons import habit
from pasch.core.chance import derive, seed_key, subkey
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import game_key
from pasch.core.registry import AnyGame, find_data, find_game
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.lab.checkpoint import code_version
from pasch.lab.score_statistics import QUANTILES, round_width
from pasch.lab.simulation import Simulation
from pasch.lab.work import parallel_map
from pasch.players.arena import play_game
from pasch.solve.valuer import Progress, Valuer, no_progress, valuer
from research.study import figures
from research.study.figures import Figure, Floats, jackknife, mean, ratio

#: counts up when a study measures or shows something else
FORMAT: Final = "pasch-study/2"
#: the usual size and seed
GAMES: Final = 20_000
SEED: Final = "study"
#: what is measured, in the order of the page
PARTS: Final = ("start", "levels", "seats", "luck", "winning", "habits")

#: the players whose scores are shown, from the weakest to the strongest
PLAYERS: Final = ("random", "greedy", "easy", "medium", "hard", "perfect")
#: the players of a mixed table; each seat's is drawn for every game
MIXED: Final = ("easy", "medium", "hard", "perfect")
#: the tables whose games get a ledger; at all but the first everybody plays alike
TABLES: Final = ("mixed", "greedy", "easy", "medium", "hard")

#: a difference in the chance to win that matters to a person
MATTERS: Final = 0.005
#: a game is divided into this many stages
STAGES: Final = 5
#: ranges of scores in a picture, at most
SPANS: Final = 60
#: situations that are named of each habit, at most
WHENS: Final = 4


class StudyPlan(msgspec.Struct, frozen=True):
    """The numbers of games of a study."""

    game: str
    #: players at the table, unless something else is said
    players: int
    #: games of a simulation with players who look values up in tables
    simulated: int
    #: the same with players who search
    searched: int
    #: games with a ledger; twice that number at the mixed table
    ledgers: int
    #: games in which chances to win are computed, which takes longest
    chances: int
    seed: str

    @classmethod
    def of(cls, game: str, games: int = GAMES, seed: str = SEED, players: int | None = None) -> StudyPlan:
        """The usual proportions for a study of this size, for this or the usual number of players.

        A game's study.toml may name the number of `players` (usually two) and by what factor its values
        are slower than a look into a table (`slowness`).
        """
        data = find_data(game, "study.toml")
        slowness = data.get("slowness", 1)
        return cls(
            game,
            players or usual_players(game),
            games,
            games if slowness == 1 else max(4, games // (50 * slowness)),
            max(4, games // (125 * slowness)),
            max(4, games // (400 * slowness)),
            seed,
        )

    @property
    def searches(self) -> bool:
        """Whether good players have to search, so that they play fewer games."""
        return self.searched < self.simulated

    def new_game(self, players: int | None = None) -> Game[Any, Any]:
        """The game with its default options, for this number of players."""
        return find_game(self.game).agree(players or self.players)

    def games_of(self, name: str) -> int:
        """How many games are simulated with this player."""
        if name == "winner":
            return self.chances
        return self.simulated if name in ("random", "greedy") else self.searched


def usual_players(game: str) -> int:
    """The number of players for which a game is studied by default."""
    return int(find_data(game, "study.toml").get("players", 2))


def several(kind: AnyGame) -> range:
    """The numbers of players with which there is an opponent."""
    return range(max(2, kind.seats[0]), kind.seats[-1] + 1)


def measure_study(
    plan: StudyPlan,
    parts: Sequence[str] = PARTS,
    workers: int | None = None,
    report: Progress = no_progress,
) -> figures.Study:
    """Measure these parts of a study."""
    workers = workers or os.cpu_count() or 1
    # both parts that need ledgers share them
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
    size = plan.players, plan.simulated, plan.seed
    return figures.Study(FORMAT, plan.game, title, *size, code_version(), **found)


# --- the start ------------------------------------------------------------------------------------


def start(plan: StudyPlan) -> figures.Start:
    """The value of the start, as `pasch value` prints it."""
    game = plan.new_game()
    values = valuer(game)
    values.prepare()
    worth = values.worth(game.start())
    exact = worth.exact
    return figures.Start(
        worth.value, worth.win, worth.turn, exact.value, exact.turn, exact.win, worth.error
    )


# --- simulations ----------------------------------------------------------------------------------


def simulation(plan: StudyPlan, name: str, players: int | None = None) -> Simulation:
    """A simulation in which everybody plays like this player."""
    game = plan.new_game(players)
    if name not in ("random", "greedy"):
        # made here, so that threads or processes do not make the same tables at once
        values = valuer(game)
        (values.prepare if name == "winner" else values.prepare_points)()
    return Simulation(game, [name] * game.players, plan.games_of(name), plan.seed)


def shown_players(plan: StudyPlan) -> tuple[str, ...]:
    """The players whose scores are shown; alone nobody can play to win."""
    return PLAYERS if plan.players == 1 else (*PLAYERS, "winner")


def levels(plan: StudyPlan, workers: int) -> tuple[figures.LevelScores, ...]:
    """How the scores of each player are spread; all in ranges of the same width."""
    simulations = [simulation(plan, name) for name in shown_players(plan)]
    tallies = [one.tallies(workers) for one in simulations]
    together = [tally.together for tally in tallies]
    least, most = min(min(t.scores) for t in together), max(max(t.scores) for t in together)
    width = round_width(most - least + 1, SPANS)
    return tuple(
        figures.LevelScores(
            one.seats[0],
            tally.games,
            one.engine,
            Figure(tally.mean, tally.error),
            scores.deviation,
            min(scores.scores),
            max(scores.scores),
            tuple(map(scores.quantile, QUANTILES)),
            width,
            tuple(scores.histogram(width).items()),
        )
        for one, tally, scores in zip(simulations, tallies, together, strict=True)
    )


def seats(plan: StudyPlan, workers: int) -> tuple[figures.SeatAdvantage, ...]:
    """How much it matters who begins: by the number of players.

    Where good players search, they play at the smallest table only.
    """
    tables = several(find_game(plan.game))
    asked = [("greedy", number) for number in tables]
    asked += [("perfect", number) for number in (tables[:1] if plan.searches else tables)]
    found = []
    for name, players in asked:
        tallies = simulation(plan, name, players).tallies(workers)
        won = tuple(Figure(tally.win_share, tally.win_error) for tally in tallies.seats)
        scores = tuple(Figure(tally.mean, tally.error) for tally in tallies.seats)
        found.append(figures.SeatAdvantage(name, players, tallies.games, won, scores))
    return tuple(found)


# --- ledgers --------------------------------------------------------------------------------------


class GameTask(msgspec.Struct, frozen=True):
    """One game to be played and measured by any process."""

    plan: StudyPlan
    players: int
    #: the player in every seat, or `mixed`
    table: str
    number: int


class Mistake(msgspec.Struct, frozen=True):
    """A move that gave something away."""

    seat: int
    name: str
    when: str
    cost: float


class GameLedger(msgspec.Struct, frozen=True):
    """The part of one game's ledger that is measured, by seat."""

    #: [seat]: luck, costs, what others did, the rest (result = rest + luck - costs + others), the result
    accounts: tuple[tuple[float, ...], ...]
    #: [seat] decisions in which there was something to choose
    decisions: tuple[int, ...]
    mistakes: tuple[Mistake, ...]


def _play(task: GameTask) -> Match:
    game = task.plan.new_game(task.players)
    names = [task.table] * task.players
    if task.table == "mixed":
        key = subkey(seed_key(task.plan.seed), "mixed", task.number)
        names = [MIXED[derive(key, seat + 1, len(MIXED))] for seat in range(task.players)]
    return play_game(game, names, game_key(f"{task.plan.seed}/{task.table}", task.number))


def ledgered(task: GameTask) -> GameLedger:
    """Play a game and keep its ledger."""
    match = _play(task)
    ledger = keep_ledger(match)
    accounts = []
    for seat in ledger.seats:
        account = seat.account
        luck, costs, others = float(account.luck), float(account.costs), float(account.others)
        result = float(account.result)
        accounts.append((luck, costs, others, result - luck + costs - others, result))
    mistakes, decisions = [], [0] * task.players
    for entry in ledger.entries:
        if entry.kind != "move" or entry.seat is None:
            continue
        before = match.at(entry.number - 1)
        decisions[entry.seat] += len(before.moves()) > 1
        if entry.cost > EQUAL and entry.best is not None:
            made, best = match.events[entry.number - 1], match.game.read_event(entry.best)
            kind = habit(before.view(entry.seat), made, best)
            mistakes.append(Mistake(entry.seat, kind.name, str(kind.when or ""), float(entry.cost)))
    return GameLedger(tuple(accounts), tuple(decisions), tuple(mistakes))


def keep_ledgers(plan: StudyPlan, tables: Sequence[str], workers: int) -> dict[str, list[GameLedger]]:
    """The ledgers of all games at these tables."""
    valuer(plan.new_game()).prepare_points()
    tasks = [
        GameTask(plan, plan.players, table, number)
        for table in tables
        for number in range(plan.ledgers * (2 if table == "mixed" else 1))
    ]
    found: dict[str, list[GameLedger]] = {table: [] for table in tables}
    for task, game in zip(tasks, parallel_map(ledgered, tasks, workers=workers), strict=True):
        found[task.table].append(game)
    return found


def luck(plan: StudyPlan, table: str, games: Sequence[GameLedger]) -> figures.Luck:
    """Luck and skill at a table: shares of the variance of results."""
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
    return figures.Shares(deviation, *map(_drop_rounding, jackknife(len(accounts), of)))


def _drop_rounding(share: Figure) -> Figure:
    return share if abs(share.value) > EQUAL else Figure(0.0, 0.0)


def _ahead(what: Floats, results: Floats) -> Figure | None:
    """How often the seat that has more of something is ahead in the end; a tie counts half."""
    differ = np.abs(what) > EQUAL
    if not differ.any():
        return None
    agree = np.sign(what[differ]) * np.sign(results[differ])
    return mean([float(0.5 + 0.5 * sign) for sign in agree])


# --- habits ---------------------------------------------------------------------------------------


def habits(plan: StudyPlan, games: Sequence[GameLedger]) -> figures.Habits:
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
        exact_points(valuer(plan.new_game())),
    )


def _kind(name: str, games: Sequence[GameLedger], each: float) -> figures.HabitFigures:
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


def decided(task: GameTask) -> list[list[float]]:
    """Play a game for points and ask at every decision what that costs in chances to win: by stage."""
    match = _play(task)
    values = valuer(match.game)
    stages: list[list[float]] = [[] for _ in range(STAGES)]
    for number in range(len(match)):
        state = match.at(number)
        if state.actor >= 0 and len(state.moves()) > 1:
            loss = lost_chance(state.view(state.actor), values)
            if loss is not None:
                stages[STAGES * number // len(match)].append(loss)
    return stages


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


def winning(plan: StudyPlan, workers: int) -> figures.Winning:
    """How often, and when in the game, playing for points is not playing to win."""
    players = several(find_game(plan.game))[0]
    game = plan.new_game(players)
    valuer(game).prepare()
    tasks = (GameTask(plan, players, "perfect", number) for number in range(plan.chances))
    games = list(parallel_map(decided, tasks, workers=workers))
    whole = [[loss for stage in game for loss in stage] for game in games]
    stages = [[game[stage] for game in games] for stage in range(STAGES)]
    return figures.Winning(
        players,
        len(games),
        sum(map(len, whole)),
        valuer(game).exact.win,
        *_differences(whole),
        ratio([sum(losses) for losses in whole], [_more(losses, EQUAL) for losses in whole]),
        mean([sum(losses) / players for losses in whole]),
        tuple(figures.Stage(sum(map(len, stage)), *_differences(stage)) for stage in stages),
    )


def _differences(games: Sequence[Sequence[float]]) -> tuple[Figure, Figure]:
    """Shares of the decisions in which there is any difference, and one that matters."""
    decisions = [len(losses) for losses in games]
    any_of = ratio([_more(losses, EQUAL) for losses in games], decisions)
    return any_of, ratio([_more(losses, MATTERS) for losses in games], decisions)


def _more(losses: Sequence[float], least: float) -> int:
    return sum(loss > least for loss in losses)
