"""Würfel Joker 2 in batches."""

from __future__ import annotations

from pasch.lab.batch.jokers import KERNEL, most_moves, observe, state_size, tables

__all__ = ["KERNEL", "most_moves", "observe", "state_size", "tables"]
