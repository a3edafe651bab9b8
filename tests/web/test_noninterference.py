"""Nothing leaks: two runs that differ only in what a client must not know send it identical bytes.

Nothing is normalised: the tokens of both runs are the same because the source of tokens is, and the clock
stands still. What leaves the server is compared message by message, in order, so that sizes and the number
of messages are compared as well.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from pasch.core.chance import KeyedGenerator, subkey
from pasch.players import base
from pasch.web.metrics import _counted
from tests.web.worlds import ROUND, Run, run

#: who looks, and whose cards they may know. The log and HTTP are nobody's: they may know none
LOOKING = {
    (0,): ("0", "watch", "maker", "stranger", "http", "log"),
    (1,): ("1", "watch", "maker", "stranger", "http", "log"),
    (2,): ("computer", "watch", "maker", "stranger", "http", "log"),
    (): ("watch", "maker", "stranger", "http", "log"),
    (0, 1): ("0", "1", "both", "watch", "maker", "stranger", "http", "log"),
}


def left(made: Run, name: str) -> list[str]:
    return made.left[name] + made.left.get(f"{name} again", [])


def assert_alike(one: Run, two: Run, *names: str) -> None:
    for name in names:
        assert left(one, name), f"nothing was sent to {name}"
        for first, second in zip(left(one, name), left(two, name), strict=True):
            assert first == second, name


@pytest.mark.parametrize("cards", [3, 8, ROUND, ROUND + 7], ids=lambda cards: f"{cards}-cards")
@pytest.mark.parametrize("known", LOOKING, ids=str)
def test_not_a_byte_depends_on_what_one_must_not_know(
    known: tuple[int, ...], cards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (run(monkeypatch, cards, known, hidden, cards) for hidden in (1, 2))
    assert_alike(one, two, *LOOKING[known])


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(patch: pytest.MonkeyPatch) -> None:
        patch.setattr("pasch.games.sixbysix.rules.Draw.view", lambda self, seat: self)

    one, two = (run(monkeypatch, 3, (0,), hidden, 8, change=leak) for hidden in (1, 2))
    for name in ("0", "watch"):
        assert left(one, name) != left(two, name)


def test_nothing_but_the_commitment_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def commit(patch: pytest.MonkeyPatch) -> None:
        patch.setattr("pasch.table.create.commitment", lambda seed: "c" * 64)

    one, two = (run(monkeypatch, 5, (0, 1, 2), 1, 20, seed, commit) for seed in (b"1" * 32, b"2" * 32))
    assert_alike(one, two, "0", "1", "both", "computer", "watch", "maker", "stranger", "http", "log")


def test_the_seed_and_anothers_token_are_in_nothing_that_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = bytes(range(100, 132))
    made = run(monkeypatch, 5, (0,), 1, 20, seed)
    everything = json.dumps(made.left)
    secrets = [seed, b"t" * 32, subkey(b"t" * 32, "tokens")]
    for secret in secrets:
        for written in (secret.hex(), repr(secret)[2:-1], str(list(secret))):
            assert written not in everything
    # the token that seat 1 was given with its answer was sent to nobody else
    sat = next(text for text in made.left["1"] if '"accepted"' in text and '"token":null' not in text)
    token = sat.partition('"token":"')[2].partition('"')[0]
    assert len(token) >= 16
    for name, output in made.left.items():
        if name != "1":
            assert token not in json.dumps(output)
            assert hashlib.sha256(token.encode()).hexdigest() not in json.dumps(output)


def counted() -> dict[str, float]:
    """The server's counters, as its operator may read them."""
    samples = [sample for family in _counted() for sample in family.samples]
    return {f"{sample.name} {sample.labels}": sample.value for sample in samples}


def test_what_is_counted_does_not_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = []
    for hidden in (1, 2):
        before = counted()
        run(monkeypatch, 7, (), hidden, ROUND + 7)
        after = counted()
        grown.append({name: after[name] - before.get(name, 0.0) for name in after})
    assert grown[0] == grown[1] and sum(grown[0].values()) > 0


def test_a_light_player_is_shown_nothing_but_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who think in the server's own process are given a state: it is compared, and their luck."""

    def play(hidden: int) -> list[str]:
        seen: list[str] = []
        world: Any = None

        class Watched:
            def choose(self, view: Any, generator: KeyedGenerator) -> Any:
                seen.append(f"{view!r} {generator.randrange(10**9)}")
                return view.game.read_event(world.lay(view.actor))

        def change(patch: pytest.MonkeyPatch) -> None:
            nonlocal world
            import pasch.table.commands as commands

            world = commands.rolled.__self__  # type: ignore[attr-defined]
            patch.setitem(base._makers, "strong", Watched)
            patch.setattr("pasch.table.computers.LIGHT", ("strong",))
            patch.setattr("pasch.table.computers.player", lambda name: Watched())

        run(monkeypatch, 9, (2,), hidden, ROUND + 4, change=change)
        return seen

    one, two = play(1), play(2)
    assert one == two and len(one) > 5
