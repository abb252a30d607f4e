#include "immigrate/cv.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/expect.h"
#include "text/out.h"

#include <stdbool.h>

/* Fits of more rows than this take the memory for the threads in turn. */
enum { MANY = 3000 };

/* One part at one sigma. */
struct task {
	int got; /* 0, or -1: err */
	struct kith_err err;
	size_t n, errors, fits;
	enum kith_immigrate_end end;
};

struct job {
	const struct kith_immigrate_rows *rows;
	const struct kith_immigrate_fit_how *how;
	const size_t *part;
	size_t parts;
	const struct kith_immigrate_cv_count *count;
	size_t inner;      /* threads of a fit */
	struct task *task; /* k x parts */
};

/* Rows of a job, some of them, with room for what belongs to them. */
struct some {
	struct kith_immigrate_rows rows;
	struct kith_mat X;
	size_t *y;
};

/* Take the rows of a part, or all others. */
static void
take(const struct job *job, size_t part, bool inside, struct some *out,
    struct kith_pool *pool)
{
	const struct kith_immigrate_rows *all = job->rows;
	const size_t N = all->X->n;
	size_t *row = kith_new(pool, N, sizeof(*row)), n = 0;
	double *weight = kith_new(pool, N, sizeof(*weight));

	out->y = kith_new(pool, N, sizeof(*out->y));
	for (size_t i = 0; i < N; i++) {
		if ((job->part[i] == part) != inside)
			continue;
		out->y[n] = all->y[i];
		weight[n] = all->weight ? all->weight[i] : 1;
		row[n++] = i;
	}
	out->X = kith_mat_rows(all->X, row, n, pool);
	out->rows = (struct kith_immigrate_rows){
	    &out->X, out->y, all->c, all->weight ? weight : NULL};
}

static bool
one_class(const struct some *s)
{
	for (size_t i = 1; i < s->X.n; i++)
		if (s->y[i] != s->y[0])
			return false;
	return true;
}

/* Predict the rows of `test` from `known` under the weights fitted to them. */
static void
predict(const struct some *known, const struct some *test,
    const struct kith_immigrate_fitted *fit, double sigma, size_t threads,
    struct task *t, struct kith_pool *pool)
{
	const size_t c = known->rows.c, m = test->X.n;
	struct kith_mat X = known->X, Z = test->X;
	double *V = kith_new(pool, m, c * sizeof(*V));
	struct kith_expect *e;

	if (fit->column) {
		kith_mat_columns(&X, fit->column, fit->metric.p);
		kith_mat_columns(&Z, fit->column, fit->metric.p);
	}
	e = kith_expect_new(&X, known->y, c, &fit->metric, sigma, pool);
	kith_expect_values(e, &Z, NULL, threads, V);
	for (size_t i = 0; i < m; i++)
		t->errors += kith_expect_class(V + i * c, c) != test->y[i];
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	struct task *t = &job->task[block];
	const size_t part = block % job->parts;
	struct kith_immigrate_fit_how how = *job->how;
	struct kith_pool tmp = {0};
	struct some known, test;
	struct kith_immigrate_fitted fit;

	(void)thread;
	take(job, part, true, &test, &tmp);
	take(job, part, false, &known, &tmp);
	t->n = test.X.n;
	how.how.sigma = job->count[block / job->parts].sigma;
	how.how.threads = job->inner;
	how.how.tell = NULL;
	if (test.X.n > 0 && known.X.n == 0) {
		t->got = kith_fail(&t->err, EX_DATAERR, "a part has all rows");
	} else if (test.X.n > 0 && one_class(&known)) {
		for (size_t i = 0; i < test.X.n; i++)
			t->errors += test.y[i] != known.y[0];
	} else if (test.X.n > 0) {
		t->got = kith_immigrate_fit_run(
		    &known.rows, &how, &fit, &tmp, &t->err);
		t->fits = 1;
		t->end = fit.fit.end;
		if (t->got == 0)
			predict(&known, &test, &fit, how.how.sigma, job->inner,
			    t, &tmp);
	}
	kith_pool_free(&tmp);
}

static void
add(const struct task *t, struct kith_immigrate_cv_count *c)
{
	c->n += t->n;
	c->errors += t->errors;
	c->fits += t->fits;
	c->cycles += t->fits && t->end == KITH_IMMIGRATE_CYCLE;
	c->kept += t->fits && t->end == KITH_IMMIGRATE_KEPT;
	c->limits += t->fits && t->end == KITH_IMMIGRATE_LIMIT;
}

int
kith_immigrate_cv(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *how, const size_t *part, size_t parts,
    struct kith_immigrate_cv_count *count, size_t k, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool large = rows->X->n > MANY;
	struct job job = {.rows = rows,
	    .how = how,
	    .part = part,
	    .parts = parts,
	    .count = count,
	    .inner = large ? how->how.threads : 1};
	int got = 0;

	job.task = kith_new(&tmp, k, parts * sizeof(*job.task));
	kith_par_told(large ? 1 : how->how.threads, k * parts, work, &job,
	    &(struct kith_par_phase){"cross-validation", k * parts, "fits"});
	for (size_t s = 0; s < k; s++)
		count[s] = (struct kith_immigrate_cv_count){
		    .sigma = count[s].sigma};
	for (size_t b = 0; b < k * parts && got == 0; b++) {
		got = job.task[b].got;
		if (got)
			*err = job.task[b].err;
		add(&job.task[b], &count[b / parts]);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_immigrate_cv_write(const struct kith_immigrate_cv_count *count, size_t k,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err)
{
	static const char *const head[] = {"sigma", "n", "errors", "error"};

	if (kith_out_open_table(out, to, err))
		return -1;
	kith_out_header(out, head, 4);
	for (const struct kith_immigrate_cv_count *c = count; c < count + k;
	     c++)
		kith_out_put(out, "%g\t%zu\t%zu\t%g\n", c->sigma, c->n,
		    c->errors, (double)c->errors / (double)c->n);
	return 0;
}

size_t
kith_immigrate_cv_best(const struct kith_immigrate_cv_count *count, size_t k)
{
	size_t best = 0;

	for (size_t s = 1; s < k; s++)
		if (count[s].errors < count[best].errors ||
		    (count[s].errors == count[best].errors &&
			count[s].sigma < count[best].sigma))
			best = s;
	return best;
}
