#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The recipe for GNU parallel, on this machine and on others that ssh reaches.
# shellcheck source-path=SCRIPTDIR source=../cli/tap.sh
. "${0%/*}/../cli/tap.sh"
recipes=$root/scripts/cluster

case $(parallel --version 2>/dev/null </dev/null) in
'GNU parallel'*) ;;
*)
	skip 'no GNU parallel (scripts/deps cluster)'
	done_testing
	exit
	;;
esac

# ssh, to the shell of a user on another machine: another directory, and
# nothing of the environment here.
cat >ssh <<'END'
#!/bin/sh
echo "$1" >>"${0%/*}/hosts"
shift
[ "$1" != -- ] || shift
cd / && exec env -i HOME="$HOME" SHELL=/bin/sh PATH=/usr/bin:/bin sh -c "$*"
END
chmod +x ssh

# A name of which GNU parallel replaces parts.
job="it's {} {1} {#} {.} %j \$x"
tabscale "$data/wdbc.csv" >"it's a \$table.tsv"
nnkgraph -y -1 -k 20 "it's a \$table.tsv" >whole.tsv
for where in here there; do
	run 0 "$recipes/shards" -n 7 -m 'nnkgraph --merge' "$job $where" \
		nnkgraph -y -1 -k 20 "it's a \$table.tsv"
	case $where in
	here) run 0 "$job $where/parallel" -j 3 ;;
	there) run 0 "$job $where/parallel" \
		--sshlogin "2/$PWD/ssh one,2/$PWD/ssh two" ;;
	esac
	cmp whole.tsv "$job $where/result.tsv"
	ok $? 'the shards make the graph of one run, byte for byte'
	[ "$(cat "$job $where"/logs/[1-7].log | grep -c ' starts')" -eq 7 ]
	ok $? 'each task ran once'
done
[ "$(sort -u hosts | tr '\n' ' ')" = 'one two ' ]
ok $? 'on both machines'

# What fails is seen, and run again.
# shellcheck disable=SC2016 # for the task
run 0 "$recipes/grid" gates k=1,2,3 -- sh -c 'cat gate{k}; exit $(({k} == 2))'
printf 'x\n1\n' | tee gate1 >gate2
run 66 gates/parallel
grep -q 'tasks are missing (failed: 3)' stderr && [ ! -e gates/result.tsv ]
ok $? 'join names the task that failed'
cp gate1 gate3
run 1 gates/parallel
printf 'k\tx\n1\t1\n2\t1\n3\t1\n' | cmp - gates/result.tsv
ok $? 'it is run again, and a task that is not certified is seen'
[ "$(cat gates/logs/[1-3].log | grep -c ' starts')" -eq 4 ]
ok $? 'the others are not'
done_testing
