# SPDX-License-Identifier: BSD-2-Clause
# What judges the source without running it.

C_SRC := $(wildcard lib/*/*.[ch] cmd/*.c cmd/*/*.[ch] scripts/static/*.c tests/*/*.[ch] tests/unit/*/*.[ch])
SH_SRC := .ci/run $(filter-out $(addprefix scripts/,container debian experiments plot static) %.awk %.css %.js %.md scripts/mk, \
	$(wildcard scripts/* tests/cli/*.t tests/cluster/* \
	tests/*/run tests/*/*.sh tests/torture/valgrind tests/bench/*.bench)) \
	$(addprefix scripts/experiments/,data kept sitting summarise) scripts/static/pack scripts/debian/tests/smoke \
	tests/fuzz/seeds tests/fuzz/jobs tests/prove tests/record tests/compare tests/differential \
	$(wildcard scripts/experiments/run/* scripts/experiments/*.sh)

lint:
	@$(DEPS) build lint
	$(AGAIN) -j$(JOBS) -k run-lint

LINTS = layers format tidy tidy-cc cppcheck mandoc shellcheck paths spdx fma spills
run-lint: $(LINTS:%=lint-%)
lint-layers:
	@scripts/layers lib/LAYERS lib/*/*.[ch]
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
	    --enable=warning,portability -Ilib -Icmd -Itests/tap -Itests/unit lib cmd scripts/static tests
# Examples come before the description.
lint-mandoc:
	@! mandoc -T lint -W warning $(MAN) | grep -v 'sections out of conventional order'
lint-shellcheck:
	@shellcheck -x -P SCRIPTDIR $(SH_SRC)
lint-paths:
	@! grep -rnIE --exclude-dir=.git --exclude=.git --exclude-dir=.ci \
	    --exclude-dir='build*' '[/](home|root|mnt|work)/|[.][.]/shared' .
lint-spdx:
	@! grep -L '^[/#][*]* SPDX-License-Identifier: BSD-2-Clause' $(C_SRC) \
	    $(SH_SRC) $(wildcard lib/*/*.cc) Makefile scripts/mk/* | grep .
# Nothing rounds once where two roundings are written, though the processor can, but for
# kith_vf_multiply_add() of la/vector.h in kernels: floats that bound distances, and are
# never printed.  No other object may fuse, and no kernel doubles.
FUSING = -O3 $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),-march=haswell)
FUSED = vfn?m(add|sub)[0-9]|vfm(addsub|subadd)|[[:space:]]fn?m(add|sub|la|ls)[[:space:]]
lint-fma:
	@$(MAKE) --no-print-directory -s B=build-fma CFLAGS='$(FUSING)' \
	    build-fma/libkith.a
	@! objdump -d --no-show-raw-insn build-fma/libkith.a | \
	    awk '/file format/ { o = $$1 } /^[0-9a-f]+ </ { f = $$2 } \
	    /$(FUSED)/ && !(o ~ /[.]kernel[.]/ && $$2 ~ /ps$$/) \
	    { print o, f, $$2 }' | sort -u | grep .
# gcc keeps a vector that is wider than the registers of its level in memory, where clang splits it.
lint-spills: $(foreach l,$(LEVELS),$(KERNELS:%.c=$B/%.$l.o))
	@objdump -d --no-show-raw-insn $^ | awk -f scripts/mk/spills.awk
tidy/% lint-tidy-cc: SHELL = bash
tidy/% lint-tidy-cc: .SHELLFLAGS = -o pipefail -c
