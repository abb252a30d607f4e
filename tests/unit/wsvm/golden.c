/*
 * Tests of lib/wsvm/wsvm.h against tests/golden/wsvm: solutions of another
 * implementation at five thetas, and its events where they are unique.  Those
 * of svc_dup_ridge0 are within 1e-9 themselves, and alpha is free there; those
 * of svr_eps0 were found at epsilon 1e-9.
 *
 * Lines of a file, of cells divided by tabs: problem (task, kernel, gamma,
 * ridge, epsilon, n, p, N), then n rows (x, y), weights (plus, minus, sign,
 * from, to) of the variables, of the first n where the others are the same;
 * solutions (theta, b, dual) with alpha (signed for regress) and score (f), and
 * the number of events, and these (theta, variable, was, becomes).
 */
#include "tap.h"
#include "wsvm/data.h"

#include <dirent.h>

#define DIR_NAME "tests/golden/wsvm"

enum { MOST = 400, EVENTS = 200 };

struct solution {
	double theta, b, dual, alpha[MOST], f[MOST];
};

struct golden {
	struct task task;
	bool regress;
	size_t n, solutions, events, due;
	struct solution solution[5];
	struct kith_wsvm_event event[EVENTS];
};

static struct golden g;
static double residual; /* of all */

/* The next word of a line; empty at its end. */
static const char *
word(char **s)
{
	char *start = *s, *end = start + strcspn(start, "\t\n");

	*s = *end ? end + 1 : end;
	*end = 0;
	return start;
}

static double
number(char **s)
{
	return strtod(word(s), NULL);
}

static size_t
count(char **s)
{
	return strtoul(word(s), NULL, 10);
}

static enum kith_wsvm_where
where(const char *name)
{
	return strcmp(name, "in") == 0    ? KITH_WSVM_IN
	    : strcmp(name, "margin") == 0 ? KITH_WSVM_MARGIN
					  : KITH_WSVM_OUT;
}

static void
numbers(char *s, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = number(&s);
}

static void
read_problem(char *s)
{
	const char *task = word(&s), *kernel = word(&s);
	const double gamma = number(&s), ridge = number(&s), eps = number(&s);
	const size_t n = count(&s), p = count(&s), N = count(&s);

	task_new(&g.task, n, p, N, strcmp(task, "rank") == 0);
	g.task.kern.gamma = gamma;
	g.task.kern.kind = strcmp(kernel, "linear") == 0 ? KITH_KERN_LINEAR
							 : KITH_KERN_GAUSSIAN;
	g.task.problem.ridge = ridge;
	g.regress = strcmp(task, "regress") == 0;
	for (size_t v = 0; v < N; v++)
		g.task.q[v] = g.regress ? eps : -1;
}

static void
read_row(size_t i, char *s)
{
	const size_t p = g.task.X.p, n = g.task.X.n;
	double y;

	for (size_t j = 0; j < p; j++)
		kith_row(&g.task.X, i)[j] = number(&s);
	y = number(&s);
	if (g.regress) {
		g.task.q[i] -= y;
		g.task.q[i + n] += y;
	}
}

static void
read_weight(size_t v, char *s)
{
	const size_t n = g.task.X.n, plus = count(&s), minus = count(&s);

	g.task.plus[v] = plus;
	if (g.task.minus)
		g.task.minus[v] = minus;
	g.task.sign[v] = number(&s);
	g.task.from[v] = number(&s);
	g.task.to[v] = number(&s);
	if (g.regress) {
		g.task.plus[v + n] = plus;
		g.task.sign[v + n] = -1;
		g.task.from[v + n] = g.task.from[v];
		g.task.to[v + n] = g.task.to[v];
	}
}

static void
read_event(char *s)
{
	struct kith_wsvm_event *event = g.event + g.due++;

	event->theta = number(&s);
	event->variable = count(&s);
	event->was = where(word(&s));
	event->becomes = where(word(&s));
}

/* One line that begins with this name. */
static void
read_line(const char *name, char *s, size_t *rows, size_t *weights)
{
	struct solution *at = g.solution + g.solutions;

	if (strcmp(name, "problem") == 0)
		read_problem(s);
	if (strcmp(name, "row") == 0)
		read_row((*rows)++, s);
	if (strcmp(name, "weight") == 0)
		read_weight((*weights)++, s);
	if (strcmp(name, "solution") == 0) {
		at->theta = number(&s);
		at->b = number(&s);
		at->dual = number(&s);
	}
	if (strcmp(name, "alpha") == 0)
		numbers(s, at->alpha, g.regress ? g.task.X.n : g.task.N);
	if (strcmp(name, "score") == 0) {
		numbers(s, at->f, g.task.X.n);
		g.solutions++;
	}
	if (strcmp(name, "events") == 0)
		g.events = count(&s);
	if (strcmp(name, "event") == 0)
		read_event(s);
}

static void
read_golden(const char *name)
{
	static char line[1 << 16];
	size_t rows = 0, weights = 0;
	FILE *f;

	memset(&g, 0, sizeof(g));
	snprintf(line, sizeof(line), DIR_NAME "/%s", name);
	f = fopen(line, "r");
	if (!f)
		abort();
	g.events = SIZE_MAX;
	while (fgets(line, sizeof(line), f)) {
		char *s = line;
		const char *first = word(&s);

		read_line(first, s, &rows, &weights);
	}
	fclose(f);
	task_ready(
	    &g.task, g.task.kern.kind, g.task.kern.gamma, g.task.problem.ridge);
}

struct seen {
	size_t events;
	double worst;
};

static void
see(void *to, const struct kith_wsvm_event *event)
{
	struct seen *seen = to;
	const struct kith_wsvm_event *due = g.event + seen->events++;

	if (g.events == SIZE_MAX)
		return;
	if (seen->events > g.events || event->variable != due->variable ||
	    event->was != due->was || event->becomes != due->becomes)
		seen->worst = INFINITY;
	else
		seen->worst = fmax(
		    seen->worst, fabs(event->theta - due->theta));
}

/* How far the piece is from the references in it. */
struct far {
	double alpha, f, dual;
	size_t met;
	bool found[5];
};

static void
compare(struct kith_wsvm_piece *piece, bool loose, struct far *far)
{
	const struct task *t = &g.task;
	const size_t n = t->X.n;

	for (size_t k = 0; k < g.solutions; k++) {
		const struct solution *at = g.solution + k;
		const double theta = at->theta;
		double alpha[MOST] = {0}, most = 1, f_far = 0, shift;
		struct point point;

		if (theta < piece->from || theta > piece->to || far->found[k])
			continue;
		far->found[k] = true;
		far->met++;
		for (size_t v = 0; v < t->N; v++) {
			alpha[v] = piece->alpha0[v] + theta * piece->alpha1[v];
			most = fmax(most, task_weight(t, v, theta));
		}
		task_judge(
		    t, theta, alpha, piece->b0 + theta * piece->b1, &point);
		/* b may differ where it is not unique: but not f - b. */
		kith_wsvm_scores(piece);
		shift = piece->b0 + theta * piece->b1 - at->b;
		if (!loose && piece->margin > 0 && theta > piece->from &&
		    theta < piece->to)
			shift = 0;
		for (size_t i = 0; i < n; i++) {
			const double f = piece->f0[i] + theta * piece->f1[i];

			f_far = fmax(f_far, fabs(f - shift - at->f[i]));
			f_far = fmax(f_far, fabs(f - point.f[i]));
		}
		far->f = fmax(far->f, f_far);
		far->dual = fmax(far->dual,
		    fabs(point.dual - at->dual) / fmax(1, fabs(at->dual)));
		for (size_t v = 0; v < (g.regress ? n : t->N); v++) {
			const double a = g.regress ? alpha[v] - alpha[v + n]
						   : alpha[v];

			far->alpha = fmax(
			    far->alpha, fabs(a - at->alpha[v]) / most);
		}
	}
}

static void
test_golden(const char *name)
{
	const bool loose = strstr(name, "eps0"),
		   free_alpha = loose || strstr(name, "ridge0");
	struct seen seen = {0};
	struct far far = {0};
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count did;
	struct kith_wsvm *s;
	double slope = 0, bound = 0, end = 0;
	size_t gaps = 0;

	read_golden(name);
	s = kith_wsvm_new(&g.task.problem, g.task.from, NULL, &pool);
	kith_wsvm_aim(s, g.task.to);
	while (kith_wsvm_next(s, &piece, see, &seen)) {
		struct point point;
		double alpha[MOST] = {0};

		gaps += piece.from != end;
		for (int side = 0; side < 2; side++) {
			const double theta = side ? piece.to : piece.from;

			for (size_t v = 0; v < g.task.N; v++)
				alpha[v] = piece.alpha0[v] +
				    theta * piece.alpha1[v];
			task_judge(&g.task, theta, alpha,
			    piece.b0 + theta * piece.b1, &point);
			slope = fmax(slope, point.slope / point.scale);
			bound = fmax(bound, fmax(point.bound, point.sum));
		}
		compare(&piece, loose, &far);
		end = piece.to;
	}
	ok(end == 1 && gaps == 0, "%s: pieces follow each other to 1", name);
	is_size(far.met, g.solutions, "references met");
	ok(far.alpha <= 1e-6 || free_alpha, "alpha: %.1e", far.alpha);
	ok(far.f <= (loose ? 1e-6 : 1e-9), "f: %.1e", far.f);
	ok(far.dual <= (loose               ? 1e-6
			       : free_alpha ? 1e-9
					    : 1e-10),
	    "dual: %.1e", far.dual);
	ok(slope <= 1e-9, "slopes: %.1e", slope);
	ok(bound <= 1e-8, "bounds: %.1e", bound);
	kith_wsvm_count(s, &did);
	residual = fmax(residual, did.residual);
	if (g.events != SIZE_MAX)
		ok(seen.events == g.events && seen.worst <= 1e-9,
		    "%zu events, %.1e off", seen.events, seen.worst);
	is_size(did.fallbacks, 0, "fallbacks");
	kith_pool_free(&pool);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

int
main(int argc, char *argv[])
{
	static char name[64][64];
	DIR *dir = opendir(DIR_NAME);
	struct dirent *entry;
	size_t names = 0;

	if (!dir) {
		printf("Bail out! no " DIR_NAME ": run in the root\n");
		return 1;
	}
	while ((entry = readdir(dir)) && names < 64)
		if (strstr(entry->d_name, ".tsv") &&
		    (argc < 2 || strstr(entry->d_name, argv[1])))
			snprintf(name[names++], 64, "%.63s", entry->d_name);
	closedir(dir);
	qsort(name, names, sizeof(*name), by_name);
	is_size(names, 34, "references");
	for (size_t i = 0; i < names; i++)
		test_golden(name[i]);
	ok(residual <= 1e-10, "largest violation seen: %.1e", residual);
	return done();
}
