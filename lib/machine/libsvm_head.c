/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/libsvm_head.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const key_name[] = {"svm_type", "kernel_type", "degree",
    "gamma", "coef0", "nr_class", "total_sv", "rho", "label", "probA", "probB",
    "prob_density_marks", "nr_sv"};
static const char *const type_name[] = {
    "c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr", NULL};
static const char *const kernel_name[] = {
    "rbf", "linear", "polynomial", "sigmoid", "precomputed", NULL};
static const char blank[] = " \t";

/* A key as it was read: its values are split when they are needed. */
struct value {
	char **word;
	size_t n;
};

/* The reading, and what of it is not yet understood. */
struct walk {
	const char *file;
	struct kith_libsvm_head *head;
	struct value value[KITH_LIBSVM_KEYS];
	size_t end; /* the line of SV */
	struct kith_pool *pool;
	struct kith_err *err;
};

static int KITH_PRINTF(3, 0) fail(const struct walk *w,
    enum kith_libsvm_key key, const char *fmt, const char *word)
{
	char why[100];

	snprintf(why, sizeof(why), fmt, word);
	kith_fail_at(w->err, EX_DATAERR, w->file,
	    w->head->line[key] ? w->head->line[key] : w->end, "%s: %s",
	    key_name[key], why);
	return -1;
}

/* Take a line of a key. */
static int
take_line(struct walk *w, char *line, size_t number)
{
	enum kith_libsvm_key key = 0;
	char *rest, *word = strtok_r(line, blank, &rest);
	struct value *v;
	size_t room = 0;

	while (key < KITH_LIBSVM_KEYS &&
	    (!word || strcmp(word, key_name[key]) != 0))
		key++;
	if (key == KITH_LIBSVM_KEYS)
		return kith_fail_at(w->err, EX_DATAERR, w->file, number,
		    "no key of a LIBSVM model: " KITH_CELL, word ? word : "");
	if (w->head->line[key])
		return kith_fail_at(w->err, EX_DATAERR, w->file, number,
		    "%s: given twice", key_name[key]);
	w->head->line[key] = number;
	v = &w->value[key];
	while ((word = strtok_r(NULL, blank, &rest))) {
		v->word = kith_more(
		    w->pool, v->word, v->n, &room, sizeof(*v->word));
		v->word[v->n++] = kith_strndup(w->pool, word, strlen(word));
	}
	return 0;
}

static const char *
word_of(const struct walk *w, enum kith_libsvm_key key, size_t i)
{
	const struct value *v = &w->value[key];

	assert(v->word && i < v->n);
	return v->word[i];
}

/* The n words of a key, which are due unless it may be absent. */
static int
count_words(const struct walk *w, enum kith_libsvm_key key, size_t n)
{
	char why[80];

	if (!w->head->line[key])
		return fail(w, key, "%s", "not found");
	if (w->value[key].n == n)
		return 0;
	snprintf(why, sizeof(why), "%zu values where %zu are due",
	    w->value[key].n, n);
	return fail(w, key, "%s", why);
}

static int
take_word(const struct walk *w, enum kith_libsvm_key key,
    const char *const *known, int *which)
{
	if (count_words(w, key, 1))
		return -1;
	for (*which = 0; known[*which]; ++*which)
		if (strcmp(known[*which], word_of(w, key, 0)) == 0)
			return 0;
	return fail(w, key, "unknown: " KITH_CELL, word_of(w, key, 0));
}

/* A whole number from `least` on, of which an int has room. */
static int
take_size(const struct walk *w, enum kith_libsvm_key key, size_t least,
    size_t i, size_t *x)
{
	const char *word = word_of(w, key, i);

	if (kith_parse_size(word, x) || *x < least || *x > INT_MAX)
		return fail(w, key,
		    least ? "not a whole number from 1: " KITH_CELL
			  : "not a whole number from 0: " KITH_CELL,
		    word);
	return 0;
}

static int
take_reals(const struct walk *w, enum kith_libsvm_key key, size_t n, double **x)
{
	if (count_words(w, key, n))
		return -1;
	*x = kith_new(w->pool, n, sizeof(**x));
	for (size_t i = 0; i < n; i++) {
		const char *word = word_of(w, key, i);

		if (kith_parse_real(word, strlen(word), &(*x)[i]))
			return fail(
			    w, key, "not a finite number: " KITH_CELL, word);
	}
	return 0;
}

static int
take_kernel(const struct walk *w)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};
	struct kith_kern *kern = &w->head->kern;
	double *gamma, *coef0;
	int which;

	if (take_word(w, KITH_LIBSVM_KERNEL, kernel_name, &which))
		return -1;
	if (which > 2)
		return fail(w, KITH_LIBSVM_KERNEL, "%s",
		    which == 3 ? "sigmoid: it is not semidefinite, and no "
				 "kernel of kith"
			       : "precomputed: the model has numbers of rows "
				 "in place of the rows");
	kern->kind = kind[which];
	if (which == 1)
		return 0;
	if (take_reals(w, KITH_LIBSVM_GAMMA, 1, &gamma))
		return -1;
	kern->gamma = *gamma;
	if (!(kern->gamma > 0))
		return fail(w, KITH_LIBSVM_GAMMA, "not above 0: " KITH_CELL,
		    word_of(w, KITH_LIBSVM_GAMMA, 0));
	if (which == 0)
		return 0;
	if (count_words(w, KITH_LIBSVM_DEGREE, 1) ||
	    take_size(w, KITH_LIBSVM_DEGREE, 1, 0, &kern->degree) ||
	    take_reals(w, KITH_LIBSVM_COEF0, 1, &coef0))
		return -1;
	kern->coef0 = *coef0;
	return 0;
}

/* The labels, whole numbers as LIBSVM prints them, and how many rows each has. */
static int
take_labels(const struct walk *w)
{
	struct kith_libsvm_head *head = w->head;
	const size_t c = head->classes;
	struct kith_names names;
	size_t sum = 0, twin;

	if (count_words(w, KITH_LIBSVM_LABEL, c) ||
	    count_words(w, KITH_LIBSVM_COUNT, c))
		return -1;
	head->label = w->value[KITH_LIBSVM_LABEL].word;
	head->count = kith_new(w->pool, c, sizeof(*head->count));
	for (size_t h = 0; h < c; h++) {
		size_t digits;

		if (kith_parse_size(
			head->label[h] + (*head->label[h] == '-'), &digits) ||
		    digits > INT_MAX)
			return fail(w, KITH_LIBSVM_LABEL,
			    "not a whole number: " KITH_CELL, head->label[h]);
		if (take_size(w, KITH_LIBSVM_COUNT, 0, h, &head->count[h]))
			return -1;
		sum += head->count[h];
	}
	twin = kith_names_index(&names, head->label, c, w->pool);
	if (twin < c)
		return fail(w, KITH_LIBSVM_LABEL, "given twice: " KITH_CELL,
		    head->label[twin]);
	if (sum != head->rows)
		return fail(
		    w, KITH_LIBSVM_COUNT, "%s", "the sum is not total_sv");
	return 0;
}

/* Understand the values. */
static int
take_values(const struct walk *w)
{
	struct kith_libsvm_head *head = w->head;
	int type;

	if (take_word(w, KITH_LIBSVM_TYPE, type_name, &type) ||
	    take_kernel(w) || count_words(w, KITH_LIBSVM_CLASSES, 1) ||
	    take_size(w, KITH_LIBSVM_CLASSES, 1, 0, &head->classes) ||
	    count_words(w, KITH_LIBSVM_ROWS, 1) ||
	    take_size(w, KITH_LIBSVM_ROWS, 0, 0, &head->rows))
		return -1;
	head->type = (enum kith_libsvm_type)type;
	if (!kith_libsvm_is_labelled(head) && head->classes != 2)
		return fail(w, KITH_LIBSVM_CLASSES, "%s",
		    "not 2, though there are no classes");
	head->pairs = head->classes * (head->classes - 1) / 2;
	if (take_reals(w, KITH_LIBSVM_RHO, head->pairs, &head->rho))
		return -1;
	if (!kith_libsvm_is_labelled(head))
		return 0;
	if (take_labels(w))
		return -1;
	if (!head->line[KITH_LIBSVM_A] && !head->line[KITH_LIBSVM_B])
		return 0;
	return take_reals(w, KITH_LIBSVM_A, head->pairs, &head->A) ||
		take_reals(w, KITH_LIBSVM_B, head->pairs, &head->B)
	    ? -1
	    : 0;
}

int
kith_libsvm_head_read(struct kith_lines *lines, struct kith_libsvm_head *head,
    struct kith_pool *pool, struct kith_err *err)
{
	struct walk w = {
	    .file = lines->file, .head = head, .pool = pool, .err = err};
	size_t len;
	char *line;
	int got;

	*head = (struct kith_libsvm_head){.rows = 0};
	while ((got = kith_lines_next(lines, &line, &len, err)) > 0 &&
	    strcmp(line, "SV") != 0)
		if (take_line(&w, line, lines->passed))
			return -1;
	if (got < 0)
		return -1;
	if (got == 0)
		return kith_fail_at(err, EX_DATAERR, lines->file, 0,
		    "no line \"SV\": not the whole model");
	w.end = lines->passed;
	return take_values(&w);
}
