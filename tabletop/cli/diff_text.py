"""Changes and proposals in words for the command line. Nothing here prints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.changes.detection import Changes, UnitChange
    from tabletop.changes.proposals import Lifted, MoveRuling, Proposal
    from tabletop.game import Game, Record
    from tabletop.game.violations import Violation
    from tabletop.identity.table_snapshot import Marker
    from tabletop.reconcile.comparison import SightChanges

_INCHES = re.compile(r"\d″")


def changes_json(changes: Changes, rulings: Mapping[str, MoveRuling]) -> dict[str, Any]:
    """Changes with their rulings, ready for JSON."""
    found = changes.to_json()
    for entry in found["changes"]:
        ruling = rulings.get(entry["unit"])
        entry["ruling"] = ruling.to_json() if ruling else None
    found["warnings"] += [changes.hint] if changes.hint else []
    return found


def changes_in_words(changes: Changes, rulings: Mapping[str, MoveRuling]) -> str:
    """The changes, doubtful ones first, then forbidden ones."""
    told = changes.changed
    groups: list[tuple[str, list[UnitChange]]] = [
        ("Not sure", [u for u in told if u.doubts]),
        ("Against the rules", [u for u in told if not u.doubts and _answer(u, rulings) == "no"]),
        ("Too close to call", [u for u in told if not u.doubts and _answer(u, rulings) == "too-close"]),
        ("Changed, and nothing speaks against it", [u for u in told if not u.doubts and _answer(u, rulings) is None]),
    ]
    lines = []
    for heading, units in groups:
        if units:
            lines.append(f"{heading}:")
        for change in units:
            lines += _change_lines(change, rulings.get(change.unit or ""))
    stayed = [u.unit for u in changes.units if u.change == "stayed" and u.unit and not u.doubts]
    if stayed:
        lines.append(f"Stayed: {', '.join(stayed)}.")
    if not changes.units:
        lines.append("There are no named units on either table.")
    for change in changes.units:
        lines += [f"{change.unit} is now marked {_marker_words(marker)}." for marker in change.marked]
        lines += [f"{change.unit} is no longer marked {means}." for means in change.unmarked]
    return "\n".join([*lines, *changes.warnings, *([changes.hint] if changes.hint else [])])


def _marker_words(marker: Marker) -> str:
    if marker.means != "hits":
        return marker.means
    return "with hits dice that can't be read" if marker.value is None else f"with {marker.value} hits"


def markers_to_enter(markers: Sequence[Marker], name: str, standing: Sequence[str]) -> str:
    """The markers on the table at the beginning of a game, with the words that enter them; empty for none.

    ``standing`` are the units on the table: markers of other units can't be entered yet.
    """
    lines = []
    for marker in markers:
        later = "" if marker.unit in standing else ", once it is deployed"
        if marker.unit is None:
            x, y = marker.center
            what = "dice for hits" if marker.means == "hits" else f"a marker for {_FOR.get(marker.means, marker.means)}"
            lines.append(f"  {what} at ({x:.1f}, {y:.1f}), beside no unit: name its unit")
        elif marker.means == "hits" and marker.value is None:
            lines.append(f"  correct {marker.unit} hits N (its dice can't be read){later}")
        else:
            said = str(marker.value) if marker.means == "hits" else "yes"
            lines.append(f"  correct {marker.unit} {marker.means} {said}{later}")
    if not lines:
        return ""
    lead = f"There are markers on the table in {name} that the game does not have yet. Enter the valid ones, each as"
    return "\n".join([f"{lead} `tabletop act WORDS`:", *lines])


_FOR = {"fired": "fire", "moved": "a move"}


def _answer(change: UnitChange, rulings: Mapping[str, MoveRuling]) -> str | None:
    ruling = rulings.get(change.unit or "")
    return ruling.answer if ruling else None


def _change_lines(change: UnitChange, ruling: MoveRuling | None) -> list[str]:
    if change.unit is None:
        return [f"  {text}" for text in change.doubts]
    lines = [f"  {change.unit} {_did(change)}"]
    if change.identified in ("beside", "only"):
        lines.append(f"    Its tag was not read: {_GROUNDS[change.identified]}.")
    if change.not_seen:
        verb = "is" if change.not_seen == 1 else "are"
        lines.append(f"    {change.not_seen} of its {len(change.bases)} bases {verb} not seen.")
    lines += [f"    {text}" for text in change.doubts]
    if ruling:
        lines.append(f"    {_ruling_words(ruling)}")
        told = [v for v in ruling.violations if v.code != "too-far" or ruling.sums[0] is not None]
        lines += [f"    {violation}" for violation in told]
    return lines


_GROUNDS = {
    "beside": "its bases are beside its other ones",
    "only": "no other unit of its make could have come there",
}


def _did(change: UnitChange) -> str:
    if change.change == "removed":
        return "is gone."
    if change.change == "new":
        return "is new on the table."
    if change.change in ("uncertain", "unclear"):
        return "is not identified." if change.change == "uncertain" else "may have moved."
    parts = []
    if change.change in ("moved", "nudged") and change.distance is not None:
        verb = "moved" if change.change == "moved" else "was nudged"
        parts.append(f"{verb} {change.distance:.2f}″ (± {1.96 * (change.sigma or 0.0):.2f})")
    return ", ".join([*parts, *([change.turn_words] if change.turn_words else [])]) + "."


def _ruling_words(ruling: MoveRuling) -> str:
    """The dice that such a move needs, and their chance."""
    perhaps, surely = ruling.sums
    dice = f"({', '.join(ruling.words)})"
    road = " by road" if ruling.by_road else ""
    detour = f" ({ruling.detour_words})" if ruling.detour_words else ""
    base = f"Its farthest base came {ruling.length_in:.2f}″{detour} of at most {ruling.most_in:g}″{road}"
    low, high = (float(chance) for chance in ruling.chances)
    if perhaps is None:
        return f"{base}; no roll does it {dice}."
    if low == 1:
        return f"{base}; any roll does it {dice}."
    chance = f"{100 * low:.0f} %" if low == high else f"{100 * low:.0f} to {100 * high:.0f} %"
    least = f"{perhaps} or more does" if perhaps == surely else f"{perhaps} or more may do"
    return f"{base}; a roll of {least} it {dice}: {chance}."


def proposals_in_words(
    game: Game,
    before: Any,
    records: Sequence[Record],
    changes: SightChanges,
    proposals: Sequence[Proposal],
    lifted: Sequence[Lifted] = (),
) -> str:
    """The actions done with lifted violations, the possible ones, the rest with their violations, the questions."""
    from tabletop.cli.game_text import sentences
    from tabletop.game.records import SEEN

    acted = [record for record in records if record.kind != SEEN]
    lines = ["Done:"] if acted else []
    for record, sentence in sentences(game, before, acted):
        lines.append(f"  {sentence}")
        lines += [
            f"    {_LIFTED[one.by]}: {_violation_words(one.violation)}" for one in lifted if one.seq == record.seq
        ]
    ready = [p for p in proposals if p.acceptable]
    if ready:
        lines.append("Seen, and legal (--accept does it):")
        for proposal in ready:
            lines += [f"  {_short(proposal)}", *_lifted_lines(proposal)]
    against = [p for p in proposals if p.certain and p.violations and not p.question]
    if against:
        lines.append("Seen, and against the rules:")
        for proposal in against:
            lines += [f"  {_short(proposal)}", *(f"    {_violation_words(v)}" for v in proposal.violations)]
            lines += _lifted_lines(proposal)
    asked = [p for p in proposals if p not in ready and p not in against]
    if asked:
        lines.append("To be settled by you:")
        for proposal in asked:
            why = "" if proposal.certain or proposal.violations else ": the photo is not certain of it"
            lines.append(f"  {proposal.question or _short(proposal) + why}")
            lines += [f"    {_violation_words(violation)}" for violation in proposal.violations]
        lines.append(
            "Say what happened with `tabletop act`: correct UNIT hits 2, correct UNIT off, fire UNIT at TARGET ..."
        )
    return "\n".join([*(lines or ["Nothing has changed since."]), *changes.warnings])


def _short(proposal: Proposal) -> str:
    """An action in few words: places are long, and the map shows them."""
    if proposal.told:
        return proposal.told
    words = proposal.words.split(" bases ")[0]
    return f"{words} where it stands" if " bases " in proposal.words else words


_LIFTED = {
    "referee": "The referee let stand",
    "players": "Measured by you",
    "photo": "Settled by the photo, in which they stand side by side",
}


def _lifted_lines(proposal: Proposal) -> list[str]:
    return [f"    {_LIFTED['photo']}: {_violation_words(violation)}" for violation in proposal.settled]


def _violation_words(violation: Violation) -> str:
    """A violation's sentence, with its inches if the sentence has none."""
    inches = {key: value for key, value in violation.numbers.items() if key.endswith("_in")}
    if not inches or _INCHES.search(violation.text):
        return str(violation)
    told = ", ".join(f"{key.removesuffix('_in').replace('_', ' ')} {value:.2f}″" for key, value in inches.items())
    return f"{violation} ({told})"
