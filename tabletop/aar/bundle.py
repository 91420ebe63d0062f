"""All files of a report at once, so that a caller writes all of them or none."""

from __future__ import annotations

from geometry.drawing.svg import svg_text
from tabletop.aar.blog import blog_zip
from tabletop.aar.document import Document
from tabletop.aar.html import html_page
from tabletop.aar.markdown import markdown_text
from tabletop.aar.pdf import pdf_bytes

PICTURES = "pictures"


def report_files(document: Document) -> dict[str, bytes]:
    """The files by their names under the report's folder: Markdown with SVG pictures, HTML, PDF, the blog's zip."""
    pictures = {
        f"{PICTURES}/{figure.name}.svg": svg_text(figure.sheet, title=figure.alt).encode()
        for figure in document.figures
    }
    return {
        "report.md": markdown_text(document, folder=f"{PICTURES}/").encode(),
        **pictures,
        "report.html": html_page(document).encode(),
        "report.pdf": pdf_bytes(document),
        "blog.zip": blog_zip(document),
    }
