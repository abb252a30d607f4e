#include "wsvmpath/check.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "wsvmpath/steps.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <string.h>

enum {
	ITEMS = 256,      /* of a block of work */
	STEPS = 128,      /* that are judged together, or */
	NUMBERS = 1 << 22 /* as many as their alpha and f take */
};

/* The largest violation, over its scale, that is rounding. */
#define EXACT 1e-9

/* A step of the path. */
struct step {
	double theta, b;
	double *alpha; /* N */
	double *g;     /* N */
	double scale;  /* of g */
};

struct judge {
	const struct kith_wsvm_job *job;
	const double *from, *to; /* N: weights where theta is 0, and 1 */
	struct kith_pool pool;
	size_t n, N, room; /* steps judged together */
	double q_most, C_most, C_sum, K_most;
	struct step *step;   /* room + 1: the first is the last of before */
	size_t steps;        /* read, after the first */
	bool carried;        /* there is a step[0] */
	double *coef, *f;    /* room x n, each */
	size_t *row, active; /* rows with a coefficient, in any step */

	struct kith_wsvm_steps *file;
	double worst[KITH_CHECK_WSVM];
};

enum { BOUNDS, SUM, KKT, GAP, INTERVAL, RANGE, PIECE };

/* In place of the last two, of a state. */
enum { MARGIN = RANGE, SCORES = PIECE };

/* The worst of each check; the last two are those of a path, or of a state. */
static void
tell(const struct judge *j, bool state, struct kith_check out[KITH_CHECK_WSVM])
{
	const struct kith_check check[KITH_CHECK_WSVM] = {{"bounds", 0, 1e-12},
	    {"sum", 0, EXACT}, {"kkt", 0, EXACT}, {"gap", 0, EXACT},
	    {"interval", 0, EXACT},
	    {state ? "margin" : "range", 0, state ? EXACT : 0},
	    {state ? "scores" : "piece", 0, EXACT}};

	for (size_t i = 0; i < KITH_CHECK_WSVM; i++) {
		out[i] = check[i];
		out[i].value = j->worst[i];
	}
}

static void
raise_to(struct judge *j, int check, double value)
{
	/* NaN stays. */
	if (!(value <= j->worst[check]) && !isnan(j->worst[check]))
		j->worst[check] = value;
}

static double
weight(const struct judge *j, size_t v, double theta)
{
	return j->from[v] + theta * (j->to[v] - j->from[v]);
}

/* The coefficients of the steps, without rows that have none. */
static void
gather(struct judge *j)
{
	double *all = j->f; /* is free now */

	j->active = 0;
	for (size_t s = 0; s < j->steps; s++)
		kith_wsvm_coef(j->job, j->step[1 + s].alpha, all + s * j->n);
	for (size_t i = 0; i < j->n; i++) {
		bool any = false;

		for (size_t s = 0; s < j->steps; s++)
			any |= all[s * j->n + i] != 0;
		if (any)
			j->row[j->active++] = i;
	}
	for (size_t s = 0; s < j->steps; s++)
		for (size_t a = 0; a < j->active; a++)
			j->coef[s * j->active + a] = all[s * j->n + j->row[a]];
}

/* f of a block of items, in all steps. */
static void
score(void *to, size_t block, size_t thread)
{
	const struct judge *j = to;
	const size_t first = block * ITEMS;
	const size_t items = j->n - first < ITEMS ? j->n - first : ITEMS;
	struct kith_pool tmp = {0};
	double *K = kith_new(&tmp, j->active, items * sizeof(*K));
	double *f = kith_new(&tmp, j->steps, items * sizeof(*f));

	(void)thread;
	for (size_t a = 0; a < j->active; a++)
		kith_kern_rows(&j->job->kern, kith_row(&j->job->X, j->row[a]),
		    kith_row(&j->job->X, first), items, K + a * items);
	if (j->active > 0)
		kith_blas_product(j->steps, items, j->active, j->coef, K, f);
	for (size_t s = 0; s < j->steps; s++)
		memcpy(
		    j->f + s * j->n + first, f + s * items, items * sizeof(*f));
	kith_pool_free(&tmp);
}

/* g of all variables of a step, from f without b. */
static void
gradients(const struct judge *j, struct step *s, const double *f)
{
	const struct kith_wsvm_job *job = j->job;
	double sum = 0;

	for (size_t v = 0; v < j->N; v++) {
		double h = f[job->plus[v]];

		h = job->minus ? h - f[job->minus[v]] : h + s->b;
		s->g[v] = job->sign[v] * h + job->q[v] +
		    job->problem.ridge * s->alpha[v];
		sum += s->alpha[v];
	}
	s->scale = j->q_most +
	    (j->K_most + job->problem.ridge) * (sum / 10 + j->C_sum / 1e4);
}

static double
larger(double a, double b)
{
	return b <= a ? a : b;
}

/* M empty: by how much b is outside of its interval. */
static void
judge_interval(struct judge *j, const struct step *s)
{
	double lo = -INFINITY, hi = INFINITY, off = 0;

	for (size_t v = 0; v < j->N; v++) {
		const double C = weight(j, v, s->theta);
		const double sign = j->job->sign[v];
		const double b = s->b - sign * s->g[v]; /* where g is 0 */
		const bool in = s->alpha[v] > 0;

		if (!(C > 0))
			continue;
		if (in && s->alpha[v] < C)
			return; /* M is not empty */
		if (in == (sign > 0))
			hi = fmin(hi, b);
		else
			lo = fmax(lo, b);
	}
	off = larger(off, lo - hi);
	off = larger(off, lo - s->b);
	off = larger(off, s->b - hi);
	raise_to(j, INTERVAL, off / s->scale);
}

static void
judge_step(struct judge *j, const struct step *s)
{
	const struct kith_wsvm_job *job = j->job;
	const double few = EXACT * j->C_most;
	double sum = 0, bound = 0, kkt = 0;
	long double own = 0, size = 0, lost = 0; /* a'g, sum C |q|, losses */
	long double norm = 0;                    /* a'Q a */

	for (size_t v = 0; v < j->N; v++) {
		const double C = weight(j, v, s->theta);
		const double a = s->alpha[v], g = s->g[v];
		const double b = job->problem.bias ? job->sign[v] * s->b : 0;

		bound = larger(bound, larger(-a, a - C));
		sum += job->sign[v] * a;
		if (a > few)
			kkt = larger(kkt, g);
		if (a < C - few)
			kkt = larger(kkt, -g);
		own += (long double)a * (g > 0 ? g : 0) +
		    ((long double)C - a) * (g < 0 ? -g : 0);
		norm += (long double)a * (g - job->q[v] - b);
		lost += (long double)C * (g < 0 ? -g : 0);
		size += (long double)C * s->scale;
	}
	/* primal + |dual|: at a solution both are norm / 2 + losses. */
	size += fabsl(norm) + 2 * lost;
	raise_to(j, BOUNDS, bound / j->C_most);
	raise_to(j, SUM, job->problem.bias ? fabs(sum) / j->C_most : 0);
	raise_to(j, KKT, kkt / s->scale);
	raise_to(j, GAP, size > 0 ? (double)(own / size) : (double)own);
	if (job->problem.bias)
		judge_interval(j, s);
}

static void
judge_piece(struct judge *j, const struct step *l, const struct step *r)
{
	const double scale = fmax(l->scale, r->scale) * j->C_most;
	double worst = 0;

	for (size_t v = 0; v < j->N; v++) {
		const double Cl = weight(j, v, l->theta);
		const double Cr = weight(j, v, r->theta);
		const double al = l->alpha[v], ar = r->alpha[v];

		worst = larger(worst, al * fmax(r->g[v], 0));
		worst = larger(worst, ar * fmax(l->g[v], 0));
		worst = larger(worst, (Cl - al) * fmax(-r->g[v], 0));
		worst = larger(worst, (Cr - ar) * fmax(-l->g[v], 0));
	}
	raise_to(j, PIECE, worst / scale);
}

/* Judge the steps that were read; the last one becomes step[0]. */
static void
judge_steps(struct judge *j)
{
	const struct step first = j->step[0];

	gather(j);
	kith_par_told(j->job->call->threads, (j->n + ITEMS - 1) / ITEMS, score,
	    j, &(struct kith_par_phase){"outputs", j->n, "rows"});
	for (size_t s = 1; s <= j->steps; s++) {
		gradients(j, &j->step[s], j->f + (s - 1) * j->n);
		judge_step(j, &j->step[s]);
		if (s > 1 || j->carried)
			judge_piece(j, &j->step[s - 1], &j->step[s]);
	}
	if (j->steps == 0)
		return;
	j->step[0] = j->step[j->steps];
	j->step[j->steps] = first;
	j->carried = true;
	j->steps = 0;
}

/* Make room for so many steps. */
static void
make(struct judge *j, size_t most)
{
	const struct kith_wsvm_job *job = j->job;

	for (size_t v = 0; v < j->N; v++) {
		j->q_most = fmax(j->q_most, fabs(job->q[v]));
		j->C_most = fmax(j->C_most, fmax(j->from[v], j->to[v]));
		j->C_sum += j->from[v] + j->to[v];
	}
	j->C_most = j->C_most > 0 ? j->C_most : 1;
	for (size_t i = 0; i < j->n; i++) {
		double K;

		kith_kern_rows(&job->kern, kith_row(&job->X, i),
		    kith_row(&job->X, i), 1, &K);
		j->K_most = fmax(j->K_most, K);
	}
	j->room = most < STEPS ? most : STEPS;
	j->step = kith_new(&j->pool, j->room + 1, sizeof(*j->step));
	for (size_t s = 0; s <= j->room; s++) {
		j->step[s].alpha = kith_new(&j->pool, j->N, sizeof(double));
		j->step[s].g = kith_new(&j->pool, j->N, sizeof(double));
	}
	j->coef = kith_new(&j->pool, j->room, j->n * sizeof(double));
	j->f = kith_new(&j->pool, j->room, j->n * sizeof(double));
	j->row = kith_new(&j->pool, j->n, sizeof(*j->row));
}

static int
judge_file(struct judge *j, struct kith_err *err)
{
	int got;

	make(j, NUMBERS / (j->N + j->n) + 1);
	do {
		struct step *s = &j->step[1 + j->steps];

		got = kith_wsvm_steps_next(
		    j->file, &s->theta, &s->b, s->alpha, err);
		j->steps += got > 0;
		if (j->steps == j->room || got == 0)
			judge_steps(j);
	} while (got > 0);
	return got;
}

int
kith_check_wsvm(const struct kith_wsvm_job *job, const char *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_steps steps;
	int got = kith_wsvm_steps_open(&steps, job, file, &tmp, err);

	if (got == 0) {
		got = kith_check_wsvm_steps(job, &steps, out, checks, err);
		kith_rows_close(&steps.rows);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_check_wsvm_steps(const struct kith_wsvm_job *job,
    struct kith_wsvm_steps *file, struct kith_check out[KITH_CHECK_WSVM],
    size_t *checks, struct kith_err *err)
{
	struct judge j = {.job = job,
	    .from = job->from,
	    .to = job->to,
	    .n = job->n,
	    .N = job->problem.variables,
	    .file = file};
	const int got = judge_file(&j, err);

	if (got == 0) {
		raise_to(&j, RANGE, fmax(file->first, 1 - file->theta));
		tell(&j, false, out);
	}
	*checks = job->call->at.n ? RANGE : KITH_CHECK_WSVM;
	kith_pool_free(&j.pool);
	return got;
}

/* What else a state says: who is on the margin, and f. */
static void
judge_said(struct judge *j, const struct kith_wsvm_solution *at)
{
	const struct step *s = &j->step[0]; /* the last that was judged */

	for (size_t v = 0; v < j->N; v++)
		if (at->where[v] == KITH_WSVM_MARGIN && j->from[v] > 0)
			raise_to(j, MARGIN, fabs(s->g[v]) / s->scale);
	for (size_t i = 0; i < j->n; i++)
		raise_to(j, SCORES, fabs(at->f[i] - j->f[i]) / s->scale);
}

void
kith_check_wsvm_state(const struct kith_wsvm_job *job, const double *w,
    const struct kith_wsvm_solution *at,
    struct kith_check out[KITH_CHECK_WSVM_STATE])
{
	struct judge j = {.job = job,
	    .from = w,
	    .to = w,
	    .n = job->n,
	    .N = job->problem.variables};

	make(&j, 1);
	j.step[1].b = at->b;
	memcpy(j.step[1].alpha, at->alpha, j.N * sizeof(*at->alpha));
	j.steps = 1;
	judge_steps(&j);
	judge_said(&j, at);
	tell(&j, true, out);
	kith_pool_free(&j.pool);
}
