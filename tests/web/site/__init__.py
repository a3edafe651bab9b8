"""`pasch site`."""
