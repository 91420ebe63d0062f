"""A report as a zip for a blog: numbered pictures with their captions, the post as HTML and as Markdown."""

from __future__ import annotations

import io
import zipfile

from geometry.drawing.png import png_bytes
from tabletop.aar.document import Document
from tabletop.aar.html import blog_post
from tabletop.aar.markdown import markdown_text

_DATE = (1980, 1, 1, 0, 0, 0)


def blog_zip(document: Document) -> bytes:
    """The zip's bytes, the same for the same report."""
    files = {f"{figure.name}.png": png_bytes(figure.sheet) for figure in document.figures}
    files["captions.txt"] = "".join(f"{f.name}.png: {f.caption}\n" for f in document.figures).encode()
    files["post.html"] = blog_post(document).encode()
    files["post.md"] = markdown_text(document, ending="png").encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content)
    return out.getvalue()
