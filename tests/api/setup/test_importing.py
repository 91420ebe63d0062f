"""Maps and rosters of other programs brought to the server: a table file or a sentence."""

import base64
from typing import Any

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


def test_what_is_damaged_is_refused_and_a_stranger_is_not_heard(place: Place) -> None:
    wish = {"name": "a.ros", "content": "no base64"}
    assert "a.ros arrived damaged" in place.host.ask("POST", "/api/imports", 422, json=wish)["detail"]
    assert place.device().answer("POST", "/api/imports", json=wish).status_code == 401
