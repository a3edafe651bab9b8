"""Fiese 15."""
