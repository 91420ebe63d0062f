"""What can go wrong between a picture and a camera.

CalibrationError
├── MarkersNotFound      too few frame markers for a table pose
├── PoseRejected         markers seen, but no camera explains them
├── CornersRejected      corners given or found that do not fit a table, or none found
├── BoardError           a description of a calibration board that can't be used
├── BoardNotFound        no usable calibration board in a picture
├── PoorCoverage         the pictures do not cover the lens well enough
├── CameraFileError      a camera file that can't be used
└── PrintError           a page that can't be printed as asked
"""


class CalibrationError(Exception):
    """A picture or camera that cannot be used; the message is one sentence with the next step.

    ``problem`` is that sentence, for every reader. ``typed`` is for users of a terminal only: the command or option
    that helps. The message is both.
    """

    def __init__(self, problem: str, typed: str = "") -> None:
        super().__init__(f"{problem} {typed}" if typed else problem)
        self.problem = problem


class MarkersNotFound(CalibrationError):
    """Too few frame markers were seen for a table pose."""


class PoseRejected(CalibrationError):
    """The frame markers seen do not fit any camera over the stated layout."""


class CornersRejected(CalibrationError):
    """The table's corners are not seen, or those given can't be a table's."""


class BoardError(CalibrationError):
    """A description of a calibration board is wrong or contradicts itself."""


class BoardNotFound(CalibrationError):
    """The calibration board was not found well enough in a picture."""


class PoorCoverage(CalibrationError):
    """The board pictures leave parts of the lens or of the angles unseen."""


class CameraFileError(CalibrationError):
    """A camera file is missing, damaged or for another picture size."""


class PrintError(CalibrationError):
    """A marker, tag or board does not fit the paper, or there is no such marker."""
