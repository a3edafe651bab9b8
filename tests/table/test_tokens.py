"""Tokens: long, kept as hashes, and a seat's the same for a command that is repeated."""

from __future__ import annotations

from pasch.table import tokens


def test_a_token_has_at_least_128_random_bits() -> None:
    made = {tokens.new_token() for _ in range(100)}
    assert len(made) == 100 and tokens.TOKEN_BYTES * 8 >= 128
    assert all(16 <= len(token) <= 64 for token in made)


def test_only_the_token_itself_fits() -> None:
    token = tokens.new_token()
    kept = tokens.hash_token(token)
    assert token not in kept
    assert tokens.matches(tokens.hash_tokens(["x" * 20, token]), kept)
    assert not tokens.matches(tokens.hash_tokens([token[:-1], token + "x", ""]), kept)
    assert not tokens.matches(tokens.hash_tokens([token]), None)
    assert not tokens.matches((), kept)


def test_a_seat_token_follows_from_key_invitation_and_command_alone() -> None:
    made = tokens.seat_token(b"key", "invitation", "command")
    assert made == tokens.seat_token(b"key", "invitation", "command")
    others = {
        tokens.seat_token(b"yek", "invitation", "command"),
        tokens.seat_token(b"key", "invitatiom", "command"),
        tokens.seat_token(b"key", "invitation", "commamd"),
    }
    assert made not in others and len(others) == 3
