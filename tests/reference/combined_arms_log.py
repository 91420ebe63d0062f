"""A slow referee that follows the log of a solitaire game of Combined Arms and judges it anew, from the rules alone.

It keeps a position of its own, changed only by what an event says was chosen and thrown; every modifier, score, effect,
loss, target and choice is worked out anew. An event is a kind and a body as in the log's JSON; what a body leaves out
is empty. A fault is an AssertionError. Nothing of the game is imported.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference import combined_arms as rules
from tests.reference.combined_arms_board import (
    DICED,
    HEXES,
    REACH,
    ROAD,
    ROWS,
    centre,
    column_of,
    distance,
    in_arc,
    name,
    row_of,
    scatter,
)
from tests.reference.combined_arms_moves import EXPLOITS, WITHDRAWN, entry_hexes, legal_moves


def victory_points(
    real: int, guns: int, broken: int, guns_broken: int, exploiting: int, own_broken: int, turns: int, easier: bool
) -> int:
    """Points after so many turns: real platoons and ATGs in play, those broken, own exploiting and broken. [Victory]"""
    counted = exploiting if real == 0 else min(exploiting, broken)
    late = 0 if easier else max(0, turns - 18)
    return guns + 2 * real + 2 * guns_broken + 4 * broken + 2 * counted - 2 * own_broken - late


def turned_round(hex_: str) -> str:
    """Where a hex comes to lie when the board is turned by half."""
    row = row_of(hex_)
    return name(10 - row, ROWS[row - 1] + 1 - column_of(hex_))


def added(body: dict[str, Any]) -> int:
    """Sum of an event's modifiers."""
    return sum(value for _, value in body.get("modifiers", ()))


class Referee:
    """One game followed event by event."""

    def __init__(self, easier: bool = False) -> None:
        self.easier = easier
        self.position: rules.Position = {"board": {}, "platoons": [], "enemy": [], "smoke": [], "enemy_mortar": None}
        self.turn, self.phase = 0, ""
        self.losses = self.ammo = 0
        self.fates: dict[str, str] = {}
        self.call: tuple[str, str, int] | None = None
        self.smoke_left = 4
        self.enemy_call_turn = -1
        self.mortars = ""
        self.is_bombarded = False
        self.fired_on: set[str] = set()
        self.volley: tuple[str, list[str], dict[str, int], bool] | None = None
        self.activated: set[str] = set()
        self.shot_armour = False
        self.pending: tuple[str, set[str], str] = ("", set(), "")
        self.owed: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.broken: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()

    def follow(self, events: list[tuple[str, dict[str, Any]]]) -> None:
        """Follow the events of one action."""
        shots = [body for kind, body in events if kind == "shot"]
        if shots:
            self.commit(shots)
        for kind, body in events:
            self.kinds[kind] += 1
            if kind not in ("fell", "broke"):
                assert not self.pending[1] and not +self.owed, "hexes or platoons are left over"
            getattr(self, kind.replace("-", "_"))(body)

    # --- the board

    def started(self, body: dict[str, Any]) -> None:
        """Nothing has been thrown yet."""

    def surveyed(self, body: dict[str, Any]) -> None:
        """Two dice for a hex without road, or terrain laid by hand. [The Playing Board]"""
        for hex_, kind, first, second in body["hexes"]:
            assert hex_ not in ROAD and hex_ not in self.position["board"]
            assert kind == DICED.get(first + second, "open") or first == second == 0
            self.position["board"][hex_] = kind

    def occupied(self, body: dict[str, Any]) -> None:
        """The end with more defensive hexes; counters there and in the middle, ATGs where they may be. [The Units]"""
        board = self.position["board"]
        assert board.keys() == set(HEXES) - set(ROAD)
        near = sum(rules.defensive(board, h) for h in HEXES if row_of(h) <= 3)
        far = sum(rules.defensive(board, h) for h in HEXES if row_of(h) >= 7)
        turned = bool(body["turned"])
        assert (turned == (near > far)) if near != far else body["die"] in range(1, 7)
        if turned:
            self.position["board"] = board = {turned_round(h): kind for h, kind in board.items()}
        own = {
            h: "potential" if rules.potential_atg(board, h) else "none"
            for h in HEXES
            if row_of(h) >= 4 and rules.defensive(board, h)
        }
        assert {c["hex"]: c.get("atg", "none") for c in body["counters"]} == own
        self.position["enemy"] = [{"hex": h, "revealed": False, "state": "fresh", "atg": atg} for h, atg in own.items()]

    # --- the clock [Sequence of Play]

    def phase_began(self, body: dict[str, Any]) -> None:
        """Phases follow one another, nothing is left undone in the one before, and platoons recover."""
        phase = body["phase"]
        after = {"": "", "move": "enemy", "fire": "move", "mortars": "fire", "enemy": "fire", "final": "enemy"}
        if phase == "enemy" and self.phase == "mortars":
            assert not self.bombardment() or self.is_bombarded
        elif phase == "final" and self.phase == "move":
            assert body["turn"] == self.turn - 1
        else:
            assert self.phase in (after[phase], ""), (self.phase, phase)
        if self.phase == "enemy":
            assert {e["hex"] for e in self.position["enemy"]} <= self.activated
            assert self.mortars == "over"
        if phase == "move":
            assert body["turn"] == self.turn + 1 <= 20
        self.turn, self.phase = body["turn"], phase
        if phase == "fire":
            self.fired_on = set()
        if phase == "enemy":
            for p in self.position["platoons"]:
                p["state"] = "fresh"
            if not (self.called_now() and self.call and self.call[1] == "smoke"):
                self.position["smoke"] = []
            self.activated, self.mortars, self.shot_armour = set(), "to roll", False

    def called_now(self) -> bool:
        """Whether the player's mortars were called this turn."""
        return self.call is not None and self.call[2] == self.turn

    # --- the player's turn

    def moved(self, body: dict[str, Any]) -> None:
        """A legal move, an entry or a departure. [Movement]"""
        id_, path, facing = body["unit"], body["path"], body.get("facing")
        self.in_phase("move", first_turn=True)
        assert id_ not in self.fates
        left = {"": "", "withdrew": WITHDRAWN, "exploited": EXPLOITS}[body.get("left", "")]
        if body.get("entered"):
            assert all(p["id"] != id_ for p in self.position["platoons"]) and not left
            assert path[-1] in entry_hexes(self.position, id_) and len(path) <= 2
            piece = {"id": id_, "hex": path[-1], "state": "spent"}
            assert facing in ((5, 0, 1) if rules.is_armour(id_) else (None,))
            self.position["platoons"].append(piece if facing is None else {**piece, "facing": facing})
            return
        piece = rules.platoon(self.position, id_)
        assert path[0] == piece["hex"]
        assert (left or path[-1], facing) in legal_moves(self.position, id_)
        if left:
            self.gone(id_, left)
            return
        piece |= {"hex": path[-1], "state": "spent"} | ({} if facing is None else {"facing": facing})

    def in_phase(self, phase: str, first_turn: bool = False) -> None:
        """The game begins in the move phase of turn 1 without saying so."""
        if first_turn and self.phase == "":
            self.phase, self.turn = "move", 1
        assert self.phase == phase, (self.phase, phase)

    def gone(self, id_: str, fate: str) -> None:
        """A platoon leaves the board for good."""
        self.fates[id_] = fate
        self.position["platoons"] = [p for p in self.position["platoons"] if p["id"] != id_]

    def faced(self, body: dict[str, Any]) -> None:
        """Fresh armour turns in the fire phase. [Fire Attacks]"""
        self.in_phase("fire")
        piece = rules.platoon(self.position, body["unit"])
        assert rules.is_armour(piece["id"]) and rules.fresh(piece)
        piece["facing"] = body["facing"]

    def called(self, body: dict[str, Any]) -> None:
        """The player's mortars: before any fire, spotted, walked by one hex at most. [Mortars]"""
        self.in_phase("fire")
        assert not self.fired_on and not self.called_now()
        last = self.call[0] if self.call is not None and self.call[2] == self.turn - 1 else None
        smoke = body["ammo"] == "smoke"
        targets = rules.smoke_targets if smoke else rules.shell_targets
        assert body["hex"] in targets(self.position, last)
        if smoke:
            assert self.smoke_left > 0
            self.smoke_left -= 1
        self.call = (body["hex"], body["ammo"], self.turn)

    def commit(self, shots: list[dict[str, Any]]) -> None:
        """All who fire on a hex commit themselves before any of them is rolled. [Fire Attacks]"""
        self.in_phase("fire")
        ids = [body["unit"] for body in shots]
        target = shots[0]["target"]
        assert len(set(ids)) == len(ids) and {body["target"] for body in shots} == {target}
        assert target not in self.fired_on
        assert len({rules.company(i) for i in ids} - {None}) <= 1
        for body in shots:
            piece = rules.platoon(self.position, body["unit"])
            assert rules.may_fire(self.position, piece["id"], target)
            if rules.is_armour(piece["id"]):
                facing = body.get("facing")
                piece["facing"] = piece["facing"] if facing is None else facing
                assert in_arc(centre(piece["hex"]), piece["facing"], centre(target))
        modifiers = {i: rules.fire_modifier(self.position, i, target) for i in ids}
        close = all(distance(rules.platoon(self.position, i)["hex"], target) == 1 for i in ids)
        self.volley = (target, ids, modifiers, close)
        self.fired_on.add(target)

    def shot(self, body: dict[str, Any]) -> None:
        """One shot of a volley. [Fire Attacks]"""
        assert self.volley is not None
        target, _, modifiers, close = self.volley
        id_, die = body["unit"], body["die"]
        score = die + modifiers[id_]
        assert (added(body), body["score"]) == (modifiers[id_], score), (body, modifiers[id_])
        effect = "none"
        if target in rules.enemy_hexes(self.position) and score >= 2:
            there = rules.counter(self.position, target)
            effect = "spent"
            there["state"] = "spent"
            if close and score >= 4 and there["revealed"]:
                if rules.is_infantry(id_):
                    effect = "broken"
                    self.broken["guns"] += there["atg"] == "real"
                    self.broken["platoons"] += 1
                    self.position["enemy"].remove(there)
                elif there["atg"] == "real":
                    effect = "guns broken"
                    self.broken["guns"] += 1
                    there["atg"] = "removed"
        assert body["effect"] == effect, (body, effect)
        rules.platoon(self.position, id_)["state"] = "spent"
        out = False
        if rules.is_rifle(id_):
            self.ammo = (self.ammo + 1) % 8
            out = self.ammo == 0
        assert (body["ammo"], bool(body.get("withdrew"))) == (self.ammo, out)
        if out:
            self.gone(id_, "out of ammunition")

    # --- what falls on hexes

    def scattered(self, body: dict[str, Any]) -> None:
        """Bombs come down round a corner of the target; smoke stays, shells are rolled for. [Mortars]"""
        if body["cause"] == "mortars":
            self.in_phase("mortars")
            assert self.called_now() and self.call is not None
            target, ammo = self.call[0], self.call[1]
        else:
            self.in_phase("enemy")
            assert self.mortars == "called" and rules.enemy_hexes(self.position) <= self.activated
            target, ammo = self.position["enemy_mortar"], "he"
            self.mortars = "over"
        hexes = scatter(target, body["die"])
        assert (body["target"], body["ammo"], set(body["hexes"])) == (target, ammo, hexes)
        if ammo == "smoke":
            self.position["smoke"] = sorted(hexes)
            return
        there = {h for h in hexes if rules.infantry_in(self.position, h) or h in rules.enemy_hexes(self.position)}
        assert set(body.get("to_roll", ())) == there
        self.pending = (body["cause"], there, "")

    def fell(self, body: dict[str, Any]) -> None:
        """One hex under fire or bombs. [Enemy Fire; Mortars]"""
        cause, hexes, by = self.pending
        hex_ = body["hex"]
        assert body["cause"] == cause and hex_ in hexes
        hexes.remove(hex_)
        modifier = rules.infantry_modifier(self.position, by, hex_) if by else 0
        assert modifier is not None
        score = body["die"] + modifier
        assert (added(body), body["score"], bool(body["hit"])) == (modifier, score, score >= 2)
        here = rules.infantry_in(self.position, hex_)
        assert set(body.get("spent", ())) == {p["id"] for p in here if rules.fresh(p) and score >= 2}
        losses = 0
        if score >= 2:
            for p in here:
                p["state"] = "spent"
            if not by and hex_ in rules.enemy_hexes(self.position):
                rules.counter(self.position, hex_)["state"] = "spent"
            losses = len(here) * (2 if by and distance(by, hex_) == 1 else 1)
        assert (body.get("losses", 0), body["track"]) == (losses, (self.losses + losses) % 8)
        self.owed[hex_] += min(len(here), (self.losses + losses) // 8)
        self.losses = (self.losses + losses) % 8

    def broke(self, body: dict[str, Any]) -> None:
        """An infantry platoon in the hex where losses went round. [Enemy Fire]"""
        assert self.owed[body["hex"]] > 0
        self.owed[body["hex"]] -= 1
        assert body["unit"] in [p["id"] for p in rules.infantry_in(self.position, body["hex"])]
        self.gone(body["unit"], "broken")

    def bombardment(self) -> set[str]:
        """Potential counters in a line of fire of any platoon, in turn 1. [Sequence of Play]"""
        return {
            e["hex"]
            for e in self.position["enemy"]
            if self.turn == 1
            and not e["revealed"]
            and any(
                distance(h, e["hex"]) <= REACH and rules.terrain_line(self.position, h, e["hex"]) != "blocked"
                for h in rules.platoon_hexes(self.position)
            )
        }

    def bombarded(self, body: dict[str, Any]) -> None:
        """The preliminary bombardment."""
        self.in_phase("mortars")
        assert {h for h, _ in body["dice"]} == self.bombardment() and not self.is_bombarded
        self.is_bombarded = True
        for hex_, die in body["dice"]:
            if die >= 2:
                rules.counter(self.position, hex_)["state"] = "spent"

    # --- the defenders [Enemy Decisions]

    def mortars_tried(self, body: dict[str, Any]) -> None:
        """Not in successive turns; 6 when the player has lost more, else 5 or 6."""
        self.in_phase("enemy")
        assert self.mortars == "to roll"
        self.position["enemy_mortar"] = None
        possible = self.enemy_call_turn != self.turn - 1 and bool(rules.enemy_mortar_targets(self.position))
        own_broken = sum(fate == "broken" for fate in self.fates.values())
        need = 6 if own_broken > self.broken["platoons"] else 5
        assert bool(body["die"]) == possible
        assert (body["need"], bool(body["available"])) == (need, possible and body["die"] >= need)
        self.mortars = "to aim" if body["available"] else "over"

    def drawn(self, body: dict[str, Any]) -> None:
        """A die among what the printed priorities leave equal."""
        among = body["among"]
        if body["what"] == "mortar target":
            assert set(among) == rules.enemy_mortar_choices(self.position)
        elif body["what"] == "armour":
            guns = rules.counter(self.position, body["hex"])["atg"] == "real"
            assert set(among) == rules.best_armour(self.position, body["hex"], guns)[1]
        else:
            own = set(rules.best_clusters(self.position, body["hex"])[1])
            assert {frozenset(cluster.split("+")) for cluster in among} == own
        assert len(among) > 1 and 1 <= body["die"] <= len(among)

    def aimed(self, body: dict[str, Any]) -> None:
        """The enemy's mortars."""
        assert self.mortars == "to aim" and body["hex"] in rules.enemy_mortar_choices(self.position)
        self.position["enemy_mortar"], self.enemy_call_turn = body["hex"], self.turn
        self.mortars = "called"

    def acting(self, hex_: str, asked: list[str], state: str) -> rules.Piece:
        """The counter whose turn it is, when nothing of it is to be shown first."""
        self.in_phase("enemy")
        assert self.mortars in ("called", "over")
        assert hex_ == next(h for h in rules.activation_order(self.position) if h not in self.activated)
        assert rules.tests_to_reveal(self.position, hex_)[: len(asked) or None] == asked
        found = rules.counter(self.position, hex_)
        assert state in ("", found["state"])
        return found

    def done(self, hex_: str) -> None:
        """The counter has acted."""
        self.activated.add(hex_)
        self.shot_armour = False

    def lurked(self, body: dict[str, Any]) -> None:
        """Fresh potential counters that need not be shown."""
        for hex_, payoff, chances in body["counters"]:
            found = self.acting(hex_, [], "fresh")
            assert not found["revealed"] and payoff == rules.best_clusters(self.position, hex_)[0]
            guns = found["atg"] == "potential"
            assert chances == (rules.best_armour(self.position, hex_, atg=True)[0] if guns else 0)
            self.done(hex_)

    def rallied(self, body: dict[str, Any]) -> None:
        """A spent counter becomes fresh instead of firing."""
        self.acting(body["hex"], [], "spent")["state"] = "fresh"
        self.done(body["hex"])

    def tested(self, body: dict[str, Any]) -> None:
        """A platoon or ATGs are shown, or are not there."""
        hex_, what = body["hex"], {"platoon": "platoon", "guns": "atg"}[body["what"]]
        if self.phase == "final":
            found = rules.counter(self.position, hex_)
            assert found["revealed"] == (what == "atg") and (what == "platoon" or found["atg"] == "potential")
        else:
            found = self.acting(hex_, [what], "")
        modifier = rules.reveal_modifier(self.position, hex_, what, self.seen["platoons"], self.seen["guns"])
        score = body["die"] + modifier
        assert (added(body), body["score"], bool(body["real"])) == (modifier, score, score >= 5)
        if score >= 5:
            self.seen["platoons"] += not found["revealed"]
            found["revealed"] = True
            if what == "atg":
                self.seen["guns"] += 1
                found["atg"] = "real"
        elif what == "platoon":
            self.position["enemy"].remove(found)
        else:
            found["atg"] = "removed"

    def armour_shot(self, body: dict[str, Any]) -> None:
        """A real, fresh platoon's first fire. [Enemy Fire]"""
        hex_, id_ = body["hex"], body["unit"]
        found = self.acting(hex_, [], "fresh")
        guns = found["atg"] == "real"
        assert found["revealed"] and not self.shot_armour
        assert id_ in rules.best_armour(self.position, hex_, guns)[1]
        modifier = rules.armour_modifier(self.position, hex_, id_, guns)
        assert modifier is not None
        assert bool(body["broken"]) == (body["die"] + modifier >= 2)
        self.shot_armour = True
        if body["broken"]:
            self.gone(id_, "broken")

    def engaged(self, body: dict[str, Any]) -> None:
        """Its second fire, on the cluster with the most payoff."""
        hex_ = body["hex"]
        self.fires_no_more_on_armour(hex_)
        payoff, clusters = rules.best_clusters(self.position, hex_)
        assert frozenset(body["cluster"]) in clusters and body["payoff"] == payoff
        self.pending = ("enemy fire", set(body["cluster"]), hex_)
        self.done(hex_)

    def passed(self, body: dict[str, Any]) -> None:
        """Nothing that it could hit."""
        self.fires_no_more_on_armour(body["hex"])
        assert rules.best_clusters(self.position, body["hex"])[0] == 0
        self.done(body["hex"])

    def fires_no_more_on_armour(self, hex_: str) -> None:
        """A real, fresh counter that has fired on armour or can break none."""
        found = self.acting(hex_, [], "fresh")
        assert found["revealed"]
        assert self.shot_armour or rules.best_armour(self.position, hex_, found["atg"] == "real")[0] == 0

    # --- the end

    def finished(self, body: dict[str, Any]) -> None:
        """Everything is uncovered and counted. [Victory]"""
        self.in_phase("final")
        enemy, fates = self.position["enemy"], Counter(self.fates.values())
        assert all(e["revealed"] and e["atg"] != "potential" for e in enemy)
        total = victory_points(
            len(enemy),
            sum(e["atg"] == "real" for e in enemy),
            self.broken["platoons"],
            self.broken["guns"],
            fates[EXPLOITS],
            fates["broken"],
            self.turn,
            self.easier,
        )
        assert (body["total"], body["winner"]) == (total, "attacker" if total >= 20 else "defender")
