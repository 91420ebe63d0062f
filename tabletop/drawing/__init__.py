"""Pictures of games: styles, maps with their legends, drawn boards."""
