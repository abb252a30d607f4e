/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/read.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "machine/key.h"
#include "machine/libsvm_read.h"
#include "text/rows.h"
#include "text/source.h"

#include <string.h>

/* Take the header: the features behind (id) and the coefficients. */
static int
take_header(struct kith_machine_reader *in, struct kith_err *err)
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
			return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
			    "column %zu is not " KITH_NAME, i + 1, due);
	}
	if (n <= first)
		return kith_fail_at(
		    err, EX_DATAERR, in->rec.file, in->rec.line, "no feature column");
	twin = kith_names_index(&all, name, n, in->pool);
	if (twin < n)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
		    "column " KITH_NAME ": two of that name", name[twin]);
	m->metric.p = m->X.p = n - first;
	kith_names_index(&m->feature, name + first, m->X.p, in->pool);
	return 0;
}

/* Check the weights, and the means, now that p is known. */
static int
take_metric(struct kith_machine_reader *in, struct kith_err *err)
{
	struct kith_machine *m = in->m;
	const size_t p = m->metric.p, n = in->n[KITH_MODEL_WEIGHTS];
	const double *w = in->number[KITH_MODEL_WEIGHTS];

	m->metric.kind = m->kern.kind == KITH_KERN_LAPLACIAN ? KITH_ABSOLUTE : KITH_SQUARED;
	m->metric.w = w;
	m->mean = in->number[KITH_MODEL_MEANS];
	if (m->mean && in->n[KITH_MODEL_MEANS] != p)
		return kith_machine_key_fail(
		    in, KITH_MODEL_MEANS, "not as many as there are features", err);
	if (!w)
		return 0;
	if (n == p) {
		for (size_t j = 0; j < p; j++)
			if (w[j] < 0)
				return kith_machine_key_fail(
				    in, KITH_MODEL_WEIGHTS, "below 0", err);
	} else if (n / p == p && n % p == 0) {
		m->metric.kind = KITH_SQUARED_MATRIX;
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < i; j++)
				if (w[i * p + j] != w[j * p + i])
					return kith_machine_key_fail(
					    in, KITH_MODEL_WEIGHTS, "not symmetric", err);
	} else
		return kith_machine_key_fail(in, KITH_MODEL_WEIGHTS,
		    "neither one for each feature nor one for each pair", err);
	if (kith_kern_check(m->kern.kind, &m->metric, err)) {
		err->file = in->rec.file;
		err->line = in->line[KITH_MODEL_WEIGHTS];
		return -1;
	}
	return 0;
}

/* Check the units of the features, now that p is known. */
static int
take_unit(struct kith_machine_reader *in, struct kith_err *err)
{
	static const enum kith_machine_key key[] = {KITH_MODEL_CENTER, KITH_MODEL_SCALE};
	struct kith_machine *m = in->m;
	const size_t p = m->metric.p;

	m->unit = (struct kith_unit){
	    p, in->number[KITH_MODEL_CENTER], in->number[KITH_MODEL_SCALE], KITH_UNIT_NONE};
	for (size_t i = 0; i < 2; i++) {
		if (!in->line[key[i]] && in->line[key[1 - i]])
			return kith_machine_key_fail(
			    in, key[1 - i], "center and scale belong together", err);
		if (in->line[key[i]] && in->n[key[i]] != p)
			return kith_machine_key_fail(
			    in, key[i], "not as many as there are features", err);
	}
	for (size_t j = 0; m->unit.scale && j < p; j++)
		if (m->unit.scale[j] < 0)
			return kith_machine_key_fail(in, KITH_MODEL_SCALE, "below 0", err);
	return 0;
}

/* Take a row of the table. */
static int
take_row(struct kith_machine_reader *in, struct kith_err *err)
{
	struct kith_machine *m = in->m;
	const size_t outputs = kith_machine_outputs(m), p = m->X.p;
	const struct kith_cell *cell = in->rec.text;

	if (in->rec.n != 1 + outputs + p)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
		    "%zu cells where the header has %zu", in->rec.n, 1 + outputs + p);
	if (m->X.n == in->rows)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
		    "more rows than key \"rows\" says: %zu", in->rows);
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
			return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
			    "cell %zu: not a finite number: " KITH_CELL, i + 2, c->s);
	}
	m->X.n++;
	return 0;
}

/* Read the records. */
static int
parse(struct kith_machine_reader *in, struct kith_err *err)
{
	int got;

	while ((got = kith_rec_next(&in->rec, err)) > 0 &&
	    strncmp(kith_rec_cell(&in->rec, 0)->s, "# ", 2) == 0)
		if (kith_machine_key_take(in, err))
			return -1;
	if (got < 0)
		return -1;
	if (got == 0)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, 0, "%s",
		    in->line[KITH_MODEL_VERSION] ? "no table: not the whole model" : "empty input");
	if (!in->line[KITH_MODEL_VERSION])
		return kith_machine_key_take(in, err); /* says so */
	if (kith_machine_key_check(in, err) || take_header(in, err) || take_metric(in, err) ||
	    take_unit(in, err))
		return -1;
	while ((got = kith_rec_next(&in->rec, err)) > 0)
		if (take_row(in, err))
			return -1;
	if (got < 0)
		return -1;
	in->m->coef = in->coef;
	if (in->m->X.n < in->rows)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, 0,
		    "%zu rows where key \"rows\" says %zu: not the whole model", in->m->X.n,
		    in->rows);
	return 0;
}

/* Fail where a piece of the text, behind `used` bytes, holds a null byte. */
static int
check_null(const char *text, size_t used, size_t len, const char *name, struct kith_err *err)
{
	const char *null = memchr(text + used, '\0', len), *nl;
	size_t line = 1;

	if (!null)
		return 0;
	for (; (nl = memchr(text, '\n', (size_t)(null - text))); line++)
		text = nl + 1;
	return kith_fail_at(err, EX_DATAERR, name, line, "null byte: not a text file");
}

/* The bytes of a file, with a null byte behind them, in the pool. */
static char *
load(const char *file, const char **name, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_source in;
	char *text = NULL;
	size_t used = 0, room = 0;
	long got = 1;

	if (kith_source_open(&in, file, err))
		return NULL;
	*name = in.file;
	while (got > 0) {
		if (room - used < 2) {
			room = 2 * room + (1 << 16);
			text = kith_grow(pool, text, room, 1);
		}
		got = kith_source_read(&in, text + used, room - used - 1, err);
		if (got > 0 && check_null(text, used, (size_t)got, in.file, err))
			got = -1;
		used += got > 0 ? (size_t)got : 0;
	}
	kith_source_close(&in);
	if (got < 0)
		return NULL;
	text[used] = '\0';
	if (used > 0 && text[used - 1] != '\n') {
		kith_fail_at(
		    err, EX_DATAERR, *name, 0, "no line end at its end: not the whole model");
		return NULL;
	}
	return text;
}

/* Read a model of our own; the text, which is copied, is freed with tmp. */
static int
read_own(struct kith_machine_reader *in, const char *name, const char *text, struct kith_pool *tmp,
    struct kith_err *err)
{
	int got;

	kith_rec_open_text(&in->rec, name, text, '\t');
	kith_pool_free(tmp);
	got = parse(in, err);
	kith_rec_close(&in->rec);
	if (got == 0)
		kith_machine_pack(in->m, in->pool);
	return got;
}

int
kith_machine_read(
    const char *file, struct kith_machine *m, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_machine_reader in = {.m = m, .pool = pool};
	const char *name, *text = load(file, &name, &tmp, err);
	int got = -1;

	*m = (struct kith_machine){0};
	if (text) {
		if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
			text += 3; /* a byte order mark */
		got = kith_libsvm_is(text) ? kith_libsvm_read(name, text, m, pool, err)
					   : read_own(&in, name, text, &tmp, err);
	}
	kith_pool_free(&tmp);
	return got;
}
