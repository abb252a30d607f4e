/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check_loss.h and lib/knife/loss.h: losses, their derivatives and
 * conjugates by definition.
 */
#include "knife/check_loss.h"

#include "knife/data.h"
#include "knife/loss.h"
#include "tap.h"

/* u f - L(f), of which L*(u) is the largest value. */
static double
below(const struct kith_knife_problem *of, double y, double u, double f)
{
	double slope;

	return u * f - plain_loss(of, y, f, &slope);
}

/* Its largest value, on -lim..lim, by thirds: it is concave. */
static double
plain_conjugate(const struct kith_knife_problem *of, double y, double u, double lim)
{
	double lo = -lim, hi = lim;

	for (int cut = 0; cut < 200; cut++) {
		const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;

		if (below(of, y, u, a) < below(of, y, u, b))
			lo = a;
		else
			hi = b;
	}
	return below(of, y, u, lo);
}

static void
test_conjugate(void)
{
	/* t = -y u; logistic and huberhinge end at 0 and 1, sqhinge at 0. */
	static const double t[] = {-3, -.1, 0, .2, .5, .9, 1, 1.5, 4};
	struct kith_knife_problem of = {.delta = .7};

	for (int loss = 0; loss < 4; loss++)
		for (int k = 0; k < 18; k++) {
			const double y = k % 2 ? 1 : -1, at = t[k / 2];
			double least = loss ? 0 : -9;
			double most = loss % 2 ? 1 : 9;
			long double u = -y * at;
			double kept, got;

			of.loss = (enum kith_knife_loss)loss;
			kept = fmin(fmax(at, least), most);
			got = (double)kith_check_knife_conjugate(&of, y, &u);
			ok(fabs((double)u + y * kept) < 1e-15 &&
				fabs(got - plain_conjugate(&of, y, (double)u, 60)) < 1e-9,
			    "%s, t = %g: L* %.10g", loss_name[loss], at, got);
		}
}

/* Losses and their derivatives, at the borders of their parts too. */
static void
test_losses(void)
{
	static const double t[] = {-40, -2, 0, .3, .5, 1, 1.1, 40};
	const double weight[] = {1, 3};
	struct kith_knife_problem of = {.delta = .5, .weight = weight};

	for (int k = 0; k < 64; k++) {
		const double y = k % 2 ? 1 : -1, f = y * t[k / 8];
		double slope, d2, due, h = 1e-5, up, down;
		long double d1, got;

		of.loss = (enum kith_knife_loss)(k / 2 % 4);
		got = kith_check_knife_row(&of, 1, y, f, &d1, &d2);
		due = plain_loss(&of, y, f, &slope);
		ok(fabs((double)got - 3 * due) <= 1e-14 * (1 + due) &&
			fabs((double)d1 - 3 * slope) <= 1e-13 * (1 + due),
		    "%s, t = %g: %.10Lg, %.10Lg", loss_name[of.loss], t[k / 8], got, d1);
		plain_loss(&of, y, f + h, &up);
		plain_loss(&of, y, f - h, &down);
		/* At a kink: that of its curved side. */
		if (t[k / 8] == .5 || t[k / 8] == 1)
			continue;
		ok(fabs(d2 - 3 * (up - down) / (2 * h)) < 1e-6, "its curvature: %g", d2);
	}
}

/* At t = 1 a loss is flat, at t = 1 - delta it is curved, for solver and check. */
static void
test_kinks(void)
{
	const double y[] = {1, 1, 1}, f[] = {1, .5, .25};
	const double due[2][3] = {{0, 2, 2}, {0, 2, 0}};
	struct kith_knife_problem of = {.delta = .5};

	for (int k = 0; k < 2; k++) {
		double g[3], h[3], d2;

		of.loss = k ? KITH_KNIFE_HUBERHINGE : KITH_KNIFE_SQHINGE;
		kith_knife_loss(&of, 3, y, f, g, h);
		for (size_t i = 0; i < 3; i++) {
			long double d1;

			kith_check_knife_loss(&of, 1, f[i], &d1, &d2);
			ok(h[i] == due[k][i] && d2 == due[k][i] && g[i] == (double)d1,
			    "%s, t = %g: curvature %g", loss_name[of.loss], f[i], h[i]);
		}
	}
}

/* Sums by the weights of rows, and the largest curvature of a row, of the solver. */
static void
test_sums(void)
{
	enum { N = 1025 };
	double y[N], f[N], weight[N], g[N], h[N];
	struct kith_mat X = {N, 1, f};
	struct kith_knife_problem of = {.X = &X, .delta = .375, .weight = weight};

	for (size_t i = 0; i < N; i++) {
		y[i] = i % 3 ? 1 : -1;
		f[i] = (double)i / 64 - 8;
		weight[i] = .5 + (double)(i % 4);
	}
	for (int k = 0; k < 4; k++) {
		double due = 0, off = 0, most = 0, total = 0, slope, got;

		of.loss = (enum kith_knife_loss)k;
		got = kith_knife_loss(&of, N, y, f, g, h);
		for (size_t i = 0; i < N; i++) {
			due += weight[i] * plain_loss(&of, y[i], f[i], &slope);
			off = fmax(off, fabs(g[i] - weight[i] * slope));
			most = fmax(most, h[i] / weight[i]);
			total += weight[i];
		}
		ok(fabs(got / due - 1) < 1e-13 && off < 1e-13,
		    "%s: the sum %.12g, derivatives to %.1e", loss_name[k], got, off);
		is_near(kith_knife_curvature(&of), most, 1e-15, "its curvature");
		is_near(kith_knife_total(&of), total, 1e-15, "all weights");
	}
}

int
main(void)
{
	test_conjugate();
	test_losses();
	test_kinks();
	test_sums();
	return done();
}
