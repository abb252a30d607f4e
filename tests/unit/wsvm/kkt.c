/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/margin_kkt.h and margin_solve.h: variables that enter one by
 * one or all together, those that depend on others, and how often the factor is
 * computed anew.
 */
#include "wsvm/margin_kkt.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"
#include "wsvm/margin_solve.h"
#include "wsvm/smo_form.h"

enum { ROWS = 90 };

static struct kith_rng rng;
static struct task t;
static double diagonal[ROWS];
static struct kith_smo_form form;

static double
Q(size_t v, size_t w)
{
	double phi = 0;

	for (int a = 0; a < (t.minus ? 2 : 1); a++)
		for (int b = 0; b < (t.minus ? 2 : 1); b++)
			phi += (a == b ? 1 : -1) *
			    t.K[(a ? t.minus : t.plus)[v] * ROWS +
				(b ? t.minus : t.plus)[w]];
	return t.sign[v] * t.sign[w] * phi + (v == w ? form.ridge : 0);
}

/* Every so many rows, one is a copy of the row before (0: none is). */
static struct kith_wsvm_margin *
begin(bool ranks, bool bias, size_t copies, double ridge)
{
	task_new(&t, ROWS, 2, ROWS, ranks);
	for (size_t i = 0; i < 2 * (size_t)ROWS; i++)
		t.X.v[i] = 8 * kith_rng_unit(&rng);
	for (size_t i = copies; i < ROWS && copies; i += copies)
		memcpy(kith_row(&t.X, i), kith_row(&t.X, i - 1),
		    sizeof(double[2]));
	for (size_t v = 0; v < ROWS; v++) {
		t.plus[v] = v;
		if (ranks)
			t.minus[v] = (v * 7 + 3) % ROWS;
		t.sign[v] = !ranks && v % 4 == 0 ? -1 : 1;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, ridge);
	form = (struct kith_smo_form){
	    .rows = kith_krows_new(
		&t.kern, &t.X, sizeof(double) * ROWS * ROWS, 1, &pool),
	    .n = ROWS,
	    .N = ROWS,
	    .plus = t.plus,
	    .minus = t.minus,
	    .sign = t.sign,
	    .q = t.q,
	    .diagonal = diagonal,
	    .bias = bias,
	    .ridge = ridge};
	for (size_t v = 0; v < ROWS; v++)
		diagonal[v] = Q(v, v);
	return kith_wsvm_margin_new(&form, &pool);
}

/* What is wrong with list and places. */
static size_t
misplaced(const struct kith_wsvm_margin *m)
{
	size_t wrong = 0, in = 0;

	for (size_t v = 0; v < ROWS; v++) {
		if (m->place[v] == KITH_WSVM_NOT)
			continue;
		in++;
		wrong += m->place[v] >= m->size || m->list[m->place[v]] != v;
	}
	return wrong + (in != m->size) + (m->chol.n != m->size);
}

/* Solve the system for random sides: what is left of it, and of its factor. */
static double
left_of(struct kith_wsvm_margin *m)
{
	double c[ROWS] = {0}, x[ROWS] = {0}, b = 9, r = kith_rng_unit(&rng),
	       most = 0;
	double sum = r;

	for (size_t i = 0; i < m->size; i++)
		c[i] = kith_rng_unit(&rng);
	kith_wsvm_margin_solve(m, c, r, 1e-9, x, &b);
	for (size_t i = 0; i < m->size; i++) {
		double left = c[i] - t.sign[m->list[i]] * b;

		for (size_t j = 0; j < m->size; j++)
			left -= Q(m->list[i], m->list[j]) * x[j];
		most = fmax(most, fabs(left));
		sum -= t.sign[m->list[i]] * x[i];
	}
	if (!form.bias)
		return fmax(most, fabs(b));
	return fmax(most, fabs(sum));
}

/* Those of a list enter together: as one by one, up to the first refused. */
static void
test_together(bool ranks, bool bias, size_t copies)
{
	struct kith_wsvm_margin *m = begin(ranks, bias, copies, 0);
	struct kith_wsvm_margin *one = kith_wsvm_margin_new(&form, &pool);
	const double rho = ranks ? 2 : 1;
	double off = 0;
	size_t wrong = 0, done = 0;

	ok(bias ? m->rho > 0 && m->rho <= rho : m->rho == 0, "rho");
	while (done < ROWS) {
		size_t v[ROWS], count = 0, alone = 0, got;

		while (count < 1 + done % 29 && done + count < ROWS) {
			v[count] = done + count;
			count++;
		}
		got = kith_wsvm_margin_enter_all(m, v, count);
		while (alone < count && kith_wsvm_margin_enter(one, v[alone]))
			alone++;
		wrong += got != alone || m->changes > (size_t)8 * ROWS;
		wrong += misplaced(m) + misplaced(one);
		for (size_t i = 0; i < m->size; i++)
			wrong += m->list[i] != one->list[i];
		off = fmax(off, left_of(m));
		done += got < count ? got + 1 : got;
	}
	is_size(wrong, 0, "as many, in the same places");
	ok(ranks         ? m->size < ROWS
		: copies ? m->size == ROWS - (ROWS - 1) / copies
			 : m->size == ROWS,
	    "what depends on others is refused: %zu", m->size);
	ok(off <= 1e-12, "solutions: %.1e", off);
	for (size_t k = 0; m->size > 1; k++) {
		kith_wsvm_margin_leave(m, m->list[k * 5 % m->size]);
		wrong += misplaced(m);
		off = fmax(off, left_of(m));
	}
	ok(wrong == 0 && off <= 1e-12, "until one is left: %.1e", off);
	kith_pool_free(&pool);
}

/* The factor is computed anew after as many changes as M has, or 100. */
static void
test_changes(size_t size, size_t due)
{
	struct kith_wsvm_margin *m = begin(false, true, 0, .1);
	double off = 0;
	size_t done = 0;

	for (size_t v = 0; v < size; v++)
		kith_wsvm_margin_enter(m, v);
	kith_wsvm_margin_factor(m);
	is_size(m->changes, 0, "a factor that is new");
	while (done <= due) {
		if (m->size > size)
			kith_wsvm_margin_leave(m, m->list[size]);
		else
			kith_wsvm_margin_enter(m, size + done % 5);
		if (m->changes != ++done)
			break;
		off = fmax(off, left_of(m));
		if (m->changes == 0)
			break;
	}
	is_size(done, due, "changes until it is computed anew");
	ok(off <= 1e-13, "solutions: %.1e", off);
	kith_pool_free(&pool);
}

/* What v has with M, and how M follows it where no score changes. */
static void
test_outside(bool ranks, bool bias)
{
	struct kith_wsvm_margin *m = begin(ranks, bias, 0, .05);
	double a[ROWS], z[ROWS], off = 0, b = 0, first = 0;
	const size_t v = 44;

	for (size_t w = 1; w < 40; w += 2)
		kith_wsvm_margin_enter(m, w);
	kith_wsvm_margin_column(m, v, a);
	kith_wsvm_margin_null(m, v, z);
	for (size_t i = 0; i < m->size; i++) {
		double left = a[i];

		off = fmax(off, fabs(a[i] - Q(v, m->list[i])));
		for (size_t j = 0; j < m->size; j++)
			left += Q(m->list[i], m->list[j]) * z[j];
		b += t.sign[m->list[i]] * z[i];
		left *= t.sign[m->list[i]]; /* -b, for all of them */
		first = i == 0 && bias ? left : first;
		off = fmax(off, fabs(left - first));
	}
	if (bias)
		off = fmax(off, fabs(b + t.sign[v]));
	ok(off <= 1e-13 && misplaced(m) == 0, "a variable outside: %.1e", off);
	kith_pool_free(&pool);
}

/* Rows that depend on others get a larger diagonal. */
static void
test_dependent(void)
{
	struct kith_wsvm_margin *m = begin(false, true, 2, 0);
	const size_t v[] = {10, 15, 20, 25, 30, 35, 40, 45};
	double c[ROWS] = {0}, x[ROWS], b, off = 0;

	/* 10 is a copy of 9. */
	kith_wsvm_margin_enter_all(m, v, 8);
	ok(!kith_wsvm_margin_enter(m, 9) && m->size == 8, "a copy is refused");
	kith_wsvm_margin_leave(m, 10);
	ok(kith_wsvm_margin_enter(m, 10), "comes again");
	t.plus[9] = 10; /* another of the same item */
	m->list[m->size] = 9;
	m->place[9] = m->size++;
	kith_wsvm_margin_factor(m);
	is_size(m->chol.n, 9, "a factor of all of them");
	for (size_t i = 0; i < m->size; i++)
		c[i] = m->list[i] == 9 || m->list[i] == 10 ? t.sign[m->list[i]]
							   : .5;
	kith_wsvm_margin_solve(m, c, 0, 1, x, &b);
	for (size_t i = 0; i < m->size; i++) {
		double left = c[i] - t.sign[m->list[i]] * b;

		for (size_t j = 0; j < m->size; j++)
			left -= t.sign[m->list[i]] * t.sign[m->list[j]] *
			    t.K[t.plus[m->list[i]] * ROWS +
				t.plus[m->list[j]]] *
			    x[j];
		off = fmax(off, fabs(left));
	}
	ok(off <= 1e-7, "whose solutions are right: %.1e", off);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	for (size_t copies = 0; copies < 6; copies += 5) {
		test_together(false, true, copies);
		test_together(false, false, copies);
	}
	test_together(true, false, 0);
	test_changes(3, 101);
	test_changes(70, 101);
	test_outside(false, true);
	test_outside(false, false);
	test_outside(true, false);
	test_dependent();
	return done();
}
