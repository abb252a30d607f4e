#include "table/verdict.h"

#include "table/check.h"
#include "text/out.h"

#include <math.h>

/* Numbers at the edge of the range may give none. */
static void
write_number(double x, struct kith_out *out)
{
	kith_out_char(out, '\t');
	if (isnan(x))
		kith_out_missing(out);
	else
		kith_out_real(out, x);
}

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
		const bool open = kith_check_open(&check[i]);
		const bool ok = kith_check_ok(&check[i]);

		kith_out_cell(out, check[i].check);
		write_number(check[i].value, out);
		write_number(check[i].limit, out);
		kith_out_text(out, open ? "\tNA\n" : ok ? "\tyes\n" : "\tno\n");
		status |= !ok && !open;
	}
	return status;
}
