# SPDX-License-Identifier: BSD-2-Clause
# Tests and campaigns: the programs that they need, and what runs them.

TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*/*.c))
# A mode may have tests of its own: of msan those without libraries; of tsan, commands
# with threads; of asan those that judge C.  Sanitizers look after memory in their own
# way, and signals.
UNIT.msan = $(filter base/% cli/% text/%,$(TESTS))
UNIT = $(or $(UNIT.$(MODE)),$(TESTS))
CLI.tsan = $(foreach c,$(TOOLS),$(wildcard tests/cli/$c.t))
# Scripts, pictures, packages, builds, and tests of tests.
NO_C = campaigns completion experiments html job kith layers make mutants plot plot_% records \
	scripts static tap torture
CLI.asan = $(filter-out $(NO_C:%=tests/cli/%.t),$(wildcard tests/cli/*.t))
CLI = $(if $(filter-out msan,$(MODE)),$(or $(CLI.$(MODE)),tests/cli))
TAP := $(patsubst %.c,$B/%.o,$(wildcard tests/tap/*.c tests/$(MODE)/*.c))

BENCHES := $(patsubst tests/bench/%.c,%,$(wildcard tests/bench/*.c))

GENERATORS := $(patsubst tests/gen/%.c,%,$(wildcard tests/gen/*.c))
GOLDEN := $(patsubst tests/golden/%/,%,$(wildcard tests/golden/*/))
# The target whole, in parts; the others are a file each.
WHOLE = whole process change
FUZZERS := $(filter-out $(WHOLE),$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))

# Unit tests compile in two fifths of the time without optimisation, and run as long.
$B/tests/unit/%.o $B/tests/tap/%.o: CFLAGS.release = -O0 -g
# A test of a command's folder is linked with its files but for that of main().
$(foreach t,$(FOLDERS),$(eval $(patsubst %,$B/tests/%,$(filter $t/%,$(TESTS))): \
	$(patsubst %.c,$B/%.o,$(filter-out cmd/$t/$t.c,$(wildcard cmd/$t/*.c)))))
$(TESTS:%=$B/tests/%): $B/tests/%: $B/tests/unit/%.o $(TAP) $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) $(WRAP.$(MODE)) -o $@ $(filter %.o,$^) $B/libkith.a $(LIBS)
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
$B/torture/shim.so: tests/torture/shim.c tests/torture/seen.h $B/made-with
	@mkdir -p $(@D)
	$(call told,CC  )
	$Q$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(CPPFLAGS) -fPIC -shared -o $@ $< -ldl
$(FUZZERS:%=$B/fuzz/%): $B/fuzz/%: $B/tests/fuzz/%.o $B/libkith.a
	@mkdir -p $(@D)
	$(call told,LINK)
	$Q$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)
# tabcv runs any line of the shell: a fuzzer that wrote such lines would do anything.
FUZZED = $(filter-out tabcv,$(TOOLS))
# All commands as one object, whose data the target can put back to what they
# were, and whose memory and end it takes care of.
$B/fuzz/kith.o: $(FUZZED:%=$B/static/%.o) $B/libkith.a scripts/mk/tests.mk
	@mkdir -p $(@D)
	$(call told,MAIN)
	$Q$(LD) -r -o $@.part $(FUZZED:%=$B/static/%.o) $(filter-out %/cli/main.o,$(LIB))
	$Q$(OBJCOPY) $(foreach f,calloc realloc free exit atexit pthread_create, \
	    --redefine-sym $f=whole_$f) $(foreach f,cmp8 const_cmp8,--redefine-sym \
	    __sanitizer_cov_trace_$f=whole_$f) --rename-section .data=kith_data \
	    --rename-section .bss=kith_bss,alloc,load,data,contents \
	    $@.part $@
	$Qrm $@.part
$B/fuzz/whole: $(WHOLE:%=$B/tests/fuzz/%.o) $B/fuzz/kith.o
	$(call told,LINK)
	$Q$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)
$B/tests/fuzz/whole.o: CPPFLAGS += \
	-DKITH_COMMANDS='$(foreach t,$(FUZZED),KITH_COMMAND($t))'

test-programs: $(UNIT:%=$B/tests/%) $(if $(CLI),all $(GENERATORS:%=$B/gen/%) \
	$B/torture/torture $B/torture/shim.so)
run-tests:
	$(if $(filter cov,$(MODE)),find $B -name '*.gcda' -delete)
	$(if $(UNIT),@$(RUN) tests/prove -j$(JOBS) --exec '' $(UNIT:%=$B/tests/%))
	@# One more than there are cores: some tests wait for a clock.
	@# A command that waits for ever ends its file: none takes half an hour.
	$(if $(CLI),@$(RUN) tests/prove -j$$(($(JOBS) + 1)) \
	    --exec 'timeout $(if $(KITH_LONG),9000,1800) sh' $(CLI))
	$(if $(filter tsan msan,$(MODE))$(filter command,$(origin CLI)),,$(AGAIN) run-pages)
	$(if $(filter cov,$(MODE)),scripts/coverage $B/lib $B/cmd)
run-pages:
	@scripts/layers lib/LAYERS lib/*/*.[ch]
	@$(RUN) scripts/manopts $(filter %.1,$(MAN))
	@scripts/locales $(PAGES) $(filter scripts/%,$(SH_SRC))
	@mkdir -p $B/locales && { [ -d $B/locales/de_DE.UTF-8 ] || \
	    localedef -i de_DE -f UTF-8 $B/locales/de_DE.UTF-8 2>/dev/null || :; }
	@printf '%s\n' $(PAGES) | LOCPATH=$(abspath $B)/locales $(RUN) xargs -P $(JOBS) -n 1 scripts/examples

check-cluster:
	@$(DEPS) build check
	-@$(DEPS) cluster
	$(AGAIN) -j$(JOBS) all
	@$(RUN) tests/prove tests/cluster

pictures:
	@$(DEPS) build plot
	$(AGAIN) -j$(JOBS) all
	@$(RUN) scripts/examples -p man/pictures man/pictures/README.md
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
# All targets, calls or benchmarks of each, whose results are those of some seconds.
campaigns:
	$(AGAIN) fuzz MINUTES=.2
	$(AGAIN) torture MINUTES=.2
	$(AGAIN) mutants N=3 MINUTES=1 BY=unit
	@KERNELS=Haswell $(MAKE) --no-print-directory differential
	$(AGAIN) valgrind
	@LIMIT=3 $(MAKE) --no-print-directory bench
	$(AGAIN) check-cluster
# Campaigns: how long, and what chance begins with.
SEED = 1
torture: MINUTES = 60
torture:
	@$(DEPS) build check
	$(AGAIN) -j$(JOBS) all $B/torture/torture $B/torture/shim.so
	@$(RUN) JOBS=$(JOBS) tests/torture/run $(MINUTES) $(SEED)
# Of FILES, or lines of them, where they are named: make mutants FILES=lib/near/search.c:61.
# BY=unit: by unit tests of the file's room alone.
N = 200
BY =
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
	@$(RUN) tests/differential $(^:%=$(CURDIR)/%)
$(WAYS:%=build-differential/%): build-differential/%: FORCE
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
