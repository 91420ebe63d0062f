"""``tabletop settle``: an observation's open questions, and the players' answers written into it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell
from tabletop.cli.rulings import read_json
from tabletop.errors import AnswerError, SceneError, UsageError
from tabletop.tables.folded_lists import unfolded
from tabletop.words import and_list, count

if TYPE_CHECKING:
    from tabletop.identity.observation_rows import AnswerValue


def settle(
    observation: Annotated[Path, typer.Argument(metavar="OBS", help="An observation (JSON).")],
    answer: Annotated[
        list[str] | None,
        typer.Option(help="An answer, QUESTION=VALUE: q1=A1, q2=5, q3=none, or q3=#2 for the second one listed."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List further questions and possible terrain as well.")] = False,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """List a photo's open questions, likeliest answers first, and write answers into its observation.

    The questions that decide most rulings come first; --all lists the others too. An answer may settle other questions.
    Answers may be given one at a time, and changed later.
    """
    from tabletop.questions.settling import settle as settled

    target, seen = check_target(json_out), read_json(observation)
    if not isinstance(seen, dict) or "bases" not in seen:
        raise SceneError(f"{observation.name} is not an observation: name one from `tabletop observe --json`.")
    result = settled(seen, _answers(seen, answer or ()))
    give(result, json_out, target)
    more = [] if every else folded_in_words(result, observation if target is None else target)
    listed = questions_in_words(unfolded(result) if every else result)
    if more and not result.get("questions"):
        listed = ["No first questions are open."]
    told = _settled_in_words(result) + listed + more
    if answer and json_out is None:
        told.append("Nothing was written: add --json FILE to keep these answers.")
    tell("\n".join(told), json_target=json_out, quiet=quiet)


def _answers(seen: Mapping[str, Any], given: list[str] | tuple[str, ...]) -> dict[str, AnswerValue]:
    """Answers by question id, parsed for each question."""
    from tabletop.questions.settling import read_answer

    source = unfolded(seen.get("as_seen") or seen)
    asked = {
        str(question.get("id")): question for question in source.get("questions", []) if isinstance(question, dict)
    }
    found: dict[str, AnswerValue] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(f"--answer {text}: write it as QUESTION=VALUE, for example q1=A1.")
        name = name.strip()
        if name in found:
            raise UsageError(f"--answer: {name} is answered twice; keep one of the two.")
        if name not in asked:
            raise AnswerError(f"There is no question {name}; open are {', '.join(asked) or 'none'}.")
        found[name] = read_answer(asked[name], value)
    return found


def questions_in_words(seen: Mapping[str, Any]) -> list[str]:
    """The open questions in lines: number, sentence, the ranked answers with their chances and how to enter them."""
    questions = seen.get("questions", [])
    if not questions:
        return ["Nothing is left open."]
    lines = [f"{len(questions)} {'question' if len(questions) == 1 else 'questions'} left open:"]
    for question in questions:
        after = question.get("after")
        first = f" (once {after} is answered)" if after else ""
        lines.append(f"{question['id']}  {question['says']}{first}")
        for rank, entry in enumerate(question["answers"], 1):
            lines.append(f"    #{rank}  {100 * entry['chance']:3.0f} %  {_answer_text(entry)}")
    return lines


def folded_in_words(seen: Mapping[str, Any], file: Path | None = None) -> list[str]:
    """The numbers of an observation's possible pieces and further questions, in a line; none without any. ``file``: its
    name.

    >>> folded_in_words({"further_questions": [{"ask": "kind"}, {"ask": "unit"}]}, Path("seen.json"))
    ['1 more possible piece of terrain and 1 more question: `tabletop settle seen.json --all` lists them.']
    """
    asks = [question["ask"] for question in seen.get("further_questions", ())]
    pieces, others = asks.count("kind"), len(asks) - asks.count("kind")
    parts = [count(pieces, "more possible piece of terrain", "more possible pieces of terrain")] if pieces else []
    parts += [count(others, "more question")] if others else []
    command = "`tabletop settle --all`" if file is None else f"`tabletop settle {file} --all`"
    return [f"{and_list(parts)}: {command} lists {'it' if len(asks) == 1 else 'them'}."] if asks else []


def _answer_text(entry: Mapping[str, Any]) -> str:
    value = entry["value"]
    word = "none" if value is None else ",".join(value) if isinstance(value, list) else str(value)
    says = str(entry["says"])
    return says if says == word else f"{word}: {says.removeprefix(f'{word} ').removeprefix(f'{word}, ')}"


def _settled_in_words(seen: Mapping[str, Any]) -> list[str]:
    lines = []
    for entry in seen.get("settled", []):
        value = entry["value"]
        short = entry["ask"] in ("unit", "units", "whose") and value is not None
        said = (", ".join(value) if isinstance(value, list) else value) if short else entry["says"]
        lines.append(f"{entry['asked']} {said}{', by elimination' if entry['by'] == 'elimination' else ''}.")
    return lines
