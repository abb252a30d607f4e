#include "wsvmpath/prediction.h"

#include "text/out.h"

#include <stddef.h>

void
kith_wsvm_prediction_header(struct kith_out *out)
{
	static const char *const column[] = {
	    "id", "predicted", "actual", "margin"};

	kith_out_header(out, column, 4);
}

static void
write_class(const char *name, struct kith_out *out)
{
	kith_out_char(out, '\t');
	if (name)
		kith_out_cell(out, name);
	else
		kith_out_missing(out);
}

void
kith_wsvm_prediction_write(
    const struct kith_wsvm_prediction *p, struct kith_out *out)
{
	kith_out_cell(out, p->id);
	write_class(p->predicted, out);
	write_class(p->actual, out);
	kith_out_char(out, '\t');
	if (p->predicted)
		kith_out_real(out, p->margin);
	else
		kith_out_missing(out);
	kith_out_char(out, '\n');
}
