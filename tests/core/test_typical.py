"""The share of typical games that score less than one's own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tools.typical import CASES, scores

from pasch import new
from pasch.core.registry import find_data, find_game
from pasch.core.typical import share_below
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.table.show import marks


@pytest.mark.parametrize(("game", "options"), [(game, case) for game in CASES for case in CASES[game]])
def test_the_share_grows_with_the_score_from_none_to_nearly_all(game: str, options: dict[str, int]) -> None:
    configured = find_game(game).agree(1, options)
    percentiles = next(
        case["percentiles"]
        for case in find_data(game, "typical.toml")["case"]
        if case["options"] == options and case["games"] >= 2000
    )
    assert len(percentiles) == 99 and percentiles == sorted(percentiles)
    assert share_below(configured, percentiles[0]) == 0
    assert share_below(configured, percentiles[-1] + 1) == 0.99
    half = share_below(configured, percentiles[49])
    assert half is not None and 0.35 <= half <= 0.5, "scores that many games have in common"


@pytest.mark.slow
def test_the_percentiles_are_those_of_games_that_the_engine_plays() -> None:
    played = scores("joker1", {}, "medium", 40)
    shares = [share_below(find_game("joker1").agree(1), score) or 0.0 for score in played]
    assert shares == sorted(shares) and 0.4 < sum(shares) / len(shares) < 0.6


def test_other_games_have_no_share() -> None:
    assert share_below(Crowns(2), 40) is None
    assert share_below(Crowns(1, CrownsOptions(split=True)), 40) is None
    box = msgspec.structs.replace(Crowns(1).components, name="mine")
    assert share_below(Crowns(1, CrownsOptions(components=box)), 40) is None


def test_the_title_of_crowns_comes_with_the_share_and_two_chips_make_it_rarer() -> None:
    edge_and_rows = 0b111111_111111_111111  # 3 + 6 + 10 for the rows, 1 + 2 + 3 on the edge
    changes: Any = {"phase": "over", "actor": -2, "boards": (edge_and_rows << 18,), "left": (0,)}
    one, two = (
        msgspec.structs.replace(new("crowns", players=1, solo_minimum=least).state, **changes)
        for least in (1, 2)
    )
    assert one.scores() == two.scores()
    ended = marks(one)
    assert ended["title"] == "genius" and ended["below"] == share_below(one.game, one.scores()[0])
    assert marks(two)["below"] >= ended["below"]
    assert f"Better than {round(100 * ended['below'])} of 100 typical games." in str(one)
    assert "below" not in marks(new("crowns", players=1).state)
