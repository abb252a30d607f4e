/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/place.h: descriptors of output, and where there is none. */
#include "text/place.h"

#include "base/pool.h"
#include "scratch.h"
#include "tap.h"

#include <errno.h>

static struct kith_pool pool;

/* Devices are written to directly, whatever descriptor they get. */
static void
test_open(void)
{
	struct kith_temp *temp = NULL;
	const int kept = dup(0);
	int fd;

	close(0);
	fd = kith_place_open("/dev/null", &temp, &pool);
	ok(fd == 0 && !temp && write(fd, "x", 1) == 1, "a device");
	if (kept >= 0)
		dup2(kept, 0);
	if (kept > 0)
		close(kept);
	errno = 0;
	ok(kith_place_open("", &temp, &pool) == -1 && errno == ENOENT,
	    "no name");
	ok(kith_place_open("/nowhere/at/all", &temp, &pool) == -1 &&
		errno == ENOENT,
	    "no folder");
	ok(kith_place_open(scratch_dir, &temp, &pool) == -1, "a folder");
}

int
main(void)
{
	scratch_text(0, "");
	test_open();
	kith_pool_free(&pool);
	return done();
}
