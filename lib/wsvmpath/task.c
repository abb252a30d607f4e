/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/task.h"

#include "base/num.h"
#include "text/cell.h"

#include <string.h>

int
kith_wsvm_constant(const char *text, double *C)
{
	double x;
	const enum kith_num num = kith_parse_real(text, strlen(text), &x);

	if (num == KITH_NUM_TEXT)
		return 1;
	if (num != KITH_NUM_OK || x < 0)
		return -1;
	*C = x;
	return 0;
}

bool
kith_wsvm_is_word(const struct kith_wsvm_call *call, const char *text)
{
	return call->task == KITH_WSVM_RANK && text == call->to &&
	    (strcmp(text, "relevance") == 0 || strcmp(text, "difference") == 0);
}

const char *
kith_wsvm_named(const struct kith_wsvm_call *call, const char *text)
{
	double C;

	if (!text || kith_wsvm_is_word(call, text) || kith_wsvm_constant(text, &C) <= 0)
		return NULL;
	return text + (*text == '=');
}

struct kith_cell
kith_wsvm_cell(const struct kith_table *t, size_t kept, size_t i)
{
	return kith_texts_at(&t->keep, i * t->kept.n + kept);
}

int
kith_wsvm_number(const struct kith_table *t, size_t i, const char *column,
    const struct kith_cell *c, double *x, struct kith_err *err)
{
	const char *why = NULL;

	if (kith_cell_missing(c))
		why = "missing";
	else if (kith_parse_real(c->s, c->len, x))
		why = "no finite number";
	else if (*x < 0)
		why = "negative";
	if (!why)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "row %zu: column " KITH_NAME ": %s: " KITH_CELL, kith_table_number(t, i), column, why,
	    c->s);
}

const char *const kith_wsvm_pair_column[2] = {"class1", "class2"};

double
kith_wsvm_saved_at(const struct kith_wsvm_call *call)
{
	return call->save_model && !call->best ? call->at.v[0] : -1;
}

bool
kith_wsvm_C(const struct kith_wsvm_call *call, double theta, double *C)
{
	double from, to;

	if (!call->from || kith_wsvm_constant(call->from, &from) ||
	    kith_wsvm_constant(call->to, &to))
		return false;
	*C = theta < 1 ? from + theta * (to - from) : to;
	return true;
}

int
kith_wsvm_weights(
    const struct kith_wsvm_job *job, enum kith_wsvm_role role, double *w, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	const char *text = role == KITH_WSVM_FROM ? call->from : call->to;
	double C = 0;

	if (!kith_wsvm_named(call, text)) {
		kith_wsvm_constant(text, &C);
		for (size_t i = 0; i < job->n; i++)
			w[i] = C;
		return 0;
	}
	for (size_t i = 0; i < job->n; i++) {
		const struct kith_cell c = kith_wsvm_cell(&job->rows, job->kept[role], i);

		if (kith_wsvm_number(
			&job->rows, i, job->rows.kept.name[job->kept[role]], &c, &w[i], err))
			return -1;
	}
	return 0;
}
