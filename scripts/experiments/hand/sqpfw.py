# SPDX-License-Identifier: BSD-2-Clause
"""Tables 1 and 2 of SQP-FW."""
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from shared import folds, order, parts, read, scaled, votes, wrong


def simplex(v):
    u = np.sort(v)[::-1]
    c = (np.cumsum(u) - 1) / np.arange(1, len(v) + 1)
    return np.maximum(v - c[np.nonzero(u > c)[0][-1]], 0)


def sqp(X, y, thetas, kappa, rounds):
    """Projected subgradients of the strongly convex pieces, each theta from the last."""
    n, p = X.shape
    w0 = w = np.full(p, 1 / p)
    same = y[:, None] == y[None, :]
    hits = np.where(same & ~np.eye(n, dtype=bool), 0, np.inf)
    misses = np.where(same, np.inf, 0)
    S = X * X

    def cost(w, theta):
        d = (S @ w)[:, None] + (S @ w)[None, :] - 2 * (X * w) @ X.T
        h = np.argpartition(d + hits, kappa - 1, axis=1)[:, kappa - 1]
        m = np.argpartition(d + misses, kappa - 1, axis=1)[:, kappa - 1]
        g = ((X - X[h]) ** 2 - (X - X[m]) ** 2).mean(0)
        return theta * g @ w + .5 * ((w - w0) ** 2).sum(), theta * g + w - w0

    for theta in thetas:
        best, least, now = w, np.inf, w
        for t in range(rounds):
            f, g = cost(now, theta)
            if f < least:
                best, least = now, f
            now = simplex(now - g / (t / 2 + 1))
        w = best
        yield theta, w


def relief(X, y):
    d = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(d, np.inf)
    same = y[:, None] == y[None, :]
    h = np.where(same, d, np.inf).argmin(1)
    m = np.where(same, np.inf, d).argmin(1)
    return np.maximum(((X - X[m]) ** 2 - (X - X[h]) ** 2).sum(0), 0)


def table1():
    def thirds(name, seeds):
        X, y = read(name)
        for seed in seeds:
            a, b, c = parts(y, (1, 1, 1), 1000 + seed)
            yield *scaled(X[a], X[b], X[c]), y[a], y[b], y[c]

    found = []
    for A, B, C, ya, yb, yc in thirds("sonar", range(20)):
        p = A.shape[1]
        tried = [(wrong(SVC(C=c, gamma=g / p).fit(A, ya).predict(B), yb), c, g)
                 for c in (.3, 1, 3, 10, 30, 100) for g in (.1, .3, 1, 3)]
        _, c, g = min(tried)
        found.append(wrong(SVC(C=c, gamma=g / p).fit(A, ya).predict(C), yc))
    yield "sonar", "LIBSVM", "error", found
    found = []
    for A, B, C, ya, yb, yc in thirds("wdbc", range(20)):
        w = relief(A, ya)
        ranks, p = np.argsort(w, kind="stable"), len(w)
        best = None
        for share in range(100):
            v = w.copy()
            v[ranks[:share * p // 100]] = 0
            near = order(A, B, v)[:, :5]
            for k in (1, 3, 5):
                key = wrong(votes(ya, near, k), yb), (v > 0).sum(), k, share
                if best is None or key < best[0]:
                    best = key, v
        found.append(wrong(votes(ya, order(A, C, best[1]), best[0][2]), yc))
    yield "wdbc", "Relief", "error", found
    thetas, found = np.geomspace(.001, 1, 25), []
    for A, B, C, ya, yb, yc in thirds("parkinsons", range(20)):
        best = None
        for kappa in (1, 2, 3):
            for theta, w in sqp(A, ya, thetas, kappa, 150):
                near = order(A, B, w)[:, :5]
                for k in (1, 3, 5):
                    key = wrong(votes(ya, near, k), yb), (w > 0).sum(), k, theta, kappa
                    if best is None or key < best[0]:
                        best = key, w
        found.append(wrong(votes(ya, order(A, C, best[1]), best[0][2]), yc))
    yield "parkinsons", "SQP-FW", "error", found


def table2():
    def halves(name, seeds, scale):
        X, y = read(name)
        for seed in seeds:
            a, b = parts(y, (2, 1), 2000 + seed)
            A, B = scaled(X[a], X[b]) if scale else (X[a], X[b])
            yield A, B, y[a], y[b]

    for name, scale in (("colon", 0), ("colon", 1), ("kidney", 0), ("leukemia", 0)):
        yield name, "1NN" + " scaled" * scale, "error", [
            wrong(votes(ya, order(A, B), 1), yb)
            for A, B, ya, yb in halves(name, range(30), scale)]
    thetas, found, genes = np.geomspace(.001, 1, 20), [], []
    for A, B, ya, yb in halves("colon", range(20), 0):
        one = np.sqrt(A.var(0, ddof=1).mean())
        A, B = A / one, B / one
        errors, left = np.zeros(20), np.zeros(20)
        for i, j in folds(ya, 10, 1):
            for t, (_, w) in enumerate(sqp(A[i], ya[i], thetas, 1, 60)):
                errors[t] += (votes(ya[i], order(A[i], A[j], w), 1) != ya[j]).sum()
                left[t] += (w > 0).sum()
        t = min(range(20), key=lambda t: (errors[t], left[t], t))
        w = [w for _, w in sqp(A, ya, thetas[:t + 1], 1, 60)][-1]
        found.append(wrong(votes(ya, order(A, B, w), 1), yb))
        genes.append((w > 0).sum())
    yield "colon", "SQP-FW", "error", found
