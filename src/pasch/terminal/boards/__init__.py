"""How each game looks in the terminal, one module per game, found by the game's id."""
