#!/bin/sh
# What the Makefile promises survives the flags of those who build.
. "${0%/*}/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# plan [NAME=VALUE]...: the calls of the compiler that would build tabscale.
plan() {
	make -n -C "$root" --no-print-directory B=none CC=cc CXX=c++ "$@" \
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

done_testing
