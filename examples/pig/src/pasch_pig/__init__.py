"""Pig, a game for Pasch."""
