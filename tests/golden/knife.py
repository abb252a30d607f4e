#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""knife.py - make tests/golden/knife/cases.tsv: for each kernel and loss the
minimum of KNIFE and its weights,

    f(a, w) = L(y, K_w a) + lambda1 a' K_w a + lambda2 sum w, 0 <= w <= 1

    linear      sum_j w_j x_j z_j
    polynomial  (1 + sum_j w_j x_j z_j)^2
    gaussian    exp(-gamma sum_j w_j (x_j - z_j)^2)
    laplacian   exp(-gamma sum_j w_j |x_j - z_j|)

    squared     sum (y - f)^2
    logistic    sum log(1 + exp(-y f))
    sqhinge     sum max(0, 1 - y f)^2
    huberhinge  sum of 0, u^2 / (2 delta), u - delta / 2: u = 1 - y f, delta = 2

objective, weights  the least F(w) = min_a f(a, w): L-BFGS-B from w = 1/2, then
                    Newton's method, its second derivatives by differences
first               f after the first six steps of Algorithm 1: a is the best
                    for w, then w the best for a, f being linear in w around
                    the old w (halved until f falls)
convex              linear kernel: the least L(y, X b) + sum_j of 2 sqrt(lambda1
                    lambda2) |b_j|, or lambda1 b_j^2 + lambda2 if b_j is larger
                    than sqrt(lambda2 / lambda1)
"""
import numpy as np
from scipy.optimize import minimize

import table

KERNELS = ["linear", "polynomial", "gaussian", "laplacian"]
LOSSES = ["squared", "logistic", "sqhinge", "huberhinge"]
DELTA, GAMMA, FIRST = 2.0, .125, 6


def loss(name, y, f):
    """The loss, its first and its second derivatives by f."""
    if name == "squared":
        return (y - f) @ (y - f), 2 * (f - y), np.full(len(y), 2.0)
    t = y * f
    u = 1 - t
    if name == "logistic":
        s = np.exp(-np.logaddexp(0, t))
        return np.logaddexp(0, -t).sum(), -y * s, s * (1 - s)
    if name == "sqhinge":
        h = np.maximum(0, u)
        return h @ h, -2 * y * h, 2.0 * (h > 0)
    near, far = (u > 0) & (u <= DELTA), u > DELTA
    value = np.where(near, u * u / (2 * DELTA), far * (u - DELTA / 2)).sum()
    return value, -y * (near * u / DELTA + far), near / DELTA


class Knife:
    def __init__(self, kernel, name, data, lambda1, lambda2):
        self.kernel, self.loss, self.data = kernel, name, data
        self.lambda1, self.lambda2 = lambda1, lambda2
        rows = table.data("knife/" + data)
        self.X, self.y = rows[:, :-1], rows[:, -1]
        self.n, self.p = self.X.shape
        D = np.abs(self.X[:, None] - self.X[None])
        self.D = D if kernel == "laplacian" else D ** 2

    def gram(self, w):
        if self.kernel in ("gaussian", "laplacian"):
            return np.exp(-GAMMA * (self.D @ w))
        S = (self.X * w) @ self.X.T
        return S if self.kernel == "linear" else (1 + S) ** 2

    def slopes(self, w, a):
        """A_ij = sum_l a_l dK_il / dw_j"""
        if self.kernel in ("gaussian", "laplacian"):
            return -GAMMA * np.einsum("il,l,ilj->ij", self.gram(w), a, self.D)
        if self.kernel == "linear":
            return self.X * (self.X.T @ a)
        return self.X * ((2 * (1 + (self.X * w) @ self.X.T) * a) @ self.X)

    def best_a(self, K):
        """The a of L'(K a) + 2 lambda1 a = 0, by Newton's method."""
        a = np.zeros(self.n)
        for _ in range(500):
            value, g, h = loss(self.loss, self.y, K @ a)
            G = g + 2 * self.lambda1 * a
            if np.abs(G).max() < 1e-13 * max(1, np.abs(g).max()):
                break
            step = np.linalg.solve(h[:, None] * K +
                                   2 * self.lambda1 * np.eye(self.n), -G)
            t, f = 1.0, value + self.lambda1 * a @ K @ a
            while t > 1e-12:
                b = a + t * step
                if loss(self.loss, self.y, K @ b)[0] + \
                        self.lambda1 * b @ K @ b <= \
                        f + 1e-4 * t * (K @ G) @ step + 1e-14 * abs(f):
                    break
                t /= 2
            else:
                break
            a = b
        return a

    def value(self, a, w):
        f = self.gram(w) @ a
        return loss(self.loss, self.y, f)[0] + self.lambda1 * a @ f + \
            self.lambda2 * w.sum()

    def profile(self, w):
        """F(w) and its gradient."""
        K = self.gram(w)
        a = self.best_a(K)
        g = loss(self.loss, self.y, K @ a)[1]
        return self.value(a, w), \
            self.slopes(w, a).T @ (g + self.lambda1 * a) + self.lambda2

    def curvature(self, w, h=1e-5):
        H = np.array([(self.profile(w + h * e)[1] - self.profile(w - h * e)[1])
                      / (2 * h) for e in np.eye(self.p)])
        return (H + H.T) / 2

    def best_w(self, a, w):
        """The w-step of Algorithm 1, from w."""
        A, K = self.slopes(w, a), self.gram(w)
        c = K @ a - A @ w
        slope = self.lambda1 * A.T @ a + self.lambda2

        def value(v):
            f, g, _ = loss(self.loss, self.y, c + A @ v)
            return f + slope @ v, A.T @ g + slope

        def curvature(v):
            return (A.T * loss(self.loss, self.y, c + A @ v)[2]) @ A

        best, t = in_box(value, curvature, w), 1.0
        while t > 1e-14 and self.value(a, w + t * (best - w)) > \
                self.value(a, w) * (1 + 1e-12):
            t /= 2
        return w + t * (best - w)

    def first(self):
        w, out = np.full(self.p, .5), []
        for _ in range(FIRST):
            a = self.best_a(self.gram(w))
            w = self.best_w(a, w)
            out.append(self.value(a, w))
        return out

    def convex(self):
        """b = b+ - b-, both at least 0."""
        kink = np.sqrt(self.lambda2 / self.lambda1)
        flat = 2 * np.sqrt(self.lambda1 * self.lambda2)

        def value(z):
            b, m = z[:self.p] - z[self.p:], z[:self.p] + z[self.p:]
            f, g, _ = loss(self.loss, self.y, self.X @ b)
            g = self.X.T @ g
            d = np.where(m <= kink, flat, 2 * self.lambda1 * m)
            return f + np.where(m <= kink, flat * m, self.lambda1 * m * m +
                                self.lambda2).sum(), np.r_[g + d, d - g]

        z = np.full(2 * self.p, 1e-3)
        for _ in range(5):
            z = quasi_newton(value, z, None)
        return value(z)[0]


def quasi_newton(value, start, upper):
    return minimize(value, start, jac=True, method="L-BFGS-B",
                    bounds=[(0, upper)] * len(start),
                    options={"ftol": 1e-16, "gtol": 1e-11, "maxiter": 20000,
                             "maxfun": 200000, "maxcor": 20}).x


def in_box(value, curvature, start):
    """The least value over 0 <= w <= 1."""
    w = np.clip(quasi_newton(value, start, 1), 0, 1)
    for _ in range(50):
        f, g = value(w)
        if np.abs(w - np.clip(w - g, 0, 1)).max() < 1e-12 * (1 + abs(g).max()):
            break
        free = ~(((w <= 0) & (g > 0)) | ((w >= 1) & (g < 0)))
        step, t = np.zeros(len(w)), 1.0
        step[free] = -np.linalg.lstsq(curvature(w)[np.ix_(free, free)], g[free],
                                      rcond=1e-14)[0]
        while t > 1e-6 and value(np.clip(w + t * step, 0, 1))[0] > \
                f + 1e-15 * abs(f):
            t /= 2
        if t <= 1e-6:
            break
        w = np.clip(w + t * step, 0, 1)
    return w


def main():
    lines = []
    for kernel in KERNELS:
        for name in LOSSES:
            if name != "squared":
                case = Knife(kernel, name, "cls60x8.csv", .1, .5)
            elif kernel == "linear":
                case = Knife(kernel, name, "lin60x8.csv", 1., 5.)
            else:
                case = Knife(kernel, name, "reg60x8.csv", 1., 1.)
            w = in_box(case.profile, case.curvature, np.full(case.p, .5))
            lines.append(
                [kernel, name, case.data, str(case.lambda1), str(case.lambda2),
                 str(GAMMA), table.digits(case.profile(w)[0], 13),
                 table.joined(w, table.decimals, 7),
                 table.joined(case.first(), table.digits, 8),
                 table.digits(case.convex(), 11) if kernel == "linear" else "-"])
    table.write("knife/cases.tsv",
                ["kernel", "loss", "data", "lambda1", "lambda2", "gamma",
                 "objective", "weights", "first", "convex"], lines)


if __name__ == "__main__":
    main()
