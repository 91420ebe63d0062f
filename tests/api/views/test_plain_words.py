"""What a phone shows of any game has no forms of the command line: no placeholders, flags or ids of nothing on it."""

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from api.games.commands import Command
from tabletop.game.parts import PARTS, part
from tabletop.starting.new_game import BY_NAME
from tabletop.starting.scenarios import find, list_scenarios
from tests.support.api_games import Device, Place

_USAGES = [
    actions.usage(verb) for actions in (part(name, "ruleset").actions for name in PARTS) for verb in actions.verbs
]
PLACEHOLDERS = sorted({word for usage in _USAGES for word in re.findall(r"\bN\b|\bX,Y\b|\b[A-Z][A-Z-]+\b", usage)})
FORM = re.compile(
    rf"(?<![\w-])(?:{'|'.join(PLACEHOLDERS)})(?![\w-])|<\w+>|\[[^\]]*\]|(?<!\w)--\w|`|\bq\d+\b|pip install|Usage|\.\.\."
)
GAMES = [
    *({"scenario": one.id} for one in list_scenarios()),
    *({"rules": rules, "mode": mode.id} for rules in BY_NAME for mode in part(rules, "offer").modes),
]
FIRST = list({find(one["scenario"]).rules if "scenario" in one else one["rules"]: one for one in GAMES}.values())
"""One game of each ruleset."""
WORDS = {
    "headline", "next", "hidden", "words", "why", "label", "rest", "advice", "text", "title", "says", "when", "what",
}  # fmt: skip
"""Keys of the screen's JSON under which people's words stand."""


def words_in(shown: Any, key: str = "") -> Iterator[str]:
    """All that people read in a screen's JSON; an option's own ``text`` is how it is typed, and what a page keeps."""
    if isinstance(shown, str):
        if key in WORDS:
            yield shown
    elif isinstance(shown, dict):
        for name, value in shown.items():
            if name == "also":
                yield from value
            elif not (name == "text" and "rest" in shown):
                yield from words_in(value, name)
    elif isinstance(shown, list):
        for value in shown:
            yield from words_in(value, key)


def forms_in(texts: Iterable[str], cells: set[str]) -> set[str]:
    """The texts that have a form in them; a board's own ``cells`` lie on the table."""
    return {text for text in texts if any(match not in cells for match in FORM.findall(text))}


def refusals(host: Device, game: str, verbs: tuple[str, ...]) -> Iterator[str]:
    """What is said to actions that can't be, as JSON and as words."""
    for verb in verbs:
        for wish in (
            {"action": {"kind": verb}},
            {"action": {"kind": verb, "unit": "Z99", "side": "nobody", "square": "z99", "to": "z99"}},
            {"words": verb},
            {"words": f"{verb} Z99 at"},
        ):
            answer = host.answer("POST", f"/api/games/{game}/judge", json=wish).json()
            yield answer.get("detail", "")
            yield from (violation["text"] for violation in answer.get("violations", ()))


def forms_shown(shared: Place, wish: dict[str, str], steps: int) -> set[str]:
    """The texts with forms in a game of so many random steps, as the host's phone shows it."""
    host, rng = shared.host, random.Random(5)
    begun = shared.begin(**wish)
    game, found = begun["id"], forms_in([begun["notes"]], set())
    for step in range(steps):
        screen = host.get(f"/api/games/{game}/screen")
        cells = {cell["id"] for cell in screen["game"]["board"]["cells"]}
        found |= forms_in(words_in(screen), cells)
        playing = shared.services.commands.game(game)
        if playing.outcome is not None:
            break
        rules, state = playing.ruleset, playing.state
        for action in rules.random_actions(state, rng):
            against = rules.check(state, action)
            found |= forms_in([violation.text for violation in against], cells)
            if not against:
                wished = Command(f"{game}-{step}", playing.seq, action=rules.action_to_json(action), roll=True)
                done = shared.services.commands.do(game, wished, viewer=None)
                found |= forms_in([event.text for event in done.told], cells)
                break
    return found


@pytest.mark.parametrize("wish", FIRST, ids=lambda wish: "-".join(wish.values()))
def test_no_form_is_shown_in_refusals_and_as_a_game_begins(shared: Place, wish: dict[str, str]) -> None:
    game = shared.begin(**wish)["id"]
    verbs = shared.services.commands.game(game).ruleset.actions.verbs
    assert forms_in(refusals(shared.host, game, verbs), set()) == set()
    assert forms_shown(shared, wish, 5) == set()


@pytest.mark.slow
@pytest.mark.parametrize("wish", GAMES, ids=lambda wish: "-".join(wish.values()))
def test_no_form_is_shown_in_a_longer_game(shared: Place, wish: dict[str, str]) -> None:
    assert forms_shown(shared, wish, 60) == set()
