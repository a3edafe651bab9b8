"""Würfel Joker, game 1."""
