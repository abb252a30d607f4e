#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Options that earlier versions had are wrong calls, which say what to do now.
# shellcheck disable=SC2086 # words
. "${0%/*}/tap.sh"

# gone COMMAND OPTION WORDS: alone on the command line.
gone() {
	run 2 $1 $2 no-such-file
	read -r message <stderr
	case $message in "$1: $2 is gone: "*"$3"*) ;; *) false ;; esac
	ok $? "$1 $2 names the new way: $3"
}

for command in $(tools); do
	gone $command --dry-run 'head -n 1000'
	gone $command --jsonl 'mlr --itsv --ojsonl cat'
	gone $command --ignore "-x '!a,!b'"
	gone $command --keep '--id names the rows'
	[ $command = tabscale ] || gone $command --na-string 'tabscale --method none --na-string'
	gone $command --header "sed '1s/"
	gone $command --log 'COMMAND -v 2> log'
	gone $command --progress '-v prints progress'
	gone $command --trace '-v prints each iteration'
done
gone tabratio -t '--test'
gone tabratio --relative awk
gone labelprop -t '--nodes FILE'
gone labelprop --train '--nodes FILE'
gone eigenmap -t '--nodes FILE'
gone eigenmap --train '--nodes FILE'
gone tabratio --save-model 'rows that are read'
gone tabscale --sd 'n - 1'
gone tabscale --drop-constant 'COL'
gone tabscale --no-target '-y none'
gone kpredict --no-target '-y none'
gone tabscore --skip-empty awk
gone wsvmpath --gap exact
gone wsvmpath --state-in svmonline
gone wsvmpath --state-out svmonline
gone wsvmpath --multi pairs
gone wsvmpath --reweight 'wsvmpath-tasks(7)'
gone wsvmpath --theta '--at'
gone wsvmpath --instance-weight '--cost'
gone wsvmpath --model-format '.libsvm'
gone wsvmpath --cache '512 MB'
gone wsvmpath --best-effort '$?'
gone wsvmpath --positive 'svmtransduce'
gone wsvmpath --online 'svmonline'
gone wsvmpath --delay 'svmonline'
gone wsvmpath --batch 'svmonline'
gone wsvmpath --forget 'svmonline'
gone relief --rank 'sort the table'
gone relief --top head
gone relief --clip '-w FILE counts negative weights as 0'
for option in --turf --bootstrap --permute; do
	gone relief $option 'EXAMPLES of relief-methods(7)'
done
for option in --cv --best --validate; do
	gone knife $option '-- knife'
done
gone knife --algorithm '--solver quasi-newton or --solver paper'
gone knife --restarts '--start random --seed N'
gone knife --instance-weight twice
gone knife --best-effort 'test $? -le 1'
gone relief --cv 'tabcv TABLE -- relief'
gone relief --vote-k 'tabcv TABLE k=1,3,5'
gone relief --drop-share 'knnclf -w - --drop LIST'
gone knnclf --format 'tabscale --method none --format svmlight FILE'
gone tabscore --probability 'columns probability:CLASS'
gone knnclf --drop-share '--drop, of fractions'
gone relief --best 'tabcv --then final TABLE -- relief'
gone sqpfw --validate 'tabcv --test FILE TABLE -- sqpfw'
gone sqpfw --cv 'tabcv TABLE -- sqpfw'
gone sqpfw -k 'tabcv TABLE k=1,3,5 -- sqpfw'
gone sqpfw --best 'tabcv --then final TABLE -- sqpfw'
gone sqpfw --patience 'tabcv TABLE theta=LIST'
gone sqpfw --seed 'no random number'
gone immigrate --rules --solver
for option in --select --select-max; do
	gone immigrate $option 'immigrate -x LIST'
done
gone immigrate --inner '--max-iter N'
gone immigrate --sample 'tabfold --shares'
gone immigrate --cv 'tabcv TABLE -- immigrate'
gone immigrate --loo 'tabcv --loo TABLE -- immigrate'
gone immigrate --best 'tabcv --then final TABLE -- immigrate'
for command in relief sqpfw immigrate; do
	gone $command --best-effort '|| [ $? = 1 ]'
done
gone knnclf --pairs 'EXAMPLES of nnkgraph-methods(7)'
for option in --radius --unreached --candidates; do
	gone knnclf $option 'EXAMPLES of knnclf(1)'
done
for option in --reference-shard --merge; do
	gone knnclf $option 'kith-cluster(7)'
done
gone nnkgraph --connect 'eigenmap --component all'
gone nnkgraph --save-weights 'knife or relief'
gone nnkgraph --min-weight 'awk'
gone nnkgraph --full 'shard 1/1'
gone nnkgraph --rows 'the shards say'
gone nnkgraph --distance 'always printed'
gone nnkgraph --format 'cut -f 1-3'
gone nnkgraph --pairs 'EXAMPLES of nnkgraph-methods(7)'
gone nnkgraph --reference-shard 'kith-cluster(7)'
for option in --cv --best --mass; do
	gone labelprop $option 'EXAMPLES of labelprop(1)'
done

done_testing
