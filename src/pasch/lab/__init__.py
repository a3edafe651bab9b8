"""Batch simulation, tournaments, clusters, and adapters to the usual research interfaces.

The terminal's commands and `pasch.research` import this room. Gymnasium, PettingZoo, OpenSpiel, Ray,
matplotlib and pyarrow are extras, each imported where it is used.
"""
