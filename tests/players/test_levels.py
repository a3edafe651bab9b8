"""Players of every strength: one mechanism, a figure that is true, no look at what is hidden."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import pytest

from pasch import CHANCE, find_game
from pasch.core.chance import KeyedGenerator, derive, seed_key, subkey
from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import game_ids
from pasch.core.state import State
from pasch.games.joker1.rules import Next, Push
from pasch.games.joker1.rules import Roll as Joker1Roll
from pasch.players import levels
from pasch.players.adjudication import adjudicate
from pasch.players.arena import play_game
from pasch.players.base import player, player_names
from pasch.players.levels import (
    LEVELS,
    LevelPlayer,
    WinnerPlayer,
    absurd,
    expected_cost,
    gives_away,
    measured_loss,
    probabilities,
    temperature,
)
from pasch.solve.valuer import MoveWorth, valuer

WORTH = (5.0, 4.0, 5.0, 1.0, -20.0)


# --- the mechanism --------------------------------------------------------------------------------


def test_moves_are_drawn_in_proportion_to_what_they_cost() -> None:
    found = probabilities(WORTH, 2.0, 6.0)
    assert sum(found) == pytest.approx(1)
    assert found[1] / found[0] == pytest.approx(exp(-1 / 2)) and found[0] == found[2]


def test_an_absurd_move_is_never_made() -> None:
    assert probabilities(WORTH, 50.0, 6.0)[4] == 0
    assert probabilities((0.0, -6.0), 2.0, 6.0)[1] > 0, "what just is not absurd may happen"
    assert probabilities((0.0, -6.001), 2.0, 6.0)[1] == 0


def test_at_temperature_zero_the_first_best_move_is_made() -> None:
    assert probabilities(WORTH, 0.0, 6.0) == [1, 0, 0, 0, 0]
    assert expected_cost(WORTH, 0.0, 6.0) == 0


def test_warmer_players_give_more_away() -> None:
    costs = [expected_cost(WORTH, warmth, 6.0) for warmth in (0.1, 0.5, 1.0, 3.0)]
    assert costs == sorted(costs) and costs[0] < costs[-1]


def test_small_mistakes_are_frequent_and_large_ones_rare() -> None:
    found = probabilities((0.0, -0.1, -1.0, -2.9), 1.0, 3.0)
    assert found == sorted(found, reverse=True)
    assert found[1] > 0.3 and found[3] < 0.05


def deciding() -> State:
    start = find_game("joker1").agree(2, {"rounds": 1}).start()
    return start.apply(Joker1Roll(0, (1, 2, 3))).apply(Push(0, ((1,), (2,), (3,))))


def test_a_level_takes_moves_as_often_as_their_probabilities_say() -> None:
    state = deciding()
    worth = valuer(state.game).move_points(state)
    wanted = probabilities(worth, temperature(state.game, "easy"), absurd(state.game))
    generator, chooser, draws = KeyedGenerator(seed_key("draws")), LevelPlayer("easy"), 2000
    taken = [chooser.choose(state, generator) for _ in range(draws)]
    for move, chance in zip(state.moves(), wanted, strict=True):
        error = sqrt(chance * (1 - chance) / draws)
        assert abs(taken.count(move) / draws - chance) <= 4 * error


def test_perfect_takes_the_best_move_and_needs_no_luck() -> None:
    state = deciding()
    worth = valuer(state.game).move_points(state)

    class NoLuck:
        def randrange(self, stop: int, /) -> int:
            raise AssertionError("drew a number")

        def random(self) -> float:
            raise AssertionError("drew a number")

    assert player("perfect").choose(state, NoLuck()) == state.moves()[worth.index(max(worth))]


def test_winner_takes_the_move_that_wins_most_often() -> None:
    start = find_game("joker1").agree(2, {"rounds": 1}).start()
    step = ((1,), (2,), (3,))
    state = start
    for event in (
        Joker1Roll(0, (1, 2, 3)),
        Push(0, step),
        Next(0, "stop"),
        Joker1Roll(1, (1, 2, 3)),
        Push(1, step),
    ):
        state = state.apply(event)
    generator = KeyedGenerator(seed_key(1))
    assert player("winner").choose(state, generator) == Next(1, "stop"), "a tie is a win"
    assert player("perfect").choose(state, generator) == Next(1, "roll")


class FakeValues:
    """Values that say what they were told to say."""

    def __init__(self, points: tuple[float, ...], win: tuple[float | None, ...]) -> None:
        self._points, self._win = points, win

    def move_points(self, state: State) -> tuple[float, ...]:
        return self._points

    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        return tuple(MoveWorth(m, None, None, w) for m, w in zip(state.moves(), self._win, strict=True))


@pytest.mark.parametrize(
    ("win", "taken"),
    [((0.2, 0.5, 0.1), 1), ((0.5, 0.5, 0.1), 0), ((None, None, None), 0), ((0.5, None, 0.9), 0)],
)
def test_winner_plays_for_points_where_chances_are_equal_or_unknown(
    monkeypatch: pytest.MonkeyPatch, win: tuple[float | None, ...], taken: int
) -> None:
    monkeypatch.setattr(levels, "valuer", lambda game: FakeValues((3.0, 1.0, 2.0), win))
    state = deciding()
    assert WinnerPlayer().choose(state, KeyedGenerator(b"")) == state.moves()[taken]


def test_levels_are_found_by_name_and_others_are_not() -> None:
    assert player_names() == ("random", "greedy", *LEVELS)
    assert [type(player(name)).__name__ for name in LEVELS] == ["LevelPlayer"] * 4 + ["WinnerPlayer"]
    with pytest.raises(ValueError):
        levels.level("oracle")


@pytest.mark.parametrize("name", LEVELS)
def test_there_is_nothing_to_choose_when_it_is_nobodys_turn(name: str) -> None:
    with pytest.raises(IllegalMove, match="nothing to choose"):
        player(name).choose(find_game("joker1").agree(1).start(), KeyedGenerator(b""))


# --- the figure -----------------------------------------------------------------------------------

MEASURED: list[tuple[str, int, dict[str, Any], int]] = [
    ("fiese15", 2, {}, 30),
    ("fiese15", 2, {"gambler": True}, 20),
    ("joker1", 2, {}, 100),
    ("joker2", 2, {}, 200),
    ("joker2", 1, {"rounds": 5, "five_penalty": "pushed"}, 120),
    ("lines", 2, {}, 40),
    ("lines", 3, {"plans": [1, 2], "target": 8}, 30),
    ("crowns", 1, {}, 6),
    ("crowns", 1, {"solo_minimum": 2}, 24),
    ("crowns", 2, {}, 4),
]


def lost(game: Game[Any, Any], name: str, games: int) -> list[float]:
    """What the players of a level really gave away in each game, per seat."""
    values, found = valuer(game), []
    for number in range(games):
        match = play_game(game, [player(name)] * game.players, subkey(seed_key("figure"), name, number))
        total = 0.0
        for place, event in enumerate(match.events):
            state = match.at(place)
            if state.actor != CHANCE:
                worth = values.move_points(state.view(state.actor))
                total += max(worth) - worth[state.moves().index(event)]
        found.append(total / game.players)
    return found


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
@pytest.mark.parametrize("case", MEASURED, ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}")
def test_a_level_gives_away_what_is_said_of_it(case: Any, name: str) -> None:
    game = find_game(case[0]).agree(case[1], case[2])
    said = measured_loss(game, name)
    assert said is not None
    costs = lost(game, name, case[3])
    mean = sum(costs) / len(costs)
    error = sqrt(sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1) / len(costs))
    assert abs(mean - said.points) <= 3 * (error + said.error) + 0.02 * said.points


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_a_round_of_6mal6_costs_what_is_said_of_it(name: str) -> None:
    """Whole games take long; what is said of them is made of rounds like these."""
    game, costs = find_game("sixbysix").agree(2), []
    values, generator = valuer(game), KeyedGenerator(seed_key("rounds"))
    for _ in range(6):
        state, total = game.start(), 0.0
        while state.rounds == 0:  # type: ignore[attr-defined]
            if state.actor == CHANCE:
                state = state.apply(state.chance().sample(generator))
                continue
            view = state.view(state.actor)
            move, worth = player(name).choose(view, generator), values.move_points(view)
            total += max(worth) - worth[view.moves().index(move)]
            state = state.apply(move)
        costs.append(total / game.players)
    said = levels._entry(game, name)
    assert said is not None
    mean = sum(costs) / len(costs)
    error = sqrt(sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1) / len(costs))
    assert abs(mean - said["round"]) <= 3 * (error + said["round_error"]) + 0.02 * said["round"]
    assert said["loss"] > said["round"], "a game has more than one round"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("crowns", {"split": True}),
        ("crowns", {"round_limit": 7}),
        ("sixbysix", {"round_limit": 3}),
    ],
)
def test_nothing_is_said_of_games_that_were_not_measured(game: str, options: dict[str, Any]) -> None:
    assert gives_away(find_game(game).agree(2, options), "easy") is None
    assert gives_away(find_game(game).agree(2), "easy") is not None


def test_weaker_levels_give_more_away() -> None:
    for name in game_ids():
        game = find_game(name).agree(2)
        figures = [gives_away(game, level) for level in LEVELS[:4]]
        assert all(figure is not None for figure in figures)
        assert sorted(figures, reverse=True) == figures  # type: ignore[type-var]
        assert figures[-1] == 0


def test_the_figure_grows_with_the_number_of_turns() -> None:
    kind = find_game("joker1")
    long, short = (gives_away(kind.agree(2, {"rounds": rounds}), "easy") for rounds in (20, 10))
    assert long is not None and short is not None and long == pytest.approx(2 * short)


def test_with_a_box_of_ones_own_the_figure_is_worked_out() -> None:
    kind = find_game("joker2")
    own = {"components": {**msg(kind.agree(2).components), "bonus": 90}}
    found = gives_away(kind.agree(2, own), "easy")
    assert found is not None and found > 0 and found != gives_away(kind.agree(2), "easy")


def msg(components: Any) -> dict[str, Any]:
    import msgspec

    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(components))
    return built


def test_nobody_says_what_the_others_give_away() -> None:
    game = find_game("joker1").agree(2)
    assert [gives_away(game, name) for name in ("winner", "random", "greedy")] == [None] * 3


# --- strength -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["joker1", "joker2", "lines"])
def test_perfect_is_not_below_any_other_level_beyond_noise(name: str) -> None:
    options = {"rounds": 4} if name != "lines" else {"target": 4}
    game, games = find_game(name).agree(1, options), 80

    def scores(level: str) -> list[int]:
        keys = [subkey(seed_key("strength"), name, number) for number in range(games)]
        return [play_game(game, [player(level)], key).state.scores()[0] for key in keys]

    def mean_error(numbers: list[int]) -> tuple[float, float]:
        mean = sum(numbers) / games
        return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / (games - 1) / games)

    best, noise = mean_error(scores("perfect"))
    for level in ("random", "greedy", "easy", "medium", "hard"):
        mean, error = mean_error(scores(level))
        assert mean <= best + 3 * sqrt(noise**2 + error**2)


# --- what a player sees ---------------------------------------------------------------------------


def played(game: Game[Any, Any], name: str, cut: int, later: bytes) -> list[Event]:
    """The events of a game of `name` whose dice are the same up to event `cut`, then those of `later`."""
    key = seed_key("dice")
    generators = [KeyedGenerator(subkey(key, seat)) for seat in range(game.players)]
    state, events = game.start(), list[Event]()
    while not state.over and len(events) < cut + 6:
        number = len(events) + 1
        if state.actor == CHANCE:
            chance = state.chance()
            event = chance.pick(derive(key if number <= cut else later, number, chance.total))
        else:
            event = player(name).choose(state.view(state.actor), generators[state.actor])
        events.append(event)
        state = state.apply(event)
    return events


@pytest.mark.parametrize("name", ["easy", "perfect", "winner"])
@pytest.mark.parametrize("game", game_ids())
def test_future_dice_do_not_change_a_move(game: str, name: str) -> None:
    agreed, cut = find_game(game).agree(2, {"rounds": 2} if "joker" in game else {}), 8
    one, two = (played(agreed, name, cut, seed_key(later)) for later in ("one", "two"))
    same = next(n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1])
    assert same >= cut, "what was decided before the dice differ is the same"


def test_hidden_cards_do_not_change_a_move() -> None:
    agreed = find_game("sixbysix").agree(3)
    match = play_game(agreed, [player("random")] * 3, seed_key("cards"))
    state = match.at(3)
    seat = state.actor
    assert seat >= 0
    twin = swapped(state, seat)
    assert twin != state and twin.view(seat) == state.view(seat)
    for name in ("easy", "perfect", "winner"):
        moves = {player(name).choose(s.view(seat), KeyedGenerator(b"same")) for s in (state, twin)}
        assert len(moves) == 1


def swapped(state: State, seat: int) -> State:
    """The same position with a card of another hand and one of the pile exchanged."""
    import msgspec

    hands: list[tuple[int, ...]] = list(state.hands)  # type: ignore[attr-defined]
    unseen: list[int] = list(state.unseen)  # type: ignore[attr-defined]
    other = next(s for s, hand in enumerate(hands) if s != seat and hand)
    card = hands[other][0]
    instead = next(c for c in range(1, 10) if c != card and unseen[c - 1])
    hands[other] = tuple(sorted((instead, *hands[other][1:])))
    unseen[card - 1] += 1
    unseen[instead - 1] -= 1
    return msgspec.structs.replace(state, hands=tuple(hands), unseen=tuple(unseen))


# --- adjudication ---------------------------------------------------------------------------------


def test_an_abandoned_game_goes_to_whoever_is_most_likely_to_win() -> None:
    state = find_game("joker1").agree(2, {"rounds": 2}).start()
    for event in (Joker1Roll(0, (1, 2, 3)), Push(0, ((1,), (2,), (3,))), Next(0, "stop")):
        state = state.apply(event)
    found = adjudicate(state)
    assert found.by == "chances" and found.win is not None
    assert found.winners == (max((0, 1), key=lambda seat: found.win[seat]),)  # type: ignore[index]


def test_a_finished_game_keeps_its_winners() -> None:
    match = play_game(find_game("lines").agree(3), [player("greedy")] * 3, seed_key(5))
    assert adjudicate(match.state).winners == match.state.winners()


def test_equal_seats_share_an_abandoned_game() -> None:
    assert adjudicate(find_game("lines").agree(3).start()).winners == (0, 1, 2)
