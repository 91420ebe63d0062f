"""Reports and exports of games, as a seat may see them."""
