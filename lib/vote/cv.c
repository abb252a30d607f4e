/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/cv - kith_predict_cv() (vote/predict.h): each part is predicted from the others. */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "table/unit.h"
#include "table/weights.h"
#include "vote/ballot.h"
#include "vote/internal.h"

#include <stdint.h>

/* The rows of part f, asked, and the others, row: known, from these. */
struct split {
	struct kith_sample known;
	struct kith_mat Z;
	size_t *asked, m, *row;
};

static void
split(const struct kith_sample *all, const size_t *part, size_t f, struct split *s,
    struct kith_pool *pool)
{
	const size_t N = all->X.n;
	size_t *y, n = 0;
	double *t = kith_new(pool, N, sizeof(*t));

	KITH_NEW_SIZES(pool, N, 1, &s->asked, &s->row, &y);
	for (size_t i = 0; i < N; i++)
		if (part[i] == f)
			s->asked[s->m++] = i;
		else
			s->row[n++] = i;
	for (size_t i = 0; i < n; i++)
		if (all->y)
			y[i] = all->y[s->row[i]];
		else
			t[i] = all->t[s->row[i]];
	s->known = (struct kith_sample){
	    .y = all->y ? y : NULL, .c = all->c, .t = t, .from = all->from};
	s->known.X = kith_mat_rows(&all->X, s->row, n, pool);
	s->Z = kith_mat_rows(&all->X, s->asked, s->m, pool);
}

int
kith_predict_range(const struct kith_predict_how *how, const struct kith_mat *X,
    const struct kith_origin *from, struct kith_err *err)
{
	struct kith_origin under = *from;

	for (size_t l = 0; l < how->learners; l++) {
		under.metric = &how->learner[l].metric;
		if (kith_range_check(X, &under, err))
			return -1;
	}
	return 0;
}

/* Scale both by the rows known; rows that were left out may leave none. */
static int
scale(struct split *s, const struct kith_predict_how *how, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_origin known, asked;
	struct kith_unit unit;

	if (s->known.X.n == 0)
		return kith_fail(err, EX_DATAERR, "a part has all rows");
	if (!how->scale)
		return 0;
	known = asked = *s->known.from;
	known.row = s->row;
	asked.row = s->asked;
	if (kith_unit_scale(how->scale, &s->known.X, &known, &s->Z, &asked, &unit, pool, err))
		return -1;
	known.scaled = asked.scaled = true;
	if (kith_predict_range(how, &s->known.X, &known, err))
		return -1;
	return kith_predict_range(how, &s->Z, &asked, err);
}

int
kith_predict_part(const struct kith_sample *known, const struct kith_predict_how *how,
    const size_t *part, size_t f, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct split s = {.m = 0};
	int got = 0;

	split(known, part, f, &s, &tmp);
	if (s.m > 0)
		got = scale(&s, how, &tmp, err);
	if (got == 0 && s.m > 0)
		got = kith_predict_rows(&s.known, how, &s.Z, s.asked, out, err);
	kith_pool_free(&tmp);
	return got;
}

/* Returns whether each part has one row; sets row (parts) to the rows if so. */
static bool
find_single_rows(const size_t *part, size_t n, size_t parts, size_t *row)
{
	if (parts != n)
		return false;
	for (size_t f = 0; f < n; f++)
		row[f] = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (row[part[i]] != SIZE_MAX)
			return false;
		row[part[i]] = i;
	}
	return true;
}

int
kith_predict_cv(const struct kith_sample *known, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = known->X.n;
	size_t *row = kith_new(pool, n, sizeof(*row));
	int got = 0;

	kith_predicted_new(known, how, n, out, pool);
	if (how->scale && n > 1 && find_single_rows(part, n, parts, row))
		return kith_predict_scaled_loo(known, how, part, row, out, err);
	kith_progress_phase("cross-validation", parts, "parts");
	for (size_t f = 0; f < parts && got == 0; f++) {
		got = kith_predict_part(known, how, part, f, out, err);
		kith_progress_add(1);
	}
	kith_progress_end();
	return got;
}
