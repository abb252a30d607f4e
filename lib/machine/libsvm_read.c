/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/libsvm_read.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "machine/libsvm_head.h"
#include "machine/machine.h"
#include "machine/votes.h"
#include "text/lines.h"

#include <string.h>

/* Where features of one index are too many for a table. */
enum { WIDEST = 10000000 };

struct entry {
	size_t row, index; /* index from 1 */
	double value;
};

struct reader {
	struct kith_libsvm_head head;
	struct kith_lines lines;
	struct kith_machine *m;
	size_t columns; /* coefficients of a row */
	double *coef;   /* rows x columns, as they stand there */
	struct entry *entry;
	size_t entries, room, p; /* p: the largest index */
	struct kith_pool *pool, *tmp;
	struct kith_err *err;
};

static int KITH_PRINTF(2, 0)
    fail(const struct reader *in, const char *fmt, const char *word)
{
	return kith_fail_at(
	    in->err, EX_DATAERR, in->lines.file, in->lines.passed, fmt, word);
}

/* Take a word INDEX:VALUE of row i; last is the index before. */
static int
take_entry(struct reader *in, size_t i, char *word, size_t *last)
{
	struct entry e = {.row = i};
	char *colon = strchr(word, ':');

	if (!colon)
		return fail(in, "not INDEX:VALUE: " KITH_CELL, word);
	*colon = '\0';
	if (kith_parse_size(word, &e.index) || e.index == 0)
		return fail(in, "not an index from 1: " KITH_CELL, word);
	if (e.index <= *last)
		return fail(in, "index %.20s: indices must increase", word);
	if (e.index > WIDEST)
		return fail(in, "index %.20s: too large", word);
	if (kith_parse_real(colon + 1, strlen(colon + 1), &e.value))
		return fail(in, "not a finite number: " KITH_CELL, colon + 1);
	in->entry = kith_more(
	    in->tmp, in->entry, in->entries, &in->room, sizeof(e));
	in->entry[in->entries++] = e;
	*last = e.index;
	in->p = e.index > in->p ? e.index : in->p;
	return 0;
}

/* Take a line as row i. */
static int
take_row(struct reader *in, size_t i, char *line)
{
	static const char blank[] = " \t";
	char *rest, *word = strtok_r(line, blank, &rest);
	size_t last = 0;

	for (size_t c = 0; c < in->columns; c++) {
		if (!word || strchr(word, ':'))
			return fail(
			    in, "%s", "fewer coefficients than are due");
		if (kith_parse_real(
			word, strlen(word), &in->coef[i * in->columns + c]))
			return fail(
			    in, "not a finite number: " KITH_CELL, word);
		word = strtok_r(NULL, blank, &rest);
	}
	for (; word; word = strtok_r(NULL, blank, &rest))
		if (take_entry(in, i, word, &last))
			return -1;
	return 0;
}

static int
take_rows(struct reader *in)
{
	const size_t n = in->head.rows;
	size_t i = 0, room = 0, len;
	char *line;
	int got;

	while ((got = kith_lines_next(&in->lines, &line, &len, in->err)) > 0) {
		if (i == n)
			return fail(in, "%s",
			    "more support vectors than total_sv says");
		/* Not all at once: total_sv may be any number. */
		if (i == room) {
			room = 2 * room + 64;
			in->coef = kith_grow(in->tmp, in->coef, room,
			    in->columns * sizeof(*in->coef));
		}
		if (take_row(in, i++, line))
			return -1;
	}
	if (got < 0)
		return -1;
	if (i < n)
		return kith_fail_at(in->err, EX_DATAERR, in->lines.file, 0,
		    "%zu support vectors where total_sv says %zu: not the "
		    "whole model",
		    i, n);
	return 0;
}

/* The rows, each feature called by its place. */
static void
fill_rows(struct reader *in)
{
	struct kith_machine *m = in->m;
	const size_t p = in->p ? in->p : 1;
	char **name = kith_new(in->pool, p, sizeof(*name));

	m->X = kith_mat_new(in->pool, in->head.rows, p);
	for (size_t i = 0; i < in->entries; i++) {
		const struct entry *e = &in->entry[i];

		kith_row(&m->X, e->row)[e->index - 1] = e->value;
	}
	for (size_t j = 0; j < p; j++) {
		char s[KITH_NUM_ROOM + 1] = "V";
		const size_t len = kith_format_size(s + 1, j + 1);

		name[j] = kith_strndup(in->pool, s, len + 1);
	}
	kith_names_index(&m->feature, name, p, in->pool);
	m->metric = (struct kith_metric){KITH_SQUARED, p, NULL};
}

/*
 * The coefficients of each output.  Those of the machine of the classes g < h are
 * in column h - 1 of the rows of g, and in column g of the rows of h.
 */
static void
fill_coef(const struct reader *in, double *coef)
{
	const struct kith_libsvm_head *head = &in->head;
	const size_t c = head->classes, columns = in->columns;
	struct kith_pool tmp = {0};
	size_t *start;

	if (c <= 2) {
		if (head->rows > 0)
			memcpy(coef, in->coef, head->rows * sizeof(*coef));
		return;
	}
	KITH_NEW_SIZES(&tmp, c + 1, 1, &start);
	for (size_t h = 0; h < c; h++)
		start[h + 1] = start[h] + head->count[h];
	for (size_t o = 0; o < head->pairs; o++) {
		size_t g, h;

		kith_machine_pair(c, o, &g, &h);
		for (size_t i = start[g]; i < start[g + 1]; i++)
			coef[i * head->pairs + o] = in->coef[i * columns + h -
			    1];
		for (size_t i = start[h]; i < start[h + 1]; i++)
			coef[i * head->pairs + o] = in->coef[i * columns + g];
	}
	kith_pool_free(&tmp);
}

/* The classes, in the order of their labels. */
static void
fill_classes(struct reader *in)
{
	static const char *const outlier[] = {"1", "-1"};
	const struct kith_libsvm_head *head = &in->head;
	const bool labelled = kith_libsvm_is_labelled(head);
	const size_t c = head->classes;
	char **name = kith_new(in->pool, c, sizeof(*name));

	for (size_t h = 0; h < c; h++) {
		const char *s = labelled ? head->label[h] : outlier[h > 0];

		name[h] = kith_strndup(in->pool, s, strlen(s));
	}
	kith_names_index(&in->m->class, name, c, in->pool);
	in->m->multi = KITH_MACHINE_ONE;
	in->m->first_is_plus = true;
}

/* These n numbers, in the pool; NULL where v is. */
static double *
copy(const double *v, size_t n, struct kith_pool *pool)
{
	double *to = v ? kith_new(pool, n, sizeof(*to)) : NULL;

	if (v && n > 0)
		memcpy(to, v, n * sizeof(*to));
	return to;
}

static void
fill(struct reader *in)
{
	const struct kith_libsvm_head *head = &in->head;
	const size_t outputs = head->pairs ? head->pairs : 1;
	struct kith_machine *m = in->m;
	double *coef, *bias;

	m->task = head->type < KITH_LIBSVM_EPSILON_SVR ? KITH_MACHINE_CLASSIFY
						       : KITH_MACHINE_REGRESS;
	m->kern = head->kern;
	m->by_place = true;
	if (m->task == KITH_MACHINE_CLASSIFY)
		fill_classes(in);
	fill_rows(in);
	coef = kith_new(in->pool, head->rows, outputs * sizeof(*coef));
	bias = kith_new(in->pool, outputs, sizeof(*bias));
	fill_coef(in, coef);
	for (size_t o = 0; o < head->pairs; o++)
		bias[o] = -head->rho[o];
	m->coef = coef;
	m->bias = bias;
	m->A = copy(head->A, head->pairs, in->pool);
	m->B = copy(head->B, head->pairs, in->pool);
}

bool
kith_libsvm_is(const char *text)
{
	return strncmp(text, "svm_type ", 9) == 0 ||
	    strncmp(text, "kernel_type ", 12) == 0;
}

int
kith_libsvm_read(const char *name, const char *text, struct kith_machine *m,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct reader in = {.m = m, .pool = pool, .tmp = &tmp, .err = err};
	int got;

	kith_lines_text(&in.lines, name, text, &tmp);
	got = kith_libsvm_head_read(&in.lines, &in.head, &tmp, err);
	if (got == 0) {
		in.columns = in.head.classes > 1 ? in.head.classes - 1 : 1;
		if (!kith_libsvm_is_labelled(&in.head))
			in.columns = 1;
		got = take_rows(&in);
	}
	if (got == 0)
		fill(&in);
	kith_pool_free(&tmp);
	return got;
}
