# SPDX-License-Identifier: BSD-2-Clause
# How C and C++ are compiled and linked: modes, warnings, promises of arithmetic, libraries.

# clang alone has it; where the C++ library is not built so, it is not used.
ifeq ($(MODE),msan)
CC = clang
CXX = clang++
CHARCONV = no
endif
WRAP.msan = $(foreach f,csv_parse inflate deflate gzwrite gzprintf gzclose,-Wl,--wrap=$f)
CFLAGS.release = -O2 -g
CFLAGS.asan = -O1 -g
CFLAGS.tsan = -O1 -g
CFLAGS.msan = -O1 -g
CFLAGS.cov = -O0 -g
CFLAGS.fuzz = -O1 -g
MODE_FLAGS.asan = -fsanitize=address,undefined,float-cast-overflow \
       -fno-sanitize-recover=all
MODE_FLAGS.tsan = -fsanitize=thread
MODE_FLAGS.msan = -fsanitize=memory -fsanitize-memory-track-origins
MODE_FLAGS.cov = --coverage
MODE_FLAGS.fuzz = -fsanitize=fuzzer-no-link,address,undefined \
       -fno-sanitize-recover=all

B = build$(if $(filter-out release,$(MODE)),-$(MODE))$(if $(filter no,$(CHARCONV)),-strtod)
# The C++ library whose <charconv> reads doubles, that of gcc from 11 on; CHARCONV
# says whether to use it.
LIBSTDCXX_FILE := $(if $(CHARCONV),,$(shell \
	printf '\43%s\n' 'include <charconv>' 'ifndef __cpp_lib_to_chars' \
	    'error none' endif | $(CXX) -std=c++17 -fsyntax-only -x c++ - \
	    2>/dev/null && $(CXX) -print-file-name=libstdc++.a))
NUMBERS := $(or $(CHARCONV),$(if $(findstring /,$(LIBSTDCXX_FILE)),yes,no))
# How to compile and link with OpenBLAS and LAPACKE: KITH_BLAS_CFLAGS, _LIBS, _HEADER.
# With KITH_BLAS_LIBS on the command line none of them is looked for.
FIND = CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' $(if $(LAPACKE),LAPACKE='$(LAPACKE)')
KITH_BLAS_CFLAGS =
KITH_BLAS_LIBS =
$(if $(KITH_BLAS_LIBS),,$(foreach word,$(shell $(FIND) scripts/blas),$(eval $(word))))
# Constants are enumerators, exact as doubles: clang 19 warns of them.
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wwrite-strings \
       -Wno-enum-float-conversion
# What older compilers only warn of, although the call or the number is then wrong.
CWARN = -Wstrict-prototypes -Wmissing-prototypes -Werror=implicit-function-declaration \
       -Werror=implicit-int -Werror=incompatible-pointer-types -Werror=int-conversion
# Arithmetic as it is written, whatever CFLAGS say, for what they say comes
# first: no a * b + c in one rounding, so that kith's own loops give the same
# bits with every instruction set (lint-fma).  What comes out of OpenBLAS has
# last digits that depend on the processor.
PROMISE = -fno-fast-math -ffp-contract=off
# For those who build: on the command line of make or in the environment.
CFLAGS ?= $(CFLAGS.$(MODE))
CXXFLAGS ?= $(CFLAGS)
# Where a long has 32 bits: files of 2 GB and more.  On i386: SSE2, for the i387
# computes in 80 bits.
WORDS := $(shell echo __SIZEOF_LONG__ __i386__ __FLT_EVAL_METHOD__ __VERSION__ | \
	$(CC) $(CFLAGS) -E -P - 2>/dev/null)
LARGE := $(if $(filter 4,$(firstword $(WORDS))),-D_FILE_OFFSET_BITS=64)
NARROW := $(if $(findstring 4 1 2,$(WORDS)),-msse2 -mfpmath=sse)
CPPDEFS = -D'KITH_LEVELS(X,t)=$(foreach l,$(LEVELS),X(t,$l))' -D_POSIX_C_SOURCE=200809L $(LARGE) -DKITH_VERSION='"$(VERSION)"' \
       $(KITH_BLAS_CFLAGS) -Ilib -Icmd -Itests/tap -Itests/unit
# The same bytes in any folder; gcov looks for sources where they were.
SAME = $(if $(filter-out cov,$(MODE)),-ffile-prefix-map=$(CURDIR)=.)
# With -g gcc 9 fails at what it would tell a debugger of vectors of AVX-512.
UNTRACKED := $(if $(filter "9.%,$(WORDS)),-fno-var-tracking-assignments)
OURS = $(MODE_FLAGS.$(MODE)) $(NARROW) $(PROMISE) $(SAME) $(UNTRACKED)
ALL_CFLAGS = -std=c17 $(CPPDEFS) -pthread -MMD -MP $(WARN) $(CWARN) $(CFLAGS) \
       $(OURS)
ALL_CXXFLAGS = -std=c++17 -Ilib -MMD -MP $(WARN) $(CXXFLAGS) -fno-exceptions \
       -fno-rtti $(OURS)

# Only what a command uses is loaded; tab* stay clear of OpenBLAS.  With -Ofast
# the linker would have numbers near 0 be 0.
LINK = $(CC) $(filter-out -Ofast,$(CFLAGS)) $(OURS) -pthread -static-libgcc \
       -Wl,--as-needed $(LDFLAGS)
LIBS = -lcsv -lz -llbfgs -lcholmod -larpack $(KITH_BLAS_LIBS) $(LIBSTDCXX) -lm $(LDLIBS)
