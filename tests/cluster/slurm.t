#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The recipes under Slurm, on four nodes of this host: tasks that are killed,
# requeued and submitted again leave the bytes of one run.
nodes=4
if [ -z "${KITH_SLURM_TEST-}" ]; then
	reasons=$(mktemp) || exit 74
	trap 'rm -f "$reasons"' EXIT
	KITH_SLURM_TEST=1 timeout 400 "${0%/*}/slurm-host" $nodes "$0" 2>"$reasons" &
	host=$!
	# A signal goes to the cluster, and its end is waited for.
	trap 'kill -TERM $host; wait $host; exit 130' HUP INT TERM
	wait $host
	status=$?
	cat "$reasons" >&2
	[ $status -eq 77 ] || exit $status
	echo "1..0 # SKIP $(tail -n 1 "$reasons")"
	[ "${KITH_NO_SKIP:-}" != 1 ]
	exit
fi
# shellcheck source-path=SCRIPTDIR source=../cli/tap.sh
. "${0%/*}/../cli/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of make check-cluster

# until_true COMMAND [ARG]...: wait for it, a minute at most.
until_true() {
	local end=$((SECONDS + 60))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep .05
	done
}
# A name that Slurm, make and the shell might take for more.
job="50%a job's %j {}\$x"
state() { kith-job status "$job" | awk -v i="$1" '$1 == i { print $2 }'; }

# Rows of which a shard takes about a second.
awk "$uniform"'BEGIN {
	seed_uniform(7)
	for (j = 1; j <= 30; j++) printf "x%d%s", j, (j < 30 ? "\t" : "\n")
	for (i = 1; i <= 50000; i++)
		for (j = 1; j <= 30; j++)
			printf "%.5f%s", uniform() + uniform() + uniform(), (j < 30 ? "\t" : "\n")
}' >"the rows.tsv"
nnkgraph -y none -k 40 "the rows.tsv" >whole.tsv

run 0 kith-job shards -n 8 "$job" nnkgraph -y none -k 40 "the rows.tsv"
run 0 kith-job run "$job" --slurm
id=$(cat "$job/slurm.ids")
[ -n "$id" ] && grep -q "^kith-job: Slurm jobs $id: 8 tasks; " stderr
ok $? "array job $id is submitted"
run 2 kith-job run "$job" --slurm
grep -q "are in the queue" stderr
ok $? 'and not a second time'

# Task 3 is stopped while it computes, so that it cannot end, and requeued.
find_task() { # I: $pid is the process that computes this shard under our Slurm
	# shellcheck disable=SC2013 # words
	for pid in $(grep -lzxF -e "$1/8" /proc/[0-9]*/cmdline); do
		pid=${pid#/proc/} pid=${pid%/*}
		! grep -qzxF "SLURM_CONF=$SLURM_CONF" "/proc/$pid/environ" || return 0
	done 2>/dev/null
	return 1
}
until_true find_task 3 && pid3=$pid && kill -STOP "$pid3"
ok $? "task 3 runs, as process $pid3"
[ "$(squeue -h -j "${id}_3" -o %T)" = RUNNING ] && [ "$(state 3)" = open ]
ok $? 'Slurm says so too, and its table is not there'
until_true find_task 5 && pid5=$pid && kill -KILL "$pid5"
ok $? "task 5 is killed, process $pid5"
run 0 scontrol requeue "${id}_3"
# shellcheck disable=SC2317 # called by until_true
gone3() { [ ! -d "/proc/$pid3" ]; }
until_true gone3
ok $? 'the first process of task 3 is gone'
[ "$(state 3)" = open ]
ok $? 'without a table'
# Slurm starts what is requeued after two minutes, or when it is told to; not in
# the same second, in which the node refuses what it has just ended.
# shellcheck disable=SC2317 # called by until_true
waits3() { [ "$(squeue -h -j "${id}_3" -o %T)" = PENDING ]; }
until_true waits3
ok $? 'task 3 is in the queue again'
run 0 scontrol update jobid="${id}_3" starttime=now+2seconds

# shellcheck disable=SC2317 # called by until_true
ended() { [ -z "$(squeue -h -o %i)" ]; }
SECONDS=0
until_true ended || until_true ended || until_true ended
ok $? "all jobs end, after $SECONDS s"
[ "$(state 3)" = 'done' ]
ok $? 'task 3 is done'
[ "$(state 5)" = failed ] && [ "$(cat "$job/5.status")" -eq 137 ]
ok $? 'task 5 has failed, with 137'
run 66 kith-job join "$job"

run 0 kith-job run "$job" --slurm --wait
grep -q ': 1 tasks; ' stderr
ok $? 'only task 5 is submitted again'
run 0 kith-job join "$job"
cmp whole.tsv stdout
ok $? 'the result is that of one run, byte for byte'
left=$(find "$job" -name '.*' ! -name . -o -name '*.part*')
[ -z "$left" ]
ok $? 'nothing is left behind'

# A grid of more tasks than an array of this Slurm may have, one of which ends with status 1.
# shellcheck disable=SC2016 # a command of the tasks
run 0 kith-job grid many i="$(seq -s , 90)" -- 'echo x; echo {i}; exit $(({i} == 71))'
run 0 kith-job run many --slurm --partition=main
[ "$(wc -l <many/slurm.ids)" -eq 3 ]
ok $? 'in three arrays'
until_true ended || until_true ended
run 1 kith-job join many
[ "$(wc -l <stdout)" -eq 91 ] && [ "$(awk '$1 == $2' stdout | wc -l)" -eq 90 ]
ok $? 'all tasks of a large grid ran'
err "kith-job: not certified (exit status 1) are tasks 71$nl"
done_testing
