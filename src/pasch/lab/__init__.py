"""For people who study games: fixed lists of moves, observations as vectors, and the usual interfaces.

Nothing else in Pasch imports this room; Gymnasium, PettingZoo and OpenSpiel are extras.
"""
