"""The event log: durable storage of everything that has happened at every table."""
