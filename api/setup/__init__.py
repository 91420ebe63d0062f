"""Starting a game on the server, and laying its board on the table."""
