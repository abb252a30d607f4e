#include "cli/version.h"

#include "la/blas.h"
#include "la/simd.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Weak: only a command that multiplies matrices is linked with a BLAS. */
#pragma weak kith_blas_about

void
kith_version_put(struct kith_out *out, const char *name)
{
	struct kith_blas_about blas;

	kith_out_put(out, "%s %s\n", name, KITH_VERSION);
	kith_out_put(out, "compiler: %s\n", COMPILER);
	kith_out_put(out, "instructions: %s\n", kith_simd_name());
	if (kith_blas_about) {
		kith_blas_about(&blas);
		kith_out_put(
		    out, "BLAS: %s, kernel %s\n", blas.library, blas.kernel);
	}
}
