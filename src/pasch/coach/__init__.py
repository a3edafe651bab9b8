"""The cost of a move, the luck of a roll, the ledger of a game, and reports made of them."""
