"""Sides of bases by the looks that a collection knows: told where sure, and never against what is read."""

from dataclasses import replace

import numpy as np

from tests.vision.bases.test_bare_sides import ABOVE, EXPECTED, SANDY, base, photo
from vision.bases.known_looks import assign_known_sides, both_looks
from vision.bases.selection import Found
from vision.model.collection import Collection, KnownBase, LearntPhoto
from vision.model.expected import Expected

SLATE, GREEN, BROWN, BETWEEN = (180, 110, 100), (60, 150, 60), (40, 70, 130), (135, 140, 150)
Painted = list[tuple[Found, tuple[int, int, int]]]
OPEN: Painted = [(base(10, 4), SANDY), (base(12.1, 4), SANDY), (base(16, 14), SLATE), (base(18.1, 14), SLATE)]


def known(painted: Painted, seed: int = 3) -> Expected:
    """What vision is told where a photo of settled bases has been learnt."""
    bases = [one for one, _ in painted]
    looks = both_looks(photo(painted, seed=seed), ABOVE, bases)
    learnt = [
        KnownBase(one.side, "infantry", 2.0, 1.25, False, look.ravel().astype(np.float32))
        for one, look in zip(bases, looks, strict=True)
    ]
    return replace(EXPECTED, known=Collection((LearntPhoto("aaa", "2026-01-01", (24, 24), bases=tuple(learnt)),)))


ARMIES = known([(base(5, 5, "blue"), SANDY), (base(9, 15, "blue"), SANDY), (base(18, 6, "red"), SLATE)])


def sides(painted: Painted, expected: Expected = ARMIES) -> list[str]:
    bases = [one for one, _ in painted]
    return [one.side for one in assign_known_sides(photo(painted, seed=8), ABOVE, bases, expected)]


def test_bare_bases_are_of_the_side_that_they_looked_like() -> None:
    assert sides(OPEN) == ["blue", "blue", "red", "red"]


def test_without_a_collection_nothing_changes() -> None:
    bases = [one for one, _ in OPEN]
    assert assign_known_sides(photo(OPEN), ABOVE, bases, EXPECTED) == bases


def test_a_tag_or_rim_is_never_overruled() -> None:
    read = [(base(4, 18, "blue"), SANDY), (base(20, 20, "red"), SLATE)]
    assert sides([*read, *OPEN]) == ["blue", "red", "blue", "blue", "red", "red"]


def test_where_a_tag_or_rim_says_otherwise_nothing_is_told() -> None:
    """Armies that have changed hands: the sandy base that was read is red today."""
    assert sides([(base(4, 18, "red"), SANDY), *OPEN]) == ["red", "", "", "", ""]


def test_bases_that_look_like_none_of_the_examples_are_left_open() -> None:
    assert sides([(base(10, 4), GREEN), (base(16, 14), BROWN)]) == ["", ""]


def test_a_look_between_both_armies_is_left_open() -> None:
    assert sides([(base(10, 4), BETWEEN)]) == [""]


def test_a_side_without_examples_leaves_all_open() -> None:
    assert sides(OPEN, known([(base(5, 5, "blue"), SANDY)])) == ["", "", "", ""]


def test_what_the_photos_own_examples_doubt_is_not_told() -> None:
    doubted = [(replace(one, sides=(("blue", 0.1), ("red", 0.9))), paint) for one, paint in OPEN[:2]]
    bases = [one for one, _ in doubted]
    after = assign_known_sides(photo(doubted, seed=8), ABOVE, bases, ARMIES)
    assert [one.side for one in after] == ["", ""] and after[0].sides == (("blue", 0.1), ("red", 0.9))
