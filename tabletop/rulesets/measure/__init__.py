"""Measure: any miniatures game on any table. No rules: what stands where, what was measured, what the players note."""
