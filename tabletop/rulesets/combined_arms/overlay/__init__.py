"""A photographed table read through the board of Combined Arms: terrain hex by hex, platoons and counters, a position.

``terrain``: what a hex is by the outlines that cover it. ``forces``: who stands where. ``questions``: what is left open
and how answers are read. ``reading``: all of it together. ``lines_of_fire``: what may be fired on. ``position``: the
reading as a position of the game. ``reader``: what ``tabletop overlay`` asks of the game.
"""
