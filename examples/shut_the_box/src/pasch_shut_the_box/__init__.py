"""Shut the Box, a game for Pasch."""
