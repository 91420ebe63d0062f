"""Bases: tagged, with painted rims or bare; fitted, assigned to units, checked against each other."""
