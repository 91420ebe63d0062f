"""The least squares behind ``calibration.joint``: squares of known size seen by several cameras.

Unknowns, in this order: per photo its lens (9, whitened by its prior), a small turn (3) and t (3); per shared lens what
its photos have in common (9, whitened); the print's scale; per frame marker its true offset (right, away, up, turn,
size, whitened by the layout's tolerance); per tie, a tag seen in several photos, x, y and direction (free), height,
tilt about both axes and size (whitened); where photos are anchored, errors of the table's corners (8, whitened). A
sight's own bleed of light over a square's edges, and the lens's deviation from its model there, are integrated out:
they correlate the eight coordinates of the square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration._anchors import Anchors
from calibration.projection import cross_matrices, project_with_jacobian, turn

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

VIEW = 15
LENS = 9
MARKER = 5  # right, away, up, turn, size
TIE = 7  # x, y, turn, up, two tilts, size
OFF_PIXELS = np.tile(np.eye(2), (4, 1))  # (8, 2): how a square's eight coordinates move when it strays as a whole


@dataclass(frozen=True, eq=False)
class Lens:
    """One photo's lens: parameters = mean + common @ g + own @ d, with d its own and g shared by its ``group`` (-1: it
    shares with no other)."""

    mean: Array
    common: Array
    own: Array
    group: int


@dataclass(frozen=True, eq=False)
class Squares:
    """Every sight of a square, row by row: in ``photo`` (n,), of the marker or tie ``row`` (n,), ``is_tie`` (n,), the
    seen corners ``pixels`` (n, 4, 2) with stated noise ``sigma_px`` (n,), ``outward`` (n, 4, 2) how they move when
    light bleeds by a pixel."""

    photo: IntArray
    row: IntArray
    is_tie: npt.NDArray[np.bool_]
    pixels: Array
    sigma_px: Array
    outward: Array

    def __len__(self) -> int:
        return len(self.photo)


@dataclass(frozen=True, eq=False)
class Shapes:
    """What is known of the squares: the markers' ``centers`` (m, 2), ``offsets`` (m, 4, 2) of their corners, inches,
    and the ``spreads`` (m, 5) of their offsets; the ties' heights (k, 2: mean, sigma) and ``sides`` (k,), and the
    spreads of a tie's tilt and size."""

    centers: Array
    offsets: Array
    spreads: Array
    tie_heights: Array
    tie_sides: Array
    tie_tilt: float
    tie_size: float
    print_scale: float


@dataclass(frozen=True, eq=False)
class State:
    """One step of a descent: the unknowns ``x`` (n,), with small turns of zero, and the rotations ``R`` (p, 3, 3)
    that small turns are relative to."""

    x: Array
    R: Array


@dataclass(frozen=True, eq=False)
class Linear:
    """A problem linearised: ``raw`` residuals (n, 4, 2) px, the whitened ones (8n,) with their ``jacobian`` (8n, u),
    and ``settle`` (n, 8, 8), which takes stray and bleed off stated-noise residuals; what anchored photos ``miss``
    (15a,) of their own solutions, whitened, with its Jacobian ``held`` (15a, u)."""

    raw: Array
    residuals: Array
    jacobian: Array
    settle: Array
    miss: Array
    held: Array

    def normal(self, bound: Array) -> Array:
        """The normal matrix (u, u), with the unknowns' own priors ``bound`` (u,)."""
        return np.asarray(self.jacobian.T @ self.jacobian + self.held.T @ self.held + np.diag(bound), dtype=np.float64)


class Problem:
    """Residuals and derivatives, at the noise ``weights`` (n, 4) of the corners (1 / px)."""

    def __init__(
        self,
        lenses: Sequence[Lens],
        squares: Squares,
        shapes: Shapes,
        weights: Array,
        bleed_px: float,
        stray_px: Array,
        anchors: Anchors,
    ) -> None:
        self.lenses, self.squares, self.shapes = lenses, squares, shapes
        self.weights, self.bleed_px, self.stray_px, self.anchors = weights, bleed_px, stray_px, anchors
        photos, groups = len(lenses), 1 + max(lens.group for lens in lenses)
        self.groups_at = VIEW * photos
        self.scale_at = self.groups_at + LENS * groups
        self.markers_at = self.scale_at + 1
        self.ties_at = self.markers_at + MARKER * len(shapes.centers)
        self.outline_at = self.ties_at + TIE * len(shapes.tie_sides)
        self.size = self.outline_at + anchors.unknowns
        bound = np.ones(self.size)
        for k in range(photos):
            bound[VIEW * k + LENS : VIEW * (k + 1)] = 0.0
        for k in anchors.photos:
            bound[VIEW * k : VIEW * k + LENS] = 0.0
        bound[self.ties_at : self.outline_at].reshape(-1, TIE)[:, :3] = 0.0
        self.bound = bound
        self.whiten, self.settle = self._whitening_roots()

    def with_spreads(self, spreads: Array) -> Array:
        """Factors (u,) on the unknowns' columns when the markers' spreads (m, 5) are others."""
        ratio = np.ones(self.size)
        ratio[self.markers_at : self.ties_at] = (spreads / self.shapes.spreads).ravel()
        return ratio

    def camera(self, x: Array, k: int) -> Array:
        """Camera parameters (9,) of photo ``k``."""
        lens = self.lenses[k]
        parameters = lens.mean + lens.own @ x[VIEW * k : VIEW * k + LENS]
        if lens.group >= 0:
            at = self.groups_at + LENS * lens.group
            parameters = parameters + lens.common @ x[at : at + LENS]
        return np.asarray(parameters, dtype=np.float64)

    def view_map(self) -> Array:
        """The matrix (15p, u) that takes steps of the unknowns to steps of the views' own parameters."""
        out = np.zeros((VIEW * len(self.lenses), self.size))
        for k, lens in enumerate(self.lenses):
            at = VIEW * k
            out[at : at + LENS, at : at + LENS] = lens.own
            out[at + LENS : at + VIEW, at + LENS : at + VIEW] = np.eye(6)
            if lens.group >= 0:
                g = self.groups_at + LENS * lens.group
                out[at : at + LENS, g : g + LENS] = lens.common
        return out

    def apply_step(self, state: State, step: Array) -> State:
        """The state after a step (u,)."""
        x = state.x + step
        R = state.R.copy()
        for k in range(len(self.lenses)):
            at = slice(VIEW * k + LENS, VIEW * k + LENS + 3)
            R[k] = turn(x[at]) @ state.R[k]
            x[at] = 0.0
        return State(x, R)

    def linear(self, state: State) -> Linear:
        """Residuals and Jacobian at a state."""
        table, by_square = self._table_points(state.x)
        n = len(self.squares)
        jacobian = np.zeros((n, 8, self.size))
        raw = np.zeros((n, 4, 2))
        columns = self._columns()
        for k, lens in enumerate(self.lenses):
            rows = np.flatnonzero(self.squares.photo == k)
            x, R = state.x, state.R[k]
            turned = table[rows].reshape(-1, 3) @ R.T
            t = x[VIEW * k + LENS + 3 : VIEW * (k + 1)]
            pixels, by_point, by_camera = project_with_jacobian(turned + t, self.camera(x, k))
            raw[rows] = pixels.reshape(-1, 4, 2) - self.squares.pixels[rows]
            at = VIEW * k
            count = len(rows)
            part = np.zeros((count, 8, self.size))
            part[:, :, at : at + LENS] = (by_camera @ lens.own).reshape(count, 8, LENS)
            part[:, :, at + LENS : at + LENS + 3] = (by_point @ -cross_matrices(turned)).reshape(count, 8, 3)
            part[:, :, at + LENS + 3 : at + VIEW] = by_point.reshape(count, 8, 3)
            if lens.group >= 0:
                g = self.groups_at + LENS * lens.group
                part[:, :, g : g + LENS] = (by_camera @ lens.common).reshape(count, 8, LENS)
            by_table = (by_point @ R).reshape(count, 4, 2, 3)
            shape = np.einsum("ncij,ncjp->ncip", by_table, by_square[rows]).reshape(count, 8, TIE + 1)
            for j, row in enumerate(rows):
                part[j][:, columns[row]] += shape[j]
            jacobian[rows] = part
        weight = np.repeat(self.weights, 2, axis=1)
        whitened = np.einsum("nij,nj->ni", self.whiten, raw.reshape(n, 8) * weight)
        jacobian = self.whiten @ (jacobian * weight[:, :, None])
        miss, held = self._anchor_residuals(state)
        return Linear(raw, whitened.ravel(), jacobian.reshape(8 * n, self.size), self.settle, miss, held)

    def _anchor_residuals(self, state: State) -> tuple[Array, Array]:
        """What anchored photos miss of their own solutions (15a,), and its Jacobian (15a, u)."""
        anchors, x = self.anchors, state.x
        miss, held = np.zeros((len(anchors.photos), VIEW)), np.zeros((len(anchors.photos), VIEW, self.size))
        for row, k in enumerate(anchors.photos):
            at, t = VIEW * k, x[VIEW * k + LENS + 3 : VIEW * (k + 1)]
            miss[row], by_view, by_outline = anchors.miss(row, self.camera(x, k), state.R[k], t, x[self.outline_at :])
            held[row, :, at : at + LENS] = by_view[:, :LENS] @ self.lenses[k].own
            held[row, :, at + LENS : at + VIEW] = by_view[:, LENS:]
            held[row, :, self.outline_at :] = by_outline
        return miss.ravel(), held.reshape(-1, self.size)

    def cost(self, state: State) -> float:
        """Half the sum of squares at the present weights; infinite behind a camera."""
        table, _ = self._table_points(state.x)
        n = len(self.squares)
        raw = np.zeros((n, 4, 2))
        for k in range(len(self.lenses)):
            rows = np.flatnonzero(self.squares.photo == k)
            points = table[rows].reshape(-1, 3) @ state.R[k].T + state.x[VIEW * k + LENS + 3 : VIEW * (k + 1)]
            camera = self.camera(state.x, k)
            if np.any(points[:, 2] <= 0) or min(camera[:2]) <= 0:
                return float("inf")
            pixels, _, _ = project_with_jacobian(points, camera)
            raw[rows] = pixels.reshape(-1, 4, 2) - self.squares.pixels[rows]
        whitened = np.einsum("nij,nj->ni", self.whiten, raw.reshape(n, 8) * np.repeat(self.weights, 2, axis=1))
        miss, _ = self._anchor_residuals(state)
        total = float(np.sum(whitened**2) + np.sum(miss**2) + np.sum(self.bound * state.x**2)) / 2
        return total if np.isfinite(total) else float("inf")

    def _columns(self) -> IntArray:
        """For each sight the eight unknowns for the place of its square, in the order of ``_table_points``."""
        row, is_tie = self.squares.row, self.squares.is_tie
        tie = self.ties_at + TIE * row[:, None] + np.arange(TIE)
        marker = self.markers_at + MARKER * row[:, None] + np.arange(MARKER)
        out = np.full((len(row), TIE + 1), self.scale_at)
        out[is_tie, :TIE] = tie[is_tie]
        out[~is_tie, :MARKER] = marker[~is_tie]
        return out

    def _table_points(self, x: Array) -> tuple[Array, Array]:
        """Corners (n, 4, 3) of every sight's square in table inches, and their derivatives (n, 4, 3, 8) by the
        unknowns that ``_columns`` names."""
        squares, shapes = self.squares, self.shapes
        points = np.zeros((len(squares), 4, 3))
        by = np.zeros((len(squares), 4, 3, TIE + 1))
        rows = squares.row[~squares.is_tie]
        if len(rows):
            laid = (x[self.markers_at : self.ties_at].reshape(-1, MARKER) * shapes.spreads)[rows]
            spread = shapes.spreads[rows]
            growth = laid[:, 4] + shapes.print_scale * x[self.scale_at]
            arm = _arms(shapes.offsets[rows], laid[:, 3], growth)
            p, d = points[~squares.is_tie], by[~squares.is_tie]
            p[..., :2] = shapes.centers[rows][:, None] + laid[:, None, :2] + arm
            p[..., 2] = laid[:, 2, None]
            for axis in range(3):
                d[:, :, axis, axis] = spread[:, axis, None]
            d[:, :, 0, 3], d[:, :, 1, 3] = arm[..., 1] * spread[:, 3, None], -arm[..., 0] * spread[:, 3, None]
            d[:, :, :2, 4] = arm * spread[:, 4, None, None]
            d[:, :, :2, TIE] = arm * shapes.print_scale
            points[~squares.is_tie], by[~squares.is_tie] = p, d
        rows = squares.row[squares.is_tie]
        if len(rows):
            u = x[self.ties_at : self.outline_at].reshape(-1, TIE)[rows]
            mean, sigma = shapes.tie_heights[rows].T
            unit = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
            arm = _arms(shapes.tie_sides[rows, None, None] * unit, u[:, 2], shapes.tie_size * u[:, 6])
            p, d = points[squares.is_tie], by[squares.is_tie]
            p[..., :2] = u[:, None, :2] + arm
            tilt = shapes.tie_tilt * u[:, 4:6]
            p[..., 2] = (mean + sigma * u[:, 3])[:, None] + np.einsum("nci,ni->nc", arm, tilt)
            d[:, :, 0, 0] = d[:, :, 1, 1] = 1.0
            d[:, :, 0, 2], d[:, :, 1, 2] = arm[..., 1], -arm[..., 0]
            d[:, :, 2, 2] = arm[..., 1] * tilt[:, None, 0] - arm[..., 0] * tilt[:, None, 1]
            d[:, :, 2, 3] = sigma[:, None]
            d[:, :, 2, 4:6] = shapes.tie_tilt * arm
            d[:, :, :2, 6] = shapes.tie_size * arm
            d[:, :, 2, 6] = shapes.tie_size * np.einsum("nci,ni->nc", arm, tilt)
            points[squares.is_tie], by[squares.is_tie] = p, d
        return points, by

    def _whitening_roots(self) -> tuple[Array, Array]:
        """For every sight a root (n, 8, 8) of the information of its weighted residuals with bleed and stray
        integrated out, and that information itself."""
        n = len(self.squares)
        own = np.zeros((n, 8, 3))
        own[:, :, 0] = self.bleed_px * self.squares.outward.reshape(n, 8)
        own[:, :, 1:] = self.stray_px[self.squares.photo][:, None, None] * OFF_PIXELS
        own *= np.repeat(self.weights, 2, axis=1)[:, :, None]
        information = np.linalg.inv(np.eye(8) + own @ own.transpose(0, 2, 1))
        root: Array = np.linalg.cholesky(information).transpose(0, 2, 1)
        return root, np.asarray(information, dtype=np.float64)


def _arms(offsets: Array, angle: Array, growth: Array) -> Array:
    """Corners (n, 4, 2) about their centre, turned clockwise by ``angle`` (n,) radians, grown by exp(``growth``)."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    ox, oy = offsets[..., 0], offsets[..., 1]
    turned = np.stack([c * ox + s * oy, -s * ox + c * oy], axis=2)
    return np.asarray(turned * np.exp(growth)[:, None, None], dtype=np.float64)


def descend(problem: Problem, state: State, steps: int = 30) -> tuple[State, float]:
    """Levenberg and Marquardt from a state, to where a step gains next to nothing."""
    cost, damping = problem.cost(state), 1e-4
    for _ in range(steps):
        at = problem.linear(state)
        normal = at.normal(problem.bound)
        gradient = at.jacobian.T @ at.residuals + at.held.T @ at.miss + problem.bound * state.x
        scale = 1.0 / np.sqrt(np.diag(normal))
        scaled = normal * np.outer(scale, scale)
        for _ in range(12):
            step = -scale * np.linalg.solve(scaled + damping * np.eye(len(scaled)), scale * gradient)
            trial = problem.apply_step(state, step)
            new_cost = problem.cost(trial)
            if new_cost < cost:
                break
            damping *= 8
        else:
            return state, cost
        settled = cost - new_cost < 1e-6 * max(cost, 1.0)
        state, cost, damping = trial, new_cost, max(damping * 0.1, 1e-12)
        if settled:
            return state, cost
    return state, cost


@dataclass(frozen=True, eq=False)
class Tangent:
    """A problem linearised at its solution ``x``."""

    problem: Problem
    at: Linear
    x: Array

    def solve(self, spreads: Array) -> tuple[Array, Array, float]:
        """The step (15p,) of the views to the solution at other spreads (m, 5) of the markers, their covariance
        (15p, 15p) and the log evidence."""
        problem = self.problem
        ratio = problem.with_spreads(spreads)
        jacobian, x = self.at.jacobian * ratio, self.x / ratio
        normal = replace(self.at, jacobian=jacobian).normal(problem.bound)
        scale = 1.0 / np.sqrt(np.diag(normal))
        factor = np.linalg.cholesky(normal * np.outer(scale, scale))
        inverse = np.linalg.inv(factor)
        inverse = (inverse.T @ inverse) * np.outer(scale, scale)
        held, miss = self.at.held, self.at.miss
        step = -inverse @ (jacobian.T @ self.at.residuals + held.T @ miss + problem.bound * x)
        left, missed = self.at.residuals + jacobian @ step, miss + held @ step
        cost = (left @ left + missed @ missed + problem.bound @ (x + step) ** 2) / 2
        half_log_det = float(np.sum(np.log(np.diag(factor))) - np.sum(np.log(scale)))
        views = problem.view_map()
        covariance = views @ inverse @ views.T
        return views @ step, (covariance + covariance.T) / 2, float(-cost - half_log_det)


def noise_factors(problem: Problem, at: Linear, sigma_px: Array, trim: Array, dof: float) -> tuple[Array, Array]:
    """How many times noisier than stated each photo's corners are (p,), drawn to one by ``dof`` degrees of freedom, and
    the residuals (n, 4) px net of bleed and stray."""
    n = len(problem.squares)
    weight = np.repeat(problem.weights, 2, axis=1)
    net = np.einsum("nij,nj->ni", at.settle, at.raw.reshape(n, 8) * weight) / weight
    errors = np.linalg.norm(net.reshape(n, 4, 2), axis=2)
    normal = at.normal(problem.bound)
    gain = np.linalg.solve(normal, at.jacobian.T).T.reshape(n, 8, problem.size)
    rows = at.jacobian.reshape(n, 8, problem.size)
    # rows are whitened by W with W'W = settle, and net residuals are W' times whitened ones
    turned = problem.whiten @ problem.whiten.transpose(0, 2, 1)
    used = np.einsum("nij,nju,niu->n", turned, rows, gain, optimize=True)
    free = np.trace(at.settle, axis1=1, axis2=2) - used
    squares = np.sum((trim * errors / sigma_px[:, None]) ** 2, axis=1)
    photos = len(problem.lenses)
    total = np.bincount(problem.squares.photo, weights=squares, minlength=photos)
    spare = np.bincount(problem.squares.photo, weights=free, minlength=photos)
    return np.sqrt((dof + total) / (dof + np.maximum(spare, 0.0))), errors


def with_weights(problem: Problem, weights: Array) -> Problem:
    """The same problem at other corner weights (n, 4)."""
    bleed_px, stray_px, anchors = problem.bleed_px, problem.stray_px, problem.anchors
    return Problem(problem.lenses, problem.squares, problem.shapes, weights, bleed_px, stray_px, anchors)
