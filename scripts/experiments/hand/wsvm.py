# SPDX-License-Identifier: BSD-2-Clause
"""Table 1 of WSVM and its figures."""
import gzip
import os
import sys

import numpy as np
from sklearn.svm import SVC, SVR

from shared import gauss, minmax, read, wrong


def clouds(n, g):
    """Eq. (27): X in the unit square, class, cost of an error."""
    k = np.arange(n) * 4 // n
    X = np.c_[np.array([1, 0, 0, 1])[k] + np.sqrt(np.array([1, .5, 1, .5])[k]) * g.normal(size=n),
              np.array([0, 0, 1, 1])[k] + np.sqrt(.5) * g.normal(size=n)]
    return minmax(X)[0], np.where(k < 2, 1, -1), np.where(k % 2, 2, 1)


def path(X, y, low, high, gamma, steps=12000):
    """Solutions at many thetas, each by exchange from the sets of the last: how often a
    row changes its set, and the mean number of rows on the margin after a change."""
    n = len(y)
    Q = y[:, None] * y * (gauss(X, X, gamma) + 1e-6 * np.eye(n))
    start = SVC(kernel="precomputed", C=1, tol=1e-9)
    use = low > 0
    start.fit((Q * y[:, None] * y)[np.ix_(use, use)], y[use], sample_weight=low[use])
    a = np.zeros(n)
    a[np.nonzero(use)[0][start.support_]] = np.abs(start.dual_coef_[0])
    b = start.intercept_[0]
    IN, M, OUT = 0, 1, 2
    g = Q @ a + y * b - 1
    at = np.where(use, np.where(a <= 1e-9, OUT, np.where(a >= low - 1e-9, IN, M)),
                  np.where(g < 0, IN, OUT))
    events, sizes = 0, []
    for theta in np.linspace(0, 1, steps)[1:]:
        C, was = low + theta * (high - low), at.copy()
        for _ in range(200):
            m, into = np.nonzero(at == M)[0], at == IN
            a = np.where(into, C, 0.)
            v = Q[:, into] @ C[into]
            if len(m):
                H = np.zeros((len(m) + 1,) * 2)
                H[:-1, :-1], H[-1, :-1], H[:-1, -1] = Q[np.ix_(m, m)], y[m], y[m]
                s = np.linalg.solve(H, np.r_[1 - v[m], -(y[into] * C[into]).sum()])
                a[m], b = s[:-1], s[-1]
                v = v + Q[:, m] @ s[:-1]
            g = v + y * b - 1
            bad = np.where(at == M, np.maximum(-a, a - C) * 1e3, np.where(at == IN, g, -g))
            i = bad.argmax()
            if bad[i] <= 1e-9:
                break
            if at[i] == M:
                at[i] = OUT if a[i] < 0 else IN
            else:
                at[i] = M
        for _ in range((at != was).sum()):
            events += 1
            sizes.append((at == M).sum())
    return events, np.mean(sizes)


def table1():
    for n in (400, 800):
        found = []
        for seed in range(6):
            X, y, v = clouds(n, np.random.default_rng(seed))
            found.append(path(X, y, np.where(v == 2, 10., 0), np.full(n, 10.), .5))
        yield f"wsvm27_{n}", "path", "events", [e for e, _ in found]
        yield f"wsvm27_{n}", "path", "mean M", [m for _, m in found]


def figure7():
    found = [], []
    for seed in range(30):
        g = np.random.default_rng(seed)
        (X, y, v), (Z, z, c) = clouds(400, g), clouds(1000, g)
        for out, weight in zip(found, (np.where(v == 2, 10., 0), np.full(400, 10.))):
            use = weight > 0
            fit = SVC(C=1, gamma=.5).fit(X[use], y[use], sample_weight=weight[use])
            out.append(c[fit.predict(Z) != z].sum() / c.sum())
    for method, out in zip(("C1 = 0", "C1 = 10"), found):
        yield "draws", method, "error", out


def figure10():
    """Rows are learnt by fives, each known five rows later, newer ones with more weight."""
    X, y = read("nasdaq_rdp2515")
    y, window, wrongs, guess = 2 * y - 1, 2000, [], []
    weight = 2 / (1 + np.exp(3 - 6 * np.arange(1, window + 1) / window))
    fit, last = None, 0
    for t in range(window + 5, len(y)):
        known = (t - 5) // 5 * 5
        if known != last:
            rows = slice(known - window, known)
            fit = SVC(C=10, gamma=1 / 5, tol=1e-6).fit(X[rows], y[rows], sample_weight=weight)
            last = known
        wrongs.append(fit.predict(X[t:t + 1])[0] != y[t])
        guess.append((1 if y[t - 5 - window:t - 5].sum() >= 0 else -1) != y[t])
    name = "nasdaq_rdp2515 gamma 1 C 10"
    yield name, "path", "error", [np.mean(wrongs)]
    yield name, "majority", "error", [np.mean(guess)]


def figure11():
    (X, y), (Z, z) = read("bcilike.train"), read("bcilike.test")
    A, B = minmax(X, Z)
    for g, C in ((1, 1), (10, 100)):
        yield f"bcilike.train gamma {g} C {C}", "equal weights", "error", [
            wrong(SVC(C=C, gamma=g / 4, tol=1e-8).fit(A, y).predict(B), z)]


def figure14():
    X, y = read("boston", True)
    for g, C in ((1, 10), (10, 100)):
        found = []
        for seed in range(20):
            order_ = np.random.default_rng(seed).permutation(len(y))
            i, j = order_[:404], order_[404:]
            A, B = minmax(X[i], X[j])
            fit = SVR(C=C, gamma=g / 13, epsilon=.05).fit(2 * A - 1, y[i])
            found.append(np.mean((fit.predict(2 * B - 1) - y[j]) ** 2))
        yield f"boston gamma {g} C {C}", "equal weights", "squared error", found


def figure18():
    """With the least C all pairs are in at every theta: a score is a sum of kernels.  The
    discount is that of eq. (34), 1 / max(1, log2 of the rank)."""
    with gzip.open(os.path.join(sys.argv[1], "mq2008.csv.gz"), "rt") as f:
        names = f.readline().rstrip("\n").split(",")
        rows = np.array([line.rstrip("\n").split(",") for line in f])
    qid, part = rows[:, names.index("qid")], rows[:, names.index("part")].astype(int)
    rel = rows[:, -1].astype(float)
    X = rows[:, [j for j, s in enumerate(names) if j < len(names) - 1 and
                 s not in ("qid", "part")]].astype(float)
    for gamma in (1, .1):
        found = {"theta 0": [], "theta 1": []}
        for i in range(1, 6):
            a, b = part == i, part == i % 5 + 1
            K = gauss(X[b], X[a], gamma / 46)
            for how, out in found.items():
                c = np.zeros(a.sum())
                for q in np.unique(qid[a]):
                    m = np.nonzero(qid[a] == q)[0]
                    y = rel[a][m]
                    d = np.subtract.outer(2 ** y, 2 ** y)
                    w = np.where(d > 0, 1 if how == "theta 0" else d, 0)
                    c[m] = w.sum(1) - w.sum(0)
                score, ndcg = K @ c, []
                for q in np.unique(qid[b]):
                    m = np.nonzero(qid[b] == q)[0]
                    gain = 2 ** rel[b][m] - 1
                    off = 1 / np.maximum(1, np.log2(np.arange(1, 11)))[:len(m)]
                    best = (np.sort(gain)[::-1][:10] * off).sum()
                    ranked = gain[np.argsort(-score[m], kind="stable")][:10]
                    ndcg.append((ranked * off).sum() / best if best else 0)
                out.append(np.mean(ndcg))
        for how, out in found.items():
            yield f"mq2008 gamma {gamma} C 1e-05", how, "NDCG@10", out


def figure19():
    X, y = read("spambase")
    X = minmax(X)[0]
    for g, C in ((10, 100), (1, 1000)):
        found = []
        for seed in range(15):
            rows = np.random.default_rng(seed).permutation(len(y))
            i, j = rows[:len(y) // 10], rows[len(y) // 10:]
            found.append(wrong(SVC(C=C, gamma=g / 57).fit(X[i], y[i]).predict(X[j]), y[j]))
        yield f"spambase gamma {g} C {C}", "induction", "error", found
