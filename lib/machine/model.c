/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a model of kith:
 * 1. The lines `# key<TAB>value...`, as texts (machine/keys.h).
 * 2. The meaning of the values: task and kernel say which keys are due.
 * 3. The header of the table says p; keys with a number for each feature are read.
 * 4. The rows.
 */
#include "machine/model.h"

#include "base/num.h"
#include "base/pool.h"
#include "machine/keys.h"
#include "text/out.h"
#include "text/rows.h"
#include "text/source.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Keys in the order in which they are written. */
enum {
	VERSION,
	TASK,
	KERNEL,
	GAMMA,
	DEGREE,
	COEF0,
	COST,
	TARGET,
	COLUMNS,
	CLASSES,
	MULTI,
	BIAS,
	PROB_A,
	PROB_B,
	WEIGHTS,
	MEANS,
	CENTER,
	SCALE,
	ROWS,
	KEYS
};
static const char *const key_name[] = {"version", "task", "kernel", "gamma", "degree", "coef0", "C",
    "target", "columns", "classes", "multi", "bias", "probA", "probB", "weights", "means", "center",
    "scale", "rows", NULL};

static const char *const multi_name[] = {
    [KITH_MACHINE_REST] = "rest", [KITH_MACHINE_ONE] = "one", NULL};

/* A model of kith while it is read. */
struct reader {
	struct kith_rec rec;
	struct kith_key key[KEYS];
	struct kith_keys keys;
	struct kith_machine *m; /* filled as far as it was read */
	double *coef;
	size_t rows, room; /* rows that the key says; rows that coef and m->X have room for */
	struct kith_pool *pool;
	struct kith_err *err;
};

/* Fails at the present line of the file. */
#define fail(in, ...) \
	kith_fail_at((in)->err, EX_DATAERR, (in)->rec.file, (in)->rec.line, __VA_ARGS__)

static bool
has(const struct reader *in, int key)
{
	return in->key[key].line > 0;
}

/* Step 1: a line `# key<TAB>value...`. */
static int
parse_key(struct reader *in)
{
	const struct kith_cell *first = kith_rec_cell(&in->rec, 0);
	int key;

	if (!has(in, VERSION) && strcmp(first->s, "# version") != 0)
		return fail(in, "not a model (--save-model writes one)");
	key = kith_keys_add(&in->keys, first->s + 2, in->rec.line);
	if (key < 0)
		return -1;
	for (size_t i = 1; i < in->rec.n; i++) {
		const struct kith_cell *c = kith_rec_cell(&in->rec, i);

		kith_keys_value(&in->keys, key, c->s, c->len);
	}
	if (key != VERSION)
		return 0;
	if (kith_keys_due(&in->keys, VERSION, 1))
		return -1;
	return strcmp(*in->key[VERSION].value, "1") == 0
	    ? 0
	    : kith_keys_fail(&in->keys, VERSION, "not 1, the one known here: " KITH_CELL,
		  *in->key[VERSION].value);
}

/* Undoes write_names() in place; false where it did not write this. */
static bool
unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\') {
			s++;
			if (*s != '\\' && *s != 'n' && *s != 'r')
				return false;
			*to++ = (char)(*s == 'n' ? '\n' : *s == 'r' ? '\r' : '\\');
		} else
			*to++ = *s;
	}
	*to = '\0';
	return true;
}

/* The names of a key, which must differ. */
static int
parse_names(const struct reader *in, int key, struct kith_names *names)
{
	const struct kith_key *k = &in->key[key];
	size_t twin;

	if (k->n == 0)
		return kith_keys_due(&in->keys, key, 1);
	for (size_t i = 0; i < k->n; i++) {
		const char *was = kith_strndup(in->pool, k->value[i], strlen(k->value[i]));

		if (!unescape(k->value[i]))
			return kith_keys_fail(
			    &in->keys, key, "a backslash too many: " KITH_CELL, was);
	}
	twin = kith_names_index(names, k->value, k->n, in->pool);
	if (twin < k->n)
		return kith_keys_fail(&in->keys, key, "given twice: " KITH_CELL, k->value[twin]);
	return 0;
}

static int
parse_classes(const struct reader *in)
{
	const struct kith_names *class = &in->m->class;

	if (parse_names(in, CLASSES, &in->m->class))
		return -1;
	for (size_t h = 1; h < class->n; h++)
		if (strcmp(class->name[h - 1], class->name[h]) > 0)
			return kith_keys_fail(
			    &in->keys, CLASSES, "not in byte order: " KITH_CELL, class->name[h]);
	return 0;
}

/* Checks that every key is there that task and kernel need, and no key that they exclude. */
static int
check_keys(const struct reader *in)
{
	const struct kith_machine *m = in->m;
	const bool power = m->kern.kind == KITH_KERN_POLYNOMIAL;
	const bool linear = m->kern.kind == KITH_KERN_LINEAR;
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	enum { NEVER, MAYBE, ALWAYS };
	const int when[KEYS] = {[VERSION] = ALWAYS,
	    [TASK] = ALWAYS,
	    [KERNEL] = ALWAYS,
	    [GAMMA] = linear ? NEVER : ALWAYS,
	    [DEGREE] = power ? ALWAYS : NEVER,
	    [COEF0] = power ? ALWAYS : NEVER,
	    [COST] = MAYBE,
	    [TARGET] = MAYBE,
	    [COLUMNS] = MAYBE,
	    [CLASSES] = classify ? ALWAYS : NEVER,
	    [MULTI] = classify && in->key[CLASSES].n > 2 ? MAYBE : NEVER,
	    [BIAS] = ALWAYS,
	    [PROB_A] = classify ? MAYBE : NEVER,
	    [PROB_B] = classify ? MAYBE : NEVER,
	    [WEIGHTS] = MAYBE,
	    [MEANS] = MAYBE,
	    [CENTER] = MAYBE,
	    [SCALE] = MAYBE,
	    [ROWS] = ALWAYS};
	static const int pair[][2] = {{PROB_A, PROB_B}, {CENTER, SCALE}};

	for (int key = 0; key < KEYS; key++)
		if (when[key] == (has(in, key) ? NEVER : ALWAYS))
			return kith_keys_fail(&in->keys, key, "%s",
			    when[key] ? "not found" : "too much for this task and kernel");
	for (size_t i = 0; i < 2; i++)
		if (has(in, pair[i][0]) != has(in, pair[i][1]))
			return kith_keys_fail(&in->keys, pair[i][has(in, pair[i][1])],
			    "%s and %s belong together", key_name[pair[i][0]],
			    key_name[pair[i][1]]);
	return 0;
}

/* What the numbers of a key have to be. */
enum bound { ANY, FROM_0, ABOVE_0 };

/* Reads n finite numbers; *is becomes NULL where the key is not there. */
static int
parse_numbers(const struct reader *in, int key, size_t n, enum bound bound, double **is)
{
	*is = NULL;
	if (has(in, key) && kith_keys_reals(&in->keys, key, n, is))
		return -1;
	for (size_t j = 0; *is && j < n; j++)
		if ((bound && (*is)[j] < 0) || (bound == ABOVE_0 && (*is)[j] == 0))
			return kith_keys_fail(
			    &in->keys, key, bound == ABOVE_0 ? "not above 0" : "below 0");
	return 0;
}

/* Step 2. */
static int
parse_keys(struct reader *in)
{
	const struct kith_keys *k = &in->keys;
	struct kith_machine *m = in->m;
	struct kith_names target = {0};
	double *gamma, *coef0, *C, *bias, *A, *B;
	int task, kernel, multi = KITH_MACHINE_REST;
	size_t outputs;

	in->keys.end = in->rec.line;
	if (kith_keys_word(k, TASK, kith_machine_tasks, &task) ||
	    kith_keys_word(k, KERNEL, kith_machine_kernels, &kernel))
		return -1;
	m->task = (enum kith_machine_task)task;
	m->kern.kind = (enum kith_kern_kind)kernel;
	if (check_keys(in) || (m->task == KITH_MACHINE_CLASSIFY && parse_classes(in)) ||
	    (has(in, MULTI) && kith_keys_word(k, MULTI, multi_name, &multi)))
		return -1;
	m->multi = (enum kith_machine_multi)multi;
	outputs = kith_machine_outputs(m);
	if (parse_numbers(in, GAMMA, 1, ABOVE_0, &gamma) ||
	    parse_numbers(in, COEF0, 1, FROM_0, &coef0) || parse_numbers(in, COST, 1, FROM_0, &C) ||
	    (has(in, DEGREE) && kith_keys_sizes(k, DEGREE, 1, 1, SIZE_MAX, &m->kern.degree)) ||
	    (has(in, TARGET) &&
		(kith_keys_due(k, TARGET, 1) || parse_names(in, TARGET, &target))) ||
	    (has(in, COLUMNS) && parse_names(in, COLUMNS, &m->column)) ||
	    parse_numbers(in, BIAS, outputs, ANY, &bias) ||
	    parse_numbers(in, PROB_A, outputs, ANY, &A) ||
	    parse_numbers(in, PROB_B, outputs, ANY, &B) ||
	    kith_keys_sizes(k, ROWS, 1, 0, SIZE_MAX, &in->rows))
		return -1;
	m->bias = bias;
	m->A = A;
	m->B = B;
	m->C = C;
	m->kern.gamma = gamma ? *gamma : 0;
	m->kern.coef0 = coef0 ? *coef0 : 0;
	m->target = target.n ? target.name[0] : NULL;
	return 0;
}

/* Step 3: the features are behind (id) and the coefficients. */
static int
parse_header(const struct reader *in)
{
	struct kith_machine *m = in->m;
	const struct kith_cell *cell = in->rec.text;
	const size_t first = 1 + kith_machine_outputs(m), n = in->rec.n;
	char **name = kith_new(in->pool, n, sizeof(*name));
	struct kith_names all;
	size_t twin;

	for (size_t i = 0; i < n; i++)
		name[i] = kith_strndup(in->pool, cell[i].s, cell[i].len);
	for (size_t i = 0; i < first && i < n; i++) {
		const char *due = i == 0 ? "(id)" : kith_machine_coef(m, i - 1, in->pool);

		if (strcmp(name[i], due) != 0)
			return fail(in, "column %zu is not " KITH_NAME, i + 1, due);
	}
	if (n <= first)
		return fail(in, "no feature column");
	twin = kith_names_index(&all, name, n, in->pool);
	if (twin < n)
		return fail(in, "column " KITH_NAME ": two of that name", name[twin]);
	m->metric.p = m->X.p = n - first;
	kith_names_index(&m->feature, name + first, m->X.p, in->pool);
	return 0;
}

/* Step 3: the weights are a vector, or a matrix of a kernel. */
static int
parse_weights(const struct reader *in)
{
	struct kith_machine *m = in->m;
	const size_t p = m->metric.p, n = in->key[WEIGHTS].n;
	double *w;

	m->metric.kind = m->kern.kind == KITH_KERN_LAPLACIAN ? KITH_ABSOLUTE : KITH_SQUARED;
	if (!has(in, WEIGHTS))
		return 0;
	if (n != p && (n / p != p || n % p != 0))
		return kith_keys_fail(
		    &in->keys, WEIGHTS, "neither one for each feature nor one for each pair");
	if (parse_numbers(in, WEIGHTS, n, n == p ? FROM_0 : ANY, &w))
		return -1;
	m->metric.w = w;
	if (n != p) {
		m->metric.kind = KITH_SQUARED_MATRIX;
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < i; j++)
				if (w[i * p + j] != w[j * p + i])
					return kith_keys_fail(&in->keys, WEIGHTS, "not symmetric");
	}
	if (kith_kern_check(m->kern.kind, &m->metric, in->err)) {
		in->err->file = in->rec.file;
		in->err->line = in->key[WEIGHTS].line;
		return -1;
	}
	return 0;
}

/* Step 4. */
static int
parse_row(struct reader *in)
{
	struct kith_machine *m = in->m;
	const size_t outputs = kith_machine_outputs(m), p = m->X.p;
	const struct kith_cell *cell = in->rec.text;

	if (in->rec.n != 1 + outputs + p)
		return fail(in, "%zu cells where the header has %zu", in->rec.n, 1 + outputs + p);
	if (m->X.n == in->rows)
		return fail(in, "more rows than key \"rows\" says: %zu", in->rows);
	if (m->X.n == in->room) {
		in->room = 2 * in->room + 64;
		m->X.v = kith_grow(in->pool, m->X.v, in->room, p * sizeof(*m->X.v));
		in->coef = kith_grow(in->pool, in->coef, in->room, outputs * sizeof(*in->coef));
	}
	kith_texts_add(&m->id, &cell[0], in->pool);
	for (size_t i = 0; i < outputs + p; i++) {
		const struct kith_cell *c = &cell[1 + i];
		double *to = i < outputs ? &in->coef[m->X.n * outputs + i]
					 : &kith_row(&m->X, m->X.n)[i - outputs];

		if (kith_parse_real(c->s, c->len, to))
			return fail(in, "cell %zu: not a finite number: " KITH_CELL, i + 2, c->s);
	}
	m->X.n++;
	return 0;
}

static int
parse_model(struct reader *in)
{
	struct kith_machine *m = in->m;
	const char *file = in->rec.file;
	double *mean;
	int got;

	while ((got = kith_rec_next(&in->rec, in->err)) > 0 &&
	    strncmp(kith_rec_cell(&in->rec, 0)->s, "# ", 2) == 0)
		if (parse_key(in))
			return -1;
	if (got < 0)
		return -1;
	if (got == 0)
		return kith_fail_at(in->err, EX_DATAERR, file, 0, "%s",
		    has(in, VERSION) ? "no table: not the whole model" : "empty input");
	if (!has(in, VERSION))
		return parse_key(in); /* fails: it is no key */
	if (parse_keys(in) || parse_header(in) || parse_weights(in) ||
	    parse_numbers(in, MEANS, m->X.p, ANY, &mean) ||
	    parse_numbers(in, CENTER, m->X.p, ANY, &m->unit.center) ||
	    parse_numbers(in, SCALE, m->X.p, FROM_0, &m->unit.scale))
		return -1;
	m->mean = mean;
	m->unit.p = m->X.p;
	while ((got = kith_rec_next(&in->rec, in->err)) > 0)
		if (parse_row(in))
			return -1;
	if (got < 0)
		return -1;
	m->coef = in->coef;
	if (m->X.n < in->rows)
		return kith_fail_at(in->err, EX_DATAERR, file, 0,
		    "%zu rows where key \"rows\" says %zu: not the whole model", m->X.n, in->rows);
	return 0;
}

/* The text of a file, in the pool; NULL where it cannot be read, or does not end with a line. */
static char *
load(const char *file, const char **name, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_source in;
	char *text = NULL, *null = NULL;
	size_t used = 0, room = 0, line = 1;
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
	if (null) {
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			line++;
		kith_fail_at(err, EX_DATAERR, *name, line, "null byte: not a text file");
	}
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

/* Reads a model of kith; the text, which is copied, is freed with tmp. */
static int
read_own(const char *name, const char *text, struct kith_machine *m, struct kith_pool *tmp,
    struct kith_pool *pool, struct kith_err *err)
{
	struct reader in = {.m = m, .pool = pool, .err = err};
	int got;

	in.keys = (struct kith_keys){name, key_name, in.key, 0, pool, err};
	kith_rec_open(&in.rec, name, text, '\t', KITH_FORM_TEXT, err);
	kith_pool_free(tmp);
	got = parse_model(&in);
	kith_rec_close(&in.rec);
	if (got == 0)
		kith_machine_pack(m, pool);
	return got;
}

int
kith_model_read(
    const char *file, struct kith_machine *m, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const char *name, *text = load(file, &name, &tmp, err);
	int got = -1;

	*m = (struct kith_machine){0};
	if (text)
		got = kith_libsvm_is(text) ? kith_libsvm_read(name, text, m, pool, err)
					   : read_own(name, text, m, &tmp, pool, err);
	kith_pool_free(&tmp);
	return got;
}

static void
write_reals(struct kith_out *out, int key, const double *v, size_t n)
{
	if (!v)
		return;
	kith_out_text(out, "# ");
	kith_out_text(out, key_name[key]);
	for (size_t i = 0; i < n; i++) {
		assert(!isinf(v[i]));
		kith_out_char(out, '\t');
		kith_out_real(out, v[i]);
	}
	kith_out_char(out, '\n');
}

/* Writes names, each on one line whatever is in it. */
static void
write_names(struct kith_out *out, int key, char *const *name, size_t n)
{
	struct kith_pool tmp = {0};

	kith_out_text(out, "# ");
	kith_out_text(out, key_name[key]);
	for (size_t i = 0; i < n; i++) {
		char *s = kith_new(&tmp, strlen(name[i]) + 1, 2), *to = s;

		for (const char *at = name[i]; *at; at++) {
			if (*at == '\\' || *at == '\n' || *at == '\r')
				*to++ = '\\';
			*to++ = (char)(*at == '\n' ? 'n' : *at == '\r' ? 'r' : *at);
		}
		kith_out_char(out, '\t');
		kith_out_cell(out, s);
	}
	kith_out_char(out, '\n');
	kith_pool_free(&tmp);
}

static void
write_keys(const struct kith_machine *m, struct kith_out *out)
{
	const size_t p = m->metric.p, outputs = kith_machine_outputs(m);

	kith_out_put(out, "%s\t%s\n", "# version", "1");
	kith_out_put(out, "%s\t%s\n", "# task", kith_machine_tasks[m->task]);
	kith_out_put(out, "%s\t%s\n", "# kernel", kith_machine_kernels[m->kern.kind]);
	if (m->kern.kind != KITH_KERN_LINEAR)
		write_reals(out, GAMMA, &m->kern.gamma, 1);
	if (m->kern.kind == KITH_KERN_POLYNOMIAL) {
		kith_out_put(out, "%s\t%zu\n", "# degree", m->kern.degree);
		write_reals(out, COEF0, &m->kern.coef0, 1);
	}
	write_reals(out, COST, m->C, 1);
	if (m->target)
		write_names(out, TARGET, (char *[]){(char *)m->target}, 1);
	if (m->column.n)
		write_names(out, COLUMNS, m->column.name, m->column.n);
	if (m->task == KITH_MACHINE_CLASSIFY)
		write_names(out, CLASSES, m->class.name, m->class.n);
	if (kith_machine_has_pairs(m))
		kith_out_put(out, "%s\t%s\n", "# multi", multi_name[m->multi]);
	write_reals(out, BIAS, m->bias, outputs);
	write_reals(out, PROB_A, m->A, outputs);
	write_reals(out, PROB_B, m->B, outputs);
	write_reals(out, WEIGHTS, m->metric.w, m->metric.kind == KITH_SQUARED_MATRIX ? p * p : p);
	write_reals(out, MEANS, m->mean, p);
	write_reals(out, CENTER, m->unit.center, p);
	write_reals(out, SCALE, m->unit.center ? m->unit.scale : NULL, p);
	kith_out_put(out, "%s\t%zu\n", "# rows", m->X.n);
}

static int
write_header(const struct kith_machine *m, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t outputs = kith_machine_outputs(m);
	const size_t n = 1 + outputs + m->feature.n;
	char **name = kith_new(&tmp, n, sizeof(*name));
	struct kith_names all;
	size_t twin;

	name[0] = kith_strndup(&tmp, "(id)", 4);
	for (size_t o = 0; o < outputs; o++)
		name[1 + o] = kith_machine_coef(m, o, &tmp);
	for (size_t j = 0; j < m->feature.n; j++)
		name[1 + outputs + j] = m->feature.name[j];
	twin = kith_names_index(&all, name, n, &tmp);
	if (twin < n)
		kith_fail(err, EX_DATAERR,
		    "column " KITH_NAME ": the output would have this name twice", name[twin]);
	else
		kith_out_header(out, (const char *const *)name, n);
	kith_pool_free(&tmp);
	return twin < n ? -1 : 0;
}

static void
write_row(const struct kith_machine *m, size_t i, struct kith_out *out)
{
	const size_t outputs = kith_machine_outputs(m);

	if (m->id.n) {
		const struct kith_cell id = kith_texts_at(&m->id, i);

		kith_out_verbatim(out, &id);
	} else
		kith_out_size(out, m->number ? m->number[i] : i + 1);
	for (size_t o = 0; o < outputs; o++) {
		assert(!isinf(m->coef[i * outputs + o]));
		kith_out_char(out, '\t');
		kith_out_real(out, m->coef[i * outputs + o]);
	}
	for (size_t j = 0; j < m->X.p; j++) {
		kith_out_char(out, '\t');
		kith_out_real(out, kith_row(&m->X, i)[j]);
	}
	kith_out_char(out, '\n');
}

int
kith_model_write(const struct kith_machine *m, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_machine packed = *m;
	int got;

	assert(*kith_machine_kernels[m->kern.kind]);
	assert(m->kern.kind == KITH_KERN_LINEAR || m->kern.gamma > 0);
	assert(m->feature.n == m->metric.p && m->X.p == m->metric.p);
	assert(m->task != KITH_MACHINE_CLASSIFY || m->class.n > 0);
	assert(m->id.n == 0 || m->id.n == m->X.n);
	kith_machine_pack(&packed, &tmp);
	write_keys(&packed, out);
	got = write_header(&packed, out, err);
	for (size_t i = 0; got == 0 && i < m->X.n && !out->failed; i++)
		write_row(&packed, i, out);
	kith_pool_free(&tmp);
	return got;
}
