"""A table as GeoJSON (RFC 7946): a FeatureCollection in inches, as one of its members says.

RFC 7946 removed ``crs`` and implies degrees on the globe unless both ends agree otherwise (section 4); members that it
does not know are ignored by readers (section 6.1), so ``coordinateSystem`` states the agreement. ``crs`` would make
old readers look the name up and fail, and ``coordRefSys`` belongs to another standard, with other rules.
"""

from __future__ import annotations

from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from tabletop.exports.parts import DECIMALS, Feature, Plan


def feature_collection(plan: Plan) -> dict[str, Any]:
    """The table as a mapping ready for JSON; outer rings run counter-clockwise and are closed (section 3.1.6).

    Coordinates keep six decimals of an inch.
    """
    return {
        "type": "FeatureCollection",
        "title": plan.title,
        "coordinateSystem": plan.coordinate_system(),
        **plan.about,
        "bbox": [round(value, DECIMALS) for value in _bounds(plan)],
        "features": [_feature(feature) for feature in plan.features],
    }


def geometry(shape: BaseGeometry) -> dict[str, Any]:
    """A Point, LineString or Polygon as a GeoJSON geometry; ValueError for another shape.

    >>> geometry(shapely.LineString([(0, 36), (12.5, 36)]))
    {'type': 'LineString', 'coordinates': [[0.0, 36.0], [12.5, 36.0]]}
    """
    if isinstance(shape, shapely.Point):
        return {"type": "Point", "coordinates": _positions(shape)[0]}
    if isinstance(shape, shapely.Polygon):
        turned = orient(shape, 1.0)
        rings = [turned.exterior, *turned.interiors]
        return {"type": "Polygon", "coordinates": [_positions(ring) for ring in rings]}
    if isinstance(shape, shapely.LineString):
        return {"type": "LineString", "coordinates": _positions(shape)}
    raise ValueError(f"no {shape.geom_type} is exported.")


def _positions(shape: BaseGeometry) -> list[list[float]]:
    return [[round(float(x), DECIMALS) + 0.0, round(float(y), DECIMALS) + 0.0] for x, y in shape.coords]


def _feature(feature: Feature) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": feature.id,
        "geometry": geometry(feature.shape),
        "properties": dict(feature.properties),
    }


def _bounds(plan: Plan) -> tuple[float, float, float, float]:
    """The box round all features and the table."""
    whole = shapely.union_all([shapely.box(*plan.box), *(shapely.box(*f.shape.bounds) for f in plan.features)])
    left, bottom, right, top = whole.bounds
    return left, bottom, right, top
