"""Tokens for programs from the terminal, on the data folder of a server."""

import json
from collections.abc import Iterator

import pytest

from tests.support.api_games import Place
from tests.support.cli_runs import run_cli


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("data"))
    yield made
    made.services.event_store.close()


def run(place: Place, *words: object, status: int = 0) -> str:
    ran = run_cli(*words, "--data", place.services.settings.data_dir)
    assert ran.exit_code == status, ran.output
    return ran.stderr if status else ran.stdout


def seen(place: Place, said: str, path: str, status: int = 200) -> object:
    return place.device().ask("GET", path, status, headers={"Authorization": f"Bearer {said}"})


def test_a_token_from_the_terminal_lets_a_program_in_until_it_is_taken_back(place: Place) -> None:
    game = place.one_hour("watched")
    place.seated(game, "side blue", label="Ben")
    words = run(place, "token", game, "--seat", "Ben", "--name", "Scoreboard", "--days", 2)
    said, sentence = words.split("\n")[:2]
    assert said.startswith("tabletop_") and sentence.startswith("It only reads as Ben and is valid until ")
    assert seen(place, said, f"/api/v1/games/{game}/me")["roles"] == ["side blue"]  # type: ignore[index]
    noted = place.services.event_store.records(game)[-1]
    assert noted.body["text"] == "At the server, a program was let in, which reads as Ben: Scoreboard."
    (row,) = json.loads(run(place, "tokens", game, "--json", "-"))["tokens"]
    assert (row["label"], row["whose"], row["may"]) == ("Scoreboard", "Ben", "read") and said not in str(row)
    assert "Scoreboard  (Ben, only reads, until" in run(place, "tokens", game)
    assert "is revoked" in run(place, "tokens", game, "--revoke", row["id"])
    seen(place, said, f"/api/v1/games/{game}/me", 401)
    assert run(place, "tokens", game) == "No program has a token.\n"
    assert "no such token" in run(place, "tokens", game, "--revoke", row["id"], status=2)


def test_what_no_token_can_be_made_for_is_a_sentence(place: Place) -> None:
    game = place.one_hour()
    assert "No one has a seat there" in run(place, "token", game, status=2)
    for name in ("Ben", "Cora"):
        place.seated(game, "side blue", label=name)
    told = run(place, "token", game, status=2)
    assert "--seat: there are" in told and "(Ben)" in told and "(Cora)" in told
    assert "no role of this game" in run(place, "token", game, "--role", "side green", status=2)
    run(place, "token", game, "--seat", "Ben", "--days", 0, status=2)
    assert "no game" in run(place, "tokens", "nowhere", status=2)
