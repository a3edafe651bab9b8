"""`make fuzz`: bad input in bulk; see `__main__`."""
