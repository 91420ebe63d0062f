"""A report as one HTML file that loads nothing, and as a bare article for a blog."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import jinja2

from geometry.drawing.svg import Shared, shared_by, svg_text
from tabletop.aar.document import Document, Figure, Heading
from tabletop.aar.step_page import PageSteps, page_steps

Scheme = Literal["light", "dark"]


def html_page(document: Document, *, scheme: Scheme | None = None, leafed: bool = True) -> str:
    """The report as one file with inline maps and style, for phone, screen and print, in light and dark.

    ``scheme`` selects one set of colours; without it, the reader's device chooses. With ``leafed``, a document that has
    maps step by step lets the reader leaf through them if scripts can run.
    """
    steps = page_steps(document.steps()) if leafed and document.steps is not None else None
    figures = tuple(document.figures)
    shared = shared_by([figure.sheet for figure in figures])
    drawings = {f.name: _svg(f, ground) for f, ground in zip(figures, shared, strict=True)}
    return _render("page.html.j2", document, drawings, scheme, steps)


def blog_post(document: Document) -> str:
    """The report without head, style or script, its pictures as ``NAME.png`` beside it."""
    return _render("post.html.j2", document, {})


def _svg(figure: Figure, shared: Shared | None) -> str:
    return svg_text(figure.sheet, title=figure.alt, namespace=False, shared=shared)


def _render(
    template: str,
    document: Document,
    drawings: dict[str, str],
    scheme: Scheme | None = None,
    steps: PageSteps | None = None,
) -> str:
    contents = [b for b in document.blocks if isinstance(b, Heading) and b.anchor and b.level == 2]
    turns = [b for b in document.blocks if isinstance(b, Heading) and b.anchor.startswith("turn-")]
    return (
        _environment()
        .get_template(template)
        .render(
            document=document,
            drawings=drawings,
            contents=contents,
            turns=turns,
            kind=_kind,
            scheme=scheme,
            steps=steps,
        )
    )


def _kind(block: object) -> str:
    return type(block).__name__


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("tabletop.aar", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
