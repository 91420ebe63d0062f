"""WWII Combined Arms read a second time, slowly: positions as plain dictionaries, every rule asked anew each time.

Nothing here comes from the package. A position is made from the JSON view of a game and its optional rules; ``actions``
lists what may be done as words, ``play`` gives the position after one of them, ``perft`` counts sequences.

A square is a pair (column, row) from 0; red's own edge is row 0.
"""

import copy
from typing import Any

#       class, move, range, defence
LIST = {
    "general": ("I", 1, 1, 5),
    "paratroopers": ("I", 1, 1, 4),
    "engineers": ("I", 1, 1, 4),
    "mechanized": ("I", 2, 1, 4),
    "light-tanks": ("T", 3, 2, 3),
    "medium-tanks": ("T", 2, 2, 4),
    "heavy-tanks": ("T", 1, 2, 5),
    "howitzers": ("L", 1, 3, 3),
    "at-guns": ("L", 1, 2, 3),
    "aa-guns": ("L", 1, 2, 3),
    "airfield": ("A", 2, 4, 2),
    "fortification": ("B", 0, 3, 6),
    "hq": ("B", 0, 1, 6),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
Square = tuple[int, int]
Position = dict[str, Any]


def name(square: Square) -> str:
    return f"{LETTERS[square[0]]}{square[1] + 1}"


def square(text: str) -> Square:
    return LETTERS.index(text[0]), int(text[1:]) - 1


def position(
    view: dict[str, Any], *, difficult: bool = False, experience: int = 0, every: int = 0,
    city_victory: str = "at-once", turns: int = 0,
) -> Position:  # fmt: skip
    """A position from a game's view and the rules that it is played by."""
    return {
        "size": (view["board"]["columns"], view["board"]["rows"]),
        "difficult": difficult,
        "experience": experience,
        "every": every,
        "city_victory": city_victory,
        "turns": turns,
        "phase": view["step"],
        "turn": view["turn"],
        "side": view["acting"],
        "first": view["first"],
        "retreating": view["must_retreat"],
        "owed": dict(view["owed"]),
        "para4": list(view["lifted"]),
        "cities": [square(city) for city in view["cities"]],
        "rough": [square(text) for text in view["terrain"]],
        "units": {
            unit["id"]: {
                "side": unit["side"],
                "kind": unit["kind"],
                "on": None if unit["at"] is None else square(unit["at"]),
                "elite": unit["elite"],
                "kills": unit["kills"],
                "moved": unit["moved"],
                "fired": unit["fired"],
                "back": unit["retreated"],
                "damage": unit["damage"],
                "by": list(unit["hurt_by"]),
            }
            for unit in view["units"]
        },
        "winner": None,
    }


def on_board(p: Position, s: Square) -> bool:
    return 0 <= s[0] < p["size"][0] and 0 <= s[1] < p["size"][1]


def who(p: Position, s: Square) -> str | None:
    for unit, u in p["units"].items():
        if u["on"] == s:
            return str(unit)
    return None


def touching(a: Square, b: Square) -> bool:
    return a != b and abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1


def around(p: Position, s: Square) -> list[Square]:
    every = [(s[0] + i, s[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    return [t for t in every if on_board(p, t)]


def apart(a: Square, b: Square) -> int:
    """Steps of a king, counted by walking."""
    steps = 0
    while a != b:
        a = (a[0] + (b[0] > a[0]) - (b[0] < a[0]), a[1] + (b[1] > a[1]) - (b[1] < a[1]))
        steps += 1
    return steps


def touched_by(p: Position, s: Square, side: str, but: str = "") -> bool:
    """Whether a unit of that side stands next to a square."""
    return any(
        u["on"] is not None and u["side"] == side and unit != but and touching(u["on"], s)
        for unit, u in p["units"].items()
    )


def enemy_of(side: str) -> str:
    return "blue" if side == "red" else "red"


def is_rough(p: Position, s: Square) -> bool:
    return p["difficult"] and (s in p["rough"] or s in p["cities"])


def defence(p: Position, unit: str) -> int:
    u = p["units"][unit]
    return LIST[u["kind"]][3] + (1 if u["elite"] else 0) + (1 if is_rough(p, u["on"]) else 0)


def move_squares(p: Position, unit: str) -> set[Square]:
    """Every end of every walk of a unit, walk by walk."""
    u = p["units"][unit]
    steps = 4 if u["kind"] == "paratroopers" and unit in p["para4"] else LIST[u["kind"]][1]
    halted = LIST[u["kind"]][0] == "T" or u["kind"] == "mechanized"
    ends: set[Square] = set()
    least: dict[Square, int] = {}

    def walk(s: Square, left: int) -> None:
        if left == 0 or least.get(s, -1) >= left:
            return
        least[s] = left
        for t in around(p, s):
            if who_at(t):
                continue
            ends.add(t)
            walk(t, 0 if halted and is_rough(p, t) else left - 1)

    taken = {v["on"] for v in p["units"].values()}

    def who_at(s: Square) -> bool:
        return s in taken

    walk(u["on"], steps)
    if u["kind"] == "airfield":
        ends = {s for s in ends if touched_by(p, s, u["side"], but=unit) and not touched_by(p, s, enemy_of(u["side"]))}
    return ends


def under_aa(p: Position, target: str) -> bool:
    t = p["units"][target]
    for u in p["units"].values():
        guns = u["kind"] == "aa-guns" and u["side"] == t["side"] and u["on"] is not None
        if guns and (u["on"] == t["on"] or touching(u["on"], t["on"])):
            return True
    return False


def attack_targets(p: Position, unit: str) -> set[str]:
    u = p["units"][unit]
    if u["fired"] or (u["kind"] == "airfield" and u["moved"]):
        return set()
    found = set()
    for target, t in p["units"].items():
        if t["on"] is None or t["side"] == u["side"]:
            continue
        if apart(u["on"], t["on"]) > LIST[u["kind"]][2]:
            continue
        if u["kind"] == "airfield" and under_aa(p, target):
            continue
        found.add(target)
    return found


def harm(p: Position, unit: str, target: str) -> int:
    u, t = p["units"][unit], p["units"][target]
    if u["elite"]:
        return 2
    if u["kind"] == "engineers" and t["kind"] in ("fortification", "hq"):
        return 2
    if u["kind"] == "at-guns" and LIST[t["kind"]][0] == "T":
        return 2
    return 1


def retreat_squares(p: Position, unit: str) -> set[Square]:
    u = p["units"][unit]
    back = -1 if u["side"] == "red" else 1
    found = set()
    for s in around(p, u["on"]):
        if who(p, s):
            continue
        along = s[1] - u["on"][1]
        if along == back or (along == 0 and not touched_by(p, s, enemy_of(u["side"]))):
            found.add(s)
    return found


def back_row(p: Position, side: str) -> list[Square]:
    row = 0 if side == "red" else p["size"][1] - 1
    return [(column, row) for column in range(p["size"][0])]


def actions(p: Position) -> set[str]:
    """Everything that the side with the next choice may do, in the words of the game."""
    if p["winner"] is not None or p["phase"] == "over":
        return set()
    if p["retreating"]:
        return {f"retreat {p['retreating']} to {name(s)}" for s in retreat_squares(p, p["retreating"])}
    if p["phase"] == "reinforce":
        kinds = [kind for kind, row in LIST.items() if row[0] != "B"]
        free = [s for s in back_row(p, p["side"]) if not who(p, s)]
        return {f"reinforce {kind} at {name(s)}" for kind in kinds for s in free} | {"hold"}
    found = {"end"}
    for unit, u in p["units"].items():
        if u["side"] != p["side"] or u["on"] is None:
            continue
        if p["phase"] == "move" and not u["moved"] and LIST[u["kind"]][1]:
            found |= {f"move {unit} to {name(s)}" for s in move_squares(p, unit)}
        if p["phase"] == "attack":
            found |= {f"attack {unit} at {target}" for target in attack_targets(p, unit)}
    return found


def play(before: Position, action: str) -> Position:
    p = copy.deepcopy(before)
    words = action.split()
    if words[0] == "move":
        p["units"][words[1]].update(on=square(words[3]), moved=True)
    elif words[0] == "attack":
        strike(p, words[1], words[3])
    elif words[0] == "retreat":
        p["units"][words[1]].update(on=square(words[3]), damage=0, back=True)
        p["retreating"] = None
    elif words[0] == "reinforce":
        join(p, words[1], square(words[3]))
        if not p["owed"][p["side"]] or all(who(p, s) for s in back_row(p, p["side"])):
            p["phase"] = "move"
    elif words[0] == "hold":
        p["phase"] = "move"
    elif p["phase"] == "move":
        p["phase"] = "attack"
    else:
        next_turn(p)
    look_for_winner(p)
    return p


def strike(p: Position, unit: str, target: str) -> None:
    u, t = p["units"][unit], p["units"][target]
    u["fired"] = True
    if unit not in t["by"]:
        t["by"].append(unit)
    t["damage"] = min(t["damage"] + harm(p, unit, target), defence(p, target))
    if t["damage"] < defence(p, target):
        return
    squares = retreat_squares(p, target)
    if LIST[t["kind"]][0] == "B" or t["back"] or not squares:
        t.update(on=None, damage=0)
        for helper in t["by"]:
            h = p["units"][helper]
            h["kills"] += 1
            if p["experience"] and h["kills"] >= p["experience"]:
                h["elite"] = True
    elif len(squares) == 1:
        t.update(on=squares.pop(), damage=0, back=True)
    else:
        p["retreating"] = target


def join(p: Position, kind: str, s: Square) -> None:
    side = p["side"]
    number = sum(u["side"] == side for u in p["units"].values()) + 1
    while f"{side[0].upper()}{number}" in p["units"]:
        number += 1
    p["units"][f"{side[0].upper()}{number}"] = {
        "side": side, "kind": kind, "on": s, "elite": False, "kills": 0, "moved": False, "fired": False, "back": False,
        "damage": 0, "by": [],
    }  # fmt: skip
    p["owed"][side] -= 1


def next_turn(p: Position) -> None:
    if p["side"] != p["first"]:
        p["turn"] += 1
    if p["turns"] and p["turn"] > p["turns"]:
        p["turn"] -= 1
        p["winner"] = "nobody"
        return
    side = p["side"] = enemy_of(p["side"])
    if p["city_victory"] == "held" and all_cities(p) == side:
        p["winner"] = side
    for u in p["units"].values():
        u.update(moved=False, fired=False, back=False, damage=0, by=[])
    p["para4"] = [
        unit
        for unit, u in p["units"].items()
        if u["kind"] == "paratroopers"
        and u["side"] == side
        and u["on"] is not None
        and any(
            v["kind"] == "airfield" and v["side"] == side and v["on"] is not None and touching(v["on"], u["on"])
            for v in p["units"].values()
        )
    ]
    if p["every"] and p["turn"] % p["every"] == 0:
        p["owed"][side] += 1
    free = [s for s in back_row(p, side) if not who(p, s)]
    p["phase"] = "reinforce" if p["owed"][side] and free else "move"


def look_for_winner(p: Position) -> None:
    if p["winner"] is not None:
        return
    for side in ("red", "blue"):
        if not any(u["kind"] == "hq" and u["side"] == side and u["on"] is not None for u in p["units"].values()):
            p["winner"] = enemy_of(side)
            return
    if p["city_victory"] == "at-once":
        p["winner"] = all_cities(p)


def all_cities(p: Position) -> str | None:
    holders = set()
    for city in p["cities"]:
        unit = who(p, city)
        holders.add(p["units"][unit]["side"] if unit else None)
    return holders.pop() if len(holders) == 1 else None


def perft(p: Position, depth: int) -> int:
    """The number of sequences of so many actions."""
    if depth == 0:
        return 1
    found = actions(p)
    return len(found) if depth == 1 else sum(perft(play(p, action), depth - 1) for action in sorted(found))
