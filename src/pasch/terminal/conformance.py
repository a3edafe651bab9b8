"""What holds for every game, whatever its rules: `pasch check GAME` tries it in random games with every option."""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from pasch.core.chance import Chance
from pasch.core.errors import Illegal
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.options import OptionSpec, option_specs
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, OVER, State
from pasch.terminal.board import find_board
from pasch.terminal.screen import console, watched

Case = tuple[str, int, dict[str, Any]]


def _usual(spec: OptionSpec) -> Any:
    """What the other options are varied from: the value of older games, so that the oracle's cases stay the same."""
    return spec.default if spec.before is None else spec.before


def _values(spec: OptionSpec) -> list[Any]:
    """The values of one option that are worth a game each."""
    if spec.kind == "switch":
        return [False, True]
    if spec.kind == "choice":
        return sorted(spec.choices, key=lambda value: value != _usual(spec))
    if spec.kind == "list":
        return [[choice] for choice in spec.choices] + [list(spec.choices)]
    return [spec.default, spec.least]


def option_sets(game: type[Game[Any, Any]]) -> Iterator[dict[str, Any]]:
    """All combinations of switches and choices; numbers and lists one at a time, whole lists with every choice."""
    specs = option_specs(game.Options)
    usual = {spec.name: _usual(spec) for spec in specs}
    combined = [spec for spec in specs if spec.kind in ("switch", "choice")]
    for values in product(*map(_values, combined)):
        yield usual | dict(zip([spec.name for spec in combined], values, strict=True))
    for spec in specs:
        if spec in combined:
            continue
        default = list(spec.default) if spec.kind == "list" else spec.default
        yield from (usual | {spec.name: value} for value in _values(spec) if value != default)
        for choice in combined if spec.kind == "list" else ():
            others = [chosen for chosen in _values(choice) if chosen != _usual(choice)]
            yield from (usual | {spec.name: list(spec.choices), choice.name: chosen} for chosen in others)


def cases(game: type[Game[Any, Any]]) -> list[Case]:
    """A game with every sensible set of options and every number of players."""
    return [(game.id, players, options) for options in option_sets(game) for players in game.seats]


def sample_cases(game: type[Game[Any, Any]]) -> list[Case]:
    """Every set of options with two numbers of players, other ones each time."""
    seats = list(game.seats)
    return [
        (game.id, seats[place % len(seats)], options)
        for number, options in enumerate(option_sets(game))
        for place in dict.fromkeys((number, number + len(seats) // 2))
    ]


def name(case: Case) -> str:
    game, players, options = case
    changed = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{game}-{players}-{changed}".replace(" ", "")


def agree(case: Case) -> Game[Any, Any]:
    game, players, options = case
    return find_game(game).agree(players, options)


def random_match(game: Game[Any, Any], generator: Random, max_events: int = 1_000_000) -> Match:
    """A game of uniformly random moves, to its end or to `max_events`."""
    match = Match(game)
    while not match.state.over and len(match) < max_events:
        state = match.state
        if state.actor == CHANCE:
            match.play(state.chance().sample(generator))
        else:
            moves = state.moves()
            assert moves, f"the rules allow no move where a seat has to choose: {state.notation()}"
            match.play(generator.choice(moves))
    return match


# --- the properties, each a function of a random match ----------------------------------------------

#: the events of a game at which every state is looked at
CHECKED_EVENTS = 400


def random_games_end_and_replay_as_they_were_played(match: Match) -> None:
    assert match.state.actor == OVER
    assert match.state.moves() == ()
    assert match.state.winners()
    assert len(match.state.scores()) == match.game.players
    line = match.record().to_json()
    record = Record.from_json(line)
    assert record.configured_game() == match.game
    replayed = [state for _, state in record.replay()]
    assert replayed == [match.at(number) for number in range(1, len(match) + 1)]
    assert all(hash(state) == hash(match.at(n)) for n, state in enumerate(replayed[:CHECKED_EVENTS], 1))
    assert record.verify() == match.state
    for event in match.events[-3:]:
        _assert_refused(match.state, event)


def _assert_refused(state: State, event: Event) -> None:
    """Assert that an event is refused with its rule and a sentence."""
    try:
        state.apply(event)
    except Illegal as error:
        assert error.rule and error.reason
    else:
        raise AssertionError(f"accepted, although it is not among the legal moves: {event!r}")


def the_terminal_shows_everything(match: Match) -> None:
    board = find_board(match.game.id)
    screen = Console(width=80, color_system=None, force_terminal=False)
    for number in range(0, min(len(match), 120), 10):
        state = match.at(number)
        for known in {state, state.view(0), state.view(None)}:
            with screen.capture() as captured:
                screen.print(board.draw(known))
            assert "…" not in captured.get(), "nothing is cut off"
        assert board.tell(state, match.events[number])
        for move in state.moves():
            assert board.label(state, move)
        if state.actor == CHANCE:
            assert board.prompt(state)


def the_state_waits_for_a_seat_for_chance_or_is_over(match: Match) -> None:
    for number in range(len(match) + 1):
        state = match.at(number)
        assert state.actor in (CHANCE, OVER, *range(match.game.players))
        assert bool(state.moves()) == (state.actor >= 0)
        assert bool(state.winners()) == state.over
        json.dumps(state.snapshot())


def states_events_and_what_each_seat_knows_survive_json_and_notation(match: Match) -> None:
    """Another process receives a state in a few hundred bytes, regardless of the game's length."""
    for number in (*range(0, len(match), 5), len(match)):
        state = match.at(number)
        for known in (state, *(state.view(seat) for seat in (None, *range(match.game.players)))):
            read = match.game.read_state(json.loads(json.dumps(known.snapshot())))
            assert read == known and hash(read) == hash(known) and read.moves() == known.moves()
            assert State.parse(known.notation()) == known
        for event in (*match.events[number : number + 1], *state.moves()):
            written = json.loads(json.dumps(event.json()))
            assert frozenset(written) == type(event).keys()
            assert match.game.read_event(written) == state.read(event.notation()) == event


def legal_moves_are_exactly_those_that_apply_accepts(match: Match) -> None:
    """Every offered move is accepted; of the moves seen elsewhere in the game, by any seat, only offered ones are."""
    pool = _moves_of_everybody(match)
    for number in (*range(0, len(match), 3), len(match)):
        state = match.at(number)
        moves = state.moves()
        assert len(set(moves)) == len(moves)
        for move in moves:
            state.apply(move)
        offered = set(moves)
        for event in pool:
            if event not in offered and not (state.actor == CHANCE and state.chance().cases(event)):
                _assert_refused(state, event)


def _moves_of_everybody(match: Match) -> list[Event]:
    """Moves and outcomes seen in a game, and the same as if another seat had made them."""
    seen = dict.fromkeys(
        event
        for number in range(0, len(match), 7)
        for event in (*match.at(number).moves()[:12], *match.events[number : number + 2])
    )
    seats = (match.game.players, CHANCE, OVER)
    moved = (
        match.game.read_event(written | {"seat": seat})
        for written in (event.json() for event in list(seen)[:40])
        if "seat" in written
        for seat in ((written["seat"] + 1) % match.game.players, *seats)
    )
    return list(dict.fromkeys([*seen, *moved]))[:160]


def probabilities_sum_to_one(match: Match) -> None:
    generator = Random(repr(match.game))
    for number in range(len(match) + 1):
        state = match.at(number)
        if state.actor == CHANCE:
            chance = state.chance()
            event = chance.sample(generator)
            assert chance.cases(event) > 0
            # the steps in which it was sampled lead to it again
            assert chance.finish(chance.steps(event)) == event
            assert state.apply(event) is not None
            if chance.listable and chance.total <= 8000:
                _sum_to_one(chance)


@lru_cache(maxsize=4096)
def _sum_to_one(chance: Chance) -> None:
    """Checked once for each chance that games share."""
    outcomes = chance.outcomes()
    assert sum(cases for _, cases in outcomes) == chance.total
    assert len({outcome for outcome, _ in outcomes}) == len(outcomes)
    assert all(chance.cases(outcome) == cases for outcome, cases in outcomes)
    assert sum(chance.probability(outcome) for outcome, _ in outcomes) == 1
    if chance.total <= 1296:
        assert Counter(map(chance.pick, range(chance.total))) == dict(outcomes)


def views_follow_from_what_a_seat_received(match: Match) -> None:
    """A seat that received only its own view of each event knows exactly its view of the state."""
    for seat in (*range(match.game.players), None):
        view = match.at(0).view(seat)
        for number, event in enumerate(match.events):
            view = view.apply(event.view(seat))
            assert view == match.at(number + 1).view(seat) == view.view(seat)
            assert hash(view) == hash(match.at(number + 1).view(seat))


def a_seat_sees_its_own_moves(match: Match) -> None:
    for number in range(len(match)):
        state = match.at(number)
        if state.actor >= 0:
            assert state.view(state.actor).moves() == state.moves()
            assert match.events[number].view(None) == match.events[number], "moves are made in the open"


Property = Callable[[Match], None]

#: the first one of whole games, the others of their beginnings
PROPERTIES: tuple[Property, ...] = (
    random_games_end_and_replay_as_they_were_played,
    states_events_and_what_each_seat_knows_survive_json_and_notation,
    the_terminal_shows_everything,
    the_state_waits_for_a_seat_for_chance_or_is_over,
    legal_moves_are_exactly_those_that_apply_accepts,
    probabilities_sum_to_one,
    views_follow_from_what_a_seat_received,
    a_seat_sees_its_own_moves,
)


@lru_cache(maxsize=128)
def _whole(case: str, configured: Game[Any, Any]) -> Match:
    return random_match(configured, Random(case))


def check(wanted: Property, tried: list[Case]) -> None:
    """Whether a property holds in all these cases."""
    for each in tried:
        case = name(each)
        try:
            match = _whole(case, agree(each))
            wanted(match if wanted is PROPERTIES[0] else match.branch(min(len(match), CHECKED_EVENTS)))
        except BaseException as error:
            error.add_note(f"in the case {case}")
            raise


def check_game(game: str, thorough: bool) -> bool:
    """Try all properties, print a line for each and say whether all hold; `thorough`: with every number of players."""
    screen, tried, well = console(wide=True), (cases if thorough else sample_cases)(find_game(game)), True
    with watched("pasch check", compiles=False) as report:
        for number, wanted in enumerate(PROPERTIES):
            what = wanted.__name__.replace("_", " ")
            report(number / len(PROPERTIES), what)
            try:
                check(wanted, tried)
            except Exception as error:  # noqa: BLE001 - the game may be anybody's code
                well, at = False, traceback.extract_tb(error.__traceback__)[-1]
                said = " ".join(str(error).split()) or at.line
                screen.print(f"failed  {what}")
                screen.print(f"        {type(error).__name__}: {said}", soft_wrap=True)
                place = f"{Path(at.filename).name}:{at.lineno}"
                screen.print(f"        at {place}, {'; '.join(error.__notes__)}", soft_wrap=True)
                if wanted is PROPERTIES[0]:
                    break  # the others need games that can be played
            else:
                screen.print(f"ok      {what}")
    screen.print(f"{len(tried)} sets of options and numbers of players")
    return well
