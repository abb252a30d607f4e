#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""nnk.py - make tests/golden/nnk/edges.tsv from the cases in cases.tsv.

Row q has candidates z_1 ... z_m.  With A = k(z_i, z_j) and b = k(z_i, q) its
weights w >= 0 minimise

    J(w) = w' A w / 2 - b' w + k(q, q) / 2

    nnk       over the k nearest rows
    knn       not at all: w = b
    mp, omp   pursuits: the atom of the largest residual is next, k at most
    lle       A = (1 + cos) / 2 of the differences z_i - q, b = 1
    lle-gram  A = Z Z' + 1e-3 trace / m, Z the differences, b = 1; sum w = 1

Candidates are in order of their squared distance (cosine: of 1 - k), then of
their index.  The bandwidth `auto` is the mean distance of the k-th of them,
over 3.  Each problem is solved alone, by the active-set method of Lawson and
Hanson on A, with a Cholesky factor made anew at each step; the last solution is
refined in long double, so that its digits are the same on any processor.
"""
import numpy as np
from scipy.linalg import cho_factor, cho_solve

import table

LONG = np.longdouble
TOL = 1e-13      # of a gradient and of a residual
DROPPED = 1e-10  # weights up to this are no edges


def passive_solution(A, b, P):
    """The solution of A_PP s = b_P, refined once; None: A_PP is singular."""
    M = A[np.ix_(P, P)]
    try:
        factor = cho_factor(M, lower=True)
    except np.linalg.LinAlgError:
        return None
    if factor[0][-1, -1] ** 2 <= 1e-13 * M[-1, -1]:
        return None
    s = cho_solve(factor, b[P])
    return s + cho_solve(factor, b[P] - M @ s)


def step_inside(w, P, s):
    """Go from w_P towards s until weights are 0; those that stay."""
    now, down = w[P], s <= 0
    t = np.min(now[down] / (now[down] - s[down]))
    now = now + t * (s - now)
    gone = (now <= 1e-300) | (down & (now <= 1e-14 * now.max()))
    if not gone.any():
        gone[np.argmin(np.where(down, now, np.inf))] = True
    w[:] = 0
    stay = [p for p, g in zip(P, gone) if not g]
    w[stay] = now[~gone]
    return stay


def minimise(A, b):
    """The w >= 0 of the least w' A w / 2 - b' w; ties: the first index."""
    w, P = active_set(A.astype(float), b.astype(float))
    w = w.astype(LONG)
    for _ in range(3 if P else 0):
        w[P] += passive_solution(A.astype(float),
                                 (b - A @ w).astype(float), P)
    return w


def active_set(A, b):
    w, P = np.zeros(len(b)), []
    scale = max(1.0, np.abs(b).max()) if len(b) else 1.0
    blocked = np.zeros(len(b), bool)
    while len(b):
        descent = b - A @ w
        descent[P] = -np.inf
        descent[blocked] = -np.inf
        if not descent.max() > TOL * scale:
            break
        j = int(np.flatnonzero(descent >= descent.max() - 4e-15 * scale)[0])
        s = passive_solution(A, b, P + [j])
        if s is None or s[-1] <= 0:  # z_j depends on those of P
            blocked[j] = True
            continue
        blocked[:] = False
        P = P + [j]
        while P and s.min() <= 0:
            P = step_inside(w, P, s)
            s = passive_solution(A, b, P) if P else None
        w[:] = 0
        if P:
            w[P] = s
    return w, P


def kernel(X, Z, kind, sigma):
    if kind == "linear":
        return X @ Z.T
    if kind == "cosine":
        x, z = norms(X), norms(Z)
        cos = (X / np.where(x == 0, 1, x)[:, None]) @ \
            (Z / np.where(z == 0, 1, z)[:, None]).T
        return 0.5 + 0.5 * np.clip(cos, -1, 1)
    return np.exp(-squared(X, Z) / (2 * sigma ** 2))


def norms(X):
    return np.sqrt((X ** 2).sum(axis=1))


def squared(X, Z):
    return ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)


def differences(q, Z, gram):
    """A of the methods lle and lle-gram."""
    D = Z - q
    if gram:
        A = D @ D.T
        trace = np.trace(A)
        return A + (1e-3 * trace / len(Z) if trace > 0 else 1e-3) * \
            np.eye(len(Z))
    norm = norms(D)
    U = D / np.where(norm == 0, 1, norm)[:, None]
    A = 0.5 + 0.5 * U @ U.T
    A[norm == 0, :] = 1  # a row equal to q stands for q
    A[:, norm == 0] = 1
    return A


def pursue(A, b, k, orthogonal):
    """Matching pursuit over all candidates: those chosen, and their weights."""
    chosen, w = [], np.zeros(0, LONG)
    norm = np.diag(A)
    while len(chosen) < min(k, len(b)):
        residual = b - A[:, chosen] @ w
        score = residual / np.sqrt(np.where(norm > 0, norm, np.inf))
        score[chosen] = -np.inf
        j = int(np.argmax(score))
        if not residual[j] > TOL:
            break
        chosen.append(j)
        if orthogonal:
            w = minimise(A[np.ix_(chosen, chosen)], b[chosen])
        else:
            w = np.append(w, residual[j] / norm[j])
    return chosen, w


class Case:
    """A line of cases.tsv, and the weights of its rows."""

    def __init__(self, line):
        self.method, self.kind = line["method"], line["kernel"]
        self.k, self.pool = int(line["k"]), line["pool"]
        self.Q = table.data("nnk/%s.csv" % line["data"]).astype(LONG)
        self.alone = line["ref"] == "-"
        self.R = self.Q if self.alone else \
            table.data("nnk/%s.csv" % line["ref"]).astype(LONG)
        self.by_kernel = self.kind == "cosine" and \
            not self.method.startswith("lle")
        self.sigma = 1.0
        self.order = [self.ordered(i) for i in range(len(self.Q))]
        if line["sigma"] != "auto":
            self.sigma = float(line["sigma"])
        elif self.kind == "gaussian" and min(map(len, self.order)) > 0:
            far = [np.sqrt(squared(q[None], self.R[o[:self.k][-1:]])[0, 0])
                   for q, o in zip(self.Q, self.order)]
            self.sigma = np.mean(far) / 3 or 1.0
        self.K = kernel(self.R, self.R, self.kind, self.sigma)
        self.b = kernel(self.Q, self.R, self.kind, self.sigma)

    def ordered(self, i):
        q = self.Q[i:i + 1]
        far = -kernel(q, self.R, self.kind, 1)[0] if self.by_kernel \
            else squared(q, self.R)[0]
        order = np.lexsort((np.arange(len(self.R)), far))
        return order[order != i] if self.alone else order

    def row(self, i):
        """Candidates of row i, their weights, and its error J."""
        q = self.Q[i:i + 1]
        pursuit = self.method in ("mp", "omp")
        S = self.order[i][:None if pursuit and self.pool == "all" else self.k]
        A, b = self.K[np.ix_(S, S)], self.b[i, S]
        qq = kernel(q, q, self.kind, self.sigma)[0, 0]
        if self.method == "knn":
            return S, b, 0.0
        if pursuit:
            P, w = pursue(A, b, self.k, self.method == "omp")
            return S[P], w, error(A[np.ix_(P, P)], b[P], qq, w)
        if self.method.startswith("lle"):
            A = differences(q[0], self.R[S], self.method == "lle-gram")
            b, qq = np.ones(len(S), LONG), 1.0
        w = minimise(A, b)
        J = error(A, b, qq, w)
        if self.method == "lle-gram" and w.sum() > 0:
            w = w / w.sum()
        return S, w, J


def error(A, b, qq, w):
    """J(w), with k(q, q)."""
    return w @ A @ w / 2 - b @ w + qq / 2


def symmetrise(rows, mode):
    """Edges i < j from those of both ends; in `paper` and `union` the end of
    the smaller J decides (no candidate: J is 0), the larger weight if J ties.
    """
    J = [r[2] for r in rows]
    of = [dict(zip(map(int, S), w)) for S, w, _ in rows]
    out = {}
    for i, j in {(min(i, j), max(i, j)) for i, d in enumerate(of)
                 for j, w in d.items() if w > DROPPED}:
        wi, wj = (w if w > DROPPED else 0.0
                  for w in (of[i].get(j, 0.0), of[j].get(i, 0.0)))
        Ji, Jj = (J[i] if j in of[i] else 0.0), (J[j] if i in of[j] else 0.0)
        both = j in of[i] and i in of[j]
        if mode == "max" or (mode == "union" and not both):
            w = max(wi, wj)
        elif mode == "min":
            w = min(wi, wj)
        elif mode == "mean":
            w = (wi + wj) / 2
        else:
            w = max(wi, wj) if Ji == Jj else wi if Ji < Jj else wj
        if w > DROPPED:
            out[i, j] = w
    return out


def edges(case, rows, mode):
    """A dict of weights for each row that has some."""
    out = [{} for _ in rows]
    if mode == "-":
        for i, (S, w, _) in enumerate(rows):
            out[i] = {int(j): v for j, v in zip(S, w) if v > DROPPED}
    else:
        for (i, j), w in symmetrise(rows, mode).items():
            out[i][j] = w
    return [(i, sorted(d.items())) for i, d in enumerate(out) if d]


def main():
    lines, done = [], {}
    for line in table.read("nnk/cases.tsv"):
        mode = line["sym"]
        if line["unique"] == "no" and mode != "-":
            continue  # not compared
        key = tuple(v for k, v in line.items() if k not in ("case", "sym"))
        if key not in done:
            case = Case(line)
            done[key] = case, [case.row(i) for i in range(len(case.Q))]
        for i, of in edges(*done[key], mode):
            lines.append([line["case"], str(i), ",".join(str(j) for j, _ in of),
                          table.joined([w for _, w in of], table.digits, 10)])
    table.write("nnk/edges.tsv", ["case", "row", "to", "weight"], lines)


if __name__ == "__main__":
    main()
