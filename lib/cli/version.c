/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/version.h"

#include "cli/log.h"
#include "la/blas.h"
#include "la/level.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Weak: only a command that multiplies matrices is linked with a BLAS. */
#pragma weak kith_blas_about

static void
say(struct kith_out *out, const char *what, const char *value)
{
	kith_out_text(out, what);
	kith_out_text(out, value);
	kith_out_text(out, "\n");
}

void
kith_version_put(struct kith_out *out, const char *name)
{
	struct kith_blas_about blas;

	say(out, name, " " KITH_VERSION);
	kith_out_text(out, "compiler: " COMPILER "\n");
	say(out, "instructions: ", kith_level_name(kith_level));
	if (kith_blas_about) {
		kith_blas_about(&blas);
		say(out, "BLAS: ", blas.library);
		say(out, "kernel: ", blas.kernel);
	}
}

void
kith_version_log(void)
{
	struct kith_blas_about blas;

	kith_log_text("version", KITH_VERSION);
	if (!kith_blas_about)
		return;
	kith_blas_about(&blas);
	kith_log_text("kernel", blas.kernel);
}
