"""Attacks on a running server, and what a bystander feels of them; see `__main__`."""
