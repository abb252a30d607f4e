#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Input that never ends, or comes late.
. "${0%/*}/tap.sh"

KITH_LIMIT=${KITH_LIMIT:-20} # seconds: what does not see a null byte reads for ever
awk -F , 'NR == 1 || (NR >= 2 && NR <= 13) || (NR >= 52 && NR <= 63)' \
	"$data/iris.csv" >two.csv
knnclf -t two.csv two.csv >predicted.tsv
nnkgraph -y class two.csv >graph.tsv
wsvmpath --from 1 --to 2 --theta .5 --save-model model.tsv two.csv >path.tsv
printf 'feature\tweight\n' >none.tsv

# More than 2 GB, where a long has 32 bits, too.
printf 'a\n1\n' >large
if dd if=/dev/zero of=large bs=1 count=0 seek=3000000000 2>/dev/null; then
	run 65 tabscale large
	err "tabscale: large:3: null byte: not a text file$nl"
	rm large
else
	skip 'no file of 3 GB can be made here'
fi

# Null bytes end the reading as they come, wherever a file is named.
while read -r tool words <&3; do
	# shellcheck disable=SC2086 # words of a call
	run 65 $tool $words
	err "$tool: /dev/zero:1: null byte: not a text file$nl"
	[ ! -s stdout ]
	ok $? 'and nothing is printed'
done 3<<'END'
eigenmap --rows 9 /dev/zero
eigenmap -t /dev/zero two.csv
eigenmap --rows 24 --check /dev/zero graph.tsv
immigrate /dev/zero
immigrate --start /dev/zero two.csv
immigrate --check /dev/zero two.csv
knife --lambda2 1 /dev/zero
knife --lambda2 1 --start /dev/zero two.csv
knife --lambda2 1 --validate /dev/zero two.csv
knife --lambda2 1 --check /dev/zero two.csv
knnclf --loo /dev/zero
knnclf -t /dev/zero two.csv
knnclf --loo --candidates /dev/zero two.csv
knnclf -w /dev/zero -t two.csv two.csv
kpredict -m model.tsv /dev/zero
kpredict -m /dev/zero two.csv
nnkgraph /dev/zero
nnkgraph -t /dev/zero two.csv
nnkgraph -w /dev/zero two.csv -y class
nnkgraph --candidates /dev/zero -y class two.csv
nnkgraph --check /dev/zero -y class two.csv
nnkmeans --atoms 2 /dev/zero
relief /dev/zero
sqpfw --theta 1 /dev/zero
sqpfw --theta 1 --prior /dev/zero two.csv
sqpfw --theta 1 --validate /dev/zero -k 1 two.csv
sqpfw --theta 1 --check /dev/zero two.csv
tabfold --fold 1/2 --part test /dev/zero
tabratio -t two.csv /dev/zero
tabratio -t /dev/zero two.csv
tabscale /dev/zero
tabscale two.csv /dev/zero
immigrate -x @/dev/zero two.csv
knife --lambda2 1 --ignore @/dev/zero two.csv
knnclf --loo -x @/dev/zero two.csv
kpredict --keep @/dev/zero -m model.tsv two.csv
nnkgraph -x @/dev/zero two.csv
nnkmeans --atoms 2 -x @/dev/zero two.csv
relief -x @/dev/zero two.csv
sqpfw --theta 1 -x @/dev/zero two.csv
tabratio -t two.csv -x @/dev/zero two.csv
tabscale -x @/dev/zero two.csv
tabscale --onehot @/dev/zero two.csv
wsvmpath --from 1 --to 2 --ignore @/dev/zero two.csv
wsvmpath --to 1 --online 5 -x @/dev/zero two.csv
tabscale --apply /dev/zero two.csv
tabscore /dev/zero
tabscore --paired /dev/zero predicted.tsv
wsvmpath --from 1 --to 2 /dev/zero
wsvmpath --from 1 --to 2 -w /dev/zero two.csv
wsvmpath --from 1 --to 2 --validate /dev/zero two.csv
wsvmpath --from 1 --to 2 --check /dev/zero two.csv
wsvmpath --state-in /dev/zero --to 2 two.csv
wsvmpath --to 1 --online 5 /dev/zero
END

# The place is the line; what was before it counts.
{
	cat two.csv
	printf '1,2,3,4,set\0osa\n'
} >late
run 65 tabscale late
err "tabscale: late:26: null byte: not a text file$nl"
# Who writes to the pipe has ended before the next one opens it.
mkfifo pipe
{
	sed 3q two.csv
	printf '1,2,3,4,"'
	cat /dev/zero
} >pipe 2>/dev/null &
run 65 tabscale <pipe
err "tabscale: <stdin>:4: null byte: not a text file$nl"
wait
{
	sed 3q two.csv
	echo 1,2,3
	cat /dev/zero
} >pipe 2>/dev/null &
run 65 tabscale <pipe
err "tabscale: <stdin>:4: 3 cells where the header has 5$nl"
wait
{
	sed 7q model.tsv
	cat /dev/zero
} >pipe 2>/dev/null &
run 65 kpredict -m - two.csv <pipe
err "kpredict: <stdin>:8: null byte: not a text file$nl"
wait

# In constant memory.
limit=
[ "${KITH_MODE:-}" = asan ] || limit='ulimit -v 30000;'
truncate -s 3G sparse
run 65 sh -c "$limit exec tabscale sparse"
err "tabscale: sparse:1: null byte: not a text file$nl"
head -c 200000000 /dev/zero | gzip -1 >zeros.gz
run 65 sh -c "$limit exec tabscale zeros.gz"
err "tabscale: zeros.gz:1: null byte: not a text file$nl"
{
	gzip <two.csv
	cat zeros.gz
} >some.gz
run 65 sh -c "$limit exec tabscale <some.gz"
err "tabscale: <stdin>:26: null byte: not a text file$nl"

# Standard input that does not block is waited for.
tabscale two.csv >due
# shellcheck disable=SC2016 # perl
late='use Fcntl; pipe R, W; fcntl(R, F_SETFL, O_NONBLOCK);
	if (fork) { close W; open STDIN, "<&", \*R; exec @ARGV }
	close R; select((select(W), $| = 1)[0]);
	open T, "<", "two.csv";
	while (<T>) { print W $_; select undef, undef, undef, .01 }'
run 0 perl -e "$late" tabscale
err ''
cmp -s stdout due
ok $? 'rows that come late are read'
run 0 perl -e "$late" wsvmpath --to 1 --online 5
wsvmpath --to 1 --online 5 two.csv | cmp -s - stdout
ok $? 'rows that are wanted one by one, too'
gzip -c two.csv >two.gz
run 0 perl -e "$(echo "$late" | sed 's/two.csv/two.gz/')" tabscale
cmp -s stdout due
ok $? 'and compressed ones'
# shellcheck disable=SC2016 # perl
gone='use Fcntl; pipe R, W; fcntl(R, F_SETFL, O_NONBLOCK);
	if (fork) { close W; open STDIN, "<&", \*R; exec @ARGV }
	close R; select undef, undef, undef, .2'
run 65 perl -e "$gone" tabscale
err "tabscale: <stdin>: empty input$nl"

# So is standard output that has no room yet.
awk 'BEGIN {
	print "a\tb\ty"
	for (i = 0; i < 60000; i++)
		print i % 977 / 7 "\t" i % 1009 / 3 "\tc"
}' >long.tsv
tabscale long.tsv >due
# shellcheck disable=SC2016 # perl
slow='use Fcntl; pipe R, W; fcntl(W, F_SETFL, O_NONBLOCK);
	if (!fork) { close R; open STDOUT, ">&", \*W; exec @ARGV }
	close W; while (sysread R, $x, 30000) {
		print $x; select undef, undef, undef, .001 }
	wait; exit $? >> 8'
run 0 perl -e "$slow" tabscale long.tsv
cmp -s stdout due
ok $? 'output that does not block is whole'

done_testing
