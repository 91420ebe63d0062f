"""Settings of the documentation site (``bash scripts/site``)."""

from importlib.metadata import metadata

project = "Tabletop"
author = "The Tabletop contributors"
release = version = metadata("tabletop-referee")["Version"]

extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 4
highlight_language = "none"
exclude_patterns = ["_static"]

html_theme = "furo"
html_title = f"Tabletop {release}"
html_logo = html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_use_index = html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#7a4700",
        "color-brand-content": "#7a4700",
        "color-brand-visited": "#5b4a6b",
        "color-background-secondary": "#f4f1ea",
        "color-foreground-muted": "#5a5c63",
    },
    "dark_css_variables": {
        "color-brand-primary": "#f4b740",
        "color-brand-content": "#f4b740",
        "color-brand-visited": "#d3b3f0",
        "color-background-primary": "#11171d",
        "color-background-secondary": "#1a222b",
        "color-foreground-primary": "#e4e9ed",
        "color-foreground-muted": "#a9b8c6",
    },
}
