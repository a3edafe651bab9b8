"""The Royal Game of Ur, a game for Pasch."""
