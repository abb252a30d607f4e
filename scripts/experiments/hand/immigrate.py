# SPDX-License-Identifier: BSD-2-Clause
"""Tables 1 to 3 of IMMIGRATE and its section 4.1."""
import numpy as np
from scipy.spatial.distance import cdist

from shared import folds, order, read, right, scaled, votes


def softmax(d, mask, sigma):
    a = np.where(mask, -d / sigma, -np.inf)
    top = a.max(1, keepdims=True)
    a = np.exp(a - np.where(np.isfinite(top), top, 0))
    s = a.sum(1, keepdims=True)
    return np.divide(a, s, out=np.zeros_like(a), where=s > 0)


def masks(y):
    same = y[:, None] == y[None, :]
    return same & ~np.eye(len(y), dtype=bool), ~same


def entropy(a):
    return -(a * np.log(np.where(a > 0, a, 1))).sum(1)


def im4e(X, y, sigma):
    """The package's: L1 weights, at most 10 iterations."""
    n, p = X.shape
    hits, misses = masks(y)
    w, last = np.full(p, 1 / p), 1
    for _ in range(10):
        d = cdist(X * w, X * w, "cityblock")
        c = softmax(d, hits, sigma) - softmax(d, misses, sigma)
        u = np.array([(c * np.abs(x[:, None] - x[None, :])).sum() for x in X.T])
        w = np.maximum(-u, 0)
        w /= w.sum()
        e = (entropy(softmax(d, misses, sigma)) - entropy(softmax(d, hits, sigma))).sum()
        now = (w * u).sum() + sigma * e
        if abs(last - now) <= .01:
            break
        last = now
    return w


def differences(X, Z):
    return np.abs(Z[:, None, :] - X[None, :, :])


def quadratic(D, W):
    return np.einsum("ijk,kl,ijl->ij", D, W, D, optimize=True)


def igt(D, y, sigma, rules, W=None, row=None, most=10):
    """A matrix; D are the differences of all pairs."""
    p = D.shape[2]
    hits, misses = masks(y)
    row = np.ones(len(y)) if row is None else row
    W, last = np.eye(p) / np.sqrt(p) if W is None else W, 1
    for _ in range(most):
        d = quadratic(D, W)
        a, b = softmax(d, hits, sigma), softmax(d, misses, sigma)
        c = (a - b) * row[:, None]
        S = np.einsum("ij,ijk,ijl->kl", c, D, D, optimize=True)
        value, V = np.linalg.eigh(S)
        V = V[:, value < 0] * np.sqrt(-value[value < 0])
        if not V.size:
            break
        W = V @ V.T
        W /= np.linalg.norm(W)
        ends = sigma * ((row if rules == "paper" else 1) * (entropy(b) - entropy(a))).sum()
        if rules == "package":
            W = np.maximum(W, 0)
            W /= np.linalg.norm(W)
            now = np.trace(S) + ends
            if abs(last - now) <= .01:
                break
        else:
            now = (W * S).sum() + ends
            if abs(last - now) <= 1e-6 * max(1, abs(now)):
                break
        last = now
    return W


def expected(d, y, sigma, out=None):
    """The class of the least expected distance; out leaves pairs out."""
    far = []
    for c in np.unique(y):
        mask = np.broadcast_to(y[None, :] == c, d.shape)
        if out is not None:
            mask = mask & ~out
        far.append((softmax(d, mask, sigma) * d).sum(1))
    return np.unique(y)[np.argmin(far, axis=0)]


def bim(X, y, Z, seed, learners=100):
    """Algorithm 3, sigma from 4 to .2, at most 10 iterations a learner."""
    g, n, p = np.random.default_rng(seed), len(y), X.shape[1]
    D, E = differences(X, X), differences(X, Z)
    row, ballot = np.full(n, 1 / n), np.zeros((len(Z), y.max() + 1))
    for t in range(learners):
        sigma = 4 * (.2 / 4) ** (t / learners)
        W = np.triu(g.random((p, p)))
        W = W + np.triu(W, 1).T
        W = igt(D, y, sigma, "paper", W / np.linalg.norm(W), row)
        bad = expected(quadratic(D, W), y, sigma, np.eye(n, dtype=bool)) != y
        e = row[bad].sum()
        if e >= .5 or e == 0:
            continue
        alpha = .5 * np.log((1 - e) / e)
        ballot[np.arange(len(Z)), expected(quadratic(E, W), y, sigma)] += alpha
        row = row * np.exp(alpha * bad)
        row /= row.sum()
    return ballot.argmax(1)


def ten(name, seeds):
    """Folds of ten, scaled."""
    X, y = read(name)
    for seed in seeds:
        for i, j in folds(y, 10, 3000 + seed):
            yield *scaled(X[i], X[j]), y[i], y[j]


def table1():
    for k in (1, 3):
        yield "colon", f"{k}NN", "accuracy", [
            right(votes(ya, order(A, B), k), yb) for A, B, ya, yb in ten("colon", range(3))]


def table2():
    yield "glass_2c", "3NN", "accuracy", [
        right(votes(ya, order(A, B), 3), yb) for A, B, ya, yb in ten("glass_2c", range(3))]
    found = []
    for A, B, ya, yb in ten("pima", range(2)):
        w = im4e(A, ya, 1)
        d = cdist(B * w, A * w, "cityblock")
        found.append(right(expected(d, ya, 1), yb))
    yield "pima", "IM4", "accuracy", found
    found = {s: [] for s in (4, 2, 1, .5, .25)}
    for A, B, ya, yb in ten("parkinsons", range(2)):
        D, E = differences(A, A), differences(A, B)
        for s in found:
            W = igt(D, ya, s, "package")
            found[s].append(right(expected(quadratic(E, W), ya, s), yb))
    yield "parkinsons", "IGT", "accuracy", max(found.values(), key=np.mean)


def table3():
    for name in ("glass_2c", "cryotherapy"):
        yield name, "BIM", "accuracy", [
            right(bim(A, ya, B, i), yb) for i, (A, B, ya, yb) in enumerate(ten(name, range(1)))]


def noise():
    """The weight of the pair of the two features, with the rules of the package."""
    for noise in (0, 50):
        found = []
        for seed in range(60):
            g, rows = np.random.default_rng(seed), []
            for i in range(100):
                a, b, v = ((8, -2), (2, 4), 8) if i < noise else ((4, 2), (6, 0), 1)
                rows += [g.normal(a, np.sqrt(v)), g.normal(b, np.sqrt(v))]
            X, y = scaled(np.array(rows))[0], np.tile([0, 1], 100)
            found.append(igt(differences(X, X), y, 1, "package")[0, 1])
        yield f"noise .{noise:02d}", "IGT", "weight", found
