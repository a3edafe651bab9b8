"""Würfel Joker, game 2."""
