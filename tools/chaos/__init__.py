"""Fault injection against running servers; see `__main__`."""
