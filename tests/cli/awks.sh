# SPDX-License-Identifier: BSD-2-Clause
# Sourced by the tests of scripts that are written in awk, after tap.sh: $awks are the
# awks to try, and the folder awks/NAME has NAME alone, as awk.
# PATH=$PWD/awks/$awk:$PATH puts it first.  In short tests it is the awk that the user
# has, and the shell is sh; in long tests they are all common ones that are here.
# shellcheck shell=sh
# shellcheck disable=SC2034 # for the tests
awks='' shells=''
for awk in ${KITH_LONG:+mawk gawk original-awk busybox} awk; do
	[ "$awk" != awk ] || [ -z "$awks" ] || continue
	command -v "$awk" >/dev/null || continue
	mkdir -p "awks/$awk"
	ln -s "$(command -v "$awk")" "awks/$awk/awk"
	awks="$awks $awk"
done
# The shells for scripts of sh, each as the command that runs one.
for shell in ${KITH_LONG:+dash 'bash --posix' 'busybox sh'} sh; do
	[ "$shell" != sh ] || [ -z "$shells" ] || continue
	command -v "${shell%% *}" >/dev/null || continue
	shells="$shells$shell
"
done
