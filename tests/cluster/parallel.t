#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The recipe for GNU parallel, on this machine and on others that ssh reaches.
# shellcheck source-path=SCRIPTDIR source=../cli/tap.sh
. "${0%/*}/../cli/tap.sh"

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
	run 0 kith-job shards -n 7 "$job $where" nnkgraph -y -1 -k 20 "it's a \$table.tsv"
	case $where in
	here) run 0 kith-job run "$job $where" --parallel -j 3 ;;
	there) run 0 kith-job run "$job $where" --parallel \
		--sshlogin "2/$PWD/ssh one,2/$PWD/ssh two" ;;
	esac
	err ''
	run 0 kith-job join "$job $where"
	cmp whole.tsv stdout
	ok $? 'the shards make the graph of one run, byte for byte'
done
[ "$(sort -u hosts | tr '\n' ' ')" = 'one two ' ]
ok $? 'on both machines'

# What fails is seen, and run again; the others are not.
# shellcheck disable=SC2016 # for the task
run 0 kith-job grid gates k=1,2,3 -- 'cat gate{k} && echo >>ran{k}; exit $(({k} == 2))'
printf 'x\n1\n' | tee gate1 >gate2
run 1 kith-job run gates --parallel
grep -q 'not done are tasks 3;' stderr
ok $? 'a task that failed is named'
run 66 kith-job join gates
cp gate1 gate3
run 1 kith-job run gates --parallel
run 1 kith-job join gates
table 'k x' '1 1' '2 1' '3 1'
[ "$(cat ran? | wc -l)" -eq 3 ]
ok $? 'each task ended once'
done_testing
