#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""relief.py - make the weights of tests/golden/relief, a file a method and
set, by the definitions, and iris3.csv: iris, each feature of mean 0 and sd 1.

For each row x, its nearest hit h and nearest miss m:

    relief     w += ((x - m)^2 - (x - h)^2) / n
    simba      one pass: w += ((x - m)^2 / |x - m|_w - (x - h)^2 / |x - h|_w)
               w / 2, |d|_w^2 = sum of w^2 d^2; then w^2 / max(w^2)
    lfe        S += (x - h)(x - h)' - (x - m)(x - m)'; W is the negative part
               of S turned round, |W| = 1 (Frobenius)
    relieff10  ranges scaled to 1, |x - z| in place of squares; the 10 nearest
               rows of each class, misses by the share of their class
"""
import numpy as np

import immigrate
import table


def nearest(far, mask):
    return int(np.argmin(np.where(mask, far, np.inf)))


def pairs(X, y, far):
    """The rows, their nearest hits and misses; far(i) tells the distances."""
    for i in range(len(X)):
        d, same = far(i), y == y[i]
        same[i] = False
        yield i, nearest(d, same), nearest(d, y != y[i])


def relief(X, y):
    w = np.zeros(X.shape[1])
    for i, h, m in pairs(X, y, lambda i: ((X - X[i]) ** 2).sum(axis=1)):
        w += ((X[i] - X[m]) ** 2 - (X[i] - X[h]) ** 2) / len(X)
    return w


def lfe(X, y):
    S = np.zeros((X.shape[1], X.shape[1]))
    for i, h, m in pairs(X, y, lambda i: ((X - X[i]) ** 2).sum(axis=1)):
        S += np.outer(X[i] - X[h], X[i] - X[h])
        S -= np.outer(X[i] - X[m], X[i] - X[m])
    return immigrate.negative_part(S)


def simba(X, y):
    w = np.ones(X.shape[1])

    def far(i):
        return np.sqrt((X - X[i]) ** 2 @ w ** 2)

    for i, h, m in pairs(X, y, far):
        d, step = far(i), np.zeros(len(w))
        for j, sign in ((m, 1), (h, -1)):
            if d[j] > 0:
                step += sign * (X[i] - X[j]) ** 2 / d[j]
        w = w + step * w / 2
    return w ** 2 / (w ** 2).max()


def relieff10(X, y):
    span = X.max(axis=0) - X.min(axis=0)
    Z = X / np.where(span == 0, 1, span)
    label, count = np.unique(y, return_counts=True)
    share = dict(zip(label, count / len(y)))
    w = np.zeros(X.shape[1])
    for i in range(len(X)):
        D = np.abs(Z - Z[i])
        for c in label:
            of = np.flatnonzero((y == c) & (np.arange(len(y)) != i))
            of = of[np.argsort(D[of].sum(axis=1), kind="stable")[:10]]
            factor = -1 if c == y[i] else share[c] / (1 - share[y[i]])
            w += factor * D[of].sum(axis=0) / (len(X) * len(of))
    return w


def write_iris():
    X, y = table.iris()
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    table.write_data("relief/iris3.csv",
                     ["Sepal.Length", "Sepal.Width", "Petal.Length",
                      "Petal.Width", "class"], X, y)


def main():
    write_iris()
    for name in immigrate.SETS:
        all_of = table.data("relief/%s.csv" % name)
        for method in (relief, relieff10, simba, lfe):
            w = np.atleast_2d(method(all_of[:, :-1], all_of[:, -1]))
            table.write("relief/%s_%s.csv" % (method.__name__, name), None,
                        [[table.decimals(v, 14) for v in row] for row in w],
                        ",")


if __name__ == "__main__":
    main()
