"""Starting a game on the server, and placing its board on the table."""
