# SPDX-License-Identifier: BSD-2-Clause
# make              the commands, in build/
# make demo         a pipeline on a real table, from nothing but this clone
# make check        unit and command tests
# make check-long   the same with more seeds and larger tables
# make check-cluster  scripts/cluster under Slurm, on nodes of this host; root
# make lint         everything that judges without running
# make pictures     draw those of README.md anew, by what it says
# make golden       compute tests/golden anew (golden-nnk and so on: one family)
# make bench        speed and memory, as ratios against peers in the same run
# make portability  other compilers and systems, as far as this one can run them
# make torture      all commands while calls fail, signals come and room is short;
#                   MINUTES=60 and SEED=1, as for each campaign below
# make mutants      whether tests notice N=200 changed lines of lib; MINUTES=240
# make fuzz         readers, options, whole commands and job directories, fed with
#                   any bytes; MINUTES=30
# make install      to $(DESTDIR)$(PREFIX), names prefixed by $(PROGRAM_PREFIX)
# make uninstall    what install put there
# make static       build/static/kith: all commands in one, that needs no library,
#                   and an archive of it with the objects that it is linked from
# make deb          a Debian package, in build/deb (scripts/debian)
# make html         the pages as a site of static files, in build/html
# make dist         kith-VERSION.tar.gz of the last commit, the same bytes anywhere
# make MODE=asan    any of these, in build-asan/, with sanitizers (cov: gcov; tsan:
#                   of threads; msan: of unset memory, the unit tests of base, cli
#                   and text alone, for libraries are not built so)
# make valgrind     a call or more of each command under valgrind
# make differential whether other builds, and threads, give the same bytes
# make B=DIR        any of these, in DIR
# make V=1          any of these, with the whole commands for a line a file
# make CHARCONV=no  numbers by strtod() and printf() alone, though C++ has more
# make DEPS=true    trust that what scripts/deps looks for is installed

VERSION := $(shell cat VERSION)
PREFIX = /usr/local
PROGRAM_PREFIX =
MODE = release
DEPS = scripts/deps
OBJCOPY = objcopy
JOBS := $(shell nproc 2>/dev/null || echo 1)

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
# Where CHARCONV does not say it: <charconv> reads doubles from libstdc++ 11 on.
NUMBERS := $(or $(CHARCONV),$(KITH_CHARCONV),$(shell \
	printf '\43%s\n' 'include <charconv>' 'ifndef __cpp_lib_to_chars' \
	    'error none' endif | $(CXX) -std=c++17 -fsyntax-only -x c++ - \
	    2>/dev/null && $(CXX) -print-file-name=libstdc++.a | \
	    grep -q / && echo yes || echo no))
export KITH_CHARCONV := $(NUMBERS)
# Where cblas.h is, and whether OpenBLAS contains LAPACKE; asked once.
ifndef KITH_BLAS_LIBS
blas = $(shell CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' scripts/blas $1)
KITH_BLAS_CFLAGS := $(call blas,cflags)
KITH_BLAS_LIBS := $(call blas,libs)
endif
export KITH_BLAS_CFLAGS KITH_BLAS_LIBS
# Constants are enumerators, exact as doubles: clang 19 warns of them.
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wwrite-strings \
       -Wno-enum-float-conversion
CWARN = -Wstrict-prototypes -Wmissing-prototypes
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
WORDS := $(shell echo __SIZEOF_LONG__ __i386__ __FLT_EVAL_METHOD__ | \
	$(CC) $(CFLAGS) -E -P - 2>/dev/null)
LARGE := $(if $(filter 4,$(firstword $(WORDS))),-D_FILE_OFFSET_BITS=64)
NARROW := $(if $(findstring 4 1 2,$(WORDS)),-msse2 -mfpmath=sse)
CPPDEFS = -D_POSIX_C_SOURCE=200809L $(LARGE) -DKITH_VERSION='"$(VERSION)"' \
       $(KITH_BLAS_CFLAGS) -Ilib -Itests/tap -Itests/unit
# The same bytes in any folder; gcov looks for sources where they were.
SAME = $(if $(filter-out cov,$(MODE)),-ffile-prefix-map=$(CURDIR)=.)
# With -g gcc 9 fails at what it would tell a debugger of vectors of AVX-512.
UNTRACKED := $(if $(filter 9 9.%,$(shell $(CC) -dumpversion 2>/dev/null)), \
	-fno-var-tracking-assignments)
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

TOOLS := $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*/*.c))
# A mode may have tests of its own: of msan those without libraries; of tsan, commands
# with threads.  Sanitizers look after memory in their own way, and signals.
UNIT.msan = $(filter base/% cli/% text/%,$(TESTS))
UNIT = $(or $(UNIT.$(MODE)),$(TESTS))
CLI.tsan = $(foreach c,$(TOOLS),$(wildcard tests/cli/$c.t))
CLI = $(if $(filter-out msan,$(MODE)),$(or $(CLI.$(MODE)),tests/cli))
TAP := $(patsubst %.c,$B/%.o,$(wildcard tests/tap/*.c tests/$(MODE)/*.c))
BENCHES := $(patsubst tests/bench/%.c,%,$(wildcard tests/bench/*.c))
PLOTS := $(notdir $(wildcard scripts/kith-plot-*))
PLOT_PARTS := $(filter-out %/kith-plot.sh,$(wildcard scripts/kith-plot.*))
GENERATORS := $(patsubst tests/gen/%.c,%,$(wildcard tests/gen/*.c))
GOLDEN := $(patsubst tests/golden/%/,%,$(wildcard tests/golden/*/))
# The target whole, in parts; the others are a file each.
WHOLE = whole process change
FUZZERS := $(filter-out $(WHOLE),$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
LIB := $(patsubst %.c,$B/%.o,$(wildcard lib/*/*.c))
MAN := $(wildcard man/*.[157])
C_SRC := $(wildcard lib/*/*.[ch] cmd/*.c scripts/static/*.c tests/*/*.[ch] tests/unit/*/*.[ch])
PLANS := $(addprefix scripts/cluster/,shards grid plan.sh)
RECIPES := $(wildcard scripts/cluster/job/*)
SH_SRC := .ci/run $(filter-out $(addprefix scripts/,cluster container debian experiments static) %.awk %.css, \
	$(wildcard scripts/* tests/cli/*.t tests/cluster/* \
	tests/*/run tests/*/*.sh tests/torture/valgrind tests/bench/*.bench)) \
	$(addprefix scripts/experiments/,data kept sitting summarise) scripts/static/pack scripts/debian/tests/smoke \
	tests/fuzz/seeds tests/fuzz/jobs \
	$(wildcard scripts/experiments/run/* scripts/experiments/*.sh) \
	$(PLANS) $(filter-out %/Makefile,$(RECIPES))

ifneq ($(NUMBERS),yes)
LIB := $(filter-out $B/lib/base/charconv.o,$(LIB)) $B/lib/base/num_strtod.o
else
LIB := $(filter-out $B/lib/base/num_strtod.o,$(LIB)) $B/lib/base/charconv.o
LIBSTDCXX = -l:libstdc++.a
endif

# Commands run as a user runs them.
RUN = PATH="$(abspath $B):$(CURDIR)/scripts:$$PATH:$(CURDIR)/scripts/cluster" KITH_BUILD="$(abspath $B)" \
      KITH_MODE=$(MODE) $(KITH_LONG:%=KITH_LONG=%) ASAN_OPTIONS=exitcode=99 \
      TSAN_OPTIONS=exitcode=99 MSAN_OPTIONS=exitcode=99 \
      UBSAN_OPTIONS=print_stacktrace=1
AGAIN = @$(MAKE) --no-print-directory

# A line a file, but for make V=1 and make -s.
Q = $(if $(filter-out 0,$(V)),,@)
SILENT := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
told = $(if $(Q),$(if $(SILENT),,@echo '  $1 $@'))

all: $(TOOLS:%=$B/%)
$(TOOLS:%=$B/%): $B/%: $B/cmd/%.o $B/libkith.a
	$(call told,LINK)
	$Q$(LINK) -o $@ $^ $(LIBS)
$(TESTS:%=$B/tests/%): $B/tests/%: $B/tests/unit/%.o $(TAP) $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) $(WRAP.$(MODE)) -o $@ $^ $(LIBS)
$(BENCHES:%=$B/bench/%): $B/bench/%: $B/tests/bench/%.o $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) -o $@ $^ $(LIBS)
$(GENERATORS:%=$B/gen/%): $B/gen/%: $B/tests/gen/%.o $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) -o $@ $^ $(LIBS)
TORTURE := $(patsubst %.c,$B/%.o,$(filter-out %/shim.c,$(wildcard tests/torture/*.c)))
$B/torture/torture: $(TORTURE) $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) -o $@ $^ $(LIBS)
$B/torture/shim.so: tests/torture/shim.c tests/torture/seen.h
	@mkdir -p $(@D)
	$(call told,CC  )
	$Q$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(CPPFLAGS) -fPIC -shared -o $@ $< -ldl
$(FUZZERS:%=$B/fuzz/%): $B/fuzz/%: $B/tests/fuzz/%.o $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)
# All commands as one object, whose data the target can put back to what they
# were, and whose memory and end it takes care of.
$B/fuzz/kith.o: $(TOOLS:%=$B/static/%.o) $B/libkith.a
	@mkdir -p $(@D)
	$(call told,MAIN)
	$Q$(LD) -r -o $@.part $(TOOLS:%=$B/static/%.o) --whole-archive $B/libkith.a
	$Q$(OBJCOPY) $(foreach f,calloc realloc free exit atexit,--redefine-sym \
	    $f=whole_$f) $(foreach f,cmp8 const_cmp8,--redefine-sym \
	    __sanitizer_cov_trace_$f=whole_$f) --rename-section .data=kith_data \
	    --rename-section .bss=kith_bss,alloc,load,data,contents \
	    $@.part $@
	$Qrm $@.part
$B/fuzz/whole: $(WHOLE:%=$B/tests/fuzz/%.o) $B/fuzz/kith.o
	$(call told,LINK)
	$Q$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)
$B/tests/fuzz/whole.o: CPPFLAGS += \
	-DKITH_COMMANDS='$(foreach t,$(TOOLS),KITH_COMMAND($t))'
# Made anew, too, when a file has left lib, or CHARCONV is another one.
$B/libkith.a: $(LIB) $B/members
	$(call told,AR  )
	$Qrm -f $@ && $(AR) rcs $@ $(LIB)
$B/members: FORCE
	@mkdir -p $(@D)
	@echo $(LIB) | cmp -s - $@ || echo $(LIB) >$@
$B/%.o: %.c
	@mkdir -p $(@D)
	$(call told,CC  )
	$Q$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -c -o $@ $<
$B/%.o: %.cc
	@mkdir -p $(@D)
	$(call told,CXX )
	$Q$(CXX) $(ALL_CXXFLAGS) $(CPPFLAGS) -c -o $@ $<

# All commands in one static executable: main() of each gets a name of its own.
# OpenBLAS without threads, for kith's own share the work; the library that is
# found first, or that of the line.
STATIC_OPENBLAS = $(shell $(CC) -print-file-name=openblas-serial/libopenblas.a)
STATIC_LIBS = -lcsv -lz -llbfgs -lcholmod -lamd -lcolamd -lccolamd -lcamd \
       -lsuitesparseconfig -larpack -llapacke $(STATIC_OPENBLAS) \
       -lgfortran -lquadmath -lgomp $(LIBSTDCXX) -lm $(LDLIBS)
# The Fortran library refers weakly to these, and calls them if there is one.
STATIC_WHOLE = $(foreach f,once getspecific setspecific create join equal self \
	detach cancel key_create key_delete mutex_init mutex_lock mutex_trylock \
	mutex_timedlock mutex_unlock mutex_destroy cond_init cond_signal \
	cond_broadcast cond_wait cond_timedwait cond_destroy mutexattr_init \
	mutexattr_settype mutexattr_destroy rwlock_rdlock rwlock_tryrdlock \
	rwlock_wrlock rwlock_trywrlock rwlock_unlock,-Wl,-u,pthread_$f)
$B/static/kith: $(TOOLS:%=$B/static/%.o) $B/static/main.o \
	$B/scripts/static/metis.o $B/libkith.a
	$(call told,LINK)
	$Q$(LINK) -static $(STATIC_WHOLE) -o $@ $^ $(STATIC_LIBS)
# With objects, so that whoever gets it may link other versions of libraries.
STATIC = kith-$(VERSION)-static-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
$B/static/$(STATIC).tar.gz: $B/static/kith scripts/static/pack \
	scripts/static/README LICENSE
	$(call told,TAR )
	$Q$(if $(SOURCE_DATE_EPOCH),,SOURCE_DATE_EPOCH=`git log -1 --format=%ct \
	    2>/dev/null || echo 0`) OBJCOPY=$(OBJCOPY) scripts/static/pack \
	    $(STATIC) $B $(filter-out -ffile-prefix-map=%,$(LINK)) -static \
	    $(STATIC_WHOLE) -o kith - $(STATIC_LIBS)
$(TOOLS:%=$B/static/%.o): $B/static/%.o: $B/cmd/%.o
	@mkdir -p $(@D)
	$(call told,MAIN)
	$Q$(OBJCOPY) --redefine-sym main=$*_main $< $@
$B/static/main.o: scripts/static/kith.c Makefile VERSION
	@mkdir -p $(@D)
	$(call told,CC  )
	$Q$(CC) $(ALL_CFLAGS) $(CPPFLAGS) \
	    -DKITH_COMMANDS='$(foreach t,$(TOOLS),KITH_COMMAND($t))' -c -o $@ $<
html:
	@$(DEPS) html
	@scripts/html $B/html
static:
	@$(DEPS) build static
	$(AGAIN) -j$(JOBS) $B/static/$(STATIC).tar.gz

# What needs packages gets them first; then make starts anew, to find them.
demo:
	@$(DEPS) build
	$(AGAIN) -j$(JOBS) all
	@$(RUN) scripts/demo
check:
	@$(DEPS) build check
	-@$(DEPS) plot
	$(AGAIN) -j$(JOBS) test-programs
	$(AGAIN) run-tests
check-long:
	@$(DEPS) build check
	-@$(DEPS) plot
	$(AGAIN) -j$(JOBS) test-programs
	$(AGAIN) run-tests KITH_LONG=1
check-cluster:
	@$(DEPS) build check
	-@$(DEPS) cluster
	$(AGAIN) -j$(JOBS) all
	@$(RUN) prove tests/cluster
lint:
	@$(DEPS) build lint
	$(AGAIN) -j$(JOBS) -k run-lint
pictures:
	@$(DEPS) build plot
	$(AGAIN) -j$(JOBS) all
	@mkdir -p man/pictures
	@$(RUN) scripts/examples -p man/pictures README.md
# By Debian's python, whose packages these are; the same bytes on any processor.
golden: $(GOLDEN:%=golden-%)
$(GOLDEN:%=golden-%): golden-%:
	@$(DEPS) golden
	@OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 \
	    /usr/bin/python3 tests/golden/$*.py
portability:
	@$(DEPS) build check
	-@$(DEPS) portability
	@scripts/portability
bench:
	@$(DEPS) build
	-@$(DEPS) bench
	$(AGAIN) -j$(JOBS) all $(BENCHES:%=$B/bench/%)
	@$(RUN) tests/bench/run
# Campaigns: how long, and what chance begins with.
SEED = 1
torture: MINUTES = 60
torture:
	@$(DEPS) build check
	$(AGAIN) -j$(JOBS) all $B/torture/torture $B/torture/shim.so
	@$(RUN) JOBS=$(JOBS) tests/torture/run $(MINUTES) $(SEED)
# Of FILES, or lines of them, where they are named: make mutants FILES=lib/near/knn.c:61.
# BY=unit: by unit tests of the file's room alone.
N = 200
BY =
quoted = '$(subst ','\'',$1)'
mutants: MINUTES = 240
mutants:
	@$(DEPS) build check
	$(AGAIN) -j$(JOBS) test-programs
	@KITH_CC=$(call quoted,$(CC) $(ALL_CFLAGS) $(CPPFLAGS)) \
	    KITH_LINK=$(call quoted,$(LINK)) KITH_LIBS=$(call quoted,$(LIBS)) \
	    $(RUN) JOBS=$(JOBS) BY=$(BY) tests/mutants/run $(N) $(MINUTES) $(SEED) $(FILES)
# Each of these builds in a folder of build-differential.
WAYS = O0 O3 clang strtod
WAY.O0 = CFLAGS=-O0
WAY.O3 = CFLAGS='-O3 -march=native'
WAY.clang = CC=clang CXX=clang++
WAY.strtod = CHARCONV=no
differential: $(WAYS:%=build-differential/%)
	$(AGAIN) -j$(JOBS) all
	@$(RUN) tests/differential/run $(^:%=$(CURDIR)/%)
build-differential/%: FORCE
	@$(DEPS) build sanitize
	$(AGAIN) -j$(JOBS) B=$@ $(WAY.$*) all
VALGRIND = valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
valgrind:
	@$(DEPS) build valgrind
	$(AGAIN) -j$(JOBS) all
	@$(RUN) tests/torture/valgrind '$(VALGRIND)'
fuzz: MINUTES = 30
fuzz:
	@$(DEPS) build lint
	$(AGAIN) -j$(JOBS) all
	$(AGAIN) -j$(JOBS) MODE=fuzz CC=clang CXX=clang++ fuzz-programs
	@$(RUN) tests/fuzz/run build-fuzz $(MINUTES)
fuzz-programs: $(FUZZERS:%=$B/fuzz/%) $B/fuzz/whole

test-programs: $(UNIT:%=$B/tests/%) $(if $(CLI),all $(GENERATORS:%=$B/gen/%) \
	$B/torture/torture $B/torture/shim.so)
run-tests:
	$(if $(filter cov,$(MODE)),find $B -name '*.gcda' -delete)
	@$(RUN) prove -j$(JOBS) --exec '' $(UNIT:%=$B/tests/%)
	@# One more than there are cores: some tests wait for a clock.
	$(if $(CLI),@$(RUN) prove -j$$(($(JOBS) + 1)) $(CLI))
	$(if $(CLI.$(MODE))$(filter msan,$(MODE)),,$(AGAIN) run-pages)
	$(if $(filter cov,$(MODE)),scripts/coverage $B/lib $B/cmd)
run-pages:
	@scripts/layers lib/LAYERS lib/*/*.[ch]
	@$(RUN) scripts/manopts $(filter %.1,$(MAN))
	@printf '%s\n' README.md $(MAN) | $(RUN) xargs -P $(JOBS) -n 1 scripts/examples

LINTS = layers format tidy tidy-cc cppcheck mandoc shellcheck paths spdx fma
run-lint: $(LINTS:%=lint-%)
lint-layers:
	@scripts/layers lib/LAYERS lib/*/*.[ch]
	@scripts/clones lib/*/*.c
lint-format:
	@clang-format --dry-run -Werror $(C_SRC) $(wildcard lib/*/*.cc)
# It counts the warnings that it does not show.
UNTOLD = sed '/^[0-9]* warnings\{0,1\} generated/d'
lint-tidy: $(C_SRC:%=tidy/%)
tidy/%:
	@clang-tidy --quiet $* -- -std=c17 $(CPPDEFS) 2>&1 | $(UNTOLD)
lint-tidy-cc:
	@clang-tidy --quiet $(wildcard lib/*/*.cc) -- -std=c++17 -Ilib 2>&1 | \
	    $(UNTOLD)
lint-cppcheck:
	@cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr \
	    --enable=warning,portability -Ilib -Itests/tap -Itests/unit lib cmd scripts/static tests
lint-mandoc:
	@$(if $(MAN),mandoc -T lint -W warning $(MAN))
lint-shellcheck:
	@shellcheck -x -P SCRIPTDIR $(SH_SRC)
lint-paths:
	@! grep -rnIE --exclude-dir=.git --exclude=.git --exclude-dir=.ci \
	    --exclude-dir='build*' '[/](home|root|mnt|work)/|[.][.]/shared' .
lint-spdx:
	@! grep -L '^[/#][*]* SPDX-License-Identifier: BSD-2-Clause' $(C_SRC) \
	    $(SH_SRC) $(wildcard lib/*/*.cc) Makefile | grep .
# Nothing rounds once where two roundings are written, though the processor can.
FUSING = -O3 $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),-march=haswell)
FUSED = vfn?m(add|sub)[0-9]|vfm(addsub|subadd)|[[:space:]]fn?m(add|sub|la|ls)[[:space:]]
lint-fma:
	@$(MAKE) --no-print-directory -s B=build-fma CFLAGS='$(FUSING)' \
	    build-fma/libkith.a
	@! objdump -d --no-show-raw-insn build-fma/libkith.a | \
	    awk '/file format/ { o = $$1 } /^[0-9a-f]+ </ { f = $$2 } \
	    /$(FUSED)/ { print o, f, $$2 }' | sort -u | grep .
tidy/% lint-tidy-cc: SHELL = bash
tidy/% lint-tidy-cc: .SHELLFLAGS = -o pipefail -c

bin = $(DESTDIR)$(PREFIX)/bin
man = $(DESTDIR)$(PREFIX)/share/man
share = $(DESTDIR)$(PREFIX)/share/$Pkith
bash = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
recipes = $(share)/cluster
P = $(PROGRAM_PREFIX)

# Nothing that was built is run, for it may be for another machine.
CPP_ALONE = $(CC) -std=c17 -D_POSIX_C_SOURCE=200809L $(KITH_BLAS_CFLAGS) -Ilib \
	$(CFLAGS) $(CPPFLAGS) -E -P
install: all
	install -d $(bin) $(man)/man1 $(man)/man5 $(man)/man7 $(bash) $(zsh)
	set -e; for t in $(TOOLS:%=$B/%) $(PLOTS:%=scripts/%); do \
	    install $$t $(bin)/$P$${t##*/}; done
	set -e; KITH_CPP=$(call quoted,$(CPP_ALONE)); export KITH_CPP; \
	for t in $(TOOLS:%=cmd/%.c) $(PLOTS:%=scripts/%); do \
	    n=$${t##*/}; n=$P$${n%.c}; \
	    scripts/completion bash $$t "$P" >$(bash)/$$n; \
	    scripts/completion zsh $$t "$P" >$(zsh)/_$$n; done
	install -d $(share)
	sed 's/^plot_version=.*/plot_version=$(VERSION)/' scripts/kith-plot.sh \
	    >$(share)/kith-plot.sh
	chmod 644 $(share)/kith-plot.sh
	install -m 644 $(PLOT_PARTS) $(share)
	install scripts/kith $(bin)/$Pkith
	{ echo '# version $(VERSION)'; scripts/abouts $(filter %.1,$(MAN)); } \
	    >$(share)/commands
	chmod 644 $(share)/commands
	install -d $(recipes)/job
	install $(PLANS) $(recipes)
	install $(RECIPES) $(recipes)/job
	chmod 644 $(recipes)/plan.sh $(recipes)/job/Makefile
	set -e; for m in $(notdir $(MAN)); do case $$m in \
	    *.1) n=man1/$P$$m ;; *) n=man$${m##*.}/$$m ;; esac; \
	    $(if $P,scripts/prefix $P $(TOOLS) $(PLOTS) kith <man/$$m >$(man)/$$n, \
	        install man/$$m $(man)/$$n); \
	    chmod 644 $(man)/$$n; done
uninstall:
	for t in $(TOOLS) $(PLOTS); do \
	    rm -f $(bin)/$P$$t $(bash)/$P$$t $(zsh)/_$P$$t; done
	rm -rf $(recipes)
	rm -f $(share)/kith-plot.* $(share)/commands $(bin)/$Pkith
	rmdir $(share) 2>/dev/null || :
	for m in $(notdir $(MAN)); do case $$m in \
	    *.1) rm -f $(man)/man1/$P$$m ;; \
	    *) rm -f $(man)/man$${m##*.}/$$m ;; esac; done

# What git holds of the last commit, with its time: the same bytes anywhere.
DIST = kith-$(VERSION)
dist:
	@git diff --quiet HEAD || echo 'dist: what is not committed stays out' >&2
	$(call told,TAR )
	$Qgit -c tar.umask=0022 archive --format=tar --prefix=$(DIST)/ HEAD \
	    >$(DIST).tar
	$Qgzip -9nf $(DIST).tar
# As the archive is, apart from what make was called with.
deb: dist
	@$(DEPS) build check plot deb
	rm -rf $B/deb && mkdir -p $B/deb
	cp $(DIST).tar.gz $B/deb/kith_$(VERSION).orig.tar.gz
	tar -xzf $(DIST).tar.gz -C $B/deb
	cp -R $B/deb/$(DIST)/scripts/debian $B/deb/$(DIST)/debian
	cd $B/deb/$(DIST) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
	    -u KITH_CHARCONV dpkg-buildpackage -us -uc
	cd $B/deb && lintian -EI --pedantic --fail-on error,warning \
	    kith_$(VERSION)-*.changes
clean:
	rm -rf build build-*

.PHONY: all demo check check-long check-cluster lint pictures portability bench \
	fuzz fuzz-programs torture mutants differential valgrind \
	golden $(GOLDEN:%=golden-%) dist static html deb \
	test-programs run-tests run-pages run-lint \
	$(LINTS:%=lint-%) install uninstall clean FORCE
.SECONDARY:
# No half of a file stays where what makes it fails.
.DELETE_ON_ERROR:
$B/lib/cli/cli.o $B/lib/cli/version.o: VERSION
-include $(shell find $B -name '*.d' 2>/dev/null)
