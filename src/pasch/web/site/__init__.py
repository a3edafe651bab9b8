"""`pasch site`: the whole table as a folder of static files, which runs in the browser without a server."""
