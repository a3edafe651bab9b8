"""Attacks on a running server, and what a bystander notices; see `__main__`."""
