#include "machine/libsvm_write.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "machine/machine.h"
#include "text/out.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Whether a class is a whole number, written as LIBSVM would write it. */
static bool
is_label(const char *s)
{
	char due[KITH_NUM_ROOM];
	size_t n;
	const bool minus = *s == '-';

	if (kith_parse_size(s + minus, &n) || n > INT_MAX || (minus && n == 0))
		return false;
	kith_format_size(due, n);
	return strcmp(s + minus, due) == 0;
}

int
kith_libsvm_check(const struct kith_machine *m, struct kith_err *err)
{
	const struct kith_names *class = &m->class;

	for (size_t h = 0;
	     m->task == KITH_MACHINE_CLASSIFY && h < class->n; h++)
		if (!is_label(class->name[h]))
			return kith_fail(err, EX_DATAERR,
			    "class " KITH_CELL ": the classes of a LIBSVM "
			    "model are whole numbers (sed or awk can number "
			    "them)",
			    class->name[h]);
	if (m->kern.degree > INT_MAX)
		return kith_fail(err, EX_DATAERR,
		    "the degree is too large for a LIBSVM model");
	if (m->metric.w)
		return kith_fail(err, EX_DATAERR,
		    "a LIBSVM model has no weights of features");
	if (m->unit.center)
		return kith_fail(err, EX_DATAERR,
		    "a LIBSVM model scales no features (tabscale "
		    "beforehand?)");
	return 0;
}

static void
write_real(struct kith_out *out, const char *key, double x)
{
	kith_out_text(out, key);
	kith_out_char(out, ' ');
	kith_out_real(out, x);
	kith_out_char(out, '\n');
}

static void
write_size(struct kith_out *out, const char *key, size_t n)
{
	kith_out_text(out, key);
	kith_out_char(out, ' ');
	kith_out_size(out, n);
	kith_out_char(out, '\n');
}

static void
write_kernel(const struct kith_kern *kern, struct kith_out *out)
{
	static const char *const name[] = {[KITH_KERN_GAUSSIAN] = "rbf",
	    [KITH_KERN_LINEAR] = "linear",
	    [KITH_KERN_POLYNOMIAL] = "polynomial"};

	assert(kern->kind == KITH_KERN_GAUSSIAN ||
	    kern->kind == KITH_KERN_LINEAR ||
	    kern->kind == KITH_KERN_POLYNOMIAL);
	kith_out_text(out, "kernel_type ");
	kith_out_text(out, name[kern->kind]);
	kith_out_char(out, '\n');
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_size(out, "degree", kern->degree);
	if (kern->kind != KITH_KERN_LINEAR)
		write_real(out, "gamma", kern->gamma);
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		write_real(out, "coef0", kern->coef0);
}

/* The labels, and how many rows belong to each. */
static void
write_labels(const struct kith_machine *m, size_t positive, struct kith_out *out)
{
	const size_t c = m->class.n, n = m->X.n;

	kith_out_text(out, "label");
	for (size_t h = 0; h < c; h++) {
		kith_out_char(out, ' ');
		kith_out_text(out,
		    m->class.name[m->first_is_plus ? h : c - 1 - h]);
	}
	kith_out_text(out, "\nnr_sv ");
	kith_out_size(out, c == 2 ? positive : 0);
	if (c == 2) {
		kith_out_char(out, ' ');
		kith_out_size(out, n - positive);
	}
	kith_out_char(out, '\n');
}

static void
write_row(const struct kith_machine *m, size_t i, struct kith_out *out)
{
	const double *x = kith_row(&m->X, i);

	kith_out_real(out, m->coef[i]);
	kith_out_char(out, ' ');
	for (size_t j = 0; j < m->X.p; j++) {
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
	const bool classify = m->task == KITH_MACHINE_CLASSIFY;
	const bool one = classify && m->class.n == 1; /* it needs no rows */
	size_t positive = 0;

	assert(kith_machine_outputs(m) == 1);
	for (size_t i = 0; i < m->X.n; i++)
		positive += m->coef[i] > 0;
	kith_out_text(out, "svm_type ");
	kith_out_text(out, classify ? "c_svc\n" : "epsilon_svr\n");
	write_kernel(&m->kern, out);
	write_size(out, "nr_class", one ? 1 : 2);
	write_size(out, "total_sv", one ? 0 : m->X.n);
	if (one)
		kith_out_text(out, "rho\n");
	else
		write_real(out, "rho", -*m->bias);
	if (classify)
		write_labels(m, positive, out);
	kith_out_text(out, "SV\n");
	for (int side = 1; side >= 0 && !one; side--)
		for (size_t i = 0; i < m->X.n && !out->failed; i++)
			if ((m->coef[i] > 0) == side)
				write_row(m, i, out);
}
