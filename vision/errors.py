"""What can go wrong with a photo.

VisionError
└── PhotoError           the file is no usable photo (not a picture, truncated, too large, too small)
"""


class VisionError(Exception):
    """A photo that cannot be used; the message is one sentence with the next step."""


class PhotoError(VisionError):
    """The file cannot be opened as a photo."""
