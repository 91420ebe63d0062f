"""What can go wrong with a photo.

VisionError
├── PhotoError           the file is not a usable photo (not a picture, truncated, too large, too small)
├── GridError            no board of squares is seen clearly enough
└── CollectionError      a collection can't be read, or a settled photo teaches it nothing
"""


class VisionError(Exception):
    """A photo that cannot be used; the message is one sentence with the next step.

    ``problem`` is that sentence, for every reader. ``typed`` is for users of a terminal only: the command or option
    that helps. The message is both.
    """

    def __init__(self, problem: str, typed: str = "") -> None:
        super().__init__(f"{problem} {typed}" if typed else problem)
        self.problem = problem


class PhotoError(VisionError):
    """The file cannot be opened as a photo."""


class GridError(VisionError):
    """There is no convincing board of squares in the photo, or it might be in several places."""


class CollectionError(VisionError):
    """A collection that cannot be read or written, or a settled photo that it cannot learn from."""
