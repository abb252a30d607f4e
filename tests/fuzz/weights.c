/* SPDX-License-Identifier: BSD-2-Clause */
/* weights - fuzz target: tables of weights, whose numbers are finite. */
#include "fuzz.h"

#include "base/names.h"
#include "table/weights.h"

#include <math.h>

static char a[] = "a", b[] = "b", c[] = "c d";
static char *features[] = {a, b, c};

static int
read_file(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_names feature = {0};
	struct kith_weights w;

	kith_names_index(&feature, features, 3, pool);
	if (kith_weights_read(file, &feature, KITH_WEIGHTS_CLIP, &w, pool, err))
		return -1;
	for (size_t i = 0; i < w.metric.p; i++)
		if (!isfinite(w.metric.w[i]))
			abort();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	fuzz_read(read_file, data, len);
	return 0;
}
