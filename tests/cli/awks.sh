# SPDX-License-Identifier: BSD-2-Clause
# Sourced by the tests of scripts that are written in awk, after tap.sh: $awks are
# those of the common awks that are here, and the folder awks/NAME has NAME alone, as
# awk.  PATH=$PWD/awks/$awk:$PATH puts it first.
# shellcheck shell=sh
# shellcheck disable=SC2034 # for the tests
awks=''
for awk in mawk gawk original-awk busybox; do
	command -v "$awk" >/dev/null || continue
	mkdir -p "awks/$awk"
	ln -s "$(command -v "$awk")" "awks/$awk/awk"
	awks="$awks $awk"
done
[ -n "$awks" ] || { mkdir -p awks/awk && awks='awk'; }
# The shells that are here for scripts of sh, each as the command that runs one.
shells=''
for shell in dash 'bash --posix' 'busybox sh'; do
	command -v "${shell%% *}" >/dev/null || continue
	shells="$shells$shell
"
done
