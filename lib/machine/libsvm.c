/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel machines as the models of LIBSVM (svm-train, svm_save_model()): lines of
 * a key and its values, and after a line SV a line for each support vector.
 *
 *	svm_type     c_svc, nu_svc, one_class, epsilon_svr or nu_svr
 *	kernel_type  linear, polynomial or rbf
 *	degree, gamma, coef0  of the kernel, as far as it has them
 *	nr_class c   2, too, where there are no classes
 *	total_sv n
 *	rho          a number for each pair of classes
 *	label        c whole numbers
 *	probA probB  of machine/machine.h, for each pair (may be absent)
 *	nr_sv        how many of the n are of each class
 *	SV
 *	COEF... INDEX:VALUE...
 *
 * with one coefficient less than there are classes, and indices from 1 that increase; what is not
 * named is 0.  f = sum coef K - rho; of two classes f > 0 says the first label, and with several
 * each pair votes.
 *
 * Read:    c_svc, nu_svc as classify, by the labels in their order; one_class as classify, 1 where
 *          f > 0, else -1; epsilon_svr, nu_svr as regress.  Features are known by their place, as
 *          many as the largest index says.  Predictions are what svm-predict prints.
 * Written: classify as c_svc, whose labels with two classes are the second, then the first, so that
 *          svm-predict predicts the class that kpredict predicts, for f = 0, too; more classes are
 *          in kith's order (for f = 0 a pair votes for its second class in LIBSVM, for its first in
 *          kith); regress and rank as epsilon_svr.  Feature N of the model is the machine's N-th.
 *          Rows are in the order of their labels; rows without a coefficient are left out.
 */
#include "base/num.h"
#include "base/pool.h"
#include "machine/keys.h"
#include "machine/model.h"
#include "text/out.h"
#include "text/source.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/*
 * Cells of the dense table of support vectors for each byte of the model: sparse models of text
 * have some 50; a byte of a false index must not ask for gigabytes.
 */
enum { CELLS_A_BYTE = 1000, CELLS_LEAST = 1000000 };

enum {
	TYPE,
	KERNEL,
	DEGREE,
	GAMMA,
	COEF0,
	CLASSES,
	ROWS,
	RHO,
	LABEL,
	PROB_A,
	PROB_B,
	MARKS, /* of densities, for one_class: not used */
	COUNT,
	KEYS
};
static const char *const key_name[] = {"svm_type", "kernel_type", "degree", "gamma", "coef0",
    "nr_class", "total_sv", "rho", "label", "probA", "probB", "prob_density_marks", "nr_sv", NULL};

enum { C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR };
static const char *const type_name[] = {
    "c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr", NULL};

static const char *const kernel_name[] = {
    "rbf", "linear", "polynomial", "sigmoid", "precomputed", NULL};
static const enum kith_kern_kind kernel_kind[] = {
    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};
enum { SIGMOID = 3 };

static const char blank[] = " \t";

/* A value of a support vector. */
struct entry {
	size_t row, index; /* index from 1 */
	double value;
};

struct reader {
	struct kith_source lines;
	struct kith_key key[KEYS];
	struct kith_keys keys;
	int type;
	size_t classes, pairs, rows; /* pairs: of classes, or 1 */
	size_t *count;               /* rows of each class */
	size_t columns;              /* coefficients of a row */
	double *coef;                /* rows x columns, in tmp */
	struct entry *entry;         /* in tmp */
	size_t entries, room, p;     /* p: the largest index */
	size_t bytes;                /* of the text */
	struct kith_machine *m;      /* filled as far as it was read */
	struct kith_pool *pool, *tmp;
	struct kith_err *err;
};

/* Fails at the present line. */
#define fail(in, ...) \
	kith_fail_at((in)->err, EX_DATAERR, (in)->lines.file, (in)->lines.line, __VA_ARGS__)

/* Reads the lines of keys, up to SV. */
static int
read_keys(struct reader *in)
{
	size_t len;
	char *line;
	int got;

	while ((got = kith_source_line(&in->lines, &line, &len, in->err)) > 0 &&
	    !(strncmp(line, "SV", 2) == 0 && line[2 + strspn(line + 2, blank)] == '\0')) {
		char *rest, *word = strtok_r(line, blank, &rest);
		const int key = kith_keys_add(&in->keys, word ? word : "", in->lines.line);

		if (key < 0)
			return -1;
		while ((word = strtok_r(NULL, blank, &rest)))
			kith_keys_value(&in->keys, key, word, strlen(word));
	}
	if (got == 0)
		kith_fail_at(
		    in->err, EX_DATAERR, in->lines.file, 0, "no line \"SV\": not the whole model");
	in->keys.end = in->lines.line;
	return got > 0 ? 0 : -1;
}

static int
parse_kernel(const struct reader *in)
{
	struct kith_kern *kern = &in->m->kern;
	double *gamma, *coef0;
	int which;

	if (kith_keys_word(&in->keys, KERNEL, kernel_name, &which))
		return -1;
	if (which >= SIGMOID)
		return kith_keys_fail(&in->keys, KERNEL, "%s",
		    which == SIGMOID
			? "sigmoid: it is not semidefinite, and no kernel of kith"
			: "precomputed: the model has numbers of rows in place of the rows");
	kern->kind = kernel_kind[which];
	if (kern->kind == KITH_KERN_LINEAR)
		return 0;
	if (kith_keys_reals(&in->keys, GAMMA, 1, &gamma))
		return -1;
	kern->gamma = *gamma;
	if (!(kern->gamma > 0))
		return kith_keys_fail(
		    &in->keys, GAMMA, "not above 0: " KITH_CELL, *in->key[GAMMA].value);
	if (kern->kind == KITH_KERN_GAUSSIAN)
		return 0;
	if (kith_keys_sizes(&in->keys, DEGREE, 1, 1, INT_MAX, &kern->degree) ||
	    kith_keys_reals(&in->keys, COEF0, 1, &coef0))
		return -1;
	kern->coef0 = *coef0;
	return 0;
}

/* The classes are the labels, whole numbers as LIBSVM prints them, or 1 and -1. */
static int
parse_classes(struct reader *in)
{
	static char inlier[] = "1", outlier[] = "-1", *one_class[] = {inlier, outlier};
	const struct kith_keys *k = &in->keys;
	const size_t c = in->classes;
	const bool labelled = in->type != ONE_CLASS;
	char **name = labelled ? in->key[LABEL].value : one_class;
	size_t sum = 0, twin;

	if (labelled && kith_keys_due(k, LABEL, c))
		return -1;
	in->count = kith_new(in->tmp, c, sizeof(*in->count));
	if (labelled && kith_keys_sizes(k, COUNT, c, 0, INT_MAX, in->count))
		return -1;
	for (size_t h = 0; h < c; h++) {
		const char *s = name[h];
		size_t digits;

		if (kith_parse_size(s + (*s == '-'), &digits) || digits > INT_MAX)
			return kith_keys_fail(k, LABEL, "not a whole number: " KITH_CELL, s);
		sum += in->count[h];
	}
	twin = kith_names_index(&in->m->class, name, c, in->pool);
	if (twin < c)
		return kith_keys_fail(k, LABEL, "given twice: " KITH_CELL, name[twin]);
	if (labelled && sum != in->rows)
		return kith_keys_fail(k, COUNT, "the sum is not total_sv");
	in->m->multi = KITH_MACHINE_ONE;
	in->m->first_is_plus = true;
	return 0;
}

/* What the keys mean. */
static int
parse_keys(struct reader *in)
{
	static const double no_bias = 0; /* of one class */
	const struct kith_keys *k = &in->keys;
	struct kith_machine *m = in->m;
	double *bias, *A, *B;

	if (kith_keys_word(k, TYPE, type_name, &in->type) || parse_kernel(in) ||
	    kith_keys_sizes(k, CLASSES, 1, 1, INT_MAX, &in->classes) ||
	    kith_keys_sizes(k, ROWS, 1, 0, INT_MAX, &in->rows))
		return -1;
	m->task = in->type < EPSILON_SVR ? KITH_MACHINE_CLASSIFY : KITH_MACHINE_REGRESS;
	if (in->type > NU_SVC && in->classes != 2)
		return kith_keys_fail(k, CLASSES, "not 2, though there are no classes");
	in->pairs = in->classes * (in->classes - 1) / 2;
	in->columns = in->type <= NU_SVC && in->classes > 1 ? in->classes - 1 : 1;
	if (kith_keys_reals(k, RHO, in->pairs, &bias))
		return -1;
	for (size_t o = 0; o < in->pairs; o++)
		bias[o] = -bias[o];
	m->bias = in->pairs ? bias : &no_bias;
	if (m->task == KITH_MACHINE_CLASSIFY && parse_classes(in))
		return -1;
	if (in->type > NU_SVC || (!in->key[PROB_A].line && !in->key[PROB_B].line))
		return 0;
	if (kith_keys_reals(k, PROB_A, in->pairs, &A) || kith_keys_reals(k, PROB_B, in->pairs, &B))
		return -1;
	m->A = A;
	m->B = B;
	return 0;
}

/* Reads a word INDEX:VALUE of row i; last is the index before. */
static int
parse_entry(struct reader *in, size_t i, char *word, size_t *last)
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
	if (e.index > (CELLS_LEAST + in->bytes * CELLS_A_BYTE) / in->rows)
		return fail(in, "index %.20s: too large for a model of this size", word);
	if (kith_parse_real(colon + 1, strlen(colon + 1), &e.value))
		return fail(in, "not a finite number: " KITH_CELL, colon + 1);
	in->entry = kith_more(in->tmp, in->entry, in->entries, &in->room, sizeof(e));
	in->entry[in->entries++] = e;
	*last = e.index;
	in->p = e.index > in->p ? e.index : in->p;
	return 0;
}

/* Reads a line as row i. */
static int
parse_row(struct reader *in, size_t i, char *line)
{
	char *rest, *word = strtok_r(line, blank, &rest);
	size_t last = 0;

	for (size_t c = 0; c < in->columns; c++) {
		if (!word || strchr(word, ':'))
			return fail(in, "fewer coefficients than are due");
		if (kith_parse_real(word, strlen(word), &in->coef[i * in->columns + c]))
			return fail(in, "not a finite number: " KITH_CELL, word);
		word = strtok_r(NULL, blank, &rest);
	}
	for (; word; word = strtok_r(NULL, blank, &rest))
		if (parse_entry(in, i, word, &last))
			return -1;
	return 0;
}

static int
parse_rows(struct reader *in)
{
	const size_t n = in->rows;
	size_t i = 0, room = 0, len;
	char *line;
	int got;

	while ((got = kith_source_line(&in->lines, &line, &len, in->err)) > 0) {
		if (i == n && line[strspn(line, blank)] == '\0')
			continue;
		if (i == n)
			return fail(in, "more support vectors than total_sv says");
		/* Not all at once: total_sv may be any number. */
		if (i == room) {
			room = 2 * room + 64;
			in->coef = kith_grow(
			    in->tmp, in->coef, room, in->columns * sizeof(*in->coef));
		}
		if (parse_row(in, i++, line))
			return -1;
	}
	if (got == 0 && i < n)
		return kith_fail_at(in->err, EX_DATAERR, in->lines.file, 0,
		    "%zu support vectors where total_sv says %zu: not the whole model", i, n);
	return got;
}

/* The rows, each feature called by its place. */
static void
fill_rows(struct reader *in)
{
	struct kith_machine *m = in->m;
	const size_t p = in->p ? in->p : 1;
	char **name = kith_new(in->pool, p, sizeof(*name));

	m->X = kith_mat_new(in->pool, in->rows, p);
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
	m->by_place = true;
	m->metric = (struct kith_metric){KITH_SQUARED, p, NULL};
}

/*
 * The coefficients of each output.  The machine of the classes g < h has its coefficients in column
 * h - 1 of the rows of g, and in column g of the rows of h.
 */
static void
fill_coef(const struct reader *in)
{
	const size_t outputs = kith_machine_outputs(in->m), c = in->classes;
	double *coef = kith_new(in->pool, in->rows, outputs * sizeof(*coef));
	size_t start = 0;

	in->m->coef = coef;
	if (outputs == 1) {
		for (size_t i = 0; i < in->rows; i++)
			coef[i] = in->coef[i];
		return;
	}
	for (size_t class = 0; class < c; start += in->count[class ++])
		for (size_t o = 0; o < outputs; o++) {
			size_t g, h;

			kith_machine_pair(c, o, &g, &h);
			for (size_t i = start;
			     (g == class || h == class) && i < start + in->count[class]; i++)
				coef[i * outputs + o] = in->coef[i * in->columns +
				    (g == class ? h - 1 : g)];
		}
}

bool
kith_libsvm_is(const char *text)
{
	return strncmp(text, "svm_type ", 9) == 0 || strncmp(text, "kernel_type ", 12) == 0;
}

int
kith_libsvm_read(const char *name, const char *text, struct kith_machine *m, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct reader in = {.m = m, .pool = pool, .tmp = &tmp, .bytes = strlen(text), .err = err};
	int got;

	in.keys = (struct kith_keys){name, key_name, in.key, 0, pool, err};
	kith_source_open(&in.lines, name, text, err);
	got = read_keys(&in) || parse_keys(&in) || parse_rows(&in) ? -1 : 0;
	if (got == 0) {
		fill_rows(&in);
		fill_coef(&in);
	}
	kith_source_close(&in.lines);
	kith_pool_free(&tmp);
	return got;
}

/* Whether a class is a whole number, written as LIBSVM would write it. */
static bool
is_label(const char *s)
{
	char due[KITH_NUM_ROOM];
	const bool minus = *s == '-';
	size_t n;

	if (kith_parse_size(s + minus, &n) || n > INT_MAX || (minus && n == 0))
		return false;
	kith_format_size(due, n);
	return strcmp(s + minus, due) == 0;
}

int
kith_libsvm_check(const struct kith_machine *m, struct kith_err *err)
{
	const struct kith_names *class = &m->class;
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const char *why = NULL;

	for (size_t h = 0; classify && h < class->n; h++)
		if (!is_label(class->name[h]))
			return kith_fail(err, EX_DATAERR,
			    "class " KITH_CELL ": the classes of a LIBSVM model are whole numbers "
			    "(sed or awk can number them)",
			    class->name[h]);
	if (m->kern.degree > INT_MAX)
		why = "the degree is too large for a LIBSVM model";
	else if (classify && class->n > 2 && m->multi != KITH_MACHINE_ONE)
		why = "a LIBSVM model sets classes one against one";
	else if (m->metric.w)
		why = "a LIBSVM model has no weights of features";
	else if (m->unit.center)
		why = "a LIBSVM model scales no features (tabscale beforehand, and --scale none?)";
	return why ? kith_fail(err, EX_DATAERR, "%s", why) : 0;
}

/* Writes a line of a key and n numbers times a sign. */
static void
write_reals(struct kith_out *out, int key, double sign, const double *v, size_t n)
{
	kith_out_text(out, key_name[key]);
	for (size_t o = 0; o < n; o++) {
		kith_out_char(out, ' ');
		kith_out_real(out, sign * v[o]);
	}
	kith_out_char(out, '\n');
}

static void
write_word(struct kith_out *out, int key, const char *word)
{
	kith_out_text(out, key_name[key]);
	kith_out_char(out, ' ');
	kith_out_text(out, word);
	kith_out_char(out, '\n');
}

static void
write_sizes(struct kith_out *out, int key, const size_t *v, size_t n)
{
	kith_out_text(out, key_name[key]);
	for (size_t h = 0; h < n; h++) {
		kith_out_char(out, ' ');
		kith_out_size(out, v[h]);
	}
	kith_out_char(out, '\n');
}

static void
write_kernel(const struct kith_kern *kern, struct kith_out *out)
{
	size_t which = 0;

	while (which < SIGMOID && kernel_kind[which] != kern->kind)
		which++;
	assert(which < SIGMOID);
	write_word(out, KERNEL, kernel_name[which]);
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_sizes(out, DEGREE, &kern->degree, 1);
	if (kern->kind != KITH_KERN_LINEAR)
		write_reals(out, GAMMA, 1, &kern->gamma, 1);
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_reals(out, COEF0, 1, &kern->coef0, 1);
}

/*
 * Rows and coefficients as LIBSVM has them, where f > 0 votes for the first label.  With two
 * classes the labels are kith's classes in the opposite order, and f keeps its sign; with more the
 * labels are in kith's order, and f changes its sign.
 */
struct model {
	const struct kith_machine *m;
	size_t c, outputs; /* c: classes; 0: numbers are predicted */
	double sign;       /* of f */
	bool turned;       /* label h is class c - 1 - h */
	size_t *label;     /* n: the label of each row; c: it has no coefficient */
	size_t *count;     /* rows of each label */
	size_t rows;       /* their sum */
};

/* The label that a row belongs to: coefficients above 0 say +1. */
static size_t
label_of(const struct model *l, size_t i)
{
	const double *coef = l->m->coef + i * l->outputs;
	size_t o = 0, first = 0, second = 1;

	while (o < l->outputs && coef[o] == 0)
		o++;
	if (o == l->outputs)
		return l->c;
	if (l->c > 2)
		kith_machine_pair(l->c, o, &first, &second);
	return l->sign * coef[o] > 0 ? first : second;
}

static struct model
model_of(const struct kith_machine *m, struct kith_pool *pool)
{
	struct model l = {.m = m,
	    .c = m->task == KITH_MACHINE_CLASSIFY ? m->class.n : 0,
	    .outputs = kith_machine_outputs(m)};

	l.turned = l.c == 2 && !m->first_is_plus;
	l.sign = l.c > 2 && !m->first_is_plus ? -1 : 1;
	KITH_NEW_SIZES(pool, m->X.n, 1, &l.label);
	KITH_NEW_SIZES(pool, l.c + 1, 1, &l.count);
	for (size_t i = 0; i < m->X.n; i++) {
		l.label[i] = l.c > 1 ? label_of(&l, i) : 0;
		l.count[l.label[i]]++;
	}
	if (l.c == 1) /* it needs no rows */
		l.count[0] = 0;
	for (size_t h = 0; h < (l.c ? l.c : 1); h++)
		l.rows += l.count[h];
	return l;
}

static void
write_row(const struct model *l, size_t i, struct kith_out *out)
{
	const double *x = kith_row(&l->m->X, i), *coef = l->m->coef + i * l->outputs;

	for (size_t o = 0; o < l->outputs; o++) {
		size_t first = 0, second = 0;

		if (l->outputs > 1)
			kith_machine_pair(l->c, o, &first, &second);
		if (l->outputs > 1 && first != l->label[i] && second != l->label[i])
			continue; /* what is left stands in the order of the other labels */
		kith_out_real(out, l->sign * coef[o]);
		kith_out_char(out, ' ');
	}
	for (size_t j = 0; j < l->m->X.p; j++) {
		if (x[j] == 0)
			continue;
		kith_out_size(out, j + 1);
		kith_out_char(out, ':');
		kith_out_real(out, x[j]);
		kith_out_char(out, ' ');
	}
	kith_out_char(out, '\n');
}

void
kith_libsvm_write(const struct kith_machine *m, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	const struct model l = model_of(m, &tmp);
	const size_t pairs = l.c == 1 ? 0 : l.outputs, two = 2;

	write_word(out, TYPE, type_name[l.c ? C_SVC : EPSILON_SVR]);
	write_kernel(&m->kern, out);
	write_sizes(out, CLASSES, l.c ? &l.c : &two, 1);
	write_sizes(out, ROWS, &l.rows, 1);
	write_reals(out, RHO, -l.sign, m->bias, pairs);
	if (l.c) {
		kith_out_text(out, key_name[LABEL]);
		for (size_t h = 0; h < l.c; h++) {
			kith_out_char(out, ' ');
			kith_out_text(out, m->class.name[l.turned ? l.c - 1 - h : h]);
		}
		kith_out_char(out, '\n');
	}
	if (m->A) { /* -f of P is f of 1 - P */
		write_reals(out, PROB_A, 1, m->A, pairs);
		write_reals(out, PROB_B, l.sign, m->B, pairs);
	}
	if (l.c)
		write_sizes(out, COUNT, l.count, l.c);
	kith_out_text(out, "SV\n");
	for (size_t h = 0; h < (l.c ? l.c : 1); h++)
		for (size_t i = 0; i < m->X.n && !out->failed; i++)
			if (l.label[i] == h && l.count[h] > 0)
				write_row(&l, i, out);
	kith_pool_free(&tmp);
}
