"""Batch simulation, tournaments, clusters, and adapters to the usual research interfaces.

The terminal's commands and `research/` import this package. Gymnasium, PettingZoo, OpenSpiel, Ray
and matplotlib are extras, each imported where it is used.
"""
