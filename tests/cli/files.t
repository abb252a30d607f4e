#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The files that commands write: which of them appear, when, and whose they are.
# Every command, with every option that names such a file.
# shellcheck disable=SC2086 # words of a call
. "${0%/*}/tap.sh"

tools=$(tools | sed '/^tabcv$/d') # tabcv.t has its files

awk -F , 'NR == 1 || (NR >= 2 && NR <= 13) || (NR >= 52 && NR <= 63)' \
	"$data/iris.csv" >two.csv
awk -F , -v OFS=, 'NR > 1 && NR % 2 { $NF = "" } 1' two.csv >some.csv
knnclf -t two.csv two.csv >predicted.tsv
nnkgraph -y class -k 5 two.csv >edges.tsv
nnkgraph -y class two.csv >graph.tsv
wsvmpath --from 1 --to 2 --print coef --at .5 --save-model model.tsv two.csv >path.tsv

# How each command is called, to write to standard output.
call() {
	case $1 in
	eigenmap) echo eigenmap -q --rows 24 graph.tsv ;;
	immigrate) echo immigrate -q two.csv ;;
	knife) echo knife -q --lambda2 .1 two.csv ;;
	knnclf) echo knnclf -t two.csv two.csv ;;
	kpredict) echo kpredict -m model.tsv two.csv ;;
	labelprop) echo labelprop -q --nodes two.csv --reveal .5 edges.tsv ;;
	nnkgraph) echo nnkgraph -y class -k 5 two.csv ;;
	relief) echo relief -q two.csv ;;
	sqpfw) echo sqpfw -q --theta .1 two.csv ;;
	tabfold) echo tabfold --fold 1/3 --part test two.csv ;;
	tabratio) echo tabratio -q --test two.csv two.csv ;;
	tabscale) echo tabscale two.csv ;;
	tabscore) echo tabscore predicted.tsv ;;
	wsvmpath) echo wsvmpath --print events -q --from 1 --to 2 two.csv ;;
	svmonline) echo svmonline two.csv ;;
	svmtransduce) echo svmtransduce some.csv ;;
	*) echo "no-call-of-$1" ;;
	esac
}

# The same with an option that names a file to be written beside.
sides='
knife --save-model knife -q --lambda2 .1 two.csv
tabscale --save tabscale two.csv
wsvmpath --save-model wsvmpath -q --from 1 --to 2 --print coef --at .5 two.csv
wsvmpath --save-model wsvmpath -q --from 1 --to 2 --validate two.csv two.csv
svmtransduce --save-model svmtransduce -q --labelled 1 --unlabelled 1 some.csv
'

# These name files that are read: all others are in the list above.
for tool in $tools; do
	"$tool" --help=tsv | awk -F '\t' -v tool="$tool" '$2 ~ /FILE/ { sub(/.*, /, "", $1); print tool, $1 }'
done | grep -vE ' --(start|train|nodes|weights|model|candidates|check|prior|validate)$' |
	grep -vE ' --(test|apply|paired|write|output)$' | sort >named
echo "$sides" | cut -d ' ' -f 1,2 | sed '/^$/d' | sort -u >listed
diff listed named
ok $? 'every option that names a file to be written is tested here'

# no_temps: there is no temporary file here.
no_temps() {
	[ -z "$(find . -name '.*.??????')" ]
	ok $? 'no temporary file stays'
}

# untouched STATUS COMMAND...: it fails and leaves f as it was.
untouched() {
	echo old >f
	run "$@"
	same f "old$nl"
	no_temps
}

# try OPTION CALL...: what holds for any file.
try() {
	option=$1
	shift
	echo old >f
	chmod 600 f
	run 0 "$@" "$option" f
	! grep -qx old f
	ok $? "$option f of it is new"
	[ "$(stat -c %a f)" = 600 ]
	ok $? 'with the mode of the old one'
	cp f due
	rm f
	(
		umask 027
		"$@" "$option" f >stdout
	)
	[ "$(stat -c %a f)" = 640 ]
	ok $? 'a new file has the mode of new files'

	run 74 "$@" "$option" no/f
	err "$1: no/f: No such file or directory$nl"
	run 74 "$@" "$option" dir
	err "$1: dir: Is a directory$nl"
	run 74 "$@" "$option" /dev/full
	err "$1: /dev/full: No space left on device$nl"
	echo old >dir/end
	run 0 "$@" "$option" chain
	! grep -qx old dir/end && [ -h chain ] && [ -h dir/link ]
	ok $? "the end of a chain of links is replaced"
	timeout 60 cat fifo >got &
	run 0 "$@" "$option" fifo
	wait $!
	cmp -s got due
	ok $? 'a FIFO gets the same'
	[ -p fifo ]
	ok $? 'and stays one'
	no_temps
}
mkdir dir
ln -s dir/link chain
ln -s end dir/link
mkfifo fifo

# Where nothing may be created: by somebody who is not root.  What measures
# coverage writes files, too.
mkdir bin closed free
chmod 777 free
cp "$(command -v tabscale)" bin
chmod 755 . bin bin/*
somebody=
if [ "$(id -u)" -eq 0 ]; then
	somebody="env GCOV_PREFIX=$PWD/free setpriv --reuid=65534 --regid=65534"
	somebody="$somebody --clear-groups"
fi
if $somebody bin/tabscale -V >/dev/null 2>&1; then
	echo old >closed/f
	for option in -o --save; do
		chmod 666 closed/f
		chmod 555 closed
		run 74 $somebody bin/tabscale two.csv $option closed/new
		err "tabscale: closed/new: Permission denied$nl"
		run 74 $somebody bin/tabscale two.csv $option closed/f
		err "tabscale: closed/f: Permission denied$nl"
		chmod 777 closed
		chmod 444 closed/f
		run 74 $somebody bin/tabscale two.csv $option closed/f
		err "tabscale: closed/f: Permission denied$nl"
		same closed/f "old$nl"
	done
else
	skip 'no user without rights'
fi

# Every command and its table.
for tool in $tools; do
	call=$(call $tool)
	try --output $call
	untouched 66 $call -v nowhere -o f
	tail -n 2 stderr | tr '\n' ' ' | grep -q '^status	66 seconds	[0-9]'
	ok $? 'the log of a failure ends with its status and seconds'
	run 74 sh -c "$call -v >/dev/full"
	grep -v "$tap_tab" stderr | tail -n 1 >got
	same got "$tool: <stdout>: No space left on device$nl"
	grep -qx 'status	74' stderr
	ok $? 'the log has that status, too'
	[ "$(grep -c '^version	\|^arguments	\|^status	\|^seconds	' stderr)" -eq 4 ]
	ok $? 'each once'
	run 2 "$tool" -v -x no -x '' --shard 2/1 nowhere
done

# Nobody reads, and the signal that would say so is ignored, as services do.
# shellcheck disable=SC2016 # perl
unread='pipe R, W; close R; open STDOUT, ">&", \*W; $SIG{PIPE} = "IGNORE";
	exec @ARGV'

# Every other file.
echo "$sides" >sides
while read -r tool option words <&3; do
	[ -n "$tool" ] || continue
	call="$words"
	try $option $call
	untouched 74 sh -c "$call $option f >/dev/full"
	err "$tool: <stdout>: No space left on device$nl"
	untouched 74 sh -c "$call $option f >&-"
	untouched 74 $call -o f $option /dev/full
	err "$tool: /dev/full: No space left on device$nl"
	untouched 66 $call nowhere $option f
	untouched 74 perl -e "$unread" $call $option f
	err "$tool: <stdout>: Broken pipe$nl"
	untouched 141 perl -e "$(echo "$unread" | sed s/IGNORE/DEFAULT/)" \
		$call $option f
done 3<sides

# A file waits for standard output.  This has a little more than a pipe takes.
awk 'BEGIN {
	print "a\tb\ty"
	for (i = 0; i < 2100; i++)
		print i % 977 / 7 "\t" i % 1009 / 3 "\tc"
}' >long.tsv
tabscale long.tsv >due
size=$(wc -c <due)
[ "$size" -gt 70000 ] && [ "$size" -lt 130000 ]
ok $? "such a table is made ($size bytes)"
echo old >f
tabscale --save f long.tsv >fifo &
exec 3<fifo
i=0
while [ -z "$(find . -name '.f.*' -size +0)" ] && [ $i -lt 1000 ]; do
	sleep .02
	i=$((i + 1))
done
sleep .1
same f "old$nl"
cat <&3 >got
wait $!
ok $? 'when all is read the run ends'
cmp -s due got
ok $? 'and nothing is lost'
grep -q '^a	zscore' f
ok $? 'then the file is new'
exec 3<&-
no_temps

done_testing
