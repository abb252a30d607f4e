# SPDX-License-Identifier: BSD-2-Clause
"""The targets on KNIFE."""
import numpy as np
from scipy.optimize import minimize

from shared import gauss, order, parts, read, scaled, votes, wrong


def figure1():
    """The least objective of a quasi-Newton search on the profile, from four random
    starts; lambda2 is that of the report's unit, the middle one of knife --grid 3."""
    for name, lambda2 in ("parkinsons", 26.577567), ("vowel.train", 122.36836):
        X, y = read(name)
        X = scaled(X)[0]
        n, p = X.shape
        Y = (np.where(y == y.max(), 1., -1.)[:, None] if y.max() == 1 else
             np.where(y[:, None] == np.arange(y.max() + 1), 1., 0.))
        D = (X[:, None] - X[None, :]) ** 2

        def cost(w):
            K = np.exp(-(D @ w) / p)
            a = np.linalg.solve(K + np.eye(n), Y)
            g = np.einsum("ik,jk,ij,ijl->l", a, a, K, D, optimize=True) / p
            return (Y * a).sum() + lambda2 * w.sum(), lambda2 + g

        yield name, "profile", "objective", [
            minimize(cost, np.random.default_rng(seed).random(p), jac=True, method="L-BFGS-B",
                     bounds=[(0, 1)] * p, options={"ftol": 1e-12}).fun for seed in range(4)]


def paths():
    found = {"1NN": [], "no selection": []}
    X, y = read("parkinsons")
    for seed in range(20):
        i, j = parts(y, (2, 1), 5000 + seed)
        A, B = scaled(X[i], X[j])
        found["1NN"].append(wrong(votes(y[i], order(A, B), 1), y[j]))
        K = gauss(A, A, 1 / A.shape[1])
        a = np.linalg.solve(K + np.eye(len(i)), 2 * y[i] - 1)
        found["no selection"].append(
            wrong(gauss(B, A, 1 / A.shape[1]) @ a > 0, y[j] == 1))
    for method, out in found.items():
        yield "parkinsons", method, "error", out
