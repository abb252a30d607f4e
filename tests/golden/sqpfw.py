#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""sqpfw.py - make solves.tsv and paths.tsv of tests/golden/sqpfw (and its
iris60x4.csv, of two classes of iris): minima of

    F(w) = theta / n sum_i (d_i - e_i) + |w - prior|^2 / 2, w >= 0, sum w = 1

    d_i  the k-th smallest weighted squared distance of row i to its class
    e_i  the k-th smallest to the other classes

by the sequential quadratic programming of Takeuchi and Sugiyama, with all
pairs of rows, and matrices that are factored anew at each step.

Each ordered pair (i, j) is below, at or above the target distance of row i
(side -1, 0, 1).  Of the pairs at it, one is the target, the others are ties.
The active set is the ties and the features of weight 0.  A step is

    1. project v - w, v = prior - theta g, g = dF / dtheta, on the space in
       which the active set stays: dw, and the multipliers y
    2. dw = 0: release the pair or feature whose multiplier has the wrong sign
       most; where none has, take up pairs that are at their target distance
       by accident, if that allows to release one; else w is the minimum
    3. otherwise go up to w + dw; the first pair or feature in the way becomes
       active

The path goes on from a minimum: w and the multipliers are linear in theta
until a pair enters, or a multiplier changes its sign; then F is minimised
anew, from there.  Pairs of the same row whose differences are equal in all
features tie for any w: one stands for all, with their number.
"""
import numpy as np

import table

SETS = ["gauss40x5", "three60x6", "iris60x4", "dup36x5"]
HIT, MISS = 0, 1


class Solver:
    def __init__(self, X, y, k, theta):
        self.k, self.theta = k, theta
        self.n, self.p = n, p = X.shape
        self.prior = np.full(p, 1 / p)
        self.D = (X[:, None] - X[None]) ** 2
        self.kind = np.where(y[:, None] == y[None], HIT, MISS)
        self.alive = ~np.eye(n, dtype=bool)
        self.count = self.alive.astype(int)  # the pairs that one stands for
        self.merge()
        self.w = self.prior.copy()
        self.free = self.w > 0
        self.moves = 0
        self.rank()

    def group(self, i, kind):
        return np.flatnonzero((self.kind[i] == kind) & self.alive[i])

    def merge(self, tol=1e-9):
        """Let one pair stand for all of a row that have equal differences."""
        v = np.random.default_rng(1).uniform(.5, 1.5, self.p)
        key = self.D @ v
        for i in range(self.n):
            for kind in (HIT, MISS):
                of = self.group(i, kind)
                last = -1
                for j in of[np.argsort(key[i, of], kind="stable")]:
                    if last >= 0 and \
                            key[i, j] - key[i, last] <= \
                            tol * (1 + key[i, last]) and \
                            np.abs(self.D[i, j] - self.D[i, last]).max() <= \
                            tol * (1 + self.D[i, last].max()):
                        self.count[i, last] += 1
                        self.count[i, j] = 0
                        self.alive[i, j] = False
                    else:
                        last = j

    def rank(self):
        """Sides and targets of w, ties by index."""
        n = self.n
        self.far = self.D @ self.w
        self.side = np.ones((n, n), int)
        self.target = np.zeros((n, 2), int)
        self.ties = []
        for i in range(n):
            for kind in (HIT, MISS):
                of = self.group(i, kind)
                of = of[np.argsort(self.far[i, of], kind="stable")]
                q = np.searchsorted(np.cumsum(self.count[i, of]), self.k)
                self.side[i, of[:q]] = -1
                self.side[i, of[q]] = 0
                self.target[i, kind] = of[q]
        rows = np.arange(n)
        self.g = (self.D[rows, self.target[:, HIT]] -
                  self.D[rows, self.target[:, MISS]]).sum(axis=0) / n

    def tied(self, i, kind, side):
        """How many pairs of a row are on a side."""
        of = self.group(i, kind)
        return self.count[i, of[self.side[i, of] == side]].sum()

    def row(self, i, j):
        """What must stay 0 for the pair to stay a tie: row dw."""
        return self.D[i, j] - self.D[i, self.target[i, self.kind[i, j]]]

    def rows(self):
        return np.array([np.ones(self.p)] + [self.row(*t) for t in self.ties])

    def project(self, v):
        """v on the space in which the active set stays, and multipliers."""
        C = self.rows()
        Q, R = np.linalg.qr(C[:, self.free].T)
        z = Q.T @ v[self.free]
        r = v[self.free] - Q @ z
        dw = np.zeros(self.p)
        dw[self.free] = r - Q @ (Q.T @ r)
        self.Q = Q
        return dw, np.linalg.solve(R, z), C

    def pull(self):
        return self.prior - self.theta * self.g - self.w

    def of_pairs(self, y, sum_of):
        """The multipliers of all ties and of their targets."""
        groups = {}
        for (i, j), value in zip(self.ties, y[1:]):
            groups.setdefault((i, self.kind[i, j]), []).append((j, value))
        for (i, kind), of in groups.items():
            for j, value in of:
                yield i, j, kind, value
            rest = sum_of if kind == HIT else -sum_of
            yield i, self.target[i, kind], kind, \
                rest / self.n - sum(value for _, value in of)

    def way_out(self, i, j, kind, value, tol):
        """To which side the pair goes by its multiplier; 0: it stays."""
        below = self.tied(i, kind, -1)
        if value < -tol and below + self.count[i, j] <= self.k - 1:
            return -1
        if value > tol and \
                below + self.tied(i, kind, 0) - self.count[i, j] >= self.k:
            return 1
        return 0

    def release(self, i, j, kind, side):
        self.side[i, j] = side
        if self.target[i, kind] != j:
            self.ties.remove((i, j))
            return
        new = next(t for t in self.ties
                   if t[0] == i and self.kind[t] == kind)
        self.ties.remove(new)
        sign = 1 if kind == HIT else -1
        self.g = self.g + sign * (self.D[new] - self.D[i, j]) / self.n
        self.target[i, kind] = new[1]

    def release_one(self, y, C, v):
        """Release what has the wrong sign most; whether there is one."""
        alpha = v - C.T @ y
        tol = 1e-10 * max(self.theta, 1e-6) / self.n
        most, what = 0, None
        for f in np.flatnonzero(~self.free):
            if alpha[f] > max(most, 1e-12 * max(1, np.abs(v).max())):
                most, what = alpha[f], f
        for i, j, kind, value in self.of_pairs(y, self.theta):
            side = self.way_out(i, j, kind, value, tol)
            if side and abs(value) > most:
                most, what = abs(value), (i, j, kind, side)
        if what is None:
            return False
        if isinstance(what, tuple):
            self.release(*what)
        else:
            self.free[what] = True
        return True

    def gaps(self, far):
        """Of all pairs, the distance less that of their target."""
        rows = np.arange(self.n)
        hit, miss = (far[rows, self.target[:, kind]][:, None]
                     for kind in (HIT, MISS))
        return far - np.where(self.kind == HIT, hit, miss)

    def first_in_way(self, dw):
        """How far w may go along dw, and the pair or feature it meets."""
        step, what = np.inf, None
        down = self.free & (dw < -1e-15)
        for f in np.flatnonzero(down):
            if self.w[f] / -dw[f] < step:
                step, what = max(self.w[f] / -dw[f], 0.0), f
        rate, gap = self.gaps(self.D @ dw), self.gaps(self.far)
        tol = max(1e-11 * np.abs(self.D @ dw).max(), 1e-300)
        met = self.alive & (((self.side < 0) & (rate > tol)) |
                            ((self.side > 0) & (rate < -tol)))
        gap = np.where(self.side < 0, np.minimum(gap, 0), np.maximum(gap, 0))
        reach = np.where(met, -gap / np.where(met, rate, 1), np.inf)
        for q in np.argsort(reach, axis=None, kind="stable"):
            if not reach.flat[q] < step:
                break
            i, j = divmod(int(q), self.n)
            if self.is_new(self.row(i, j), self.Q, 1e-8):
                return max(reach[i, j], 0.0), (i, j)
        return step, what

    def is_new(self, row, Q, tol):
        """Whether the row does not depend on those of the active set."""
        r = row[self.free]
        return np.linalg.norm(r - Q @ (Q.T @ r)) > tol * np.linalg.norm(r)

    def activate(self, what):
        if isinstance(what, tuple):
            self.side[what] = 0
            self.ties.append(what)
        else:
            self.free[what] = False
            self.w[what] = 0.0

    def move(self, step, dw):
        self.w = self.w + step * dw
        self.far = self.far + step * (self.D @ dw)
        self.moves += 1
        if self.moves % 50 == 0:
            self.w[~self.free] = 0
            self.w[self.free] += (1 - self.w.sum()) / self.free.sum()
            self.far = self.D @ self.w

    def take_accidents(self):
        """Make pairs ties that are at their target distance anyway."""
        gap, found = self.gaps(self.far), False
        tol = 1e-11 * max(self.far.max(), 1e-300)
        for i, j in np.argwhere(self.alive & (self.side != 0) &
                                (np.abs(gap) <= tol)):
            A, r = self.rows()[:, self.free], self.row(i, j)[self.free]
            if len(A) >= self.free.sum():
                break
            Q = np.linalg.qr(A.T)[0]
            off = np.abs(r - Q @ (Q.T @ r)).max()
            if off > 1e-9 * np.abs(r).max() and np.abs(r).max() > 1e-12:
                self.activate((i, j))
                found = True
        return found

    def accidents(self):
        """Whether these allow to go on; without them, if not."""
        ties, side = list(self.ties), self.side.copy()
        if not self.take_accidents():
            return False
        v = self.pull()
        dw, y, C = self.project(v)
        if np.abs(dw).max() >= 1e-12 or self.release_one(y, C, v):
            return True
        self.ties, self.side = ties, side
        return False

    def solve(self):
        for _ in range(200000):
            v = self.pull()
            dw, y, C = self.project(v)
            if np.abs(dw).max() < 1e-12:
                if not self.release_one(y, C, v) and not self.accidents():
                    return
                continue
            step, what = self.first_in_way(dw)
            self.move(min(step, 1.0), dw)
            if step < 1:
                self.activate(what)
        raise ArithmeticError("no minimum")

    def objective(self):
        return self.theta * self.g @ self.w + \
            ((self.w - self.prior) ** 2).sum() / 2

    def first_sign(self, y, C, v, slope, direction):
        """How far theta may go until a multiplier changes its sign, and whose
        that is."""
        alpha = v - C.T @ y
        rate = -self.g - direction - C.T @ slope
        step, what = np.inf, None
        for f in np.flatnonzero(~self.free):
            if rate[f] > 1e-13 and max(-alpha[f] / rate[f], 0) < step:
                step, what = max(-alpha[f] / rate[f], 0), f
        for (i, j, kind, value), (_, _, _, r) in zip(
                self.of_pairs(y, self.theta), self.of_pairs(slope, 1.0)):
            side = self.way_out(i, j, kind, r, 1e-15)
            if side and max(-value / r, 0) < step:
                step, what = max(-value / r, 0), (i, j, kind, side)
        return step, what

    def path(self):
        """theta, F(w), and how far w jumps, at each breakpoint, and once more
        at the last."""
        self.solve()
        yield 0.0, self.objective(), 0.0
        while True:
            v = self.pull()
            _, y, C = self.project(v)
            direction, slope, _ = self.project(-self.g)
            out, leaves = self.first_sign(y, C, v, slope, direction)
            moves = np.abs(direction).max() > 1e-13
            into, enters = self.first_in_way(direction) if moves \
                else (np.inf, None)
            step = min(into, out)
            if not np.isfinite(step):
                yield self.theta, self.objective(), 0.0
                return
            if moves:
                self.move(step, direction)
            self.theta += step
            before = self.w.copy()
            if into <= out:
                self.activate(enters)
            elif isinstance(leaves, tuple):
                self.release(*leaves)
            else:
                self.free[leaves] = True
            self.solve()
            yield self.theta, self.objective(), np.abs(self.w - before).max()


def standardised(name):
    rows = table.data("sqpfw/%s.csv" % name)
    X, sd = rows[:, :-1], rows[:, :-1].std(axis=0)
    return (X - X.mean(axis=0)) / np.where(sd > 0, sd, 1), rows[:, -1]


def write_iris():
    X, y = table.iris()
    of = np.r_[50:80, 100:130]
    table.write_data("sqpfw/iris60x4.csv", ["x1", "x2", "x3", "x4", "class"],
                     X[of], [y[i] for i in of])


def main():
    write_iris()
    lines = []
    for name in SETS:
        for k in (1, 2, 3):
            for theta in (.05, .2, 1.):
                solver = Solver(*standardised(name), k, theta)
                solver.solve()
                lines.append([name, str(k), str(theta),
                              table.decimals(solver.objective(), 10),
                              table.joined(solver.w, table.decimals, 13)])
    table.write("sqpfw/solves.tsv",
                ["data", "k", "theta", "objective", "weights"], lines)
    lines = []
    for name in SETS[:2]:
        for k in (1, 2):
            for theta, objective, jump in Solver(*standardised(name), k,
                                                 0.).path():
                lines.append([name, str(k), table.decimals(theta, 11),
                              table.decimals(objective, 11),
                              table.decimals(jump, 6)])
    table.write("sqpfw/paths.tsv",
                ["data", "k", "theta", "objective", "jump"], lines)


if __name__ == "__main__":
    main()
