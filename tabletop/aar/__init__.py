"""The after-action report: a game's log turn by turn, with maps, luck and deciding moments; nothing is invented."""
