"""The photo door: what comes in upright and whole, and what is refused in one sentence."""

import hashlib
import io
import struct
import sys
import types
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from vision import PhotoError
from vision.imaging.exif import focal_35mm
from vision.imaging.photo import FORMATS, PhotoLimits, open_photo

SIZE = (800, 600)


def scene(size: tuple[int, int] = SIZE) -> Image.Image:
    """Smooth colours that differ in every corner, so that no turn or mirror image passes for another."""
    w, h = size
    x, y = np.meshgrid(np.linspace(0, 1, w), np.linspace(0, 1, h))
    return Image.fromarray(np.stack([40 + 180 * x, 30 + 200 * y, 220 - 150 * x * y], axis=-1).astype(np.uint8), "RGB")


def encoded(picture: Image.Image, kind: str = "JPEG", **more: object) -> bytes:
    out = io.BytesIO()
    if kind == "JPEG":
        more = {"quality": 92, **more}
    picture.save(out, kind, **more)
    return out.getvalue()


def exif(**tags: object) -> Image.Exif:
    block = Image.Exif()
    detail = block.get_ifd(0x8769)
    numbers = {"orientation": 0x0112, "model": 0x0110, "time": 0x0132}
    details = {
        "f35": 0xA405,
        "f": 0x920A,
        "w": 0xA002,
        "h": 0xA003,
        "px": 0xA20E,
        "py": 0xA20F,
        "unit": 0xA210,
        "taken": 0x9003,
    }
    for key, value in tags.items():
        (block if key in numbers else detail)[numbers.get(key) or details[key]] = value
    return block


def bgr(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB"))[..., ::-1].astype(int)


def refused(source: Path | bytes, **more: object) -> str:
    with pytest.raises(PhotoError) as caught:
        open_photo(source, **more)
    text = str(caught.value)
    assert text.endswith(".") and ":" in text, "one sentence with the next step"
    return text


@pytest.mark.parametrize(("kind", "tolerance"), [("JPEG", 12), ("PNG", 0), ("WEBP", 14)], ids=["jpeg", "png", "webp"])
def test_a_picture_comes_in_as_blue_green_red(kind: str, tolerance: int, tmp_path: Path) -> None:
    path = tmp_path / "table one.img"
    path.write_bytes(encoded(scene(), kind))
    photo = open_photo(path)
    assert (photo.size, photo.name) == (SIZE, "table one.img")
    assert photo.image.dtype == np.uint8 and photo.image.shape == (600, 800, 3)
    assert np.abs(photo.image - bgr(scene())).max() <= tolerance
    assert photo.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (photo.focal_35mm, photo.model, photo.taken) == (None, None, None)


def test_a_phone_jpeg_with_a_gain_map_gives_its_main_picture() -> None:
    gain = Image.new("L", (400, 300), 90)
    data = encoded(scene(), "MPO", save_all=True, append_images=[gain], quality=92)
    with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
        assert picture.format == "MPO" and picture.n_frames == 2
    photo = open_photo(data)
    assert photo.size == SIZE and np.abs(photo.image - bgr(scene())).max() <= 12


@pytest.mark.parametrize("kind", ["WEBP", "PNG"])
def test_an_animation_gives_its_first_frame(kind: str) -> None:
    frames = [Image.new("RGB", SIZE, "black"), Image.new("RGB", SIZE, "white")]
    data = encoded(scene(), kind, save_all=True, append_images=frames, duration=100)
    assert np.abs(open_photo(data).image - bgr(scene())).max() <= 14


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "RGBA", "CMYK", "YCbCr", "I;16"])
def test_every_kind_of_pixel_becomes_plain_colour(mode: str) -> None:
    gray = scene().convert("L")
    if mode == "I;16":
        picture = Image.fromarray(np.asarray(gray).astype(np.uint16) * 257)
        kind, truth, tolerance = "PNG", bgr(gray), 1
    elif mode in ("CMYK", "YCbCr"):
        picture, kind, truth, tolerance = scene().convert(mode), "JPEG", bgr(scene()), 16
    elif mode in ("1", "P"):
        picture = scene().convert(mode)
        kind, truth, tolerance = "PNG", bgr(picture), 0
    else:
        picture, kind, tolerance = scene().convert(mode), "PNG", 1
        truth = bgr(gray if mode in ("L", "LA") else scene())
    image = open_photo(encoded(picture, kind)).image
    assert image.shape == (600, 800, 3) and np.abs(image - truth).max() <= tolerance


def test_what_is_transparent_is_white() -> None:
    picture = scene().convert("RGBA")
    picture.putalpha(Image.fromarray(np.tile(np.where(np.arange(800) < 400, 0, 255).astype(np.uint8), (600, 1))))
    image = open_photo(encoded(picture, "PNG")).image
    assert (image[:, :400] == 255).all()
    assert np.array_equal(image[:, 400:], bgr(scene())[:, 400:])


@pytest.mark.parametrize(("orientation", "kind"), [*((n, "JPEG") for n in range(1, 9)), (6, "PNG"), (6, "WEBP")])
def test_exif_orientation_is_undone(orientation: int, kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    data = encoded(scene(), kind, exif=exif(orientation=orientation), **options)
    with Image.open(io.BytesIO(data)) as picture:
        truth = bgr(ImageOps.exif_transpose(picture))
    photo = open_photo(data)
    assert photo.size == ((800, 600) if orientation < 5 else (600, 800))
    assert photo.orientation == orientation
    assert np.array_equal(photo.image, truth)


def test_focal_length_model_and_time_stay() -> None:
    block = exif(model="iPhone 12\0", f35=26, taken="2026:11:02 14:01:09", time="2026:11:03 00:00:00", w=800, h=600)
    photo = open_photo(encoded(scene(), exif=block))
    assert (photo.focal_35mm, photo.model, photo.taken) == (26.0, "iPhone 12", "2026-11-02 14:01:09")


def test_no_place_or_owner_can_be_read_off_a_photo() -> None:
    block = exif(model="Phone")
    block[0x013B] = "A. Player"
    block.get_ifd(0x8825)[2] = (51.0, 30.0, 0.0)
    photo = open_photo(encoded(scene(), exif=block))
    assert set(vars(photo)) == {"image", "name", "sha256", "focal_35mm", "model", "taken", "orientation"}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({0xA405: 26}, 26.0),
        ({0xA405: 0}, None),
        ({0xA405: 65535}, None),
        ({0xA405: "wide"}, None),
        ({}, None),
        ({0xA405: 26, 0xA002: 4032, 0xA003: 3024}, 26.0),
        ({0xA405: 26, 0xA002: 3024, 0xA003: 4032}, 26.0),
        ({0xA405: 26, 0xA002: 3024, 0xA003: 3024}, None),
        # a 36 x 27 mm plane: 4000 pixels at 1111.11 per cm
        (
            {0x920A: 45.0, 0xA20E: 4000 / 3.6, 0xA20F: 3000 / 2.7, 0xA210: 3, 0xA002: 4000, 0xA003: 3000},
            45 * 43.2666 / 45,
        ),
        ({0x920A: 45.0, 0xA002: 4000, 0xA003: 3000}, None),
    ],
)
def test_focal_length_only_where_it_can_be_trusted(tags: dict[int, object], expected: float | None) -> None:
    assert focal_35mm(tags, (4032, 3024)) == (None if expected is None else pytest.approx(expected, rel=1e-4))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_exif_never_loses_the_photo(data: st.DataObject) -> None:
    sound = exif(model="Phone", f35=26, orientation=1, taken="2026:11:02 14:01:09").tobytes()
    block = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 6))):
        block[data.draw(st.integers(6, len(block) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(6, len(block)))
    photo = open_photo(encoded(scene((640, 480)), exif=bytes(block[:cut])))
    assert sorted(photo.size) == [480, 640]
    assert photo.focal_35mm is None or 6 <= photo.focal_35mm <= 1200


def test_no_file_a_folder_and_an_empty_file(tmp_path: Path) -> None:
    assert "There is no photo" in refused(tmp_path / "none.jpg")
    assert "is a folder" in refused(tmp_path)
    empty = tmp_path / "empty.jpg"
    empty.touch()
    assert "empty.jpg is empty (0 bytes)" in refused(empty)
    assert "The upload is empty" in refused(b"")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello, this is a letter, not a photo", "is not a picture"),
        (b"GIF89a" + bytes(40), "a GIF picture"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"PK\3\4" + bytes(40), "a ZIP archive"),
        (b"II*\0" + bytes(40), "TIFF"),
        (b"\xff\xd8\xff\xe0" + bytes(10), "damaged or cut short"),
        (b"\x89PNG\r\n\x1a\n", "damaged or cut short"),
        (b"\0", "is not a picture"),
    ],
)
def test_what_is_no_photo(data: bytes, words: str) -> None:
    text = refused(data, name="IMG_1.jpg")
    assert text.startswith("IMG_1.jpg ") and words in text


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("share", [0.02, 0.6, 0.999])
def test_a_file_cut_short_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    refused(data[: int(len(data) * share)], name="half.jpg")


def test_a_cut_jpeg_is_not_saved_by_its_thumbnail() -> None:
    thumb = encoded(scene((160, 120)))
    data = encoded(scene())
    whole = data[:2] + b"\xff\xe3" + struct.pack(">H", len(thumb) + 2) + thumb + data[2:]
    assert open_photo(whole).size == SIZE
    assert "cut short" in refused(whole[:-400])


def test_a_progressive_jpeg_comes_in_whole_and_is_refused_cut() -> None:
    data = encoded(scene(), progressive=True)
    assert np.abs(open_photo(data).image - bgr(scene())).max() <= 12
    assert "cut short" in refused(data[: len(data) * 2 // 3])


def png_claiming(width: int, height: int) -> bytes:
    """A PNG header of any size with next to no data."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("side", [11_000, 60_000])
def test_a_decompression_bomb_is_refused_before_decoding(side: int) -> None:
    assert "pixels" in refused(png_claiming(side, side), name="bomb.png")


def test_limits() -> None:
    data = encoded(scene())
    assert "0.0 MB" in refused(data, limits=PhotoLimits(max_bytes=1000))
    assert "800 x 600" in refused(data, limits=PhotoLimits(max_pixels=800 * 600 - 1))
    assert open_photo(data, limits=PhotoLimits(max_pixels=800 * 600, max_bytes=len(data))).size == SIZE
    assert "only 639 x 400" in refused(encoded(scene((639, 400))))
    assert "more than 20 times as long as wide" in refused(encoded(scene((8000, 399))))
    assert open_photo(encoded(scene((400, 640)))).size == (400, 640)


def test_a_photo_between_pillows_limit_and_ours_raises_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 300_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_photo(encoded(scene())).size == SIZE


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)


def test_heic_without_the_extra_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    text = refused(HEIC, name="IMG_2.HEIC")
    assert "pip install pillow-heif" in text and "Most Compatible" in text
    with pytest.raises(PhotoError) as caught:
        open_photo(HEIC, name="IMG_2.HEIC")
    assert "pip" not in caught.value.problem and caught.value.problem.endswith("take it again.")


def test_heic_with_the_extra_is_opened_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    extra = types.ModuleType("pillow_heif")
    extra.HeifImageFile = lambda stream: scene() if stream.read() == HEIC else None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pillow_heif", extra)
    assert np.array_equal(open_photo(HEIC).image, bgr(scene()))


def test_a_damaged_heic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    extra = types.ModuleType("pillow_heif")

    def fail(stream: io.BytesIO) -> Image.Image:
        raise ValueError("Invalid input")

    extra.HeifImageFile = fail  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pillow_heif", extra)
    assert "damaged HEIC" in refused(HEIC)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.binary(max_size=400), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x10\0\0\0WEBPVP8 "])
)
def test_no_bytes_make_anything_but_a_photo_error(body: bytes, magic: bytes) -> None:
    with pytest.raises(PhotoError):
        open_photo(magic + body, name="fuzz")
