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

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * Cells of the dense table of support vectors for each byte of the model: sparse models of text
 * have some 50; a byte of a false index must not ask for gigabytes.
 */
enum { CELLS_A_BYTE = 1000, CELLS_LEAST = 1000000 };

enum { C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR };
static const char *const type_name[] = {
    "c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr", NULL};

/* By enum kith_kern_kind, and kernels that kith does not have. */
enum { SIGMOID = KITH_KERN_LAPLACIAN + 1 };
static const char *const kernel_name[] = {
    "rbf", "", "linear", "polynomial", "", "sigmoid", "precomputed", NULL};

/* The head of a model. */
struct head {
	int type;
	struct kith_kern kern;
	size_t c, rows; /* c: nr_class */
	struct kith_names label;
	const double *A; /* A, rho and B have a number for each pair of classes */
	double *rho, *B;
	size_t *count; /* rows of each label */
};

/*
 * Key i, in the order in which keys are parsed and written.  Its description depends on the values
 * of the keys before.
 */
static struct kith_key
key_of(void *model, size_t i)
{
	struct head *l = model;
	const enum kith_key_when ignored = KITH_KEY_IGNORED, always = KITH_KEY_ALWAYS;
	const enum kith_key_kind size = KITH_KEY_SIZE, real = KITH_KEY_REAL;
	const enum kith_key_bound above_0 = KITH_KEY_ABOVE_0;
	const bool power = l->kern.kind == KITH_KERN_POLYNOMIAL;
	const bool linear = l->kern.kind == KITH_KERN_LINEAR, classify = l->type <= NU_SVC;
	const enum kith_key_when without_A = classify ? KITH_KEY_NEVER : ignored;
	const size_t pairs = l->c * (l->c - 1) / 2;
	const struct kith_key is[] = {
	    {"svm_type", KITH_KEY_WORD, always, &l->type, .words = type_name},
	    {"kernel_type", KITH_KEY_WORD, always, &l->kern.kind, .words = kernel_name},
	    {"degree", size, power ? always : ignored, &l->kern.degree, .bound = above_0, INT_MAX},
	    {"gamma", real, linear ? ignored : always, &l->kern.gamma, .bound = above_0},
	    {"coef0", real, power ? always : ignored, .to = &l->kern.coef0},
	    {"nr_class", size, always, &l->c, .bound = above_0, INT_MAX},
	    {"total_sv", size, always, &l->rows, .most = INT_MAX},
	    {"rho", real, always, .list = &l->rho, pairs},
	    {"label", KITH_KEY_NAME, classify ? always : ignored, .list = &l->label, l->c},
	    {"probA", real, classify ? KITH_KEY_MAYBE : ignored, .list = &l->A, pairs},
	    {"probB", real, l->A ? always : without_A, .list = &l->B, pairs},
	    {"prob_density_marks", .when = ignored},
	    {"nr_sv", size, classify ? always : ignored, .list = &l->count, l->c, .most = INT_MAX},
	    {0}};

	return is[i];
}

const struct kith_keys kith_libsvm_format = {
    .key_of = key_of, .before = "", .sep = ' ', .end = "SV"};

struct reader {
	struct kith_keys *keys;
	struct head head;
	struct kith_machine *m; /* filled as far as it was read */
	size_t most;            /* the largest index that may be */
};

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

/* Reads the keys. */
static int
parse_keys(struct reader *in)
{
	struct kith_keys *k = in->keys;
	const struct head *l = &in->head;

	if (kith_keys_parse(k, "degree"))
		return -1;
	if ((int)l->kern.kind >= SIGMOID)
		return kith_keys_fail(k, "kernel_type", "%s",
		    (int)l->kern.kind == SIGMOID
			? "sigmoid: it is not semidefinite, and no kernel of kith"
			: "precomputed: the model has numbers of rows in place of the rows");
	if (kith_keys_parse(k, "total_sv"))
		return -1;
	if (l->type > NU_SVC && l->c != 2)
		return kith_keys_fail(k, "nr_class", "not 2, though there are no classes");
	return kith_keys_parse(k, NULL);
}

/*
 * The machine of the keys.  The classes are the labels, whole numbers as LIBSVM prints them, or 1
 * and -1.
 */
static int
set_machine(struct reader *in)
{
	static char inlier[] = "1", outlier[] = "-1", *one_class[] = {inlier, outlier};
	const struct head *l = &in->head;
	const size_t pairs = l->c * (l->c - 1) / 2;
	struct kith_machine *m = in->m;
	double *bias = kith_new(in->keys->pool, pairs + 1, sizeof(*bias)); /* 0 of one class */
	size_t sum = 0;

	for (size_t o = 0; o < pairs; o++)
		bias[o] = -l->rho[o];
	*m = (struct kith_machine){
	    .task = l->type < EPSILON_SVR ? KITH_MACHINE_CLASSIFY : KITH_MACHINE_REGRESS,
	    .multi = KITH_MACHINE_ONE,
	    .first_is_plus = true,
	    .kern = l->kern,
	    .class = l->label,
	    .bias = bias,
	    .A = l->A,
	    .B = l->B};
	if (l->type == ONE_CLASS)
		kith_names_index(&m->class, one_class, 2, in->keys->pool);
	for (size_t h = 0; l->count && h < l->c; h++) {
		sum += l->count[h];
		if (!is_label(m->class.name[h]))
			return kith_keys_fail(
			    in->keys, "label", "not a whole number: " KITH_CELL, m->class.name[h]);
	}
	if (l->count && sum != l->rows)
		return kith_keys_fail(in->keys, "nr_sv", "the sum is not total_sv");
	return 0;
}

/* The largest index in the text of a model, at least 1. */
static size_t
largest_index(const char *text)
{
	size_t most = 1;

	for (const char *at = text; (at = strchr(at, ':')); at++) {
		const char *index = at;
		size_t i;

		while (index > text && isdigit((unsigned char)index[-1]))
			index--;
		i = strtoul(index, NULL, 10);
		most = i > most ? i : most;
	}
	return most;
}

/* Reads a word INDEX:VALUE of row i; last is the index before. */
static int
parse_entry(const struct reader *in, size_t i, const char *word, size_t *last)
{
	const struct kith_keys *k = in->keys;
	char *colon = strchr(word, ':');
	size_t index;

	if (!colon)
		return kith_keys_fail_here(k, "not INDEX:VALUE: " KITH_CELL, word);
	*colon = '\0';
	if (kith_parse_size(word, &index) || index == 0)
		return kith_keys_fail_here(k, "not an index from 1: " KITH_CELL, word);
	if (index <= *last)
		return kith_keys_fail_here(k, "index %.20s: indices must increase", word);
	if (index > in->most)
		return kith_keys_fail_here(
		    k, "index %.20s: too large for a model of this size", word);
	if (kith_parse_real(colon + 1, strlen(colon + 1), &kith_row(&in->m->X, i)[index - 1]))
		return kith_keys_fail_here(k, "not a finite number: " KITH_CELL, colon + 1);
	*last = index;
	return 0;
}

/*
 * Whether rows of a class have a coefficient of output o: one in each pair of theirs.  These stand
 * in the order of the outputs.
 */
static bool
has_coef(size_t c, size_t outputs, size_t o, size_t class)
{
	size_t first = class, second = class;

	if (outputs > 1)
		kith_machine_pair(c, o, &first, &second);
	return first == class || second == class;
}

/* Reads a line as row i. */
static int
parse_row(const struct reader *in, size_t i, double *coef)
{
	const struct kith_keys *k = in->keys;
	const struct kith_cell *cell = k->rec.text;
	const size_t outputs = kith_machine_outputs(in->m), n = k->rec.n;
	size_t a = 0, last = 0, class = 0, before = i;

	while (outputs > 1 && before >= in->head.count[class])
		before -= in->head.count[class ++];
	for (size_t o = 0; o < outputs; o++) {
		if (!has_coef(in->head.c, outputs, o, class))
			continue;
		if (a == n || strchr(cell[a].s, ':'))
			return kith_keys_fail_here(k, "fewer coefficients than are due");
		if (kith_parse_real(cell[a].s, cell[a].len, &coef[i * outputs + o]))
			return kith_keys_fail_here(k, "not a finite number: " KITH_CELL, cell[a].s);
		a++;
	}
	for (; a < n; a++)
		if (parse_entry(in, i, cell[a].s, &last))
			return -1;
	return 0;
}

int
kith_libsvm_read(struct kith_keys *k, const char *text, struct kith_machine *m)
{
	struct reader in = {.keys = k, .m = m};
	const size_t bytes = strlen(text), *rows = &in.head.rows, p = largest_index(text);
	size_t outputs, room;
	double *coef;
	int got;

	/* cppcheck-suppress autoVariables ; no key is read after this function */
	k->model = &in.head;
	if (kith_keys_read(k) || parse_keys(&in) || set_machine(&in))
		return -1;
	/* total_sv may be any number; each coefficient of a row has a byte and a blank. */
	outputs = kith_machine_outputs(m);
	room = bytes / (in.head.c > 2 ? in.head.c - 1 : 1) + 1;
	room = *rows < room ? *rows : room;
	in.most = (CELLS_LEAST + bytes * CELLS_A_BYTE) / (*rows + !*rows);
	m->X = kith_mat_new(k->pool, room, p < in.most ? p : in.most + !in.most);
	m->metric = (struct kith_metric){KITH_SQUARED, m->X.p, NULL};
	m->coef = coef = kith_new(k->pool, room, outputs * sizeof(*coef));
	for (size_t i = 0; (got = kith_keys_row(k, "total_sv", i, *rows)) > 0; i++)
		if (parse_row(&in, i, coef))
			return -1;
	return got;
}

int
kith_libsvm_check(const struct kith_machine *m, const char *file, struct kith_err *err)
{
	const struct kith_names *class = &m->class;
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const char *why = NULL;

	for (size_t h = 0; classify && h < class->n; h++)
		if (!is_label(class->name[h]))
			return kith_fail_at(err, EX_DATAERR, file, 0,
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
	return why ? kith_fail_at(err, EX_DATAERR, file, 0, "%s", why) : 0;
}

/*
 * The label that row i belongs to, by its first coefficient, of which one times sign above 0 says
 * +1, the first label; c where it has none, and of one class, which needs no rows.
 */
static size_t
label_of(const struct kith_machine *m, size_t i, double sign)
{
	const size_t outputs = kith_machine_outputs(m);
	const double *coef = m->coef + i * outputs;
	size_t o = 0, first = 0, second = 1;

	if (m->task != KITH_MACHINE_CLASSIFY)
		return 0;
	while (o < outputs && coef[o] == 0)
		o++;
	if (o == outputs || m->class.n == 1)
		return m->class.n;
	if (outputs > 1)
		kith_machine_pair(m->class.n, o, &first, &second);
	return sign * coef[o] > 0 ? first : second;
}

/* Writes row i of a label. */
static void
write_row(const struct kith_machine *m, size_t i, size_t label, double sign, struct kith_out *out)
{
	const size_t outputs = kith_machine_outputs(m);
	const double *x = kith_row(&m->X, i);

	for (size_t o = 0; o < outputs; o++)
		if (has_coef(m->class.n, outputs, o, label))
			kith_out_put(out, "%g ", sign * m->coef[i * outputs + o]);
	for (size_t j = 0; j < m->X.p; j++)
		if (x[j] != 0)
			kith_out_put(out, "%zu:%g ", j + 1, x[j]);
	kith_out_char(out, '\n');
}

/*
 * In LIBSVM f > 0 votes for the first label.  With two classes the labels are kith's classes in the
 * opposite order, and f keeps its sign; with more the labels are in kith's order, and f changes its
 * sign.
 */
void
kith_libsvm_write(const struct kith_machine *m, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	const size_t c = m->task == KITH_MACHINE_CLASSIFY ? m->class.n : 0;
	const size_t pairs = c == 1 ? 0 : kith_machine_outputs(m), labels = c ? c : 1;
	const double sign = c > 2 && !m->first_is_plus ? -1 : 1;
	struct head l = {
	    .type = c ? C_SVC : EPSILON_SVR, .kern = m->kern, .c = c ? c : 2, .A = m->A};
	struct kith_keys keys = kith_libsvm_format;
	size_t *label;

	assert(*kernel_name[m->kern.kind]);
	KITH_NEW_SIZES(&tmp, m->X.n, 1, &label);
	KITH_NEW_SIZES(&tmp, labels + 1, 1, &l.count);
	KITH_NEW_REALS(&tmp, pairs, 1, &l.rho, &l.B);
	l.label.name = kith_new(&tmp, labels, sizeof(*l.label.name));
	for (size_t i = 0; i < m->X.n; i++)
		l.count[label[i] = label_of(m, i, sign)]++;
	for (size_t h = 0; h < labels; h++)
		l.rows += l.count[h];
	for (size_t h = 0; h < c; h++)
		l.label.name[h] = m->class.name[c == 2 && !m->first_is_plus ? c - 1 - h : h];
	for (size_t o = 0; o < pairs; o++) {
		l.rho[o] = -sign * m->bias[o];
		l.B[o] = m->B ? sign * m->B[o] : 0; /* -f of P is f of 1 - P */
	}
	keys.model = &l;
	kith_keys_write(&keys, out);
	kith_out_text(out, "SV\n");
	for (size_t h = 0; h < labels; h++)
		for (size_t i = 0; i < m->X.n && !out->failed; i++)
			if (label[i] == h)
				write_row(m, i, h, sign, out);
	kith_pool_free(&tmp);
}
