"""The game: rulesets, referee, reports and the command line."""
