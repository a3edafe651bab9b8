"""Shut the Lines."""
