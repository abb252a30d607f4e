#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the Makefile promises survives the flags of those who build.
. "${0%/*}/tap.sh"

charconv=${KITH_CHARCONV:-yes} # whether the C++ of this machine has it
LC_ALL=C # what make says
export LC_ALL
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES KITH_CHARCONV DEPS
unset CC CXX MODE B CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LDLIBS CHARCONV V

# plan [NAME=VALUE]...: the calls of the compiler that would build tabscale.
known='DEPS=true KITH_BLAS_LIBS=-lopenblas' # nothing is looked for
plan() {
	# shellcheck disable=SC2086 # words
	make -n -C "$root" --no-print-directory B=none CC=cc CXX=c++ $known "$@" \
		none/tabscale >commands 2>stderr &&
		grep -E '^(cc|c[+][+]) ' commands >calls
}

# All of them have arithmetic as it is written, behind what the user gave.
keeps_promises() {
	! grep -v -- '-mtune=generic.* -fno-fast-math .*-ffp-contract=off' calls
}

fast='-O1 -ffast-math -ffp-contract=fast -mtune=generic'
plan CFLAGS="$fast" && keeps_promises
ok $? 'CFLAGS on the command line leave arithmetic as it is written'

CFLAGS=$fast
export CFLAGS
plan && keeps_promises
ok $? 'CFLAGS in the environment, too'
unset CFLAGS

plan CXXFLAGS=-O1 && ! grep '^c++ ' calls | grep -v -- '-O1.* -fno-exceptions'
ok $? 'CXXFLAGS leave C++ without exceptions'

plan LDFLAGS=-Wl,-O1 && grep -q -- '--as-needed.* -Wl,-O1.* -lopenblas' calls
ok $? 'LDFLAGS leave commands that do not use OpenBLAS clear of it'

plan LDLIBS=-lanother && grep -q -- '-lopenblas.* -lanother' calls
ok $? 'LDLIBS add a library'

plan MODE=asan CFLAGS=-O1 && ! grep -v -- '-O1.* -fsanitize=address' calls
ok $? 'CFLAGS leave MODE=asan its sanitizers'

plan CXX=false && grep -q num_strtod calls && ! grep -q charconv calls
ok $? 'without C++ there is no <charconv>'
plan CHARCONV=no && grep -q num_strtod calls && ! grep -q charconv calls
ok $? '... nor by CHARCONV=no'
if [ "$charconv" = yes ]; then
	plan && ! grep -q num_strtod calls && grep -q charconv calls
	ok $? '... but with the C++ of this machine'
	numbers=charconv
else
	skip 'the C++ of this machine has no <charconv> for doubles'
	numbers=num_strtod
fi

hard='-fstack-protector-strong -D_FORTIFY_SOURCE=2'
plan CPPFLAGS=-DANYTHING CFLAGS="-O2 $hard" && ! grep ' -c ' calls |
	grep -v -- "$hard.* -DANYTHING"
ok $? 'CPPFLAGS and CFLAGS that harden reach every object, C++ too'

CPPFLAGS=-DANYTHING
export CPPFLAGS
plan && ! grep ' -c ' calls | grep -v -- -DANYTHING
ok $? 'CPPFLAGS in the environment, too'
unset CPPFLAGS

# By a compiler of i386; what it is asked for besides has no answer.
mkdir narrow
cat >narrow/cc <<'END'
#!/bin/sh
case " $* " in
*' -E '*) echo 4 1 2 ;;
*) exit 1 ;;
esac
END
chmod +x narrow/cc
path=$PATH
PATH=$PWD/narrow:$path
plan && ! grep -v -- '-msse2 -mfpmath=sse .*-ffp-contract=off' calls &&
	! grep '^cc .* -c ' calls | grep -v -- -D_FILE_OFFSET_BITS=64
ok $? 'on i386: SSE2, and large files'
PATH=$path

wrong='-Werror=implicit-function-declaration -Werror=implicit-int
	-Werror=incompatible-pointer-types -Werror=int-conversion'
plan CFLAGS=-w && for flag in $wrong; do
	grep '^cc .* -c ' calls | grep -v -- "$flag" && break
done | { ! grep .; }
ok $? 'a call of what is not declared never compiles'

# blas: how OpenBLAS is found where its header or LAPACKE are not at their places.
# A compiler that needs the word $HEADER to find the header, and the words $LIBRARY,
# and no $NONE, to link; and pkg-config, if $ASKED is something.
mkdir fake
cat >fake/cc <<'END'
#!/bin/sh
cat >/dev/null
case " $* " in
*" $HEADER "*) ;;
*) exit 1 ;;
esac
case " $* " in
*-fsyntax-only*) echo x: cblas-of-openblas.h && exit 0 ;;
*" $NONE "*) exit 1 ;;
*" $LIBRARY "*) exit 0 ;;
esac
exit 1
END
cat >fake/pkg-config <<'END'
#!/bin/sh
[ "$ASKED" ] || exit 1
case $1 in
--cflags) echo -I/place/include ;;
--libs) echo -L/place -lopenblas_64 ;;
esac
END
chmod +x fake/*
HEADER=-x LIBRARY='-llapacke -lopenblas' NONE=none ASKED=
export HEADER LIBRARY NONE ASKED
found() { # STATUS CFLAGS LIBS
	run "$1" env PATH="$PWD/fake:$PATH" CC=cc CPPFLAGS= LDFLAGS= "$root/scripts/blas"
	out "$(for word in $2; do echo "KITH_BLAS_CFLAGS+=$word"; done
		for word in $3; do echo "KITH_BLAS_LIBS+=$word"; done)$nl"
}
found 0 '' '-llapacke -lopenblas'
LIBRARY='-l:liblapacke.a -lopenblas'
found 0 '' '-l:liblapacke.a -lopenblas'
LAPACKE=-llapacke
export LAPACKE
found 1 '' '-llapacke -lopenblas'
LIBRARY='-llapacke -lopenblas'
HEADER=-I/usr/include/openblas
found 0 -I/usr/include/openblas '-llapacke -lopenblas'
LIBRARY=-lopenblas NONE=-llapacke
found 0 -I/usr/include/openblas -lopenblas
ASKED=yes LIBRARY='-L/place -lopenblas_64'
found 0 -I/usr/include/openblas '-L/place -lopenblas_64'
HEADER=-I/place/include
found 0 -I/place/include '-L/place -lopenblas_64'
NONE=none
found 0 -I/place/include '-llapacke -L/place -lopenblas_64'
LIBRARY=-lnone
found 1 -I/place/include '-llapacke -lopenblas'
HEADER=-none
found 1 '' '-llapacke -lopenblas'

# built NAME OBJECT [NAME=VALUE]...: make an object in the folder NAME, which is one line.
built() {
	folder=$PWD/$1
	object=$2
	shift 2
	make -C "$root" --no-print-directory B="$folder" "$@" "$folder/$object" \
		>stdout 2>stderr && [ "$(cat stdout)" = "  CC   $folder/$object" ]
}

# A cblas.h without what kith calls, as that of netlib or of conda, comes first.
mkdir front
echo 'void cblas_dgemm(void);' >front/cblas.h
if CC=cc CPPFLAGS=-I$PWD/front "$root/scripts/blas" >stdout; then
	! grep "^KITH_BLAS_HEADER:=$PWD" stdout
	ok $? 'a cblas.h that does not declare what kith calls is not taken'
	built other lib/la/blas.o CPPFLAGS="-I$PWD/front"
	ok $? '... and OpenBLAS is compiled with its own'
	err ''
else
	skip 'the cblas.h of OpenBLAS is found by its name alone'
fi

# What is missing is named before anything is compiled, in one line.
mkdir absent
for header in csv zlib; do echo '#error absent' >absent/$header.h; done
run 2 make -j4 -C "$root" --no-print-directory B="$PWD/no" CPPFLAGS="-I$PWD/absent"
out ''
sed 's/^Makefile:[0-9]*: //' stderr >said
same said "*** missing: libcsv-dev zlib1g-dev; scripts/deps or make demo installs them.  Stop.$nl"
[ ! -e no ]
ok $? 'nothing is made'
cat >no-cc <<'END'
#!/bin/sh
exit 127
END
chmod +x no-cc
run 2 make -C "$root" --no-print-directory B="$PWD/no" CC="$PWD/no-cc" all
grep -q "^Makefile:[0-9]*: [*]* missing: $PWD/no-cc" stderr && [ "$(wc -l <stderr)" -eq 1 ]
ok $? 'nor without a compiler'

# Objects are made anew where what they are made with changes, else not.
# shellcheck disable=SC2086 # words
built again lib/base/err.o $known CFLAGS=-O0
cp again/lib/base/err.o before.o
# shellcheck disable=SC2086
! built again lib/base/err.o $known CFLAGS=-O0 && grep -q 'up to date' stdout
ok $? 'what is made is not made again'
for change in CFLAGS=-O2 CPPFLAGS=-DANOTHER CXXFLAGS=-O2 LDFLAGS=-Wl,-O1 SIMD=base \
	CC=gcc CFLAGS=-O0; do
	# shellcheck disable=SC2086
	built again lib/base/err.o $known $change
	ok $? "... but with $change"
done
cmp -s again/lib/base/err.o before.o
ok $? '... and with the old flags it is as it was'

# There is nothing to make but one object, so lines can be counted.
one="make -C $root --no-print-directory B=$PWD/one $known $PWD/one/lib/base/err.o"
$one >stdout 2>stderr
cp stdout first
rm -r one
same first "  CC   $PWD/one/lib/base/err.o$nl"
rm -rf one
$one V=1 >stdout 2>stderr
grep -q '^cc .* -c -o .*/err.o lib/base/err.c$' stdout
ok $? 'V=1 shows the whole command'
rm -rf one
$one -s >stdout 2>stderr
[ ! -s stdout ] && [ -f one/lib/base/err.o ]
ok $? '-s shows nothing'

# dist FOLDER: a clone there, and what is made of it.
dist() {
	git clone -q "$root" "$1" 2>stderr &&
		make -s -C "$1" --no-print-directory dist >stdout 2>stderr
}

version=$(cat "$root/VERSION")
if command -v git >/dev/null && [ -e "$root/.git" ] && dist a && dist b/two; then
	cmp "a/kith-$version.tar.gz" "b/two/kith-$version.tar.gz"
	ok $? 'make dist: the same bytes from two clones'
	gzip -dc "a/kith-$version.tar.gz" | tar -xf - && mkdir b/three &&
		cp -R "kith-$version" b/three
	ok $? '... it unpacks into kith-VERSION'
	git -C a ls-files | sort >listed
	(cd "kith-$version" && find . -type f -o -type l) | sed 's|^./||' |
		sort | diff - listed
	ok $? '... it has all that a clone has'
	# Some objects with numbers, templates and kernels; or all.
	wanted="lib/base/num.o lib/base/$numbers.o lib/near/kernels.kernel.base.o cmd/tabfold.o"
	[ -z "${KITH_LONG:-}" ] || wanted=tabfold
	for place in "kith-$version" "b/three/kith-$version"; do
		for one in $wanted; do echo "out/$one"; done |
			xargs make -s -C "$place" B=out DEPS=true >stdout 2>stderr
		ok $? '... it builds'
	done
	for one in $wanted; do
		cmp "kith-$version/out/$one" "b/three/kith-$version/out/$one"
		ok $? "... $one has the same bytes from two folders"
	done
else
	skip 'no clone by git can be made here'
fi

done_testing
