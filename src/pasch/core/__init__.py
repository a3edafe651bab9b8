"""What every game is made of: events, chance, states, games, records, errors."""

VERSION = "1.0.0"
