"""For people who study games: many games at once, tournaments, clusters, and the usual interfaces.

Only the terminal's commands import this room. Gymnasium, PettingZoo, OpenSpiel, Ray, matplotlib and pyarrow
are extras, each imported where it is used.
"""
