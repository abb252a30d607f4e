/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/check.h"

#include "text/out.h"

int
kith_check_write(const struct kith_check *check, size_t n, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err)
{
	if (kith_out_open_table(out, to, err))
		return -1;
	return kith_check_put(check, n, out);
}

int
kith_check_put(const struct kith_check *check, size_t n, struct kith_out *out)
{
	static const char *const column[] = {"check", "value", "limit", "ok"};
	int status = 0;

	kith_out_header(out, column, 4);
	for (size_t i = 0; i < n; i++) {
		const bool open = kith_check_open(&check[i]);
		const bool ok = kith_check_ok(&check[i]);

		/* Numbers at the edge of the range may give no value. */
		kith_out_put(out, "%s\t%G\t%G\t%s\n", check[i].check, check[i].value,
		    check[i].limit,
		    open     ? NULL
			: ok ? "yes"
			     : "no");
		status |= !ok && !open;
	}
	return status;
}
