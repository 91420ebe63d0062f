"""Starting a game: scenarios and their options, the catalogue, the table form."""
