"""A table for other programs: GeoJSON in table inches, and a Universal VTT map for playing on from afar.

``plans`` makes a :class:`~tabletop.exports.parts.Plan` of a scene, an observation, a position or a game, holding only
public information; ``geojson`` and ``uvtt`` write it. docs/exports.md explains every member.
"""
