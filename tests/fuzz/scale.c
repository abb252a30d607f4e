/* SPDX-License-Identifier: BSD-2-Clause */
/* scale - fuzz target: files of scalings. */
#include "fuzz.h"

#include "scale/scale.h"

static int
read_file(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_scale scale;

	return kith_scale_read(file, &scale, pool, err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	fuzz_read(read_file, data, len);
	return 0;
}
