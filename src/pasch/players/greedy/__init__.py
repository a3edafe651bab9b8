"""The greedy player: one sensible rule of thumb per game, found by the game's id."""
