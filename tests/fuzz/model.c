/* SPDX-License-Identifier: BSD-2-Clause */
/* model - fuzz target: models of kith and of LIBSVM; those that are read predict. */
#include "fuzz.h"

#include "machine/model.h"

static int
read_file(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_machine m;

	return kith_model_read(file, &m, pool, err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	fuzz_read(read_file, data, len);
	return 0;
}
