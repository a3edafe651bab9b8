"""The generator of simulated games."""

from __future__ import annotations

from collections import Counter

import pytest

from pasch.core.philox import Stream, block, game_key

LOW = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((LOW, LOW), (LOW, LOW, LOW, LOW), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0xA4093822, 0x299F31D0),
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_published_answers_of_philox(
    key: tuple[int, int], counter: tuple[int, int, int, int], words: tuple[int, int, int, int]
) -> None:
    """Those of the authors' library Random123, philox4x32-10."""
    assert block(*key, *counter) == words


def test_a_stream_follows_from_its_key_and_number_alone() -> None:
    one, same = Stream(game_key("seed", 7), 2), Stream(game_key("seed", 7), 2)
    drawn = [one.randrange(1000) for _ in range(20)]
    assert drawn == [same.randrange(1000) for _ in range(20)]
    others = [
        Stream(game_key("seed", 7), 1),
        Stream(game_key("seed", 8), 2),
        Stream(game_key("tree", 7), 2),
    ]
    assert all([other.randrange(1000) for _ in range(20)] != drawn for other in others)


def test_the_words_of_a_block_are_handed_out_in_order() -> None:
    key = game_key("words", 3)
    words = [int.from_bytes(key[place : place + 4], "little") for place in range(0, 16, 4)]
    stream = Stream(key, 5)
    key_0, key_1, upper_0, upper_1 = words
    wanted = [word for number in range(2) for word in block(key_0, key_1, number, 5, upper_0, upper_1)]
    assert [stream.word() for _ in range(8)] == wanted


def test_every_number_is_equally_likely() -> None:
    stream = Stream(game_key("even", 0), 0)
    throws = 60_000
    counted = Counter(stream.randrange(6) for _ in range(throws))
    expected = throws / 6
    # chi squared with five degrees of freedom: 30 is passed once in eighty thousand times
    assert sum((counted[face] - expected) ** 2 / expected for face in range(6)) < 30
    assert stream.randrange(1) == 0
    assert 0 <= stream.random() < 1
    with pytest.raises(ValueError, match="in steps"):
        stream.randrange(1 << 33)
