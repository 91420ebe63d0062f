"""The boxes of text and shapes on a PDF's pages, and those that overlap."""

import pypdfium2
from pypdfium2.raw import FPDF_PAGEOBJ_PATH

_CLOSE_PT = 0.5
"""Letters of neighbours may come so close."""


def overlaps(pdf: bytes, *, shapes: bool = False) -> list[str]:
    """A line for every two texts that overlap, and with ``shapes`` for every text that overlaps a shape."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(document, 1):
            text = page.get_textpage()
            boxes = [text.get_rect(n) for n in range(text.count_rects())]
            named = [(box, repr(text.get_text_bounded(*box))) for box in boxes]
            if shapes:
                named += [(path.get_bounds(), "a shape") for path in page.get_objects(filter=[FPDF_PAGEOBJ_PATH])]
            named.sort(key=lambda each: -each[0][3])
            for n, (a, first) in enumerate(named):
                for b, second in named[n + 1 :]:
                    wide, high = min(a[2], b[2]) - max(a[0], b[0]), b[3] - max(a[1], b[1])
                    if b[3] <= a[1]:
                        break  # the rest is lower still
                    if min(wide, high) > _CLOSE_PT and {first, second} != {"a shape"}:
                        found.append(f"page {number}: {first} and {second} share {wide:.1f} by {high:.1f} points")
    return found
