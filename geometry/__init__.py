"""Exact geometry of the table, in inches. Imports nothing of ours and no OpenCV.

``bases``: rectangles and circles as one struct of arrays. ``ranges``: edge to edge, with sigma and nearest points.
``arcs``: front and rear. ``sight``, ``blocking``, ``areas``: whole-edge sights, what stands in them, features that they
cross, bases that stand in a feature. ``formation``: gaps, level and facing. ``zones``: shapes to draw, which decide
nothing. ``paths``: exact shortest ways of a disc's centre round what it may not enter, and what a walked way enters.
``reach``: the region behind them, to draw. ``tolerance``: yes, no, or too close to call.

``hexes``: hexes, their corners, arcs and clusters. ``hex_rows``: a board of centred rows and its hexes' names.
``hex_lines``: which hexes lie across a line, wholly or along a side. ``hex_layout``: a hex grid on the table.
``squares``: squares, straight lines, depth in features, boards and their squares' names. ``square_layout``: a square
grid on the table. ``lattice``: what both kinds of layout share.
"""

from geometry.bases import Bases

__all__ = ["Bases"]
