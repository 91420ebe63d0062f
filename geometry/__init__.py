"""Exact geometry of the table, in inches. Imports no other package of this project and no OpenCV.

``bases``: rectangles and circles as one struct of arrays. ``ranges``: edge to edge, with sigma and nearest points.
``arcs``: front and rear. ``sight``, ``blocking``, ``areas``: whole-edge sights, bases that block them, features that
they cross, bases in a feature. ``formation``: gaps, level and facing. ``zones``: shapes to draw, which decide
nothing. ``paths``: exact shortest paths of a disc's centre round forbidden ground, and the ground that a path enters.
``reach``: the region behind them, to draw. ``tolerance``: yes, no, or too close to call.

``hexes``: hexes, their corners, arcs and clusters. ``hex_rows``: a board of centred rows and its hexes' names.
``hex_lines``: which hexes a line crosses, wholly or along a side. ``hex_layout``: a hex grid on the table.
``squares``: squares, straight lines, depth in features, boards and their squares' names. ``square_layout``: a square
grid on the table. ``lattice``: the common parts of both layouts.
"""

from geometry.bases import Bases

__all__ = ["Bases"]
