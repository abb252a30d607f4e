/* SPDX-License-Identifier: BSD-2-Clause */
/* ensemble - fuzz target: tables of learners. */
#include "fuzz.h"

#include "base/names.h"
#include "table/weights.h"

static char a[] = "a", b[] = "b", c[] = "c d";
static char *features[] = {a, b, c};

static int
read_file(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_names feature = {0};
	struct kith_weights weights;

	kith_names_index(&feature, features, 3, pool);
	return kith_weights_read(file, &feature, KITH_WEIGHTS_ENSEMBLE, &weights, pool, err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	fuzz_read(read_file, data, len);
	return 0;
}
