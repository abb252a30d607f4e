#include "text/out.h"
#include "wsvmpath/task.h"
#include "wsvmpath/valid_sum.h"

#include <stdio.h>

bool
kith_wsvm_valid_better(int measure, const struct kith_wsvm_interval *a,
    const struct kith_wsvm_interval *b)
{
	const double wide = (a->to - a->from) - (b->to - b->from);

	if (a->value != b->value)
		return measure == KITH_WSVM_NDCG ? a->value > b->value
						 : a->value < b->value;
	if (measure != KITH_WSVM_SQUARED && wide != 0)
		return wide > 0;
	return a->theta < b->theta;
}

void
kith_wsvm_valid_header(
    const struct kith_wsvm_valid_how *how, struct kith_out *out)
{
	static const char *const squared[] = {"theta_from", "theta_to", "n",
	    "rmse_from", "rmse_to", "rmse", "theta"};
	char name[40];
	const char *const error[] = {
	    "theta_from", "theta_to", "n", "errors", "error"};
	const char *const ndcg[] = {"theta_from", "theta_to", "n", name};

	snprintf(name, sizeof(name), "ndcg@%zu", how->k);
	if (how->measure == KITH_WSVM_SQUARED)
		kith_out_header(out, squared, 7);
	else if (how->measure == KITH_WSVM_ERROR)
		kith_out_header(out, error, 5);
	else
		kith_out_header(out, ndcg, 4);
}

void
kith_wsvm_valid_write(const struct kith_wsvm_valid *v,
    const struct kith_wsvm_interval *interval, struct kith_out *out)
{
	const double number[] = {interval->value_from, interval->value_to,
	    interval->value, interval->theta};
	const bool squared = v->how.measure == KITH_WSVM_SQUARED;

	kith_out_real(out, interval->from);
	kith_out_char(out, '\t');
	kith_out_real(out, interval->to);
	kith_out_char(out, '\t');
	kith_out_size(out, v->n);
	for (size_t i = 0; squared && i < 4; i++) {
		kith_out_char(out, '\t');
		kith_out_real(out, number[i]);
	}
	if (v->how.measure == KITH_WSVM_ERROR) {
		kith_out_char(out, '\t');
		kith_out_size(out, interval->errors);
	}
	if (!squared) {
		kith_out_char(out, '\t');
		kith_out_real(out, interval->value);
	}
	kith_out_char(out, '\n');
	kith_out_flush(out);
}
