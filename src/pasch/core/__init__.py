"""What every game is made of: events, chance, states, games, records, errors."""
