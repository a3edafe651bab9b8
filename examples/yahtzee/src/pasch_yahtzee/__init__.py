"""Yahtzee, a game for Pasch."""
