#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""wsvm.py - make solutions.tsv and events.tsv of tests/golden/wsvm from the
problems in problems.tsv.

The variables a minimise, for weights u = (1 - theta) from + theta to,

    a' Q a / 2 + q' a   over 0 <= a <= u, e' a = 0 (not for ranks)
    Q_vw = s_v s_w (phi_v . phi_w) + ridge (v = w)

where phi_v is row plus(v) in the kernel's space, less row minus(v) for ranks;
e = s; q = -1, and to regress, where each row has a variable upwards and one
downwards, q = epsilon -+ y.  With the gradient g = Q a + q + b e a solution
has g >= 0 where a = 0 (out), g <= 0 where a = u (in), else g = 0 (margin).

Each solution is computed alone: by the interior-point method of cvxopt, whose
sets out, margin and in are then corrected until the solution of the linear
equations of these sets meets all conditions.

A path needs no more.  Where the sets stay, a and b are linear in theta, and
the first condition to fail tells where the piece ends.  The sets of the next
one are those of a solution a little farther; if its piece does not begin
where the last one ended, it was too far.
"""
import cvxopt
import cvxopt.solvers
import numpy as np

import table

OUT, MARGIN, IN = 0, 1, 2
NAME = ["out", "margin", "in"]
LONG = np.longdouble  # where rows are doubled, a ridge of 1e-6 stands beside 1
THETAS = [0, .25, .5, .75, 1]


class Problem:
    """A line of problems.tsv."""

    def __init__(self, line):
        self.name = line["problem"]
        y = table.numbers(line["y"])
        n = len(y)
        X = table.numbers(line["x"]).reshape(n, -1).astype(LONG)
        gamma = float(line["gamma"])
        self.K = X @ X.T if line["kernel"] == "linear" else np.exp(
            -gamma * ((X[:, None] - X[None]) ** 2).sum(axis=2))
        plus = table.numbers(line["plus"]).astype(int)
        sign = table.numbers(line["sign"])
        self.start, self.end = (table.numbers(line[k]) for k in ("from", "to"))
        self.phi = np.zeros((len(plus), n), LONG)
        self.phi[np.arange(len(plus)), plus] = 1
        if line["minus"] != "-":
            minus = table.numbers(line["minus"]).astype(int)
            self.phi[np.arange(len(minus)), minus] = -1
        self.regress = line["task"] == "regress"
        q = -np.ones(len(plus))
        self.least = 0  # -u where a has either sign
        epsilon = float(line["epsilon"])
        if self.regress and epsilon < 1e-6:
            # One variable a row, between -u and u: epsilon counts as 0.
            q, self.least = -y, -1
        elif self.regress:
            q = np.r_[epsilon - y, epsilon + y]
            sign = np.r_[sign, -sign]
            self.phi = np.r_[self.phi, self.phi]
            self.start, self.end = np.tile(self.start, 2), np.tile(self.end, 2)
        self.phi *= sign[:, None]
        self.q, self.e = q, sign if line["minus"] == "-" else None
        # alpha is free without a ridge, if rows are doubled: see README.md
        ridge = float(line["ridge"])
        self.Q = self.phi @ self.K @ self.phi.T + \
            LONG(max(ridge, 1e-10)) * np.eye(len(q))
        self.is_free = ridge == 0 or self.least < 0

    def weight(self, theta):
        return self.start + theta * (self.end - self.start)

    def linear(self, M, rest, value):
        """The a, b of margin M, the others being rest, and their q value."""
        a, m = rest.copy(), len(M)
        if m == 0:
            return a, 0.0 if self.e is None else None  # b is not unique
        A, r = self.Q[np.ix_(M, M)], -(value[M] + self.Q[M] @ rest)
        if self.e is not None:
            A = np.block([[A, self.e[M, None]],
                          [self.e[None, M], np.zeros((1, 1))]])
            r = np.r_[r, -self.e @ rest]
        x = np.zeros(len(r), LONG)
        for _ in range(4):
            x += np.linalg.solve(A.astype(float), (r - A @ x).astype(float))
        a[M] = x[:m]
        return a, x[m] if self.e is not None else 0.0

    def interior(self, lower, upper):
        """A solution, nearly, of those that may move."""
        v = np.flatnonzero(upper > lower)
        m, unit = len(v), upper.max()
        G = np.vstack([-np.eye(m), np.eye(m)])
        h = np.r_[-lower[v], upper[v]] / unit
        Q = self.Q[np.ix_(v, v)].astype(float)
        args = [Q * unit, self.q[v], G, h]
        if self.e is not None:
            args += [self.e[None, v], np.zeros(1)]
        cvxopt.solvers.options.update(show_progress=False, abstol=1e-12,
                                      reltol=1e-11, feastol=1e-11)
        got = cvxopt.solvers.qp(*map(cvxopt.matrix, args))
        a = np.zeros(len(self.q))
        a[v] = unit * np.array(got["x"]).ravel()
        return a, got["y"][0] if self.e is not None else 0.0

    def between(self, where, h):
        """The bounds of b when nothing is in the margin; v of each."""
        below = (where == OUT) == (self.e > 0)
        v = np.arange(len(h))[self.may_move]
        return (v[below[self.may_move]], v[~below[self.may_move]], -h / self.e)

    def solve(self, theta):
        """a, b and the sets at theta."""
        upper = self.weight(theta)
        lower = self.least * upper
        self.may_move = upper > lower
        e = self.e[self.may_move] if self.e is not None else None
        if e is not None and self.least == 0 and (e.min(initial=1) > 0 or
                                                  e.max(initial=-1) < 0):
            a, b = np.zeros(len(upper)), 0.0  # nothing to balance it
        else:
            a, b = self.interior(lower, upper)
        g = self.Q @ a + self.q + (0 if e is None else b * self.e)
        where = np.full(len(a), MARGIN)
        low, high = a - lower, upper - a
        where[(low < np.maximum(g, 0)) & (low <= high)] = OUT
        where[(high < np.maximum(-g, 0)) & (high < low)] = IN
        where[~self.may_move] = OUT
        if not np.any(a):
            where[:] = OUT
        return self.correct(where, lower, upper)

    def correct(self, where, lower, upper):
        """Move what violates its condition, all at once, or, once sets come
        again, the first alone."""
        seen = set()
        for _ in range(5000):
            rest = np.where(where == IN, upper, np.where(where == OUT, lower,
                                                         LONG(0)))
            M = np.flatnonzero(where == MARGIN)
            a, b = self.linear(M, rest, self.q)
            h = self.Q @ a + self.q
            if b is None:
                b = self.middle(where, h)
            g = h + (0 if self.e is None else b * self.e)
            small = 1e-11 * max(1, np.abs(a).max())
            to = where.copy()
            to[(where == MARGIN) & (a < lower - small)] = OUT
            to[(where == MARGIN) & (a > upper + small)] = IN
            to[self.may_move & (where == OUT) & (g < -1e-11)] = MARGIN
            to[self.may_move & (where == IN) & (g > 1e-11)] = MARGIN
            wrong = np.flatnonzero(to != where)
            if len(wrong) == 0:
                return np.clip(a, lower, upper), b, where
            if where.tobytes() in seen:
                where[wrong[0]] = to[wrong[0]]
            else:
                seen.add(where.tobytes())
                where = to
        raise ArithmeticError("%s: no solution" % self.name)

    def middle(self, where, h):
        below, above, bound = self.between(where, h)
        least = bound[below].max(initial=-np.inf)
        most = bound[above].min(initial=np.inf)
        if np.isfinite(least) and np.isfinite(most):
            return (least + most) / 2
        b = least if np.isfinite(least) else most
        return b if np.isfinite(b) else 0.0

    def piece(self, theta):
        """The sets at theta, and from where to where they stay."""
        where = self.solve(theta)[2]
        rest = [np.where(where == IN, w, LONG(0))
                for w in (self.start, self.end - self.start)]
        M = np.flatnonzero(where == MARGIN)
        (a0, b0), (a1, b1) = (self.linear(M, r, v) for r, v in
                              zip(rest, (self.q, 0 * self.q)))
        h0, h1 = self.Q @ a0 + self.q, self.Q @ a1
        u0, u1 = self.start, self.end - self.start
        holds = []  # x + theta z >= 0
        if b0 is None:
            below, above, bound0 = self.between(where, h0)
            bound1 = -h1 / self.e
            for i in below:
                holds += zip(bound0[above] - bound0[i], bound1[above] - bound1[i])
        else:
            e = self.e if self.e is not None else 0 * self.q
            side = np.where(where == OUT, 1, -1)
            v = self.may_move & (where != MARGIN)
            holds += zip((side * (h0 + b0 * e))[v], (side * (h1 + b1 * e))[v])
            holds += zip(a0[M], a1[M])
            holds += zip((u0 - a0)[M], (u1 - a1)[M])
        begin, end = -np.inf, np.inf
        for x, z in holds:
            if z < -1e-12:
                end = min(end, -x / z)
            elif z > 1e-12:
                begin = max(begin, -x / z)
        return where.copy(), begin, end

    def events(self):
        """The changes of the sets, as (theta, variable, from, to)."""
        out, theta, last = [], 0.0, None
        while theta < 1:
            ahead = min(.01, (1 - theta) / 2)
            where, begin, end = self.piece(theta + ahead)
            while begin > theta + 1e-10 and ahead > 1e-9:
                ahead /= 2
                where, begin, end = self.piece(theta + ahead)
            for v in np.flatnonzero(where != last) if last is not None else []:
                out.append((theta, v, last[v], where[v]))
            last, theta = where, end
        return out


def solution(problem, theta):
    """A line of solutions.tsv."""
    a, b, _ = problem.solve(theta)
    n, loose = len(problem.K), problem.least < 0
    f = problem.K @ (problem.phi.T @ a) + b
    dual = -a @ (problem.Q @ a) / 2 - problem.q @ a
    if problem.regress and not loose:
        a = a[:n] - a[n:]
    return [problem.name, repr(theta), table.decimals(b, 10),
            table.digits(dual, 8 if loose else 12),
            "-" if problem.is_free else table.joined(a, table.decimals, 7),
            table.joined(f, table.decimals, 7 if loose else 10)]


def main():
    solutions, events = [], []
    for line in table.read("wsvm/problems.tsv"):
        problem = Problem(line)
        solutions += [solution(problem, theta) for theta in THETAS]
        if line["events"] == "yes":
            events += [[problem.name, table.decimals(theta, 10), str(v),
                        NAME[was], NAME[becomes]]
                       for theta, v, was, becomes in problem.events()]
    table.write("wsvm/solutions.tsv",
                ["problem", "theta", "b", "dual", "alpha", "score"], solutions)
    table.write("wsvm/events.tsv",
                ["problem", "theta", "variable", "was", "becomes"], events)


if __name__ == "__main__":
    main()
