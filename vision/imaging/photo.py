"""The photo door: the only place where a file becomes pixels.

Checks come before work: bytes, then the header (format, pixels), then the decoding. The picture comes out upright,
blue-green-red, 8 bits; of its private data only focal length, camera model and time stay.
"""

from __future__ import annotations

import hashlib
import io
import struct
import threading
import warnings
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from vision.imaging.exif import ExifFacts, exif_facts
from vision.model.errors import PhotoError

Pixels = npt.NDArray[np.uint8]

FORMATS = ("JPEG", "PNG", "WEBP")  # a phone's JPEG with a gain map is opened by JPEG and then calls itself MPO

_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_OTHER_KINDS = (
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF or raw picture"),
    (b"MM\0*", "a TIFF or raw picture"),
    (b"BM", "a BMP picture"),
    (b"%PDF", "a PDF"),
    (b"PK\3\4", "a ZIP archive"),
)
_HEADER_LOCK = threading.Lock()  # warnings.catch_warnings is not safe between threads


@dataclass(frozen=True)
class PhotoLimits:
    """Limits of photos: file size in bytes, total pixels, the least longer side in pixels, and the greatest ratio of
    the longer to the shorter side."""

    max_bytes: int = 60_000_000
    max_pixels: int = 120_000_000
    min_long_side_px: int = 640
    max_aspect: float = 20.0


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo: ``image`` (height, width, 3) uint8 in OpenCV's order blue, green, red; ``name`` of the file
    without its folder; ``sha256`` of its bytes in hexadecimal; ``focal_35mm`` in millimetres on a 36 x 24 mm frame of
    the same diagonal, ``model`` and ``taken`` from its EXIF, ``None`` where unknown; ``orientation`` is how EXIF
    said that the stored picture was turned, 1 to 8."""

    image: Pixels
    name: str
    sha256: str
    focal_35mm: float | None = None
    model: str | None = None
    taken: str | None = None
    orientation: int = 1

    @cached_property
    def gray(self) -> Pixels:
        """(height, width) uint8, computed once."""
        return _u8(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.image.shape[1], self.image.shape[0]


def open_photo(source: Path | bytes, *, name: str | None = None, limits: PhotoLimits | None = None) -> Photo:
    """The photo of a file or of a file's bytes; ``name`` is what people call it where only bytes are given.

    Reads JPEG (also phone JPEGs with a gain map), PNG, WEBP (the first frame of an animation), and HEIC where the
    extra ``heic`` is installed; grey, palette, 16-bit, CMYK and transparent pictures are turned into plain colour, EXIF
    orientations 1 to 8 are undone. Raises :class:`~vision.model.errors.PhotoError`, one sentence with the next step,
    for anything that is not a whole picture within ``limits``.
    """
    limits = limits or PhotoLimits()
    data, called = _read(source, name, limits)
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        picture = _open_heif(data, called)
    else:
        picture = _open_header(data, called)
    with picture:
        _check_size(picture.size, called, limits)
        facts = _facts(picture)
        whole_jpeg = picture.format in ("JPEG", "MPO") and picture.mode in ("RGB", "L")
        if whole_jpeg and not _jpeg_is_whole(data):
            raise _cut_short(called)
        image = _decode_quickly(data, picture.size) if whole_jpeg else None
        if image is None:
            image = _decode(picture, called)
    return Photo(
        image=_upright(image, facts.orientation),
        name=called,
        sha256=hashlib.sha256(data).hexdigest(),
        focal_35mm=facts.focal_35mm,
        model=facts.model,
        taken=facts.taken,
        orientation=facts.orientation,
    )


def _read(source: Path | bytes, name: str | None, limits: PhotoLimits) -> tuple[bytes, str]:
    """The bytes and their name."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        called, size = name or "The upload", len(source)
    else:
        called = name or source.name or str(source)
        try:
            if source.is_dir():
                raise PhotoError(f"{source} is a folder: name one photo in it.")
            if not source.is_file():
                raise PhotoError(f"There is no photo {source}: check the name and the folder.")
            size = source.stat().st_size
        except OSError as error:
            raise PhotoError(
                f"{source} can't be read ({error.strerror}): check the name and its permissions."
            ) from error
    if size == 0:
        raise PhotoError(f"{called} is empty (0 bytes): copy or send the photo again.")
    if size > limits.max_bytes:
        raise PhotoError(
            f"{called} has {size / 1e6:.1f} MB and the limit is {limits.max_bytes / 1e6:.0f} MB: "
            "send the phone's JPEG at its normal resolution."
        )
    if isinstance(source, Path):
        try:
            return source.read_bytes(), called
        except OSError as error:
            raise PhotoError(f"{source} can't be read ({error.strerror}): check its permissions.") from error
    return bytes(source), called


def _open_header(data: bytes, called: str) -> Image.Image:
    """The picture with its header read and no pixel decoded."""
    with _HEADER_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # damaged EXIF or second pictures; the pixel limit is checked by the caller
        try:
            return Image.open(io.BytesIO(data), formats=FORMATS)
        except Image.DecompressionBombError as error:
            raise PhotoError(
                f"{called} claims far more pixels than a photo has: send the phone's JPEG at its normal resolution."
            ) from error
        except (OSError, SyntaxError, ValueError, struct.error, EOFError) as error:
            raise _no_picture(data, called) from error


def _open_heif(data: bytes, called: str) -> Image.Image:
    try:
        import pillow_heif
    except ImportError as error:
        raise PhotoError(
            f"{called} is a HEIC photo, which can't be read here: choose the photo again so that the phone sends it as "
            "JPEG, or set an iPhone to Settings > Camera > Formats > Most Compatible and take it again.",
            "Or let this computer read it: `pip install pillow-heif`.",
        ) from error
    try:
        return pillow_heif.HeifImageFile(io.BytesIO(data))
    except (OSError, SyntaxError, ValueError, RuntimeError, EOFError) as error:
        raise PhotoError(f"{called} is a damaged HEIC photo: send it again, or as JPEG.") from error


def _no_picture(data: bytes, called: str) -> PhotoError:
    for magic, kind in _OTHER_KINDS:
        if data.startswith(magic):
            return PhotoError(f"{called} is {kind}, which is not read: send the photo as JPEG, PNG or WEBP.")
    if data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n", b"RIFF")):
        return PhotoError(f"{called} is damaged or cut short: copy or send the photo again.")
    return PhotoError(f"{called} is not a picture: send a photo as JPEG, PNG or WEBP.")


def _cut_short(called: str) -> PhotoError:
    return PhotoError(f"{called} is cut short, its lower part is missing: copy or send the photo again.")


def _check_size(size: tuple[int, int], called: str, limits: PhotoLimits) -> None:
    width, height = size
    if width * height > limits.max_pixels:
        raise PhotoError(
            f"{called} has {width} x {height} pixels ({width * height / 1e6:.0f} million) and the limit is "
            f"{limits.max_pixels / 1e6:.0f} million: send the phone's JPEG at its normal resolution."
        )
    if max(width, height) < limits.min_long_side_px:
        raise PhotoError(
            f"{called} has only {width} x {height} pixels, too few to measure on (at least "
            f"{limits.min_long_side_px} on the longer side): send the original photo, not a preview."
        )
    if max(width, height) > limits.max_aspect * min(width, height):
        raise PhotoError(
            f"{called} has {width} x {height} pixels, a strip more than {limits.max_aspect:g} times as long as wide: "
            "send a photo of the whole table."
        )


def _facts(picture: Image.Image) -> ExifFacts:
    with _HEADER_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Pillow's words on a damaged EXIF, which counts as none
        return exif_facts(picture)


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether the first picture of a JPEG reaches its end marker.

    Markers are walked up to the scan, so that a thumbnail's end marker inside an EXIF block does not count; in the
    scan's own data the two bytes cannot occur.
    """
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xDA:
            return data.find(b"\xff\xd9", at) >= 0
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def _decode_quickly(data: bytes, size: tuple[int, int]) -> Pixels | None:
    """A plain JPEG by OpenCV (the same decoder as Pillow's, in 0.6 of the time and half the memory), not turned.

    ``None`` where it can't; Pillow then has the last word.
    """
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return _u8(image) if image is not None and (image.shape[1], image.shape[0]) == size else None


def _decode(picture: Image.Image, called: str) -> Pixels:
    """Any other picture by Pillow: first frame, plain colour."""
    try:
        picture.load()
        return _plain_colour(picture)
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, RuntimeError) as error:
        raise PhotoError(f"{called} is damaged or cut short: copy or send the photo again.") from error


def _plain_colour(picture: Image.Image) -> Pixels:
    """(height, width, 3) blue, green, red; what is transparent becomes white."""
    if picture.mode.startswith("I;16") or picture.mode in ("I", "F"):
        values = np.asarray(picture).astype(np.float32)
        top = 255.0 if values.max(initial=0.0) <= 255.0 else 65535.0
        gray = np.clip(values * np.float32(255.0 / top) + 0.5, 0, 255).astype(np.uint8)
        return _u8(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    if picture.mode == "RGB":
        plain = picture
    elif picture.has_transparency_data:
        plain = Image.new("RGB", picture.size, "white")
        layer = picture.convert("RGBA")
        plain.paste(layer, mask=layer)
    else:
        plain = picture.convert("RGB")
    return _u8(cv2.cvtColor(np.asarray(plain), cv2.COLOR_RGB2BGR))


def _upright(image: Pixels, orientation: int) -> Pixels:
    """Undo an EXIF orientation (1 to 8) of the stored picture."""
    if orientation in (5, 7):
        image = _u8(cv2.transpose(image))
        orientation = {5: 1, 7: 3}[orientation]
    match orientation:
        case 2:
            return _u8(cv2.flip(image, 1))
        case 3:
            return _u8(cv2.rotate(image, cv2.ROTATE_180))
        case 4:
            return _u8(cv2.flip(image, 0))
        case 6:
            return _u8(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
        case 8:
            return _u8(cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE))
        case _:
            return image


def _u8(image: npt.ArrayLike) -> Pixels:
    """The same pixels, typed."""
    return np.asarray(image, dtype=np.uint8)
