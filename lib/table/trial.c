/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/trial.h"

#include "base/pool.h"
#include "text/out.h"

#include <assert.h>
#include <math.h>

void
kith_trial_sums(
    const long double *loss, const double *weight, size_t parts, bool regress, struct kith_trial *t)
{
	long double sum = 0, all = 0, mean = 0, square = 0, N = 0;

	for (size_t i = 0; i < parts; i++) {
		if (!(weight[i] > 0))
			continue;
		N++;
		sum += loss[i];
		all += weight[i];
		mean += loss[i] / weight[i];
	}
	mean /= N;
	for (size_t i = 0; i < parts; i++)
		if (weight[i] > 0) {
			const long double d = loss[i] / weight[i] - mean;

			square += d * d;
		}
	square = sqrtl(square / (N * (N - 1)));
	mean = sum / all; /* of all rows */
	if (regress) {
		mean = sqrtl(mean);
		square /= mean > 0 ? 2 * mean : 1;
	}
	t->error = (double)mean;
	t->se = N > 1 ? (double)square : NAN;
}

void
kith_trial_rows(
    const double *x, const size_t *part, size_t n, size_t parts, bool regress, struct kith_trial *t)
{
	struct kith_pool tmp = {0};
	const size_t N = part ? parts : n;
	long double *sum = kith_new(&tmp, N, sizeof(*sum));
	double *count = kith_new(&tmp, N, sizeof(*count));

	t->n = t->errors = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t at = part ? part[i] : i;

		if (isnan(x[i]))
			continue;
		sum[at] += regress ? (long double)x[i] * x[i] : x[i];
		count[at]++;
		t->n++;
		t->errors += x[i] > 0;
	}
	kith_trial_sums(sum, count, N, regress, t);
	kith_pool_free(&tmp);
}

/* -1, 0 or 1 as a comes before, with or behind b, unknown ones last. */
static int
compare(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

/* Whether a is to be preferred to b, but for their errors. */
static bool
preferred(const struct kith_trial_form *form, const struct kith_trial *a,
    const struct kith_trial *b, bool simplest)
{
	if (a->features != b->features)
		return a->features < b->features;
	for (size_t k = form->keys; k-- > 0;) {
		const int c = compare(a->key[k], b->key[k]);

		if (c != 0)
			return simplest && form->key[k].simple_is_large ? c > 0 : c < 0;
	}
	return false;
}

size_t
kith_trial_choose(const struct kith_trial_form *form, const struct kith_trial *t, size_t n, int how)
{
	size_t best = 0, simplest;
	double most;

	assert(n >= 1);
	for (size_t i = 1; i < n; i++) {
		const int c = compare(t[i].error, t[best].error);

		if (c < 0 || (c == 0 && preferred(form, &t[i], &t[best], false)))
			best = i;
	}
	/* An error whose spread is not known is within none but its own. */
	most = t[best].error + (t[best].se > 0 ? t[best].se : 0);
	simplest = best;
	for (size_t i = 0; i < n; i++)
		if (t[i].error <= most && preferred(form, &t[i], &t[simplest], true))
			simplest = i;
	return how == KITH_BEST_SE ? simplest : best;
}

void
kith_trial_header(const struct kith_trial_form *form, struct kith_out *out)
{
	const char *name[KITH_TRIAL_KEYS + 5];
	size_t n = 0;

	for (size_t i = 0; i < form->keys; i++)
		if (form->key[i].name)
			name[n++] = form->key[i].name;
	name[n++] = "n";
	if (!form->regress)
		name[n++] = "errors";
	name[n++] = form->regress ? "rmse" : "error";
	name[n++] = "se";
	if (form->features)
		name[n++] = "features";
	kith_out_header(out, name, n);
}

void
kith_trial_write(
    const struct kith_trial_form *form, const struct kith_trial *t, struct kith_out *out)
{
	for (size_t i = 0; i < form->keys; i++) {
		if (!form->key[i].name)
			continue;
		if (form->key[i].whole)
			kith_out_put(out, "%zu\t", (size_t)t->key[i]);
		else
			kith_out_put(out, "%G\t", t->key[i]);
	}
	kith_out_put(out, "%zu\t", t->n);
	if (!form->regress)
		kith_out_put(out, "%zu\t", t->errors);
	kith_out_put(out, "%G\t%G", t->error, t->se);
	if (form->features)
		kith_out_put(out, "\t%zu", t->features);
	kith_out_row(out);
	kith_out_flush(out);
}
