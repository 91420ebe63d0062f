"""Tables of other programs: maps (Universal VTT) and rosters (BattleScribe, New Recruit), read as a table file."""
