/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a model of kith:
 * 1. The lines `# key<TAB>value...`, as texts (machine/keys.h).
 * 2. The meaning of the values: task and kernel say which keys are due.
 * 3. The header of the table says p; keys with a number for each feature are read.
 * 4. The rows.
 */
#include "machine/model.h"

#include "base/pool.h"
#include "machine/keys.h"
#include "text/out.h"
#include "text/source.h"

#include <assert.h>
#include <string.h>

/*
 * Key i, in the order in which keys are parsed and written.  Its description depends on the values
 * of the keys before; that of the weights on their metric.
 */
static struct kith_key
key_of(void *model, size_t i)
{
	struct kith_machine *m = model;
	const enum kith_key_when never = KITH_KEY_NEVER, maybe = KITH_KEY_MAYBE;
	const enum kith_key_when always = KITH_KEY_ALWAYS;
	const enum kith_key_kind real = KITH_KEY_REAL;
	static const char *const versions[] = {"1", NULL};
	static const char *const multi[] = {
	    [KITH_MACHINE_REST] = "rest", [KITH_MACHINE_ONE] = "one", NULL};
	static int version; /* index of the only one */
	const bool power = m->kern.kind == KITH_KERN_POLYNOMIAL;
	const bool linear = m->kern.kind == KITH_KERN_LINEAR;
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const bool matrix = m->metric.kind == KITH_SQUARED_MATRIX;
	const size_t outputs = kith_machine_outputs(m), p = m->metric.p;
	const struct kith_key is[] = {
	    {"version", KITH_KEY_WORD, always, &version, .words = versions},
	    {"task", KITH_KEY_WORD, always, &m->task, .words = kith_machine_tasks},
	    {"kernel", KITH_KEY_WORD, always, &m->kern.kind, .words = kith_machine_kernels},
	    {"gamma", real, linear ? never : always, &m->kern.gamma, .bound = KITH_KEY_ABOVE_0},
	    {"degree", KITH_KEY_SIZE, power ? always : never, &m->kern.degree,
		.bound = KITH_KEY_ABOVE_0},
	    {"coef0", real, power ? always : never, &m->kern.coef0, .bound = KITH_KEY_FROM_0},
	    {"C", real, maybe, .list = &m->C, 1, KITH_KEY_FROM_0},
	    {"target", KITH_KEY_NAME, maybe, .to = &m->target},
	    {"columns", KITH_KEY_NAME, maybe, .list = &m->column, m->column.n},
	    {"classes", KITH_KEY_NAME, classify ? always : never, .list = &m->class, m->class.n},
	    {"multi", KITH_KEY_WORD, classify && m->class.n > 2 ? maybe : never, &m->multi,
		.words = multi},
	    {"bias", real, always, .list = &m->bias, outputs},
	    {"probA", real, classify ? maybe : never, .list = &m->A, outputs},
	    {"probB", real, m->A ? always : never, .list = &m->B, outputs},
	    {"weights", real, maybe, .list = &m->metric.w, matrix ? p * p : p,
		matrix ? KITH_KEY_ANY : KITH_KEY_FROM_0},
	    {"means", real, maybe, .list = &m->mean, p},
	    {"center", real, maybe, .list = &m->unit.center, p},
	    {"scale", real, m->unit.center ? always : never, .list = &m->unit.scale, p,
		KITH_KEY_FROM_0},
	    {"rows", KITH_KEY_SIZE, always, .to = &m->X.n}, {0}};

	return is[i];
}

static const struct kith_keys format = {.key_of = key_of, .before = "# ", .sep = '\t'};

/* The names of the columns: (id), 1 for each output, and of the features. */
static char **
name_columns(const struct kith_machine *m, struct kith_pool *pool)
{
	const size_t outputs = kith_machine_outputs(m);
	char **name = kith_new(pool, 1 + outputs + m->feature.n, sizeof(*name));

	name[0] = kith_strndup(pool, "(id)", 4);
	for (size_t o = 0; o < outputs; o++)
		name[1 + o] = outputs == 1 ? kith_strndup(pool, "(coef)", 6)
					   : kith_machine_name(m, o, "(coef:", ")", pool);
	for (size_t j = 0; j < m->feature.n; j++)
		name[1 + outputs + j] = m->feature.name[j];
	return name;
}

/* Step 3: the features are behind (id) and the coefficients. */
static int
parse_header(const struct kith_keys *k, struct kith_machine *m)
{
	const struct kith_key_given *weights = kith_keys_given(k, "weights");
	const size_t first = 1 + kith_machine_outputs(m), n = k->rec.n;
	char **name = kith_new(k->pool, n, sizeof(*name)), **due = name_columns(m, k->pool);
	struct kith_names all;
	size_t twin, p;

	for (size_t i = 0; i < n; i++) {
		name[i] = kith_strndup(k->pool, k->rec.text[i].s, k->rec.text[i].len);
		if (i < first && strcmp(name[i], due[i]) != 0)
			return kith_keys_fail_here(
			    k, "column %zu is not " KITH_NAME, i + 1, due[i]);
	}
	if (n <= first)
		return kith_keys_fail_here(k, "no feature column");
	twin = kith_names_index(&all, name, n, k->pool);
	if (twin < n)
		return kith_keys_fail_here(k, "column " KITH_NAME ": two of that name", name[twin]);
	m->metric.p = m->X.p = m->unit.p = p = n - first;
	kith_names_index(&m->feature, name + first, p, k->pool);
	m->metric.kind = p > 1 && weights->n % p == 0 && weights->n / p == p ? KITH_SQUARED_MATRIX
	    : m->kern.kind == KITH_KERN_LAPLACIAN                            ? KITH_ABSOLUTE
									     : KITH_SQUARED;
	return 0;
}

/* Steps 2 and 3. */
static int
parse_keys(struct kith_keys *k, struct kith_machine *m)
{
	if (kith_keys_parse(k, "weights") || parse_header(k, m) || kith_keys_parse(k, NULL))
		return -1;
	for (size_t h = 1; h < m->class.n; h++)
		if (strcmp(m->class.name[h - 1], m->class.name[h]) > 0)
			return kith_keys_fail(
			    k, "classes", "not in byte order: " KITH_CELL, m->class.name[h]);
	return 0;
}

/* Checks that weights give a kernel. */
static int
check_weights(const struct kith_keys *k, const struct kith_machine *m)
{
	const size_t p = m->metric.p, line = kith_keys_given(k, "weights")->line;
	const double *w = m->metric.w;

	for (size_t i = 0; m->metric.kind == KITH_SQUARED_MATRIX && i < p; i++)
		for (size_t j = 0; j < i; j++)
			if (w[i * p + j] != w[j * p + i])
				return kith_keys_fail(k, "weights", "not symmetric");
	return line ? kith_kern_check(m->kern.kind, &m->metric, k->rec.file, line, k->err) : 0;
}

/* Step 4: row i. */
static int
parse_row(const struct kith_keys *k, struct kith_machine *m, size_t i, double *coef)
{
	const size_t outputs = kith_machine_outputs(m), p = m->X.p;
	const struct kith_cell *cell = k->rec.text;

	if (k->rec.n != 1 + outputs + p)
		return kith_keys_fail_here(
		    k, "%zu cells where the header has %zu", k->rec.n, 1 + outputs + p);
	kith_texts_add(&m->id, &cell[0], k->pool);
	for (size_t a = 0; a < outputs + p; a++) {
		const struct kith_cell *c = &cell[1 + a];
		double *to = a < outputs ? &coef[i * outputs + a]
					 : &kith_row(&m->X, i)[a - outputs];

		if (kith_parse_real(c->s, c->len, to))
			return kith_keys_fail_here(
			    k, "cell %zu: not a finite number: " KITH_CELL, a + 2, c->s);
	}
	return 0;
}

/* Reads a model of kith, a text. */
static int
read_own(struct kith_keys *k, const char *text, struct kith_machine *m)
{
	size_t outputs, n, room;
	double *coef;
	int got;

	k->model = m;
	if (kith_keys_read(k) || parse_keys(k, m) || check_weights(k, m))
		return -1;
	/* The key may say any number; each cell of a row has a byte and a delimiter. */
	outputs = kith_machine_outputs(m);
	n = m->X.n;
	room = strlen(text) / (outputs + m->X.p) + 1;
	room = n < room ? n : room;
	coef = kith_new(k->pool, room, outputs * sizeof(*coef));
	m->X = kith_mat_new(k->pool, room, m->X.p);
	for (size_t i = 0; (got = kith_keys_row(k, "rows", i, n)) > 0; i++)
		if (parse_row(k, m, i, coef))
			return -1;
	m->coef = coef;
	if (got == 0)
		kith_machine_pack(m, k->pool);
	return got;
}

/* The number of the line of a text that `at` is in. */
static size_t
line_of(const char *text, const char *at)
{
	size_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* The text of a file, in the pool; NULL where it cannot be read, or does not end with a line. */
static char *
load(const char *file, const char **name, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_source in;
	char *text = NULL, *null = NULL;
	size_t used = 0, room = 0;
	long got = 1;

	if (kith_source_open(&in, file, NULL, err))
		return NULL;
	*name = in.file;
	for (; got > 0 && !null; used += got > 0 ? (size_t)got : 0) {
		if (room - used < 2) {
			room = 2 * room + (1 << 16);
			text = kith_grow(pool, text, room, 1);
		}
		got = kith_source_read(&in, text + used, room - used - 1, err);
		null = got > 0 ? memchr(text + used, '\0', (size_t)got) : NULL;
	}
	kith_source_close(&in);
	if (null)
		kith_fail_at(
		    err, EX_DATAERR, *name, line_of(text, null), "null byte: not a text file");
	if (null || got < 0)
		return NULL;
	text[used] = '\0';
	if (used > 0 && text[used - 1] != '\n') {
		kith_fail_at(
		    err, EX_DATAERR, *name, 0, "no line end at its end: not the whole model");
		return NULL;
	}
	return text;
}

int
kith_model_read(
    const char *file, struct kith_machine *m, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const char *name, *text = load(file, &name, &tmp, err);
	const bool libsvm = text &&
	    (strncmp(text, "svm_type ", 9) == 0 || strncmp(text, "kernel_type ", 12) == 0);
	const char *quote = libsvm ? strchr(text, '"') : NULL;
	struct kith_keys keys = libsvm ? kith_libsvm_format : format;
	char sep = keys.sep;
	int got = -1;

	*m = (struct kith_machine){0};
	if (libsvm)
		sep = KITH_SEP_BLANKS;
	if (text && !*text)
		kith_fail_at(err, EX_DATAERR, name, 0, "empty input");
	else if (quote)
		kith_fail_at(err, EX_DATAERR, name, line_of(text, quote),
		    "a quote, which no model of LIBSVM has");
	else if (text && !libsvm && strncmp(text, "# version\t", 10) != 0)
		kith_fail_at(err, EX_DATAERR, name, 1, "not a model (--save-model writes one)");
	else if (text) {
		keys.pool = pool;
		keys.err = err;
		kith_rec_open(&keys.rec, name, text, sep, KITH_FORM_TEXT, err);
		got = (libsvm ? kith_libsvm_read : read_own)(&keys, text, m);
		kith_rec_close(&keys.rec);
	}
	kith_pool_free(&tmp);
	return got;
}

static void
write_row(const struct kith_machine *m, size_t i, struct kith_out *out)
{
	const size_t outputs = kith_machine_outputs(m);

	if (m->id.n)
		kith_out_verbatim(out, &m->id.cell[i]);
	else
		kith_out_size(out, m->number ? m->number[i] : i + 1);
	for (size_t a = 0; a < outputs + m->X.p; a++) {
		const double v = a < outputs ? m->coef[i * outputs + a]
					     : kith_row(&m->X, i)[a - outputs];

		assert(!isinf(v));
		kith_out_char(out, '\t');
		kith_out_real(out, v);
	}
	kith_out_char(out, '\n');
}

int
kith_model_write(const struct kith_machine *m, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_machine packed = *m;
	struct kith_keys keys = format;
	struct kith_names all;
	char **name;
	size_t n, twin;

	assert(*kith_machine_kernels[m->kern.kind]);
	assert(m->kern.kind == KITH_KERN_LINEAR || m->kern.gamma > 0);
	assert(m->feature.n == m->metric.p && m->X.p == m->metric.p);
	assert(m->task != KITH_MACHINE_CLASSIFY || m->class.n > 0);
	assert(m->id.n == 0 || m->id.n == m->X.n);
	kith_machine_pack(&packed, &tmp);
	name = name_columns(&packed, &tmp);
	n = 1 + kith_machine_outputs(m) + packed.feature.n;
	twin = kith_names_index(&all, name, n, &tmp);
	if (twin < n) {
		kith_fail(err, EX_DATAERR,
		    "column " KITH_NAME ": the output would have this name twice", name[twin]);
		kith_pool_free(&tmp);
		return -1;
	}
	keys.model = &packed;
	kith_keys_write(&keys, out);
	kith_out_header(out, (const char *const *)name, n);
	for (size_t i = 0; i < m->X.n && !out->failed; i++)
		write_row(&packed, i, out);
	kith_pool_free(&tmp);
	return 0;
}
