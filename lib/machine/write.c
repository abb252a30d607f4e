/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/write.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/out.h"

#include <assert.h>
#include <string.h>

static void
write_reals(struct kith_out *out, const char *key, const double *v, size_t n)
{
	kith_out_text(out, key);
	for (size_t i = 0; i < n; i++) {
		assert(!isinf(v[i]));
		kith_out_char(out, '\t');
		kith_out_real(out, v[i]);
	}
	kith_out_char(out, '\n');
}

/* Write names, each on one line whatever is in it. */
static void
write_names(struct kith_out *out, const char *key, char *const *name, size_t n)
{
	struct kith_pool tmp = {0};

	kith_out_text(out, key);
	for (size_t i = 0; i < n; i++) {
		char *s = kith_new(&tmp, strlen(name[i]) + 1, 2), *to = s;

		for (const char *at = name[i]; *at; at++)
			if (*at == '\\' || *at == '\n' || *at == '\r') {
				*to++ = '\\';
				*to = '\\';
				if (*at == '\n')
					*to = 'n';
				if (*at == '\r')
					*to = 'r';
				to++;
			} else
				*to++ = *at;
		kith_out_char(out, '\t');
		kith_out_cell(out, s);
	}
	kith_out_char(out, '\n');
	kith_pool_free(&tmp);
}

/* The lines above the table. */
static void
write_keys(const struct kith_machine *m, struct kith_out *out)
{
	const size_t p = m->metric.p;
	const bool matrix = m->metric.kind == KITH_SQUARED_MATRIX;
	char *const target[] = {(char *)m->target};

	kith_out_put(out, "%s\t%s\n", "# version", "1");
	kith_out_put(out, "%s\t%s\n", "# task", kith_machine_tasks[m->task]);
	kith_out_put(out, "%s\t%s\n", "# kernel", kith_machine_kernels[m->kern.kind]);
	if (m->kern.kind != KITH_KERN_LINEAR)
		write_reals(out, "# gamma", &m->kern.gamma, 1);
	if (m->kern.kind == KITH_KERN_POLYNOMIAL) {
		kith_out_put(out, "%s\t%zu\n", "# degree", m->kern.degree);
		write_reals(out, "# coef0", &m->kern.coef0, 1);
	}
	if (m->C)
		write_reals(out, "# C", m->C, 1);
	if (m->target)
		write_names(out, "# target", target, 1);
	if (m->column.n)
		write_names(out, "# columns", m->column.name, m->column.n);
	if (m->task == KITH_MACHINE_CLASSIFY)
		write_names(out, "# classes", m->class.name, m->class.n);
	if (kith_machine_votes(m))
		kith_out_put(out, "%s\t%s\n", "# multi", kith_machine_multis[m->multi]);
	write_reals(out, "# bias", m->bias, kith_machine_outputs(m));
	if (m->A) {
		write_reals(out, "# probA", m->A, kith_machine_outputs(m));
		write_reals(out, "# probB", m->B, kith_machine_outputs(m));
	}
	if (m->metric.w)
		write_reals(out, "# weights", m->metric.w, matrix ? p * p : p);
	if (m->mean)
		write_reals(out, "# means", m->mean, p);
	if (m->unit.center) {
		write_reals(out, "# center", m->unit.center, p);
		write_reals(out, "# scale", m->unit.scale, p);
	}
	kith_out_put(out, "%s\t%zu\n", "# rows", m->X.n);
}

/* Write the header of the table. */
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
kith_machine_write(const struct kith_machine *m, struct kith_out *out, struct kith_err *err)
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
