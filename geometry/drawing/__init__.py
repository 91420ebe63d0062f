"""Pictures of what lies on a table: shapes in inches, how they look, and writers that make files of them.

``scene``: shapes with classes, how the classes look, and the finished picture. ``labels``: where a label has room among
the pieces of a map. ``hatching``: patterns that tell kinds of ground apart without colour. ``svg``, ``png``, ``pdf``: a
finished picture written.

``marks``: lines, outlines and labels to be laid over a photo or a plan of the table, with their heights. ``marks_svg``:
marks as a plain map. ``boxes``: where their labels have room. ``vision.drawing.raster`` lays them over photos.

``letters``, ``text_pixels``, ``colors``, ``terrain``: what both share. Nothing here imports anything of ours or OpenCV.
"""
