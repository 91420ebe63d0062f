"""The after-action report: a game's log told turn by turn, with maps, luck and deciding moments; nothing invented."""
