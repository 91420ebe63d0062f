"""Maps and rosters of other programs brought to the server: a table file, a sentence, or a bound."""

import base64
from typing import Any

import pytest

from api.processes.sandbox import Bounds, Sandbox
from api.setup import importing
from tests.api.conftest import Servers
from tests.support.api_games import Place
from tests.tabletop.imports.test_rosters import FORMS
from tests.tabletop.imports.test_uvtt import keep


def bring(place: Place, name: str, content: bytes, status: int = 200, **more: Any) -> Any:
    wish = {"name": name, "content": base64.b64encode(content).decode(), **more}
    return place.host.ask("POST", "/api/imports", status, json=wish)


def test_a_map_and_a_roster_become_table_files_that_a_game_begins_with(place: Place) -> None:
    made = bring(place, "keep.dd2vtt", keep(), grid_in=2)
    assert made["table_name"] == "keep.table.toml" and "width = 40.0" in made["table_file"]
    refused = bring(place, "guard.rosz", FORMS["guard.rosz"], 422)
    assert refused["detail"] == "Köhler’s Guard has no base sizes for Old Nan: say how large they are."
    made = bring(place, "C:\\lists\\guard.rosz", FORMS["guard.rosz"], base="32mm")
    assert made["notes"][0] == "guard.rosz: Köhler’s Guard, 3 units with 12 models for blue."
    wish = {"id": "begin-roster", "table_file": made["table_file"], "table_name": made["table_name"]}
    assert place.host.ask("POST", "/api/games", 201, json=wish)["title"] == "guard"


def test_what_takes_too_much_is_refused_and_a_stranger_is_not_heard(
    make_place: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    tight = Sandbox(importing.import_job, Bounds(wall_s=0.0))
    monkeypatch.setattr("api.routes.importing.make_importer", lambda: tight)
    place = make_place()
    assert "takes too long or too much room to read" in bring(place, "keep.uvtt", keep(), 422)["detail"]
    assert place.device().answer("POST", "/api/imports", json={"name": "a.ros", "content": ""}).status_code == 401
