# make              the commands, in build/
# make demo         a pipeline on a real table, from nothing but this clone
# make check        unit and command tests
# make check-long   the tests that take longer
# make lint         everything that judges without running
# make bench        speed and memory, as ratios against peers in the same run
# make fuzz         the readers, fed with any bytes, for FUZZ_RUNS inputs
# make install      to $(DESTDIR)$(PREFIX), names prefixed by $(PROGRAM_PREFIX)
# make MODE=asan    any of these, in build-asan/, with sanitizers (cov: gcov)
# make CHARCONV=no  numbers by strtod() and printf() alone

VERSION = 0.1
PREFIX = /usr/local
PROGRAM_PREFIX =
MODE = release
CHARCONV = yes
FUZZ_RUNS = 200000

CFLAGS.release = -O2 -g
CFLAGS.asan = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS.cov = -O0 -g --coverage

B = build$(if $(filter-out release,$(MODE)),-$(MODE))$(if $(filter no,$(CHARCONV)),-strtod)
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wwrite-strings
CWARN = -Wstrict-prototypes -Wmissing-prototypes
CFLAGS = $(CFLAGS.$(MODE)) $(WARN)
CPPDEFS = -D_POSIX_C_SOURCE=200809L -DKITH_VERSION='"$(VERSION)"' \
       -Ilib -Itests/tap
ALL_CFLAGS = -std=c17 $(CPPDEFS) -pthread -MMD -MP $(CFLAGS) $(CWARN)
CXXFLAGS = -std=c++17 -fno-exceptions -fno-rtti $(CFLAGS)

# Only what a command uses is loaded; tab* stay clear of OpenBLAS.
LDFLAGS += -pthread -Wl,--as-needed
LDLIBS = -lcsv -lz -llapacke -lopenblas -lgsl -lm

TOOLS := $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
LIB := $(patsubst %.c,$B/%.o,$(wildcard lib/*.c))
MAN := $(wildcard man/*.[157])

ifeq ($(CHARCONV),no)
LIB := $(filter-out $B/lib/charconv.o,$(LIB)) $B/lib/num_strtod.o
else
LIB := $(filter-out $B/lib/num_strtod.o,$(LIB)) $B/lib/charconv.o
LDLIBS += -l:libstdc++.a
endif

# Commands run as a user runs them, but for BLAS threads at start (README).
RUN = OPENBLAS_NUM_THREADS=1 PATH="$$PWD/$B:$$PATH" KITH_BUILD="$$PWD/$B" \
      ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1

all: $(TOOLS:%=$B/%)
$(TOOLS:%=$B/%): $B/%: $B/cmd/%.o $B/libkith.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(TESTS:%=$B/tests/%): $B/tests/%: $B/tests/unit/%.o $B/tests/tap/tap.o $B/libkith.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$B/libkith.a: $(LIB)
	rm -f $@ && $(AR) rcs $@ $^
$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -c -o $@ $<
$B/%.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

deps-build:
	@scripts/deps build
deps-check:
	@scripts/deps build check

check: deps-check
	@$(MAKE) --no-print-directory run-tests
run-tests: all $(TESTS:%=$B/tests/%)
	$(RUN) prove -j2 --exec '' $(TESTS:%=$B/tests/%)
	$(RUN) prove -j2 tests/cli
	scripts/layers lib/LAYERS lib/*.[ch]
	$(RUN) scripts/manopts $B $(MAN)

clean:
	rm -rf build build-*

.PHONY: all check run-tests deps-build deps-check clean
.SECONDARY:
-include $(shell find $B -name '*.d' 2>/dev/null)
