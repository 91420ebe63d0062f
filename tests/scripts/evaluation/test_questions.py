"""Questions beside the truth: is the right answer offered, does it stand first, and how likely was it called."""

from typing import Any

import pytest

from evaluation.questions import Asked
from evaluation.score import score_photo
from tests.support.evaluated_tables import made, seen_exactly, square, true_base

TRUTH = made(
    {"r1": [true_base(5, 5, 10, unique=True), true_base(5, 9, 10)], "b1": [true_base(12, 9, 180)]},
    dice=[{"centre": [20, 3], "value": 4}],
    clutter=[{"kind": "cotton", "at": [6, 6], "unit": "r1"}],
    terrain=[{"kind": "woods", "polygon": square(2, 12, 4), "height": 0.0}],
)


def asked(
    about: str, ask: str, *answers: Any, seen: dict[str, Any] | None = None, covers: list[list[str]] | None = None
) -> Asked | None:
    """One question about that table, its answers likeliest first, as it is judged; ``None`` where it can't be."""
    observation = seen or seen_exactly(TRUTH)
    for key, name in (("dice", "die"), ("markers", "marker")):
        for n, thing in enumerate(observation[key], 1):
            thing["id"] = f"{name}{n}"
    chances = [0.6, 0.3, 0.1]
    offered = [{"value": value, "chance": c, "says": ""} for value, c in zip(answers, chances, strict=False)]
    question = {"id": "q1", "about": about, "ask": ask, "says": "?", "answers": offered}
    observation["questions"] = [question if covers is None else {**question, "covers": covers}]
    score = score_photo(observation, TRUTH)
    assert score.questions == 1
    return score.judged[0] if score.judged else None


@pytest.mark.parametrize(
    ("about", "ask", "answers", "rank"),
    [
        ("base1", "unit", ("r1", "b1"), 1),
        ("base3", "unit", ("r1", "b1"), 2),
        ("base3", "unit", ("r1", "r2"), None),
        ("base1", "unique", ("base2", "base1"), 2),
        ("base1", "unique", ("base3",), None),
        ("base3", "facing", (0.0, 180.0), 2),
        ("base1", "facing", (351.0, 200.0), 1),
        ("base1", "facing", (349.0, 31.0), None),
        ("die1", "value", (None, 4, 5), 2),
        ("marker1", "whose", ("r1", None), 1),
        ("t1", "kind", ("town", "woods"), 2),
    ],
)
def test_the_rank_of_the_right_answer(about: str, ask: str, answers: tuple[Any, ...], rank: int | None) -> None:
    judged = asked(about, ask, *answers)
    assert judged is not None and (judged.rank, judged.first_chance) == (rank, 0.6)
    assert judged.chance == (0.0 if rank is None else [0.6, 0.3][rank - 1])


@pytest.mark.parametrize(("covers", "rank"), [([["base1", "base2"]], 1), ([["base3"]], 2), ([["base1"], ["base3"]], 3)])
def test_look_alikes_are_of_the_side_that_all_of_them_are_of(covers: list[list[str]], rank: int) -> None:
    judged = asked("base1", "side", "red", "blue", None, covers=covers)
    assert judged is not None and judged.rank == rank
