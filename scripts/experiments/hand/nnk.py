# SPDX-License-Identifier: BSD-2-Clause
"""Tables II and III of NNK, and its figures 5, 7, 8 and 9."""
import gzip
import itertools
import os
import subprocess
import sys

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import nnls
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from shared import folds, parts, read, scaled, wrong


def nnk(near, K, q):
    """Weights of the candidates: min w'Kw/2 - q'w, w >= 0."""
    L = cholesky(K[np.ix_(near, near)] + 1e-10 * np.eye(len(near)), lower=True)
    return nnls(L.T, solve_triangular(L, q, lower=True), maxiter=1000)[0]


def kernel(d2, sigma):
    return np.exp(-d2 / (2 * sigma * sigma))


def said(method, near, d2, K, y, sigma):
    """The class by the votes of candidates, of whose distances the least is taken off:
    it scales all votes of a row alike."""
    out = []
    for i, row in enumerate(near):
        q = kernel(d2[i, row] - d2[i, row].min(), sigma)
        w = q if method == "kNN" else nnk(row, K, q)
        out.append(np.bincount(y[row], w).argmax())
    return np.array(out)


def candidates(d2, k):
    return np.argsort(d2, axis=1, kind="stable")[:, :k]


def chosen(method, X, y, ks, seed):
    """k and sigma of the fewest errors in five folds; of equal ones the least."""
    errors = {(k, s): 0 for k in ks for s in (.1, .5, 1, 5, 10)}
    D = cdist(X, X, "sqeuclidean")
    for i, j in folds(y, 5, seed):
        d2 = D[np.ix_(j, i)]
        near = candidates(d2, max(ks))
        for k, s in errors:
            K = kernel(D[np.ix_(i, i)], s) if method == "NNK" else None
            errors[k, s] += (said(method, near[:, :k], d2, K, y[i], s) != y[j]).sum()
    return min(errors, key=lambda at: (errors[at], at))


def judged(method, A, B, ya, yb, ks, seed):
    k, s = chosen(method, A, ya, ks, seed)
    d2 = cdist(B, A, "sqeuclidean")
    K = kernel(cdist(A, A, "sqeuclidean"), s)
    return wrong(said(method, candidates(d2, k), d2, K, ya, s), yb)


def table2():
    both = [read("isolet1.train"), read("isolet5.test")]
    A, B = scaled(both[0][0], both[1][0])
    for method, n in (("kNN", 5), ("NNK", 6)):
        yield "isolet1.train", method, "error", [
            judged(method, A, B, both[0][1], both[1][1], (10, 20, 30, 40, 50), seed)
            for seed in range(n)]


def table3():
    for name, method in itertools.product(("mfeat_karhunen", "mfeat_fourier"), ("kNN", "NNK")):
        X, y = read(name)
        found = []
        for seed in range(13):
            a, b = parts(y, (1, 1), 4000 + seed)
            found.append(judged(method, *scaled(X[a], X[b]), y[a], y[b], (30,), seed))
        yield name, method, "error", found


def figure5():
    both = [read("isolet1.train"), read("isolet5.test")]
    A, B = scaled(both[0][0], both[1][0])
    ya, yb = both[0][1], both[1][1]
    d2 = cdist(B, A, "sqeuclidean")
    for k in (10, 50):
        _, s = chosen("NNK", A, ya, (k,), 1)
        K, near = kernel(cdist(A, A, "sqeuclidean"), s), candidates(d2, k)
        yield "isolet1.train", "NNK", f"test error, k = {k}", [
            wrong(said("NNK", near, d2, K, ya, s), yb)]
        yield "isolet1.train", "NNK", f"edges a row, k = {k}", [np.mean([
            (nnk(r, K, kernel(d2[i, r] - d2[i, r].min(), s)) > 1e-8).sum()
            for i, r in enumerate(near)])]


def graph(X, k):
    """Weights of kNN, and of NNK by Algorithm 3."""
    n, d2 = len(X), cdist(X, X, "sqeuclidean")
    np.fill_diagonal(d2, -1)
    near = candidates(d2, k + 1)[:, 1:]
    np.fill_diagonal(d2, 0)
    K = kernel(d2, np.sqrt(d2[np.arange(n), near[:, -1]]).mean() / 3)
    W, J, E = np.zeros((n, n)), np.full((n, n), np.inf), np.zeros((n, n), bool)
    for i, row in enumerate(near):
        w = nnk(row, K, K[i, row])
        E[i, row], W[i, row] = True, w
        J[i, row] = .5 * w @ K[np.ix_(row, row)] @ w - w @ K[i, row] + .5
    W = np.where(E & E.T, np.where(J <= J.T, W, W.T), 0)
    return np.where(E | E.T, K, 0), np.where(W >= 1e-8, np.maximum(W, W.T), 0)


def figure7():
    X = read("mnist1000")[0]
    for k in (10, 30):
        for method, W in zip(("kNN", "NNK"), graph(X, k)):
            yield "mnist1000", method, f"edges a node, k = {k}", [
                (np.triu(W) > 0).sum() / len(X)]


def predicted(W, y, known, method):
    """By harmonic functions of W, or of D^-1/2 W D^-1/2; rows that no label reaches
    as the most frequent class."""
    d = W.sum(1)
    ends = connected_components(W > 0)[1]
    reached = ~known & np.isin(ends, ends[known])
    A, Y = np.diag(d) - W, np.eye(y.max() + 1)[y]
    if method == "normalized":
        r = 1 / np.sqrt(np.where(d > 0, d, 1))
        A = A * r[:, None] * r
    out = np.full(len(y), np.bincount(y[known]).argmax())
    out[reached] = np.linalg.solve(A[np.ix_(reached, reached)],
                                   -A[np.ix_(reached, known)] @ Y[known]).argmax(1)
    return out


def drawn(name):
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with gzip.open(os.path.join(sys.argv[1], name + ".csv.gz")) as table:
        rows = subprocess.run(
            ["awk", "-v", "seed=1", "-f", here + "/random.awk", "-f", here + "/draw.awk",
             "-v", "usps=" + ("1" if name == "usps.train" else "")],
            input=table.read(), stdout=subprocess.PIPE, check=True).stdout
    rows = [line.split(",") for line in rows.decode().splitlines()][1:]
    return (np.array([r[:-1] for r in rows], float),
            np.unique([r[-1] for r in rows], return_inverse=True)[1])


def figure8():
    """The thousand rows of the report, which draw.awk has drawn; labels are drawn
    anew, sixty times."""
    for name in ("usps.train", "mnist10k"):
        X, y = drawn(name)
        found = {}
        for graph_of, W in zip(("kNN", "NNK"), graph(X, 30)):
            for seed, method in itertools.product(range(60), ("harmonic", "normalized")):
                shown = parts(y, (1, 9), seed)[0]
                known = np.isin(np.arange(len(y)), shown)
                out = predicted(W, y, known, method)
                found.setdefault((graph_of, method), []).append(
                    wrong(out[~known], y[~known]))
        for (graph_of, method), errors in found.items():
            yield name, graph_of, f"error, {method}, .1 known, k = 30", errors


def figure9():
    """kNN on either side; NNK where the row of the smaller error decides for an edge."""
    X, n, k = read("severedsphere", True)[0], 0, 10
    n, d2 = len(X), cdist(X, X, "sqeuclidean")
    np.fill_diagonal(d2, -1)
    near = candidates(d2, k + 1)[:, 1:]
    np.fill_diagonal(d2, 0)
    K = kernel(d2, np.sqrt(d2[np.arange(n), near[:, -1]]).mean() / 3)
    E, W, J = np.zeros((n, n), bool), np.zeros((n, n)), np.zeros(n)
    for i, row in enumerate(near):
        w = nnk(row, K, K[i, row])
        E[i, row], W[i, row] = True, w
        J[i] = .5 * w @ K[np.ix_(row, row)] @ w - w @ K[i, row]
    W = np.where(J[:, None] <= J[None, :], W, W.T)
    yield "severedsphere", "kNN", "edges a node, k = 10", [np.triu(E | E.T).sum() / n]
    yield "severedsphere", "NNK", "edges a node, k = 10", [(np.triu(W) > 1e-8).sum() / n]
