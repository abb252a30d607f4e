/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/smo_pair.h by hand: single steps, where rows are alike, and
 * where steps end.
 */
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"
#include "wsvm/smo.h"

enum { MOST = 20 };

/* Variable v of row v, one feature; the first alone has the sign +1. */
struct line {
	struct kith_mat X;
	struct kith_metric metric;
	struct kith_kern kern;
	struct kith_smo_form form;
	size_t n, row[MOST];
	double z[MOST], sign[MOST], q[MOST], lo[MOST], hi[MOST], diagonal[MOST];
	double x[MOST], s[MOST];
};

static void
line_new(struct line *l, size_t n, double z)
{
	*l = (struct line){.n = n};
	l->X = (struct kith_mat){n, 1, l->z};
	l->metric = (struct kith_metric){KITH_SQUARED, 1, NULL};
	l->kern = (struct kith_kern){
	    .kind = KITH_KERN_LINEAR, .metric = &l->metric};
	for (size_t v = 0; v < n; v++) {
		l->row[v] = v;
		l->z[v] = z;
		l->sign[v] = v ? -1 : 1;
		l->q[v] = -1;
		l->hi[v] = 1e15;
	}
}

/* At most so many steps for the variables live. */
static size_t
go(struct line *l, const size_t *live, size_t count, size_t most)
{
	for (size_t v = 0; v < l->n; v++)
		l->diagonal[v] = l->z[v] * l->z[v] + l->form.ridge;
	l->form = (struct kith_smo_form){
	    .rows = kith_krows_new(&l->kern, &l->X, 100000, 1, &pool),
	    .n = l->n,
	    .N = l->n,
	    .plus = l->row,
	    .sign = l->sign,
	    .q = l->q,
	    .lo = l->lo,
	    .hi = l->hi,
	    .diagonal = l->diagonal,
	    .bias = true,
	    .ridge = l->form.ridge};
	return kith_smo(&l->form, live, count, 1e-9, most, l->x, l->s);
}

/* Copies of a row: the step is the difference of gains, 2, over 1e-12. */
static void
test_copies(void)
{
	struct line l;

	line_new(&l, 2, 1);
	is_size(go(&l, l.row, 2, 1), 1, "one step");
	is_near(l.x[0] * 1e-12, 2, 1e-9, "over 1e-12 for a copy");
	ok(l.x[1] == l.x[0], "for both");
	line_new(&l, 2, 1);
	l.hi[0] = 3;
	go(&l, l.row, 2, 1);
	ok(l.x[0] == 3 && l.x[1] == 3, "to the bound of the one");
	line_new(&l, 2, 1);
	l.hi[1] = 2;
	go(&l, l.row, 2, 1);
	ok(l.x[0] == 2 && l.x[1] == 2, "or of the other");
	line_new(&l, 2, 1);
	l.form.ridge = 0x1p-39; /* twice this is 3.6e-12 */
	go(&l, l.row, 2, 1);
	is_near(l.x[0] * 0x1p-39, 1, 1e-3, "over what a ridge makes of it");
	line_new(&l, 2, 2);
	l.form.ridge = 0x1p-39;
	go(&l, l.row, 2, 1);
	is_near(l.x[0] * 1e-12, 2, 1e-9, "but of larger rows it is nothing");
}

/* |x - z|^2 comes out below 0: the pair still goes to its bounds. */
static void
test_below_zero(void)
{
	size_t seen = 0, wrong = 0;

	for (size_t k = 1; k < 200 && seen < 5; k++) {
		const double x = 1 + (double)k / 211, z = x + 0x1p-52;
		struct line l;

		if (!(x * x + z * z - 2 * (x * z) < 0))
			continue;
		line_new(&l, 2, x);
		l.z[1] = z;
		l.hi[0] = l.hi[1] = 4;
		wrong += go(&l, l.row, 2, 100) != 1 || l.x[0] != 4 ||
		    l.x[1] != 4;
		seen++;
	}
	ok(seen == 5 && wrong == 0, "squares below 0: %zu of %zu wrong", wrong,
	    seen);
}

/* The partner, of n, with which the objective falls most. */
static size_t
partner(size_t n, size_t copy, double q)
{
	struct line l;
	const size_t strong = copy == 1 ? n - 1 : 1;
	size_t at = 0;

	line_new(&l, n, 0);
	l.z[0] = l.z[copy] = 1;
	for (size_t v = 1; v < n; v++)
		l.q[v] = v == strong ? -1 : 0;
	l.q[copy] = q;
	go(&l, l.row, n, 1);
	for (size_t v = 1; v < n; v++)
		if (l.x[v] > 0)
			at = at ? n : v;
	return at;
}

/*
 * The row farther off gains 2^2 / 1; a copy of the first d^2 / 1e-12, d being
 * the difference of gains.
 */
static void
test_partners(void)
{
	size_t wrong = 0;

	for (size_t n = 3; n <= MOST; n++)
		for (size_t copy = 1; copy < n; copy++) {
			wrong += partner(n, copy, 1 - 2.2e-6) != copy;
			wrong += partner(n, copy, 1 - 1.8e-6) !=
			    (copy == 1 ? n - 1 : 1);
			wrong += partner(n, copy, 1.5) !=
			    (copy == 1 ? n - 1 : 1);
		}
	is_size(wrong, 0, "a copy is chosen where it gains more");
}

/* Steps are counted; none where none is asked for, or none is left. */
static void
test_count(void)
{
	static const double z[] = {1, 4, -2, 3, 5, .5, 2.5, -1};
	struct line l;
	size_t all;

	for (size_t most = 0; most <= 3; most++) {
		line_new(&l, 8, 0);
		memcpy(l.z, z, sizeof(z));
		l.sign[2] = l.sign[4] = 1;
		for (size_t v = 0; v < 8; v++)
			l.hi[v] = .25 + (double)v / 16;
		is_size(go(&l, l.row, 8, most), most, "so many steps");
	}
	all = go(&l, l.row, 8, 1000);
	ok(all > 0 && all < 1000, "%zu more steps do", all);
	is_size(go(&l, l.row, 8, 1000), 0, "then no more");
	is_size(go(&l, l.row, 1, 1000), 0, "one variable has no partner");
	is_size(go(&l, l.row, 0, 1000), 0, "and none has nothing to do");
}

/* Some variables alone move, first ones or any; scores are of all rows. */
static void
test_some(void)
{
	static const size_t lives[][3] = {{0, 1, 2}, {0, 4, 7}, {7, 4, 0}};

	for (size_t k = 0; k < 3; k++) {
		struct line l;
		double sum = 0, w = 0, off = 0;

		line_new(&l, 9, 0);
		for (size_t v = 0; v < 9; v++) {
			l.z[v] = (double)v - 2.5;
			l.hi[v] = .5;
		}
		l.q[0] = -9;
		l.x[3] = l.x[8] = .25; /* these stay */
		for (size_t i = 0; i < 9; i++)
			l.s[i] = -.25 * l.z[i] * (l.z[3] + l.z[8]);
		ok(go(&l, lives[k], 3, 100) > 0, "of three variables");
		for (size_t v = 0; v < 9; v++) {
			sum += l.sign[v] * l.x[v];
			w += l.sign[v] * l.x[v] * l.z[v];
		}
		for (size_t i = 0; i < 9; i++)
			off = fmax(off, fabs(l.s[i] - w * l.z[i]));
		ok(off <= 1e-14, "scores of all: %.1e", off);
		ok(fabs(sum + .5) <= 1e-15 && l.x[3] == .25 && l.x[8] == .25 &&
			l.x[5] == 0,
		    "the others stay");
	}
}

int
main(void)
{
	test_copies();
	test_below_zero();
	test_partners();
	test_count();
	test_some();
	kith_pool_free(&pool);
	return done();
}
