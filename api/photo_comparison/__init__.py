"""The table's last photo compared with the game, as a seat may see it."""
