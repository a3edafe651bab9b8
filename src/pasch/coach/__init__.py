"""What a move cost, how lucky a roll was, and the ledger of a whole game."""
