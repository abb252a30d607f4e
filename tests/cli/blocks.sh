# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of blocks of the reference: the command in $made_by makes them.
# shellcheck shell=sh

# blocks N S OPTION...: into list.I.J what the command prints for shard I of S of
# the rows and block J of N of the reference.
blocks() {
	n=$1 s=$2
	shift 2
	rm -f list.*
	for i in $(seq "$s"); do
		for j in $(seq "$n"); do
			# shellcheck disable=SC2154,SC2086 # a command with options
			$made_by --reference-shard "$j/$n" --shard "$i/$s" "$@" \
				>list."$i.$j" || return 1
		done
	done
}
