/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/warn.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "near/knn.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	CLASSES = 20,   /* numbers that may be names of classes, however few rows each has */
	MEMBERS = 5,    /* rows of each class from which on any number of classes is meant */
	ROWS = 10,      /* rows from which on a range tells about further rows */
	MANY_ROWS = 20, /* rows from which on ranges tell that half of the features are off */
	RANGES = 10     /* a number so many ranges outside is in another unit */
};

/* Whether all names are numbers; *whole: each of them is whole. */
static bool
are_numbers(const struct kith_names *class, bool *whole)
{
	*whole = true;
	for (size_t k = 0; k < class->n; k++) {
		const char *name = class->name[k];
		double x;

		if (kith_parse_real(name, strlen(name), &x) == KITH_NUM_TEXT)
			return false;
		*whole = *whole && x == rint(x);
	}
	return true;
}

/*
 * Whether each of c > 2 classes has one row, or c > CLASSES and one class has fewer than MEMBERS
 * rows, of n rows with classes y.
 */
static bool
are_rare(size_t c, const size_t *y, size_t n)
{
	struct kith_pool tmp = {0};
	size_t *count = kith_new(&tmp, c, sizeof(*count)), fewest = n, most = 0;

	for (size_t i = 0; i < n; i++)
		if (y[i] < c)
			count[y[i]]++;
	for (size_t k = 0; k < c; k++) {
		most = count[k] > most ? count[k] : most;
		fewest = count[k] > 0 && count[k] < fewest ? count[k] : fewest;
	}
	kith_pool_free(&tmp);
	return (most == 1 && c > 2) || (c > CLASSES && fewest < MEMBERS);
}

void
kith_warn_classes(
    const char *target, const struct kith_names *class, const size_t *y, size_t n, const char *hint)
{
	bool whole;

	if (!are_numbers(class, &whole) || (whole && !are_rare(class->n, y, n)))
		return;
	kith_warn("column " KITH_NAME ": %zu different numbers, taken for classes (%s)", target,
	    class->n, hint);
}

void
kith_warn_target(const struct kith_table *t, const char *hint)
{
	if (t->y)
		kith_warn_classes(t->target, &t->class, t->y, t->X.n, hint);
}

void
kith_warn_constant(const struct kith_names *name, const bool *constant, const char *effect)
{
	const char *first[3] = {NULL}, *const colon = effect ? ": " : "";
	size_t n = 0;

	effect = effect ? effect : "";
	for (size_t j = 0; j < name->n; j++)
		if (constant[j] && n++ < 3)
			first[n - 1] = name->name[j];
	if (n == 1)
		kith_warn("column " KITH_NAME " is constant%s%s", first[0], colon, effect);
	else if (n == 2)
		kith_warn("columns " KITH_NAME " and " KITH_NAME " are constant%s%s", first[0],
		    first[1], colon, effect);
	else if (n > 2)
		kith_warn("%zu columns are constant%s%s: " KITH_NAME ", " KITH_NAME ", " KITH_NAME
			  "%s",
		    n, colon, effect, first[0], first[1], first[2], n > 3 ? ", ..." : "");
}

void
kith_warn_scales(const struct kith_table *t, double factor)
{
	long double most = 0, least = INFINITY; /* standard deviations */
	size_t large = 0, small = 0;

	if (kith_run.quiet)
		return;
	for (size_t j = 0; j < t->X.p; j++) {
		const struct kith_moments m = kith_moments_of(&t->X, j, NULL);
		const long double s = sqrtl(m.sum2 / (long double)t->X.n);

		if (!(m.min < m.max))
			continue;
		if (s > most) {
			most = s;
			large = j;
		}
		if (s < least) {
			least = s;
			small = j;
		}
	}
	if (most > factor * least)
		kith_warn("columns " KITH_NAME " and " KITH_NAME
			  ": scales differ by a factor of %.3g (tabscale?)",
		    t->feature.name[small], t->feature.name[large],
		    (double)fminl(most / least, DBL_MAX));
}

/* Numbers off their range by more than RANGES times its length, by more than that, or at all. */
enum { FAR, OFF, OUT, HOW };

/* Counts the numbers of feature j of Z that are off the range from `least` to `most`. */
static void
count_outside(const struct kith_mat *Z, size_t j, double least, double most, size_t count[HOW])
{
	const long double R = (long double)most - least;

	for (size_t i = 0; i < Z->n; i++) {
		const long double z = kith_row(Z, i)[j], off = fmaxl(least - z, z - most);

		count[FAR] += off > RANGES * R;
		count[OFF] += off > R;
		count[OUT] += off > 0;
	}
}

void
kith_warn_outside(const struct kith_table *known, const struct kith_table *asked)
{
	const size_t n = known->X.n, m = asked->X.n, p = known->X.p;
	size_t features = 0, out = 0, off = 0, at = 0, worst[HOW] = {0};
	double least, most;
	bool far = false;

	if (kith_run.quiet || n < ROWS || m == 0)
		return;
	for (size_t j = 0; j < p; j++) {
		size_t count[HOW] = {0};
		int differs = FAR;

		kith_mat_range(&known->X, j, &least, &most);
		if (!(least < most))
			continue;
		count_outside(&asked->X, j, least, most, count);
		features++;
		out += 2 * count[OUT] > m;
		off += count[OFF];
		far = far || 2 * count[FAR] > m;
		while (differs < OUT && count[differs] == worst[differs])
			differs++;
		if (count[differs] > worst[differs]) {
			memcpy(worst, count, sizeof(worst));
			at = j;
		}
	}
	if (!((far && m >= ROWS) || 2 * off > m * features ||
		(features > 0 && 2 * out >= features && n >= MANY_ROWS && m >= MANY_ROWS)))
		return;
	kith_mat_range(&known->X, at, &least, &most);
	kith_warn("%s: column " KITH_NAME
		  ": %zu of %zu rows are outside of the range in %s, %g to %g "
		  "(tabscale --apply?)",
	    asked->file, known->feature.name[at], worst[OUT], m, known->file, least, most);
}

bool
kith_warn_undivided(const char *file, const struct kith_names *column)
{
	const char *name = column->name[0];

	if (column->n > 1 || !name[strcspn(name, " \t|:;,/~^&")])
		return false;
	kith_warn("%s: one column only: " KITH_NAME " (-d?)", file, name);
	return true;
}

int
kith_warn_weights(const struct kith_needs *needs, int scale, struct kith_err *err)
{
	if (needs->negatives > 0)
		kith_warn("%s: %zu negative weight%s as 0", needs->file, needs->negatives,
		    needs->negatives == 1 ? " counts" : "s count");
	if (needs->unknowns > 0)
		kith_log_line("unknown notes", "%s: " KITH_NAME " (%zu in all)", needs->file,
		    needs->unknown, needs->unknowns);
	if (!needs->file || scale == KITH_UNIT_NONE)
		return 0;
	if (needs->scale != KITH_UNIT_NONE)
		return kith_fail_at(err, EX_DATAERR, needs->file, 0,
		    "its weights count in the units of the table, though they were learnt from "
		    "scaled rows: leave out --scale");
	kith_warn(
	    "--scale beside the weights of %s: they count in other units than those learnt in",
	    needs->file);
	return 0;
}

double
kith_warn_sigma(const struct kith_needs *needs, double sigma, bool given)
{
	char own[KITH_NUM_ROOM], other[KITH_NUM_ROOM];

	if (needs->sigma == 0)
		return sigma;
	if (!given) {
		kith_log_real("sigma", needs->sigma);
		return needs->sigma;
	}
	if (sigma != needs->sigma) {
		kith_format_real(own, sigma);
		kith_format_real(other, needs->sigma);
		kith_warn("--sigma %s, but %s was found with sigma %s", own, needs->file, other);
	}
	return sigma;
}

void
kith_log_search(const struct kith_knn_choice *search)
{
	if (!search->search)
		return;
	kith_log_text("search", search->search);
	if (!isnan(search->cost))
		kith_log_real("leaves over products", search->cost);
}
