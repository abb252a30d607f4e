/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/trial.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "table/table.h"
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
kith_trial_write(
    const struct kith_trial_form *form, const struct kith_trial *t, size_t n, struct kith_out *out)
{
	const char *name[KITH_TRIAL_KEYS + 4];
	size_t columns = 0;

	for (size_t i = 0; i < form->keys; i++)
		name[columns++] = form->key[i].name;
	name[columns++] = "n";
	if (!form->regress)
		name[columns++] = "errors";
	name[columns++] = form->regress ? "rmse" : "error";
	name[columns++] = "se";
	kith_out_header(out, name, columns);
	for (const struct kith_trial *end = t + n; t < end; t++) {
		for (size_t i = 0; i < form->keys; i++)
			if (form->key[i].whole)
				kith_out_put(out, "%zu\t", (size_t)t->key[i]);
			else
				kith_out_put(out, "%G\t", t->key[i]);
		kith_out_put(out, "%zu\t", t->n);
		if (!form->regress)
			kith_out_put(out, "%zu\t", t->errors);
		kith_out_put(out, "%G\t%G\n", t->error, t->se);
	}
}

/* ---- Parts of rows. ---- */

void
kith_fold_deal(const size_t *y, size_t n, size_t c, const size_t *shares, size_t parts,
    uint64_t seed, size_t *part)
{
	struct kith_pool tmp = {0};
	const size_t classes = y ? c : 1;
	size_t *order = kith_new(&tmp, n, sizeof(*order));
	size_t *start = kith_new(&tmp, classes + 1, sizeof(*start)), sum = 0;
	int64_t *lack = kith_new(&tmp, parts, sizeof(*lack));
	struct kith_rng rng;

	for (size_t i = 0; shares && i < parts; i++) {
		assert(1 <= shares[i] && shares[i] <= KITH_FOLD_SHARES - sum);
		sum += shares[i];
	}
	assert(parts > 0 && c > 0 && (!shares || n <= (uint64_t)INT64_MAX / sum));
	kith_sort_by_class(classes > 1 ? y : NULL, n, classes, order, start);
	for (size_t h = 0; h < classes; h++) {
		kith_rng_seed(&rng, seed, KITH_RNG_FOLD, h);
		kith_rng_shuffle(&rng, order + start[h], start[h + 1] - start[h]);
	}
	for (size_t t = 0; t < n; t++) {
		size_t best = 0;

		if (!shares) {
			part[order[t]] = t % parts;
			continue;
		}
		for (size_t i = 0; i < parts; i++) {
			lack[i] += (int64_t)shares[i];
			if (lack[i] > lack[best])
				best = i;
		}
		lack[best] -= (int64_t)sum;
		part[order[t]] = best;
	}
	kith_pool_free(&tmp);
}

static void
deal_groups(const struct kith_fold_rows *of, size_t parts, uint64_t seed, size_t *part)
{
	const size_t n = of->n, c = of->c, groups = of->groups;
	struct kith_pool tmp = {0};
	struct kith_ranked *by = kith_new(&tmp, groups, sizeof(*by));
	size_t *row, *class, *start, *order, *class_rows, *part_rows, *part_class_rows;
	struct kith_rng rng;

	KITH_NEW_SIZES(&tmp, n, 1, &row, &class);
	KITH_NEW_SIZES(&tmp, groups + 1, 1, &start, &order);
	KITH_NEW_SIZES(&tmp, c, 1, &class_rows);
	KITH_NEW_SIZES(&tmp, parts, 1, &part_rows);
	KITH_NEW_SIZES(&tmp, parts, c, &part_class_rows);
	kith_sort_by_class(of->group, n, groups, row, start);
	/* The largest first; groups of one size in the order of a shuffle. */
	for (size_t g = 0; g < groups; g++)
		order[g] = g;
	kith_rng_seed(&rng, seed, KITH_RNG_FOLD, 0);
	kith_rng_shuffle(&rng, order, groups);
	for (size_t i = 0; i < groups; i++)
		by[i] = (struct kith_ranked){(double)(start[order[i] + 1] - start[order[i]]), i};
	kith_sort_ranked(by, groups);
	for (size_t i = 0; i < n; i++) {
		class[i] = of->y ? of->y[row[i]] : 0;
		class_rows[class[i]]++;
	}
	for (size_t t = 0; t < groups; t++) {
		const size_t g = order[by[t].of], first = start[g], end = start[g + 1];
		double least = INFINITY;
		size_t to = 0;

		/* Rounded alike for any order of the rows: the classes are added in their order. */
		kith_sort_sizes(class + first, end - first);
		for (size_t f = 0; f < parts; f++) {
			/*
			 * n_f n_g / n + sum_h n_fh n_gh / n_h, where each of the n_gh rows adds 1.
			 */
			double sum = (double)part_rows[f] * (double)(end - first) / (double)n;

			for (size_t i = first; i < end; i++)
				sum += (double)part_class_rows[f * c + class[i]] /
				    (double)class_rows[class[i]];
			if (sum < least) {
				least = sum;
				to = f;
			}
		}
		part_rows[to] += end - first;
		for (size_t i = first; i < end; i++) {
			part_class_rows[to * c + class[i]]++;
			part[row[i]] = to;
		}
	}
	kith_pool_free(&tmp);
}

int
kith_fold_deal_rows(const struct kith_fold_rows *rows, const size_t *shares, size_t parts,
    uint64_t seed, size_t *part, struct kith_err *err)
{
	const size_t most = rows->group ? rows->groups : rows->n;

	if (parts > most)
		return kith_fail_at(err, EX_DATAERR, rows->file, 0, "%zu parts of only %zu %s",
		    parts, most, rows->group ? "groups" : "rows");
	if (rows->group)
		deal_groups(rows, parts, seed, part);
	else
		kith_fold_deal(rows->y, rows->n, rows->c, shares, parts, seed, part);
	return 0;
}

int
kith_fold_cut(const struct kith_fold_rows *rows, size_t parts, size_t embargo, size_t test,
    size_t *rank, size_t *end, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->n, blocks = parts + 1;
	struct kith_ranked *by = kith_new(&tmp, n, sizeof(*by));
	size_t *behind = kith_new(&tmp, n, sizeof(*behind)), runs = 0, run = 0;

	for (size_t i = 0; i < n; i++)
		by[i] = (struct kith_ranked){-rows->order[i], i};
	kith_sort_ranked(by, n);
	for (size_t i = 0; i < n; i++) {
		rank[by[i].of] = i;
		if (i + 1 == n || by[i].by > by[i + 1].by)
			behind[runs++] = i + 1;
	}
	for (size_t b = 0; b < blocks && runs >= blocks; b++) {
		const size_t left = blocks - 1 - b; /* blocks behind this one */

		while (behind[run] < n * (b + 1) / blocks && run + 1 + left < runs)
			run++;
		end[b] = behind[run++];
	}
	kith_pool_free(&tmp);
	if (runs < blocks)
		return kith_fail_at(err, EX_DATAERR, rows->file, 0,
		    "%zu + 1 blocks of only %zu different values (--order)", parts, runs);
	if (end[test - 1] <= embargo)
		return kith_fail_at(err, EX_DATAERR, rows->file, 0,
		    "--embargo %zu leaves no row before block %zu", embargo, test + 1);
	return 0;
}

int
kith_fold_deal_table(
    const struct kith_table *t, size_t parts, uint64_t seed, size_t *part, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	size_t *all;

	if (parts > t->read)
		return kith_fail_at(
		    err, EX_DATAERR, t->file, 0, "--cv %zu: only %zu rows", parts, t->read);
	all = kith_new(&tmp, t->read, sizeof(*all));
	kith_fold_deal(t->read_y, t->read, t->y ? t->class.n : 1, NULL, parts, seed, all);
	for (size_t i = 0; i < t->X.n; i++)
		part[i] = all[kith_table_number(t, i) - 1];
	kith_pool_free(&tmp);
	return 0;
}
