"""Pictures of games: how everything looks, maps with their legends, boards drawn."""
