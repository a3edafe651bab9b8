"""`make chaos`: tables with people playing while everything that can go wrong does; see `__main__`."""
