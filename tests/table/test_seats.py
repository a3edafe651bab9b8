"""Tokens: long, kept as hashes, and a seat's the same for a command that is repeated."""

from __future__ import annotations

from pasch.table import seats


def test_a_token_has_at_least_128_random_bits() -> None:
    tokens = {seats.new_token() for _ in range(100)}
    assert len(tokens) == 100 and seats.TOKEN_BYTES * 8 >= 128
    assert all(16 <= len(token) <= 64 for token in tokens)


def test_only_the_token_itself_fits() -> None:
    token = seats.new_token()
    kept = seats.hashed(token)
    assert token not in kept
    assert seats.fits(seats.hashes(["x" * 20, token]), kept)
    assert not seats.fits(seats.hashes([token[:-1], token + "x", ""]), kept)
    assert not seats.fits(seats.hashes([token]), None)
    assert not seats.fits((), kept)


def test_a_seat_token_follows_from_key_invitation_and_command_alone() -> None:
    made = seats.seat_token(b"key", "invitation", "command")
    assert made == seats.seat_token(b"key", "invitation", "command")
    others = {
        seats.seat_token(b"yek", "invitation", "command"),
        seats.seat_token(b"key", "invitatiom", "command"),
        seats.seat_token(b"key", "invitation", "commamd"),
    }
    assert made not in others and len(others) == 3
