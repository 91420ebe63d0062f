"""Pictures of a table, without other packages of this project or OpenCV.

There are two kinds, for two purposes, and the border between them is kept:

- *Sheets* (``scene``) are finished pictures of a game's state: shapes in the table's plane, each with a class, and how
  each class looks; the same in SVG, PNG and PDF. ``labels`` puts chips where they hide least of the pieces.
- *Marks* (``marks``) are drawn over a photo or a plan: each has its own colour and height, since a camera sees
  high things displaced, and sizes depend on the picture's pixels, so that they are projected through the lens before
  anything is painted. ``marks_svg`` writes them as a plan in layers to be edited, one user unit an inch;
  ``vision.drawing.raster`` paints them on pixels.

Both share the rest: ``svg_elements`` writes SVG, ``hatching`` distinguishes kinds of ground without colour, ``boxes``
finds room for labels; ``letters``, ``text_pixels``, ``colors``, ``terrain``. ``svg``, ``png`` and ``pdf`` write
sheets, ``files`` by the ending of a name.
"""
