/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of cmd/svmonline/window.h: against solutions from nothing. */
#include "svmonline/window.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

enum { P = 2, MOST = 300 };

struct kith_svm_options options;
struct stream_options how;

static struct kith_rng rng;
static struct kith_metric metric = {KITH_SQUARED, P, NULL};
static struct kith_kern kern = {.kind = KITH_KERN_GAUSSIAN, .metric = &metric, .gamma = 1.5};

/* Draws a stream whose classes, or numbers, drift; ties: features and numbers from a grid. */
static void
draw(size_t n, bool ties, bool numbers, double *x, double *y)
{
	for (size_t i = 0; i < n; i++) {
		const double at = (double)i / 40;

		y[i] = kith_rng_unit(&rng) < .4 ? 1 : -1;
		for (size_t j = 0; j < P; j++) {
			x[i * P + j] = 2 * kith_rng_unit(&rng) + y[i] * cos(at) * (j ? .5 : 1);
			if (ties)
				x[i * P + j] = floor(2 * x[i * P + j]) / 2;
		}
		if (numbers)
			y[i] = sin(at) * x[i * P] + x[i * P + 1] + .3 * kith_rng_unit(&rng);
		if (numbers && ties)
			y[i] = floor(4 * y[i]) / 4;
	}
}

/* Makes a problem of the rows first..last-1, with z as the last item. */
static void
make_task(double ridge, const double *x, const double *y, size_t first, size_t last,
    const double *z, struct task *t)
{
	const size_t n = last - first;

	const size_t N = options.task == KITH_SVM_REGRESS ? 2 * n : n;

	task_new(t, n + 1, P, N, false);
	memcpy(t->X.v, x + first * P, n * P * sizeof(*x));
	memcpy(kith_row(&t->X, n), z, P * sizeof(*z));
	for (size_t v = 0; v < N; v++) {
		const double target = y[first + v % n];

		t->plus[v] = v % n;
		t->sign[v] = v >= n ? -1 : N > n ? 1 : target;
		t->q[v] = N > n ? options.epsilon - t->sign[v] * target : -1;
		t->from[v] = how.C * 2 /
		    (1 + exp(how.forget - 2 * how.forget * (double)(v % n + 1) / (double)n));
	}
	task_ready(t, kern.kind, kern.gamma, ridge);
}

/*
 * Returns b of a solution: where no row is strictly within its bounds, the middle of the interval
 * of b, or its only finite end.
 */
static double
bias_of(const struct task *t, const struct kith_wsvm_solution *at)
{
	double lo = -INFINITY, hi = INFINITY;

	for (size_t v = 0; v < t->N; v++) {
		const double a = at->alpha[v], C = t->from[v];
		const bool in = a >= C * (1 - 1e-9), out = a <= C * 1e-9;
		const double b = -t->sign[v] * (t->q[v] + t->problem.ridge * a) - at->f[t->plus[v]];

		if (!(C > 0))
			continue;
		if (!in && !out)
			return at->b;
		if (t->sign[v] > 0 ? out : in)
			lo = fmax(lo, b);
		else
			hi = fmin(hi, b);
	}
	return isinf(lo) ? hi : isinf(hi) ? lo : (lo + hi) / 2;
}

/* Returns how far `got` is from f(z) of a machine that is solved from nothing. */
static double
off_by(double got, const struct task *t)
{
	struct kith_wsvm_solution at;

	kith_wsvm_get(kith_wsvm_new(&t->problem, t->from, &pool), &at);
	return fabs(got - at.f[t->X.n - 1] - bias_of(t, &at));
}

/* Returns the mean K(x, x) of the rows first..last-1. */
static double
mean_of(const double *x, size_t first, size_t last)
{
	double sum = 0;

	for (size_t i = first * P; i < last * P; i++)
		sum += x[i] * x[i];
	return kern.kind == KITH_KERN_LINEAR ? sum / (double)(last - first) : 1;
}

/* Compares each f of a stream with that of a machine solved from nothing. */
static void
test_stream(size_t rows, size_t batch, bool ties, double C, double a, double epsilon)
{
	struct window *w;
	struct kith_wsvm_count count = {0}, was = {0};
	double ridge = 0;
	struct task t;
	static double x[MOST * P];
	static double y[MOST];
	double worst = 0;
	size_t compared = 0, fewer = 0;

	how = (struct stream_options){.window = rows, .batch = batch, .C = C, .forget = a};
	options = (struct kith_svm_options){
	    .task = epsilon > 0 ? KITH_SVM_REGRESS : KITH_SVM_CLASSIFY,
	    .epsilon = epsilon,
	    .ridge = 1e-6,
	    .threads = 1};
	w = window_new(&kern);
	draw(MOST, ties, epsilon > 0, x, y);
	for (size_t i = 0; i + batch < MOST; i += batch) {
		const size_t last = i + batch;
		const double *z = x + last * P;
		size_t first = last > rows ? last - rows : 0;
		bool both = epsilon > 0;
		window_learn(w, batch, x + i * P, y + i);
		for (size_t r = 1; r < last; r++)
			both |= y[r] != y[0];
		if (both != window_ready(w))
			worst = INFINITY;
		if (!both)
			continue;
		if (ridge == 0) /* the rows of the first machine set the ridge */
			ridge = options.ridge * mean_of(x, first, last);
		make_task(ridge, x, y, first, last, z, &t);
		worst = fmax(worst, off_by(window_score(w, z), &t));
		compared++;
		window_count(w, &count);
		fewer += count.events < was.events || count.rows < was.rows ||
		    count.residual < was.residual;
		was = count;
		kith_pool_free(&pool);
	}
	ok(compared > 5 && worst <= 1e-9 * (1 + C),
	    "window %zu, batch %zu, C0 %g, a %g, epsilon %g%s: %zu solutions, off by %g", rows,
	    batch, C, a, epsilon, ties ? ", ties" : "", compared, worst);
	ok(count.events > 50 && count.residual <= 1e-9 && fewer == 0 &&
		(rows < 50 || count.solved_anew == 0),
	    "%zu events, |M| %.1f, residual %g, %zu cold solves", count.events, count.margin,
	    count.residual, count.restarts);
	window_free(w);
}

/* One class alone has no machine. */
static void
test_classes(void)
{
	static const double x[] = {0, 0, 1, 0};
	static const double y[] = {-1, 1};
	const double K = exp(-1.5);
	struct window *w;

	how = (struct stream_options){.window = 2, .batch = 1, .C = 1};
	options = (struct kith_svm_options){.ridge = 1e-6, .threads = 1};
	w = window_new(&kern);
	window_learn(w, 1, x, y);
	ok(!window_ready(w), "one class");
	window_learn(w, 1, x + P, y + 1);
	ok(window_ready(w), "two classes");
	/* Both at their bound, and b in the middle of its interval. */
	is_near(window_score(w, x), K - 1, 1e-12, "f of the first");
	is_near(window_score(w, x + P), 1 - K, 1e-12, "of the second");
	window_learn(w, 1, x + P, y + 1);
	is_near(window_score(w, x), 1, 1e-12, "the other class has left: f is that of one class");
	ok(window_ready(w), "still ready");
	window_free(w);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	test_classes();
	test_stream(30, 1, false, 2, 3, 0);
	test_stream(30, 1, true, 10, 3, 0);
	test_stream(50, 7, false, 1000, 3, 0);
	test_stream(7, 7, true, 1, 0, 0);
	test_stream(1000, 20, false, 10, 3, 0);
	test_stream(2, 1, false, 1, 1, 0);
	test_stream(10, 1, false, 1, 0, 0); /* M is empty, or all at bounds */
	test_stream(6, 2, true, .5, 0, 0);
	test_stream(20, 3, false, 5, 1e4, 0); /* weights are 0 or 2 C0 */
	kern.kind = KITH_KERN_LINEAR;
	test_stream(20, 1, false, 2, 3, 0);
	test_stream(90, 11, false, .1, 1, 0);
	kern.kind = KITH_KERN_GAUSSIAN;
	for (size_t i = 0; more && *more && i < 20; i++)
		test_stream(
		    10 + 10 * i, 1 + i, i % 2, pow(10, (double)(i % 5)), (double)(i % 4), 0);
	kern.kind = KITH_KERN_GAUSSIAN;
	test_stream(20, 1, false, 2, 3, .1);
	test_stream(90, 11, false, 10, 1, .05);
	test_stream(6, 2, true, 5, 0, .25);
	kern.kind = KITH_KERN_LINEAR;
	test_stream(70, 3, false, 1, 3, .1);
	return done();
}
