/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/libsvm_write.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "machine/machine.h"
#include "machine/votes.h"
#include "text/out.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Whether a class is a whole number, written as LIBSVM would write it. */
static bool
is_label(const char *s)
{
	char due[KITH_NUM_ROOM];
	size_t n;
	const bool minus = *s == '-';

	if (kith_parse_size(s + minus, &n) || n > INT_MAX || (minus && n == 0))
		return false;
	kith_format_size(due, n);
	return strcmp(s + minus, due) == 0;
}

int
kith_libsvm_check(const struct kith_machine *m, struct kith_err *err)
{
	const struct kith_names *class = &m->class;

	for (size_t h = 0; m->task == KITH_MACHINE_CLASSIFY && h < class->n; h++)
		if (!is_label(class->name[h]))
			return kith_fail(err, EX_DATAERR,
			    "class " KITH_CELL ": the classes of a LIBSVM "
			    "model are whole numbers (sed or awk can number "
			    "them)",
			    class->name[h]);
	if (m->kern.degree > INT_MAX)
		return kith_fail(err, EX_DATAERR, "the degree is too large for a LIBSVM model");
	if (m->task == KITH_MACHINE_CLASSIFY && class->n > 2 && m->multi != KITH_MACHINE_ONE)
		return kith_fail(err, EX_DATAERR, "a LIBSVM model sets classes one against one");
	if (m->metric.w)
		return kith_fail(err, EX_DATAERR, "a LIBSVM model has no weights of features");
	if (m->unit.center)
		return kith_fail(err, EX_DATAERR,
		    "a LIBSVM model scales no features (tabscale beforehand, and --scale none?)");
	return 0;
}

static void
write_real(struct kith_out *out, const char *key, double x)
{
	kith_out_text(out, key);
	kith_out_char(out, ' ');
	kith_out_real(out, x);
	kith_out_char(out, '\n');
}

static void
write_size(struct kith_out *out, const char *key, size_t n)
{
	kith_out_text(out, key);
	kith_out_char(out, ' ');
	kith_out_size(out, n);
	kith_out_char(out, '\n');
}

static void
write_kernel(const struct kith_kern *kern, struct kith_out *out)
{
	static const char *const name[] = {[KITH_KERN_GAUSSIAN] = "rbf",
	    [KITH_KERN_LINEAR] = "linear",
	    [KITH_KERN_POLYNOMIAL] = "polynomial"};

	assert(kern->kind == KITH_KERN_GAUSSIAN || kern->kind == KITH_KERN_LINEAR ||
	    kern->kind == KITH_KERN_POLYNOMIAL);
	kith_out_text(out, "kernel_type ");
	kith_out_text(out, name[kern->kind]);
	kith_out_char(out, '\n');
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_size(out, "degree", kern->degree);
	if (kern->kind != KITH_KERN_LINEAR)
		write_real(out, "gamma", kern->gamma);
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_real(out, "coef0", kern->coef0);
}

/*
 * Rows and coefficients as LIBSVM has them: f > 0 is its first class.  With two
 * classes its labels are ours the other way round, so that f stays; else they are
 * ours, and f has the other sign.
 */
struct model {
	const struct kith_machine *m;
	size_t c;      /* classes; 0: numbers are predicted */
	double sign;   /* of f */
	bool turned;   /* label h is class c - 1 - h */
	size_t *of;    /* n: the label of each row; c: it has no coefficient */
	size_t *count; /* rows of each label */
};

/* The label that a row belongs to: coefficients above 0 say +1. */
static size_t
label_of(const struct model *l, size_t i)
{
	const size_t outputs = kith_machine_outputs(l->m);
	const double *coef = l->m->coef + i * outputs;
	size_t o = 0, first = 0, second = 1;

	while (o < outputs && coef[o] == 0)
		o++;
	if (o == outputs)
		return l->c;
	if (l->c > 2)
		kith_machine_pair(l->c, o, &first, &second);
	return l->sign * coef[o] > 0 ? first : second;
}

static void
begin(struct model *l, const struct kith_machine *m, struct kith_pool *pool)
{
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;

	*l = (struct model){.m = m, .c = classify ? m->class.n : 0, .sign = 1};
	l->turned = l->c == 2 && !m->first_is_plus;
	if (l->c > 2 && !m->first_is_plus)
		l->sign = -1;
	KITH_NEW_SIZES(pool, m->X.n, 1, &l->of);
	KITH_NEW_SIZES(pool, l->c + 1, 1, &l->count);
	for (size_t i = 0; i < m->X.n; i++) {
		l->of[i] = l->c > 1 ? label_of(l, i) : 0;
		l->count[l->of[i]]++;
	}
	if (l->c == 1) /* it needs no rows */
		l->count[0] = 0;
}

static size_t
rows_of(const struct model *l)
{
	size_t n = 0;

	for (size_t h = 0; h < (l->c ? l->c : 1); h++)
		n += l->count[h];
	return n;
}

static void
write_labels(const struct model *l, struct kith_out *out)
{
	kith_out_text(out, "label");
	for (size_t h = 0; h < l->c; h++) {
		kith_out_char(out, ' ');
		kith_out_text(out, l->m->class.name[l->turned ? l->c - 1 - h : h]);
	}
	kith_out_char(out, '\n');
}

static void
write_counts(const struct model *l, struct kith_out *out)
{
	kith_out_text(out, "nr_sv");
	for (size_t h = 0; h < l->c; h++) {
		kith_out_char(out, ' ');
		kith_out_size(out, l->count[h]);
	}
	kith_out_char(out, '\n');
}

/* The coefficients of row i of label g, in the columns of the other labels. */
static void
write_coef(const struct model *l, size_t i, size_t g, struct kith_out *out)
{
	const size_t outputs = kith_machine_outputs(l->m);
	const double *coef = l->m->coef + i * outputs;

	if (outputs == 1) {
		kith_out_real(out, *coef);
		kith_out_char(out, ' ');
		return;
	}
	for (size_t o = 0; o < outputs; o++) {
		size_t first, second;

		kith_machine_pair(l->c, o, &first, &second);
		if (first != g && second != g)
			continue; /* in the order of the columns, so */
		kith_out_real(out, l->sign * coef[o]);
		kith_out_char(out, ' ');
	}
}

static void
write_row(const struct model *l, size_t i, size_t g, struct kith_out *out)
{
	const struct kith_machine *m = l->m;
	const double *x = kith_row(&m->X, i);

	write_coef(l, i, g, out);
	for (size_t j = 0; j < m->X.p; j++) {
		if (x[j] == 0)
			continue;
		kith_out_size(out, j + 1);
		kith_out_char(out, ':');
		kith_out_real(out, x[j]);
		kith_out_char(out, ' ');
	}
	kith_out_char(out, '\n');
}

/* Write a number for each pair of labels, with a sign. */
static void
write_pairs(
    const struct model *l, const char *key, double sign, const double *v, struct kith_out *out)
{
	const size_t outputs = l->c == 1 ? 0 : kith_machine_outputs(l->m);

	kith_out_text(out, key);
	for (size_t o = 0; o < outputs; o++) {
		kith_out_char(out, ' ');
		kith_out_real(out, sign * v[o]);
	}
	kith_out_char(out, '\n');
}

void
kith_libsvm_write(const struct kith_machine *m, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	struct model l;

	begin(&l, m, &tmp);
	kith_out_text(out, "svm_type ");
	kith_out_text(out, l.c ? "c_svc\n" : "epsilon_svr\n");
	write_kernel(&m->kern, out);
	write_size(out, "nr_class", l.c ? l.c : 2);
	write_size(out, "total_sv", rows_of(&l));
	write_pairs(&l, "rho", -l.sign, m->bias, out);
	if (l.c)
		write_labels(&l, out);
	if (m->A) { /* -f of P is f of 1 - P */
		write_pairs(&l, "probA", 1, m->A, out);
		write_pairs(&l, "probB", l.sign, m->B, out);
	}
	if (l.c)
		write_counts(&l, out);
	kith_out_text(out, "SV\n");
	for (size_t g = 0; g < (l.c ? l.c : 1); g++)
		for (size_t i = 0; i < m->X.n && !out->failed; i++)
			if (l.of[i] == g && l.count[g] > 0)
				write_row(&l, i, g, out);
	kith_pool_free(&tmp);
}
