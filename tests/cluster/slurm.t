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
recipes=$root/scripts/cluster
unset MAKEFLAGS MFLAGS MAKELEVEL # of make check-cluster
KITH_LIMIT=200

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
starts() { grep -c ' starts' "$job/logs/$1.log"; }
state() { "$job/status" -1 "$1"; }

# Rows of which a shard takes about a second.
awk "$uniform"'BEGIN {
	seed_uniform(7)
	for (j = 1; j <= 30; j++) printf "x%d%s", j, (j < 30 ? "\t" : "\n")
	for (i = 1; i <= 20000; i++)
		for (j = 1; j <= 30; j++)
			printf "%.5f%s", uniform() + uniform() + uniform(), (j < 30 ? "\t" : "\n")
}' >"the rows.tsv"
nnkgraph -y none -k 40 "the rows.tsv" >whole.tsv

run 0 "$recipes/shards" -n 8 -m 'nnkgraph --merge' "$job" nnkgraph -y none -k 40 "the rows.tsv"
run 0 "$job/slurm"
id=$(sed -n 's/^slurm: job \([0-9]*\): tasks 1-8$/\1/p' stderr)
[ -n "$id" ]
ok $? "array job $id is submitted"
run 2 "$job/slurm"
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
[ "$(starts 3)" -eq 2 ] && grep -q 'restart 1' "$job/logs/3.log" && [ "$(state 3)" = 'done' ]
again=$?
ok $again 'task 3 was requeued, and is done'
[ $again -eq 0 ] || {
	scontrol show job "${id}_3"
	cat "$job/logs/3.log" "${SLURM_CONF%/*}"/log/*
} 2>&1 | sed 's/^/# /'
[ "$(state 5)" = failed ] && [ "$(cat "$job/exits/5")" -eq 137 ]
ok $? 'task 5 has failed, with 137'
grep -q 'join: tables of tasks are missing (failed: 5)' "$job/logs/join.log" &&
	[ ! -e "$job/result.tsv" ]
ok $? 'join says so, and there is no result'
used=$(awk '/ starts/ { print $4 }' "$job"/logs/[1-8].log | sort -u | wc -l)
[ "$used" -eq $nodes ]
ok $? "tasks ran on $used nodes"

run 0 "$job/slurm" -w
grep -q ': tasks 5$' stderr
ok $? 'only task 5 is submitted again'
cmp whole.tsv "$job/result.tsv"
ok $? 'the result is that of one run, byte for byte'
[ "$(starts 3)" -eq 2 ] && [ "$(starts 5)" -eq 2 ] &&
	[ "$(cat "$job"/logs/[1-8].log | grep -c ' starts')" -eq 10 ]
ok $? 'no other task ran twice'
left=$(find "$job" -name '.*' ! -name .)
[ -z "$left" ]
ok $? 'nothing is left behind'
run 0 "$job/slurm" -w
grep -q tasks stderr
[ $? -eq 1 ]
ok $? 'a job that is done is only joined'

# A grid: one of its cells ends with status 1, which all see.
tabscale "$data/wdbc.csv" >wdbc.tsv
run 0 "$recipes/grid" -j 2 cells hits:misses=1:1,2:2 theta=.01,.1 -- sqpfw \
	-j '{threads}' --hits '{hits}' --misses '{misses}' --theta '{theta}' \
	--validate wdbc.tsv -k 1,3 wdbc.tsv
run 0 "$recipes/grid" same hits:misses=1:1,2:2 theta=.01,.1 -- sqpfw \
	--hits '{hits}' --misses '{misses}' --theta '{theta}' \
	--validate wdbc.tsv -k 1,3 wdbc.tsv
make -s -C same >/dev/null 2>&1
due=$(awk -F '\t' '$3 == 1 { bad = 1 } END { print bad + 0 }' < <(same/status))
run "$due" cells/slurm -j 2 -w
cmp same/result.tsv cells/result.tsv && cmp same/best.tsv cells/best.tsv
ok $? 'the table of a grid is that of make'
[ "$(grep -l 'threads 2, Slurm' cells/logs/[1-4].log | wc -l)" -eq 4 ]
ok $? 'with the threads of the plan'

# A task that ends with 1 has a table, and the job that joins ends with 1.
run 0 "$recipes/grid" doubt c=0,1 -- sh -c 'echo x; echo {c}; exit {c}'
run 1 doubt/slurm -w
grep -q 'result.tsv is written, but not certified (exit status 1) are tasks 2' doubt/logs/join.log
ok $? 'status 1 of a task is seen'
printf 'c\tx\n0\t0\n1\t1\n' | cmp - doubt/result.tsv
ok $? 'and its table counts'
done_testing
