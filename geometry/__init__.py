"""Exact geometry of the table, in inches. Imports nothing of ours and no OpenCV."""

from geometry.bases import Bases

__all__ = ["Bases"]
