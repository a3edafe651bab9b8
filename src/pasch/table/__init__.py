"""A live table: seats, the authority over one game, and what each client receives."""
