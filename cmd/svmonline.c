/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svmonline - predict the rows of a stream by an SVM of a window of the rows before them.
 *
 * Row t is predicted from the rows up to t - 1 - delay: after its prediction, the target of row
 * t - delay becomes known.  Known rows wait until there is a batch of them, which is then learnt.
 * Rows without a target are predicted and never learnt.  The second class in byte order is +1;
 * until rows of both classes, or with --task regress any rows, were learnt, nothing is predicted.
 *
 * Of the n rows in the window, the oldest being i = 1, row i has the weight
 *
 *	C_i = C 2 / (1 + exp(a - 2 a i / n))
 *
 * eq. (28) of Karasuyama, Harada, Sugiyama and Takeuchi (2012), after Cao and Tay (2003).
 *
 *	1. Each row lies in a slot until it leaves, and the solver knows slots only: a slot without
 *	   a row has the weight 0.  If there are not enough slots, the rows move to twice as many,
 *	   and the next solver starts from nothing.
 *	2. New rows enter free slots with the weight 0; along one path all weights move to their
 *	   new values, and the weights of rows that leave move to 0.
 */
#include "common/svm.h"

#include "base/progress.h"
#include "text/out.h"
#include "text/rows.h"

#include <string.h>

enum { FIRST = 64 }; /* slots at the start */

/* What the options say. */
static struct kith_svm_options options = {KITH_SVM_DEFAULTS};
static struct {
	size_t window; /* rows that are learnt from, at most */
	size_t batch;  /* rows that are learnt at a time */
	size_t delay;  /* rows until the target of a row is known */
	double C;      /* the weight of the middle row of the window */
	double forget; /* a of the weights */
} how = {.window = 500, .batch = 1, .C = 1, .forget = 3};

static const struct kith_opt opts[] = {
    {0, "window", KITH_SIZE(&how.window, 1, 0x1p53),
	"learn from the last N rows whose class is known [500]", "What is learnt"},
    {'C', NULL, KITH_REAL(&how.C, 0, DBL_MAX),
	"cost of an error in the middle row of the window [1]", NULL},
    {0, "forget", KITH_REAL(&how.forget, 0, DBL_MAX),
	"how much less old rows of the window cost; 0: the same [3]", NULL},
    {0, "task", KITH_CHOICE(&options.task, "classify|regress"),
	"the target is a class or a number [classify]", NULL},
    {0, "epsilon", KITH_REAL(&options.epsilon, DBL_TRUE_MIN, DBL_MAX),
	"--task regress: errors up to X cost nothing (needed)", NULL},
    {0, "delay", KITH_SIZE(&how.delay, 0, 0x1p53),
	"the class of a row becomes known N rows later [0]", "The stream"},
    {0, "batch", KITH_SIZE(&how.batch, 1, 0x1p53), "learn after every N rows [1]", NULL},
    KITH_SVM_KERNEL_OPTIONS(&options, "1 / features"),
    KITH_TARGET_OPTION(&options.how),
    KITH_FEATURE_OPTIONS(&options.how),
    KITH_NA_OPTION(&options.how),
    KITH_LAST_OPTIONS(&options.how, &options.threads),
};

const struct kith_tool kith_tool = {
    .name = "svmonline",
    .args = "[FILE]...",
    .about = "Predict the rows of a stream, each by an SVM of the rows before it.",
    .examples = "  svmonline --window 200 -C 10 < stream.tsv\n"
		"  tabscale --apply scale.tsv stream.tsv | svmonline --delay 5 --batch 5\n",
    .opts = opts,
};

static bool
regress(void)
{
	return options.task == KITH_SVM_REGRESS;
}

/* The machine of the latest rows. */
struct window {
	/* Its n items are slots, slots x p; variable v is of slot v % n, two of each for numbers. */
	struct kith_svm_task task;
	struct kith_pool pool; /* of the slots and the solver */
	double *y;             /* slots: the classes 1 and -1, or numbers */
	double *coef, b;       /* slots: the sum of sign alpha */
	size_t *order, n;      /* slots of the n rows, the oldest first */
	size_t *free, n_free;  /* slots without a row; the last one is used first */
	bool seen[2];          /* rows of class -1, of class +1 have come; with numbers, any row */
	struct kith_wsvm *solver;     /* NULL: nothing was solved yet */
	struct kith_wsvm_count count; /* of the solvers before this one */
};

/* Returns the weight of row i of n, 1 <= i <= n. */
static double
weight(size_t i, size_t n)
{
	const double C = how.C, a = how.forget;

	/* C_i = C 2 / (1 + exp(a - 2 a i / n)) */
	return C * 2 / (1 + exp(a - 2 * a * (double)i / (double)n));
}

/* Sets the weight of the variables of a slot. */
static void
set_weight(struct window *w, size_t slot, double C)
{
	for (size_t v = slot; v < w->task.problem.variables; v += w->task.n)
		w->task.to[v] = C;
}

/* Allocates slots without rows, and sets the members of the task that depend on them. */
static void
make_slots(struct window *w, size_t slots)
{
	struct kith_svm_task *task = &w->task;

	task->pool = &w->pool;
	task->n = slots;
	task->X = task->model.X = kith_mat_new(&w->pool, slots, task->model.metric.p);
	kith_svm_variables(task, regress() ? 2 * slots : slots, false);
	KITH_NEW_SIZES(&w->pool, slots, 1, &w->order, &w->free);
	KITH_NEW_REALS(&w->pool, slots, 1, &w->y, &w->coef);
	task->model.coef = w->coef;
	for (size_t v = 0; v < task->problem.variables; v++) {
		task->plus[v] = v % slots;
		task->sign[v] = v < slots ? 1 : -1;
		task->q[v] = -1;
	}
	w->n = 0;
	w->n_free = slots;
	for (size_t i = 0; i < slots; i++)
		w->free[i] = slots - 1 - i;
}

/* Sets what was done so far. */
static void
count_window(const struct window *w, struct kith_wsvm_count *count)
{
	struct kith_wsvm_count present;

	*count = w->count;
	if (w->solver) {
		kith_wsvm_count(w->solver, &present);
		kith_svm_count_add(count, &present);
	}
	count->faults = count->end_faults; /* rows are predicted at the ends of paths alone */
}

/* Puts a row into a free slot. */
static void
add_row(struct window *w, const double *x, double y)
{
	struct kith_svm_task *task = &w->task;
	const size_t slot = w->free[--w->n_free];

	memcpy(kith_row(&task->X, slot), x, task->X.p * sizeof(*x));
	w->y[slot] = y;
	w->order[w->n++] = slot;
	if (regress()) {
		task->q[slot] = options.epsilon - y;
		task->q[task->n + slot] = options.epsilon + y;
		w->seen[0] = w->seen[1] = true;
	} else {
		task->sign[slot] = y;
		w->seen[y > 0] = true;
	}
	if (w->solver)
		kith_wsvm_replace(w->solver, slot);
}

/* Moves the rows to twice as many slots, at most `most`. */
static void
add_slots(struct window *w, size_t most)
{
	struct window old = *w;

	count_window(&old, &w->count);
	w->pool = (struct kith_pool){0};
	w->solver = NULL;
	make_slots(w, 2 * old.task.n < most ? 2 * old.task.n : most);
	for (size_t i = 0; i < old.n; i++)
		add_row(w, kith_row(&old.task.X, old.order[i]), old.y[old.order[i]]);
	kith_pool_free(&old.pool);
}

/* Solves for the weights of the rows in the window: along the path, or the first time at once. */
static void
solve(struct window *w)
{
	struct kith_svm_task *task = &w->task;
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;

	if (isnan(task->problem.ridge)) {
		const struct kith_mat X = kith_mat_rows(&task->X, w->order, w->n, &w->pool);

		task->problem.ridge = kith_svm_ridge(options.ridge, &task->kern, &X);
	}
	if (!w->solver)
		w->solver = kith_wsvm_new(&task->problem, task->to, &w->pool);
	kith_wsvm_aim(w->solver, task->to);
	while (kith_wsvm_next(w->solver, &piece, NULL, NULL))
		;
	kith_wsvm_get(w->solver, &at);
	kith_svm_coef(task, at.alpha, w->coef);
	w->b = at.b;
}

struct stream {
	struct kith_rows rows;
	struct kith_roles role;
	double *x;               /* the features of the row */
	struct kith_names class; /* in the order in which they came */
	struct window window;
	/* Rows with a target that are not learnt yet, p + 2 numbers each: features, the class (0,
	   1) or number, and the number of the row.  Of the `waiting` rows from `first` on `known`
	   are the batch. */
	double *row;
	size_t first, waiting, room, known;
	double most;              /* the largest K(x, x) so far, at least 1 */
	size_t predicted, learnt; /* rows with a target that were predicted; rows learnt */
	size_t wrong;             /* classify: rows that were predicted wrongly */
	double squares;           /* regress: the sum of squared errors */
	struct kith_out *out;
	struct kith_pool *pool;
};

/* Opens the files, gives the columns their roles, and makes the window. */
static int
begin(struct stream *s, struct kith_err *err)
{
	struct window *w = &s->window;
	struct kith_svm_task *task = &w->task;
	struct kith_machine *m = &task->model;

	if (options.how.na == KITH_NA_MEAN)
		return kith_fail(
		    err, KITH_EX_USAGE, "--na mean needs all rows, which are not there yet");
	if (kith_rows_open(&s->rows, options.files, &options.how.format, s->pool, err) ||
	    kith_roles_assign(&s->role, &s->rows, &options.how, s->pool, err))
		return -1;
	m->task = KITH_MACHINE_REGRESS;
	m->metric = (struct kith_metric){KITH_SQUARED, s->role.feature.n, NULL};
	m->bias = &w->b;
	m->kern = kith_svm_kern(&options, &m->metric);
	if (!(options.gamma > 0))
		m->kern.gamma = 1 / (double)m->metric.p;
	task->kern = m->kern;
	task->problem = (struct kith_wsvm_problem){.X = &task->X,
	    .kern = &task->kern,
	    .ridge = NAN,
	    .cache = KITH_SVM_CACHE,
	    .threads = options.threads};
	s->x = kith_new(s->pool, m->metric.p, sizeof(*s->x));
	make_slots(w, how.window + how.batch < FIRST ? how.window + how.batch : FIRST);
	s->most = 1;
	return 0;
}

/* Sets the number of the row, or NaN. */
static int
read_number(struct stream *s, double *y, struct kith_err *err)
{
	const enum kith_value got = kith_value(
	    &s->rows, s->role.target, y, " (--task classify?)", err);

	if (got == KITH_VALUE_MISSING)
		*y = NAN;
	if (got == KITH_VALUE_OK && fabs(*y) > 1e-8 * DBL_MAX)
		return kith_rows_fail(
		    &s->rows, s->role.target, err, "too large to be squared with weights");
	return got == KITH_VALUE_BAD ? -1 : 0;
}

/* Sets the class of the row, or NaN. */
static int
read_class(struct stream *s, double *y, struct kith_err *err)
{
	const struct kith_cell *actual = kith_rec_cell(&s->rows.rec, s->role.target);

	*y = NAN;
	if (kith_cell_missing(actual))
		return 0;
	*y = (double)kith_names_add(&s->class, actual->s, s->pool);
	if (s->class.n > 2)
		return kith_rows_fail(&s->rows, s->role.target, err,
		    "a third class: " KITH_CELL
		    " (one against the rest: tabscale --method none | awk -F'\\t' -v OFS='\\t' "
		    "'NR > 1 && $%zu != \"%.40s\" { $%zu = \"(rest)\" } 1' | svmonline ...)",
		    actual->s, s->role.target + 1, s->class.name[0], s->role.target + 1);
	return 0;
}

/* Checks the range of s->x; K(x, x) bounds all kernels. */
static int
check_features(struct stream *s, struct kith_err *err)
{
	const struct kith_origin from = {.feature = &s->role.feature};
	const double variables = regress() ? 2 : 1;
	const double sum = 2 * variables * how.C * (double)(how.window + how.batch);
	double K;

	if (kith_range_check(&(struct kith_mat){1, s->role.feature.n, s->x}, &from, err)) {
		err->file = s->rows.rec.file;
		err->line = s->rows.rec.line;
		return -1;
	}
	K = kith_kern_pair(&s->window.task.kern, s->x, s->x);
	s->most = fmax(s->most, K);
	if (!(fabs(K) <= KITH_SVM_LARGEST) ||
	    !(sum * (long double)s->most * s->most <= KITH_SVM_LARGEST))
		return kith_fail_at(err, EX_DATAERR, s->rows.rec.file, s->rows.rec.line,
		    "weights and kernels are together too large for a double");
	return 0;
}

/* Predicts the row, and writes its row of the output. */
static void
predict(struct stream *s, double y)
{
	const struct kith_cell *actual = kith_rec_cell(&s->rows.rec, s->role.target);
	const struct window *w = &s->window;
	const bool ready = w->seen[0] && w->seen[1];
	char *const *class = s->class.name;
	double f = NAN;
	bool late; /* the class that came second */

	if (ready)
		kith_machine_score(&w->task.model, &(struct kith_mat){1, w->task.X.p, s->x}, 1, &f);
	late = f > 0;
	/* The second class in byte order is +1; a score of 0 is that of the first. */
	if (ready && !regress() && strcmp(class[0], class[1]) > 0) {
		late = !(f < 0);
		f = 0 - f;
	}
	if (ready && !isnan(y)) {
		s->predicted++;
		s->wrong += (y > 0) != late;
		s->squares += (y - f) * (y - f);
	}
	if (s->role.id != KITH_NO_COLUMN)
		kith_out_cell(s->out, kith_rec_cell(&s->rows.rec, s->role.id)->s);
	else
		kith_out_size(s->out, s->rows.n);
	if (regress())
		kith_out_put(s->out, "\t%G\t%G\n", f, y);
	else
		kith_out_put(s->out, ready ? "\t%s\t%s\t%g\n" : "\t%s\t%s\t%G\n",
		    ready ? class[late] : NULL, kith_cell_missing(actual) ? NULL : actual->s, f);
	kith_out_flush(s->out);
}

/* Returns the i-th row that is not learnt yet. */
static double *
waiting_row(const struct stream *s, size_t i)
{
	return s->row + (s->first + i) * (s->role.feature.n + 2);
}

/* Moves the window to the rows of the batch, and solves once there are rows of both classes. */
static void
learn(struct stream *s)
{
	struct window *w = &s->window;
	size_t gone;

	kith_progress_phase("learning", 0, "events");
	while (w->n_free < s->known)
		add_slots(w, how.window + how.batch);
	for (size_t i = 0; i < s->known; i++) {
		const double *x = waiting_row(s, i), y = x[s->role.feature.n];

		add_row(w, x, regress() ? y : y > 0 ? 1 : -1);
	}
	gone = w->n > how.window ? w->n - how.window : 0;
	w->n -= gone;
	for (size_t i = 0; i < gone; i++) {
		set_weight(w, w->order[i], 0);
		w->free[w->n_free++] = w->order[i];
	}
	memmove(w->order, w->order + gone, w->n * sizeof(*w->order));
	for (size_t i = 0; i < w->n; i++)
		set_weight(w, w->order[i], weight(i + 1, w->n));
	if (w->seen[0] && w->seen[1])
		solve(w);
	kith_progress_end();
	s->learnt += s->known;
	s->first += s->known;
	s->waiting -= s->known;
	s->known = 0;
	if (s->first > s->waiting) { /* so a row is moved only once in its time here */
		memmove(s->row, waiting_row(s, 0),
		    s->waiting * (s->role.feature.n + 2) * sizeof(*s->row));
		s->first = 0;
	}
}

/* Reads the features of the row: 1, or 0 where the row is to be left out. */
static int
read_features(struct stream *s, struct kith_err *err)
{
	int whole = 1;

	for (size_t j = 0; j < s->role.feature.n; j++) {
		const size_t column = s->role.from[j];
		const enum kith_value got = kith_value(
		    &s->rows, column, &s->x[j], " (--id, -x '!COL', tabscale --onehot?)", err);

		if (got == KITH_VALUE_BAD)
			return -1;
		if (got == KITH_VALUE_MISSING && options.how.na != KITH_NA_OMIT)
			return kith_fail_missing(&s->rows, column, " (--na omit?)", err);
		whole = whole && got == KITH_VALUE_OK;
	}
	return whole;
}

/*
 * Predicts the row; then the target of the row `delay` before becomes known, and a batch is learnt.
 */
static int
do_row(struct stream *s, struct kith_err *err)
{
	const size_t id = s->role.id, p = s->role.feature.n;
	const int whole = read_features(s, err);
	double y = NAN, *row;

	if (whole < 0)
		return -1;
	if (whole && id != KITH_NO_COLUMN && kith_cell_missing(kith_rec_cell(&s->rows.rec, id)))
		return kith_fail_missing(&s->rows, id, "", err);
	if (whole &&
	    ((regress() ? read_number(s, &y, err) : read_class(s, &y, err)) ||
		check_features(s, err)))
		return -1;
	if (whole)
		predict(s, y);
	if (!isnan(y)) {
		s->row = kith_more(
		    s->pool, s->row, s->first + s->waiting, &s->room, (p + 2) * sizeof(*s->row));
		row = waiting_row(s, s->waiting++);
		memcpy(row, s->x, p * sizeof(*row));
		row[p] = y;
		row[p + 1] = (double)s->rows.n;
	}
	/* The row that was read `delay` rows before, if it has a target. */
	if (s->known < s->waiting &&
	    (double)s->rows.n - waiting_row(s, s->known)[p + 1] >= (double)how.delay &&
	    ++s->known == how.batch)
		learn(s);
	return 0;
}

static int
run(struct stream *s, struct kith_err *err)
{
	static const char *const column[] = {"id", "predicted", "actual", "margin"};
	struct kith_wsvm_count count;
	int got;

	if (begin(s, err) || kith_out_open_table(s->out, kith_output(), err))
		return -1;
	kith_out_header(s->out, column, regress() ? 3 : 4);
	kith_out_flush(s->out);
	while (!s->out->failed && (got = kith_rows_next(&s->rows, err)) != 0)
		if (got < 0 || do_row(s, err))
			return -1;
	kith_log_size("rows", s->rows.n);
	kith_log_size("features", s->role.feature.n);
	kith_log_real("gamma", s->window.task.kern.gamma);
	kith_log_size("learnt", s->learnt);
	kith_log_size("predicted", s->predicted);
	if (regress())
		kith_log_real("rmse", sqrt(s->squares / (double)s->predicted));
	else
		kith_log_size("errors", s->wrong);
	count_window(&s->window, &count);
	return kith_svm_count_report(&options, &count);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct stream s = {.out = out, .pool = pool};
	int status;

	options.files = files;
	if (how.batch > how.window)
		kith_misuse("--batch is more than the rows of --window");
	kith_svm_check_options(&options);
	status = run(&s, err);
	kith_rows_close(&s.rows);
	kith_pool_free(&s.window.pool);
	return status;
}
