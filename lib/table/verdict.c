#include "table/verdict.h"

#include "table/check.h"
#include "text/out.h"

#include <math.h>

int
kith_verdict_write(const struct kith_check *check, size_t n, const char *path,
    struct kith_out *out, struct kith_err *err)
{
	static const char *const column[] = {"check", "value", "limit", "ok"};
	int status = 0;

	if (kith_out_open(out, path, err))
		return -1;
	kith_out_header(out, column, 4);
	for (size_t i = 0; i < n; i++) {
		const bool ok = kith_check_ok(&check[i]);

		kith_out_cell(out, check[i].check);
		kith_out_char(out, '\t');
		/* Numbers at the edge of the range may give none. */
		if (isnan(check[i].value))
			kith_out_missing(out);
		else
			kith_out_real(out, check[i].value);
		kith_out_char(out, '\t');
		kith_out_real(out, check[i].limit);
		kith_out_text(out, ok ? "\tyes\n" : "\tno\n");
		status |= !ok;
	}
	return status;
}
