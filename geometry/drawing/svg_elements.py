"""Elements of SVG documents, the same for every picture: attributes alone, no style sheet, no link, so that a picture
survives being put into a page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass

from geometry.drawing.letters import printable
from geometry.drawing.scene import Anchor

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
_HALO = 0.18  # of the letters' size
_BASELINE = 0.35  # of the letters' size below their middle


def number(value: float, places: int) -> str:
    """A number with at most so many decimals and no trailing zeros.

    >>> number(2.50, 3), number(-0.001, 1)
    ('2.5', '0')
    """
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True)
class Pen:
    """Writes elements, numbers with at most ``places`` decimals. Lengths are in the document's own units, y down."""

    places: int

    def number(self, value: float) -> str:
        """See :func:`number`."""
        return number(value, self.places)

    def document(
        self, box: tuple[float, float, float, float], *, title: str, description: str = "", namespace: bool = True
    ) -> ET.Element:
        """The root on white paper; ``box`` is its left, top, width and height. ``namespace``: for a separate file.

        ``title`` names the picture for people who hear it.
        """
        root = ET.Element("svg", {"viewBox": " ".join(map(self.number, box)), "role": "img"})
        if namespace:
            root.set("xmlns", "http://www.w3.org/2000/svg")
        root.set("font-family", _FONT)
        root.set("aria-label", printable(title))
        ET.SubElement(root, "title").text = printable(title)
        if description:
            ET.SubElement(root, "desc").text = printable(description)
        self.box(root, box, {"fill": "#ffffff"})
        return root

    def box(
        self, parent: ET.Element, box: tuple[float, float, float, float], paint: dict[str, str], *, round_: float = 0.0
    ) -> ET.Element:
        """A rectangle: left, top, width and height; ``round_`` is the radius of its corners."""
        names = [(name, self.number(v)) for name, v in zip(("x", "y", "width", "height"), box, strict=True)]
        place = {name: text for name, text in names if text != "0" or name in ("width", "height")}
        corners = {"rx": self.number(round_)} if round_ else {}
        return ET.SubElement(parent, "rect", {**place, **corners, **paint})

    def circle(self, parent: ET.Element, at: tuple[float, float], radius: float, paint: dict[str, str]) -> ET.Element:
        """A circle."""
        place = {"cx": self.number(at[0]), "cy": self.number(at[1]), "r": self.number(radius)}
        return ET.SubElement(parent, "circle", {**place, **paint})

    def path(
        self,
        parent: ET.Element,
        points: Iterable[tuple[float, float]],
        paint: dict[str, str],
        *,
        closed: bool,
        title: str | None = None,
    ) -> ET.Element:
        """A line or an outline through points; ``title`` names it."""
        places = self.places
        data = "L".join([f"{number(x, places)} {number(y, places)}" for x, y in points])
        path = ET.SubElement(parent, "path", {"d": f"M{data}Z" if closed else f"M{data}", **paint})
        if title:
            ET.SubElement(path, "title").text = printable(title)
        return path

    def letters(
        self,
        parent: ET.Element,
        at: tuple[float, float],
        text: str,
        size: float,
        *,
        ink: str,
        anchor: Anchor = "start",
        bold: bool = False,
        italic: bool = False,
        halo: bool = False,
    ) -> ET.Element:
        """Words in one line, ``at`` half the height of their capitals; ``halo``: with a white rim."""
        attributes = {
            "x": self.number(at[0]),
            "y": self.number(at[1] + _BASELINE * size),
            "font-size": self.number(size),
            "fill": ink,
            "text-anchor": anchor,
        }
        if halo:
            attributes |= {"stroke": "#ffffff", "stroke-width": self.number(_HALO * size), "paint-order": "stroke"}
            attributes["stroke-linejoin"] = "round"
        if bold:
            attributes["font-weight"] = "600"
        if italic:
            attributes["font-style"] = "italic"
        item = ET.SubElement(parent, "text", attributes)
        item.text = printable(text)
        return item

    def stroke(self, color: str, width: float, dash: tuple[float, float] | None = None) -> dict[str, str]:
        """How a line is painted; ``dash``: the lengths of its dashes and gaps."""
        paint = {"stroke": color, "stroke-width": self.number(width), "stroke-linejoin": "round"}
        if dash:
            paint["stroke-dasharray"] = " ".join(map(self.number, dash))
        return paint
