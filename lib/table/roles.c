/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/roles.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "text/columns.h"
#include "text/value.h"

#include <math.h>

int
kith_roles_absent(
    const struct kith_rows *rows, const char *name, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
	    "column " KITH_NAME ": not found%s", name,
	    kith_rows_hint(rows, ""));
}

int
kith_roles_refuse(const struct kith_rows *rows, struct kith_err *err)
{
	static const char *const ours[] = {"(bias)", "(id)", "(coef)"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (kith_names_find(&rows->name, ours[i]) < rows->name.n)
			return kith_fail_at(err, EX_DATAERR, rows->first,
			    rows->head, "column " KITH_NAME ": a reserved name",
			    ours[i]);
	return 0;
}

/* The column that COL says; KITH_NO_COLUMN where there is no COL. */
static int
one(const struct kith_rows *rows, const char *col, size_t *column,
    struct kith_err *err)
{
	*column = KITH_NO_COLUMN;
	if (!col)
		return 0;
	*column = kith_column(&rows->name, col);
	return *column < rows->name.n ? 0 : kith_roles_absent(rows, col, err);
}

/* Take the columns of a list out. */
static int
take_listed(const struct kith_rows *rows, const char *list, bool *taken,
    struct kith_pool *pool, struct kith_err *err)
{
	size_t *column;
	const long n = kith_columns(
	    &rows->name, list, rows->first, rows->head, &column, pool, err);

	for (long i = 0; i < n; i++)
		taken[column[i]] = true;
	return n < 0 ? -1 : 0;
}

/* The target, and that it is no weight. */
static int
find_target(struct kith_roles *roles, const struct kith_rows *rows,
    const struct kith_how *how, struct kith_err *err)
{
	if (one(rows, how->target, &roles->target, err) ||
	    one(rows, how->instance_weight, &roles->weight, err))
		return -1;
	if (!how->target && !how->no_target)
		roles->target = rows->name.n - 1;
	if (roles->weight != KITH_NO_COLUMN && roles->weight == roles->target)
		return kith_fail(err, KITH_EX_USAGE,
		    "column " KITH_NAME ": target and weight of rows",
		    rows->name.name[roles->target]);
	return 0;
}

static void
take_one(size_t column, bool *taken)
{
	if (column != KITH_NO_COLUMN)
		taken[column] = true;
}

/* Mark the columns that are no features. */
static int
take(struct kith_roles *roles, const struct kith_rows *rows,
    const struct kith_how *how, const char *const *others, size_t n,
    bool *taken, struct kith_pool *pool, struct kith_err *err)
{
	size_t other;

	if (find_target(roles, rows, how, err) ||
	    take_listed(rows, how->ignore, taken, pool, err))
		return -1;
	if (one(rows, how->id, &roles->id, err)) {
		if (!how->id_elsewhere)
			return -1;
		roles->id = KITH_NO_COLUMN;
	}
	take_one(roles->target, taken);
	take_one(roles->weight, taken);
	take_one(roles->id, taken);
	for (size_t i = 0; i < n; i++) {
		if (one(rows, others[i], &other, err))
			return -1;
		take_one(other, taken);
	}
	return 0;
}

/* Choose p features: those listed, or all columns without a role. */
static int
choose(struct kith_roles *roles, const struct kith_rows *rows,
    const struct kith_how *how, const bool *taken, size_t *p,
    struct kith_pool *pool, struct kith_err *err)
{
	long listed;

	*p = 0;
	if (how->featureless)
		return 0;
	if (!how->feature) {
		roles->from = kith_new(pool, rows->name.n, sizeof(size_t));
		for (size_t c = 0; c < rows->name.n; c++)
			if (!taken[c])
				roles->from[(*p)++] = c;
		return 0;
	}
	listed = kith_columns_beside(&rows->name, how->feature, taken,
	    rows->first, rows->head, &roles->from, pool, err);
	for (long j = 0; j < listed; j++)
		if (taken[roles->from[j]])
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME
			    " cannot be a feature: it has another role",
			    rows->name.name[roles->from[j]]);
	*p = listed > 0 ? (size_t)listed : 0;
	return listed < 0 ? -1 : 0;
}

int
kith_roles_assign(struct kith_roles *roles, const struct kith_rows *rows,
    const struct kith_how *how, const char *const *others, size_t n,
    struct kith_pool *pool, struct kith_err *err)
{
	bool *taken = kith_new(pool, rows->name.n, sizeof(*taken));
	char **name;
	size_t p;

	if (kith_roles_refuse(rows, err) ||
	    take(roles, rows, how, others, n, taken, pool, err) ||
	    choose(roles, rows, how, taken, &p, pool, err))
		return -1;
	if (p == 0 && !how->featureless)
		return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
		    "no column beside the target%s%s",
		    how->id || how->ignore ? " and those left out" : "",
		    kith_rows_hint(rows, ""));
	name = kith_new(pool, p, sizeof(*name));
	for (size_t j = 0; j < p; j++)
		name[j] = rows->name.name[roles->from[j]];
	kith_names_index(&roles->feature, name, p, pool);
	kith_roles_see_run(roles);
	return 0;
}

void
kith_roles_see_run(struct kith_roles *roles)
{
	roles->run = roles->feature.n > 0;
	for (size_t j = 1; j < roles->feature.n; j++)
		roles->run = roles->run && roles->from[j] == *roles->from + j;
}

/* Copy p numbers; whether all are finite: 0 times v is 0 then, else NaN. */
KITH_CLONES static bool
roles_copy(size_t p, const double *from, double *to)
{
	kith_v8d odd = {0};
	double rest = 0;
	size_t j = 0;

	for (; j + 8 <= p; j += 8) {
		const kith_v8d v = *kith_lanes_at(from + j);

		*(kith_v8d_at *)(to + j) = v;
		odd += 0 * v;
	}
	for (; j < p; j++) {
		to[j] = from[j];
		rest += 0 * from[j];
	}
	for (size_t i = 0; i < 8; i++)
		rest += odd[i];
	return rest == 0;
}

int
kith_roles_read(const struct kith_roles *roles, const struct kith_rows *rows,
    bool missing, const char *hint, double *x, struct kith_err *err)
{
	const struct kith_cell *cell = rows->rec.text;
	const double *number = rows->rec.number;
	int whole = 1;

	if (number && roles->run &&
	    roles_copy(roles->feature.n, number + *roles->from, x))
		return 1;
	for (size_t j = 0; j < roles->feature.n; j++) {
		const size_t column = roles->from[j];
		enum kith_value got;

		if (number) {
			x[j] = number[column];
			if (isfinite(x[j]))
				continue;
		} else if (kith_parse_real(cell[column].s, cell[column].len,
			       &x[j]) == KITH_NUM_OK)
			continue;
		got = kith_value(rows, column, &x[j],
		    roles->target == KITH_NO_COLUMN
			? " (-y, --id, --ignore, tabscale --onehot?)"
			: " (--id, --ignore, tabscale --onehot?)",
		    err);
		if (got == KITH_VALUE_BAD)
			return -1;
		if (got == KITH_VALUE_OK)
			continue;
		if (!missing)
			return kith_value_missing(rows, column, hint, err);
		x[j] = NAN;
		whole = 0;
	}
	return whole;
}
