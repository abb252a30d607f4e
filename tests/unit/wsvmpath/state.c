/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/check.h: what is said of one solution is judged, and a
 * path whose weights lose most of their bits is right to what theta has.
 */
#include "scratch.h"
#include "tap.h"
#include "text/out.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/check.h"
#include "wsvmpath/jobs.h"
#include "wsvmpath/print.h"

#include <math.h>
#include <string.h>

enum { N = 40 };

/* Classes that overlap, from weights a to b; the first weight is 0 at first. */
static void
make_rows(struct kith_wsvm_job *job, struct kith_wsvm_call *call, const char *files[2], double a,
    double b)
{
	static char table[1 << 14];
	char *at = table + sprintf(table, "u,v,a,b,y\n");

	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	for (int i = 0; i < N; i++)
		at += sprintf(at, "%.17g,%.17g,%.17g,%.17g,%d\n", kith_rng_unit(&rng) + i % 2 * .4,
		    kith_rng_unit(&rng), i ? a * (1 + kith_rng_unit(&rng)) : 0,
		    b * (1 + kith_rng_unit(&rng)), i % 2);
	files[0] = scratch_text(0, table);
	files[1] = NULL;
	*call = call_of(KITH_WSVM_CLASSIFY, files);
	call->gamma = .5;
	make(call, job);
}

/* A solution that can be changed, and what of it is known. */
struct said {
	double alpha[N], f[N], w[N];
	int8_t where[N];
	struct kith_wsvm_solution at;
	double g[N], t[N], terms[N]; /* of variables; of f */
};

static void
solve(const struct kith_wsvm_job *job, struct said *s)
{
	struct kith_wsvm *solver = kith_wsvm_new(&job->problem, job->from, NULL, &pool);
	struct kith_wsvm_piece piece = {.to = 0};
	struct kith_wsvm_solution at;

	kith_wsvm_aim(solver, job->to);
	while (piece.to < .5 && kith_wsvm_next(solver, &piece, NULL, NULL))
		;
	kith_wsvm_get(solver, &at);
	for (size_t v = 0; v < N; v++)
		s->w[v] = kith_wsvm_weight_at(job->from[v], job->to[v], piece.to);
	memcpy(s->alpha, at.alpha, sizeof(s->alpha));
	memcpy(s->f, at.f, sizeof(s->f));
	memcpy(s->where, at.where, sizeof(s->where));
	s->at = (struct kith_wsvm_solution){at.b, s->alpha, s->f, s->where};
	for (size_t i = 0; i < N; i++) {
		double K[N], sum = 0, own = job->problem.ridge * s->alpha[i];

		kith_kern_rows(&job->kern, kith_row(&job->X, i), job->X.v, N, K);
		s->terms[i] = 0;
		for (size_t v = 0; v < N; v++) {
			sum += job->sign[v] * s->alpha[v] * K[v];
			s->terms[i] += fabs(K[v]) * s->alpha[v];
		}
		s->g[i] = job->sign[i] * (sum + at.b) - 1 + own;
		s->t[i] = s->terms[i] + fabs(at.b) + 1 + own;
	}
}

/* The only check that does not hold, its value; "": all do, "+": several. */
static const char *
judge(const struct kith_wsvm_job *job, const struct said *s, double *value)
{
	struct kith_check check[KITH_CHECK_WSVM_STATE];
	const char *why = "";

	kith_check_wsvm_state(job, s->w, &s->at, check);
	for (size_t i = 0; i < KITH_CHECK_WSVM_STATE; i++) {
		if (kith_check_ok(&check[i]))
			continue;
		why = *why ? "+" : check[i].check;
		*value = check[i].value;
	}
	return why;
}

static size_t
first_of(const struct said *s, int where)
{
	size_t v = 0;

	while (v < N && s->where[v] != where)
		v++;
	if (v == N)
		abort();
	return v;
}

static void
test_said(void)
{
	const char *files[2];
	struct kith_wsvm_call call;
	struct kith_wsvm_job job;
	struct said s, was;
	double value = 0;
	size_t v = 0;

	make_rows(&job, &call, files, 1, 10);
	solve(&job, &was);
	is_text(judge(&job, &was, &value), "", "a solution is right");
	for (size_t i = 0; i < N; i += N - 1) {
		s = was;
		s.at = (struct kith_wsvm_solution){was.at.b, s.alpha, s.f, s.where};
		s.f[i] += 1e-3;
		is_text(judge(&job, &s, &value), "scores", "another f");
		is_near(value * 1e3, 1 / (1 + fabs(s.at.b) + s.terms[i]), 1e-7, "and by how much");
	}
	s = was;
	s.at = (struct kith_wsvm_solution){was.at.b, s.alpha, s.f, s.where};
	s.where[v] = KITH_WSVM_MARGIN;
	is_text(judge(&job, &s, &value), "margin", "one that is not on it");
	is_near(value, fabs(s.g[v]) / s.t[v], 1e-9, "and by how much");
	s.w[v] = 0;
	s.alpha[v] = 0;
	ok(strcmp(judge(&job, &s, &value), "margin") != 0, "but it may be where its weight is 0");
	s = was;
	s.at = (struct kith_wsvm_solution){was.at.b + 1e-3, s.alpha, s.f, s.where};
	ok(*judge(&job, &s, &value) != '\0', "another b");
	s = was;
	s.at = (struct kith_wsvm_solution){was.at.b, s.alpha, s.f, s.where};
	s.alpha[first_of(&was, KITH_WSVM_MARGIN)] *= 1 + 1e-4;
	ok(*judge(&job, &s, &value) != '\0', "another alpha");
	kith_pool_free(&pool);
}

/* All weights fall by 13 digits: theta leaves few of theirs. */
static void
test_bits(void)
{
	const char *files[2], *path = scratch(1, "", 0);
	struct kith_wsvm_call call;
	struct kith_wsvm_job job;
	struct kith_check check[KITH_CHECK_WSVM];
	struct kith_wsvm_piece piece;
	struct kith_wsvm_print *p;
	struct kith_wsvm *s;
	struct kith_out out;
	struct kith_err err;
	size_t n = 0, bad = 0;

	make_rows(&job, &call, files, 1e10, 1e-3);
	job.from[0] = 1e10;
	s = kith_wsvm_new(&job.problem, job.from, NULL, &pool);
	if (kith_out_open(&out, path, &err))
		abort();
	p = kith_wsvm_print_new(&job, &out, &pool);
	kith_wsvm_aim(s, job.to);
	while (kith_wsvm_next(s, &piece, kith_wsvm_print_event, p))
		kith_wsvm_print_piece(p, &piece);
	kith_wsvm_print_end(p);
	if (kith_out_close_alone(&out, NULL, &err) || kith_check_wsvm(&job, path, check, &n, &err))
		abort();
	for (size_t i = 0; i < n; i++)
		if (!kith_check_ok(&check[i])) {
			printf("# %s %g\n", check[i].check, check[i].value);
			bad++;
		}
	ok(n == KITH_CHECK_WSVM && bad == 0, "a path is right to the bits that theta has");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_said();
	test_bits();
	return done();
}
