"""Batch simulation, tournaments, clusters, and adapters to the usual research interfaces.

The terminal's commands and `research/` import this room. Gymnasium, PettingZoo, OpenSpiel, Ray,
matplotlib and pyarrow are extras, each imported where it is used.
"""
