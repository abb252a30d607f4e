# SPDX-License-Identifier: BSD-2-Clause
"""Tables, parts, scales and plain votes."""
import gzip
import os
import sys

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold, train_test_split


def read(name, target=False):
    """X, y of a table whose last column is the class, or a number."""
    path = os.path.join(sys.argv[1], name + ".csv")
    lines = (open(path) if os.path.exists(path) else gzip.open(path + ".gz", "rt"))
    rows = [line.rstrip("\n").split(",") for line in lines][1:]
    X = np.array([r[:-1] for r in rows], float)
    y = [r[-1] for r in rows]
    return X, np.array(y, float) if target else np.unique(y, return_inverse=True)[1]


def parts(y, shares, seed):
    """Rows of each class by shares, drawn anew."""
    rest, out, left = np.arange(len(y)), [], sum(shares)
    for s in shares[:-1]:
        rest, part = train_test_split(rest, test_size=s / left, stratify=y[rest],
                                      random_state=seed)
        out.append(part)
        left -= s
    return out + [rest]


def folds(y, k, seed):
    return StratifiedKFold(k, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)


def scaled(X, *others):
    """By mean and deviation of the first; columns constant there are left out."""
    keep = X.std(0) > 1e-12
    m, s = X[:, keep].mean(0), X[:, keep].std(0, ddof=1)
    return [(Z[:, keep] - m) / s for Z in (X, *others)]


def minmax(X, *others):
    low, high = X.min(0), X.max(0)
    wide = np.where(high > low, high - low, 1)
    return [(Z - low) / wide for Z in (X, *others)]


def order(X, Z, w=None):
    """Rows of X by distance from each row of Z."""
    s = 1 if w is None else np.sqrt(w)
    return np.argsort(cdist(Z * s, X * s, "sqeuclidean"), axis=1, kind="stable")


def votes(y, near, k):
    """The most frequent class of the k nearest, of equal ones that which is nearest."""
    out = np.empty(len(near), int)
    for i, row in enumerate(y[near[:, :k]]):
        n = np.bincount(row)
        out[i] = next(c for c in row if n[c] == n.max())
    return out


def wrong(a, b):
    return np.mean(a != b)


def right(a, b):
    return np.mean(a == b)


def gauss(X, Z, gamma):
    return np.exp(-gamma * cdist(X, Z, "sqeuclidean"))
