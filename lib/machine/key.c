/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/key.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"

#include <string.h>

static const char *const key_name[] = {"version", "task", "kernel", "gamma", "degree", "coef0", "C",
    "target", "columns", "classes", "multi", "bias", "probA", "probB", "weights", "means", "center",
    "scale", "rows"};

int
kith_machine_key_fail(const struct kith_machine_reader *in, enum kith_machine_key key,
    const char *why, struct kith_err *err)
{
	return kith_fail_at(
	    err, EX_DATAERR, in->rec.file, in->line[key], "key \"%s\": %s", key_name[key], why);
}

static int
fail_value(const struct kith_machine_reader *in, enum kith_machine_key key, const char *why,
    const char *value, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, in->rec.file, in->line[key],
	    "key \"%s\": %s: " KITH_CELL, key_name[key], why, value);
}

/* The place of a word in a list ended by NULL, or where that ends. */
static size_t
find_word(const char *const *word, const char *s)
{
	size_t i = 0;

	while (word[i] && (!*word[i] || strcmp(word[i], s) != 0))
		i++;
	return i;
}

/* The numbers of a key. */
static int
take_numbers(struct kith_machine_reader *in, enum kith_machine_key key, struct kith_err *err)
{
	const size_t n = in->rec.n - 1;
	double *v = kith_new(in->pool, n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const struct kith_cell *c = kith_rec_cell(&in->rec, 1 + i);

		if (kith_parse_real(c->s, c->len, &v[i]))
			return fail_value(in, key, "not a finite number", c->s, err);
	}
	in->number[key] = v;
	in->n[key] = n;
	return 0;
}

/* Undo what the writer did to have a name on one line; NULL if it did not. */
static char *
unescape(const struct kith_cell *c, struct kith_pool *pool)
{
	char *s = kith_strndup(pool, c->s, c->len), *to = s;

	for (const char *at = s; *at; at++) {
		if (*at != '\\') {
			*to++ = *at;
			continue;
		}
		at++;
		if (*at != '\\' && *at != 'n' && *at != 'r')
			return NULL;
		*to = '\\';
		if (*at == 'n')
			*to = '\n';
		if (*at == 'r')
			*to = '\r';
		to++;
	}
	*to = '\0';
	return s;
}

/* The names of a key, which must differ. */
static int
take_names(struct kith_machine_reader *in, enum kith_machine_key key, struct kith_names *names,
    struct kith_err *err)
{
	const size_t n = in->rec.n - 1;
	char **name = kith_new(in->pool, n, sizeof(*name));
	size_t twin;

	for (size_t i = 0; i < n; i++) {
		const struct kith_cell *c = kith_rec_cell(&in->rec, 1 + i);

		name[i] = unescape(c, in->pool);
		if (!name[i])
			return fail_value(in, key, "a backslash too many", c->s, err);
	}
	twin = kith_names_index(names, name, n, in->pool);
	if (twin < n)
		return fail_value(in, key, "given twice", name[twin], err);
	return 0;
}

static int
take_classes(struct kith_machine_reader *in, struct kith_err *err)
{
	const struct kith_names *class = &in->m->class;

	if (take_names(in, KITH_MODEL_CLASSES, &in->m->class, err))
		return -1;
	for (size_t h = 1; h < class->n; h++)
		if (strcmp(class->name[h - 1], class->name[h]) > 0)
			return fail_value(
			    in, KITH_MODEL_CLASSES, "not in byte order", class->name[h], err);
	return 0;
}

/* A word or whole number of a key. */
static int
take_word(struct kith_machine_reader *in, enum kith_machine_key key, struct kith_err *err)
{
	struct kith_machine *m = in->m;
	const char *s = kith_rec_cell(&in->rec, 1)->s, *why = "unknown";
	bool good;

	if (key == KITH_MODEL_VERSION) {
		good = strcmp(s, "1") == 0;
		why = "not 1, the one known here";
	} else if (key == KITH_MODEL_TASK) {
		m->task = (enum kith_machine_task)find_word(kith_machine_tasks, s);
		good = kith_machine_tasks[m->task];
	} else if (key == KITH_MODEL_KERNEL) {
		m->kern.kind = (enum kith_kern_kind)find_word(kith_machine_kernels, s);
		good = kith_machine_kernels[m->kern.kind];
	} else if (key == KITH_MODEL_MULTI) {
		m->multi = (enum kith_machine_multi)find_word(kith_machine_multis, s);
		good = kith_machine_multis[m->multi];
	} else if (key == KITH_MODEL_DEGREE) {
		good = kith_parse_size(s, &m->kern.degree) == 0 && m->kern.degree > 0;
		why = "not a whole number from 1";
	} else {
		good = kith_parse_size(s, &in->rows) == 0;
		why = "not a whole number";
	}
	return good ? 0 : fail_value(in, key, why, s, err);
}

/* The values of a key, as it has them. */
static int
take_values(struct kith_machine_reader *in, enum kith_machine_key key, struct kith_err *err)
{
	struct kith_names target;

	switch (key) {
	case KITH_MODEL_VERSION:
	case KITH_MODEL_TASK:
	case KITH_MODEL_KERNEL:
	case KITH_MODEL_DEGREE:
	case KITH_MODEL_MULTI:
	case KITH_MODEL_ROWS:
		return take_word(in, key, err);
	case KITH_MODEL_TARGET:
		if (take_names(in, key, &target, err))
			return -1;
		in->m->target = target.name[0];
		return 0;
	case KITH_MODEL_COLUMNS:
		return take_names(in, key, &in->m->column, err);
	case KITH_MODEL_CLASSES:
		return take_classes(in, err);
	default:
		return take_numbers(in, key, err);
	}
}

static int
not_a_model(const struct kith_machine_reader *in, struct kith_err *err)
{
	return kith_fail_at(
	    err, EX_DATAERR, in->rec.file, in->rec.line, "not a model (--save-model writes one)");
}

int
kith_machine_key_take(struct kith_machine_reader *in, struct kith_err *err)
{
	const char *name = kith_rec_cell(&in->rec, 0)->s;
	enum kith_machine_key key = 0;

	if (!in->line[KITH_MODEL_VERSION] && strcmp(name, "# version") != 0)
		return not_a_model(in, err);
	name += 2;
	while (key < KITH_MODEL_KEYS && strcmp(name, key_name[key]) != 0)
		key++;
	if (key == KITH_MODEL_KEYS)
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
		    "key " KITH_NAME ": unknown", name);
	if (in->line[key])
		return kith_fail_at(
		    err, EX_DATAERR, in->rec.file, in->rec.line, "key \"%s\": given twice", name);
	in->line[key] = in->rec.line;
	if (in->rec.n < 2 ||
	    (in->rec.n > 2 &&
		(key <= KITH_MODEL_TARGET || key == KITH_MODEL_MULTI || key == KITH_MODEL_ROWS)))
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->rec.line,
		    "key \"%s\": %zu values", name, in->rec.n - 1);
	return take_values(in, key, err);
}

/* Take the numbers of probabilities, as many as there are outputs. */
static int
take_platt(struct kith_machine_reader *in, struct kith_err *err)
{
	static const enum kith_machine_key key[] = {KITH_MODEL_A, KITH_MODEL_B};
	struct kith_machine *m = in->m;

	for (size_t i = 0; i < 2; i++) {
		if (!in->line[key[i]] && in->line[key[1 - i]])
			return kith_machine_key_fail(
			    in, key[1 - i], "probA and probB belong together", err);
		if (in->line[key[i]] && in->n[key[i]] != kith_machine_outputs(m))
			return kith_machine_key_fail(in, key[i], "not as many as the biases", err);
	}
	m->A = in->number[KITH_MODEL_A];
	m->B = in->number[KITH_MODEL_B];
	return 0;
}

/* Take the numbers of one value, and the bias. */
static int
take_machine(struct kith_machine_reader *in, struct kith_err *err)
{
	struct kith_machine *m = in->m;
	const bool power = m->kern.kind == KITH_KERN_POLYNOMIAL;
	const bool linear = m->kern.kind == KITH_KERN_LINEAR;

	m->kern.gamma = linear ? 0 : *in->number[KITH_MODEL_GAMMA];
	m->kern.coef0 = power ? *in->number[KITH_MODEL_COEF0] : 0;
	if (!linear && m->kern.gamma <= 0)
		return kith_machine_key_fail(in, KITH_MODEL_GAMMA, "not above 0", err);
	if (m->kern.coef0 < 0)
		return kith_machine_key_fail(in, KITH_MODEL_COEF0, "below 0", err);
	m->C = in->number[KITH_MODEL_C];
	if (m->C && *m->C < 0)
		return kith_machine_key_fail(in, KITH_MODEL_C, "below 0", err);
	if (in->n[KITH_MODEL_BIAS] != kith_machine_outputs(m))
		return kith_fail_at(err, EX_DATAERR, in->rec.file, in->line[KITH_MODEL_BIAS],
		    "key \"bias\": %zu values, %zu expected", in->n[KITH_MODEL_BIAS],
		    kith_machine_outputs(m));
	m->bias = in->number[KITH_MODEL_BIAS];
	return take_platt(in, err);
}

int
kith_machine_key_check(struct kith_machine_reader *in, struct kith_err *err)
{
	const struct kith_machine *m = in->m;
	const bool power = m->kern.kind == KITH_KERN_POLYNOMIAL;
	const bool linear = m->kern.kind == KITH_KERN_LINEAR;
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const bool due[KITH_MODEL_KEYS] = {[KITH_MODEL_VERSION] = true,
	    [KITH_MODEL_TASK] = true,
	    [KITH_MODEL_KERNEL] = true,
	    [KITH_MODEL_GAMMA] = !linear,
	    [KITH_MODEL_DEGREE] = power,
	    [KITH_MODEL_COEF0] = power,
	    [KITH_MODEL_CLASSES] = classify,
	    [KITH_MODEL_BIAS] = true,
	    [KITH_MODEL_ROWS] = true};
	const bool may[KITH_MODEL_KEYS] = {[KITH_MODEL_C] = true,
	    [KITH_MODEL_TARGET] = true,
	    [KITH_MODEL_COLUMNS] = true,
	    [KITH_MODEL_MULTI] = classify && m->class.n > 2,
	    [KITH_MODEL_A] = classify,
	    [KITH_MODEL_B] = classify,
	    [KITH_MODEL_WEIGHTS] = true,
	    [KITH_MODEL_MEANS] = true,
	    [KITH_MODEL_CENTER] = true,
	    [KITH_MODEL_SCALE] = true};

	for (enum kith_machine_key key = 0; key < KITH_MODEL_KEYS; key++) {
		const bool there = in->line[key] > 0;

		if (due[key] != there && !may[key])
			return kith_fail_at(err, EX_DATAERR, in->rec.file,
			    there ? in->line[key] : in->rec.line, "key \"%s\": %s", key_name[key],
			    there ? "too much for this task and kernel" : "not found");
	}
	return take_machine(in, err);
}
