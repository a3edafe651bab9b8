"""The event log: everything that has happened at every table, durably."""
