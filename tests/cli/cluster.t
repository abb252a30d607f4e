#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Recipes of scripts/cluster: plans, the one for make, joining, messages.  Slurm
# and GNU parallel are in tests/cluster; here a list takes the place of Slurm.
# shellcheck disable=SC2016 # what tasks are to expand
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"
recipes=$root/scripts/cluster
unset MAKEFLAGS MFLAGS MAKELEVEL # of make check

for tool in shards grid; do
	run 0 "$recipes/$tool" --help
	err ''
	run 2 "$recipes/$tool" -x
	err "$tool: unknown option '-x'${nl}try '$tool --help'$nl"
done

# Shards: names that a shell would take apart, and the bytes of one run.
mkdir 'a $dir' && cd 'a $dir' || exit 1
tabscale "$data/wdbc.csv" >"it's a \"table\".tsv"
set -- nnkgraph -y -1 -k 9 "it's a \"table\".tsv"
"$@" >whole.tsv
run 0 "$recipes/shards" -n 5 -m 'nnkgraph --merge' 'my job' "$@"
out ''
err ''
run 0 'my job/status' -t
out "1${nl}2${nl}3${nl}4${nl}5$nl"
run 0 make -s -C 'my job' -j3
err ''
cmp whole.tsv 'my job/result.tsv'
ok $? 'the shards are one run, byte for byte'
run 0 'my job/status'
out "$(printf 'task\tstate\texit\n'; for i in 1 2 3 4 5; do printf '%s\tdone\t0\n' $i; done)$nl"
starts() { cat 'my job'/logs/[1-9]*.log | grep -c ' starts'; }
run 0 make -s -C 'my job'
[ "$(starts)" -eq 5 ]
ok $? 'what is done is not done again'
run 0 "$recipes/shards" -n 5 -m 'nnkgraph --merge' 'my job' "$@"
run 2 "$recipes/shards" -n 6 -m 'nnkgraph --merge' 'my job' "$@"
err "shards: ./my job: is there, and not from this call: see ./my job/plan$nl"

# A part that is lost, one that was killed before it told, and other rows.
rm 'my job/parts/2.tsv' 'my job/exits/4'
run 0 make -s -C 'my job'
[ "$(starts)" -eq 7 ]
ok $? 'what is lost is done again'
sed -i 2d "it's a \"table\".tsv"
run 0 'my job/status' -1 3
out "stale$nl"
run 0 make -s -C 'my job' -j2
[ "$(starts)" -eq 12 ]
ok $? 'and all when the rows are others'
"$@" | cmp - 'my job/result.tsv'
ok $? 'their graph'
touch 'my job/parts/.1.host.1'
run 0 'my job/join'
[ "$(find 'my job' -name '.?*')" = '' ]
ok $? 'nothing is left behind'
# Only the first five of them, to save time.
run 0 "$recipes/shards" -n 700 many knnclf -t "it's a \"table\".tsv" -k 3 "it's a \"table\".tsv"
rm many/tasks/?[0-9]*.sh many/tasks/[6-9].sh
sed -i 's/^tasks=700$/tasks=5/' many/settings
run 0 make -s -C many
[ "$(wc -l <many/result.tsv)" -eq 5 ] && head -n 1 many/result.tsv | grep -q '^id.predicted'
ok $? 'shards of no row have a header'

# What is lost, or is no file any more, is told, and not left out.
printf 'a\tb\n1\t2\n' >show.tsv
run 0 "$recipes/grid" lost v=1,2,3 -- sh -c 'printf "a\n%s\n" "$1"' show '{v}'
run 0 make -s -C lost
cp lost/result.tsv whole.tsv
for what in 'rm lost/tasks/3.sh lost/parts/3.tsv' ': >lost/parts/3.tsv' \
	'rm lost/parts/3.tsv; mkdir lost/parts/3.tsv'; do
	rm -rf kept && cp -a lost kept
	eval "$what"
	run 66 lost/join
	err "join: tables of tasks are missing (open: 3); see logs, run the job again$nl"
	cmp whole.tsv lost/result.tsv
	ok $? "$what: the result is as it was"
	rm -rf lost && mv kept lost
done
rm -rf kept && cp -a lost kept
printf 'a\n9\n' >lost/parts/2.tsv
rm lost/best.tsv 2>stderr
mkdir lost/best.tsv
run 74 lost/join
err "join: best.tsv is a directory$nl"
cmp whole.tsv lost/result.tsv
ok $? 'best.tsv is a directory: the result is as it was'
rm -rf lost && cp -a kept lost
sed -i '$d' lost/settings
rm lost/tasks/2.sh
for call in join 'status -t' 'task 1'; do
	# shellcheck disable=SC2086 # words
	run 66 lost/$call
	err "status: settings: the file is not whole; plan the job again$nl"
done
rm -rf lost && mv kept lost
sed -i 2d lost/parameters.tsv
run 65 lost/join
err "join: parameters.tsv: not a row, of as many columns, for each task$nl"
rm lost/result.tsv lost/exits/join
mkdir lost/result.tsv lost/exits/join
cp whole.tsv kept.tsv
cut -f 1 whole.tsv >lost/parameters.tsv
run 74 lost/join
[ "$(find lost -name '.?*')" = '' ]
ok $? 'nothing is put into a directory that has the name of a file'

# A shard that is there twice is told.
rm 'my job/result.tsv' && cp 'my job/parts/4.tsv' 'my job/parts/5.tsv'
run 65 'my job/join'
grep -q 'shard 4/5: .*/my job/parts/4[.]tsv is this shard, too' stderr
ok $? 'a shard that is there twice is told'

# The threads of a task, and a command after the join.
printf '#!/bin/sh\necho x\necho "$*"\n' >show
chmod +x show
cp show ..
run 0 "$recipes/shards" -n 2 -j 3 -p 'tr x y; exit 1' piped ./show -k 'a b'
run 2 make -s -C piped
same piped/parts/2.tsv "x$nl--shard 2/2 -j 3 -k a b$nl"
grep -q '^join: .* exits with 1$' stderr
ok $? 'the status of that command is told'
SLURM_CPUS_PER_TASK=5 piped/task 1
same piped/parts/1.tsv "x$nl--shard 1/2 -j 3 -k a b$nl"
rm piped/exits/1
SLURM_CPUS_PER_TASK=5 piped/task -b 1
same piped/parts/1.tsv "x$nl--shard 1/2 -j 5 -k a b$nl"
cd ..

# Grids.
run 0 "$recipes/grid" -j 3 cells a=1,2 b:c=x:NA,y:z -- printf 'n\terrors\tb\n%s\t%s\t%s\n' \
	'{a}{c}{threads}{task}' '{a}' '{b}'
run 0 make -s -C cells
same cells/result.tsv "$(printf 'a\tc\tn\terrors\tb\n1\t"NA"\t1NA31\t1\tx\n1\tz\t1z32\t1\ty\n2\t"NA"\t2NA33\t2\tx\n2\tz\t2z34\t2\ty\n')$nl"
same cells/best.tsv "$(printf 'a\tc\tn\terrors\tb\n1\t"NA"\t1NA31\t1\tx\n')$nl"

# best HEADER RULE... : the best of the rows on standard input is the due one.
best() { # DUE OPTION...
	rm -rf b
	cat >rows
	due=$1
	shift
	"$recipes/grid" "$@" b i=0 -- sh -c 'tr " " "\t" <rows; : {i}' && make -s -C b
	for awk in $awks; do
		rm b/best.tsv
		PATH=$PWD/awks/$awk:$PATH b/join
		same b/best.tsv "i	$(head -n 1 rows | tr ' ' '\t')${nl}0	$(echo "$due" | tr ' ' '\t')$nl"
	done
}
best '2 4 1 1e-3' < <(printf '%s\n' 'errors features k theta' '3 1 1 1' '2 5 1 1e-4' '2 4 3 9' '2 4 1 8' '2 4 1 1e-3')
best .25 < <(printf '%s\n' 'error' NA .5 .25 inf 0.25)
best '1e-150 1 3' < <(printf '%s\n' 'rmse lambda sigma' '1e-150 2 1' '1e-150 1 3' '1e-150 1 20')
best '.75 1' < <(printf '%s\n' 'ndcg@10 k' '.5 1' '.75 3' '.75 1' 'NA 1')
best '.1 .5 1' < <(printf '%s\n' 'theta_from theta_to errors' '0 .1 2' '.1 .5 1' '.5 .8 2' '.8 1 1')
best '2 7' -m +value < <(printf '%s\n' 'errors value' '1 5' '2 7' '2 7')
best '2 -7' -m value < <(printf '%s\n' 'errors value' '1 5' '2 -7')
best '2 -inf' -m value < <(printf '%s\n' 'errors value' '1 5' '2 -inf')
best '2 -7' -m 'a\tb' < <(printf '%s\n' 'errors a\tb' '1 5' '2 -7')
best '1 NA' < <(printf '%s\n' 'errors features' '1 NA' '2 3')
run 0 "$recipes/grid" none i=1 -- printf 'x\n1\n%.0s' '{i}'
run 0 make -s -C none
[ ! -e none/best.tsv ]
ok $? 'no best row where nothing counts errors'
run 0 "$recipes/grid" -m y noy i=1 -- printf 'x\n1\n%.0s' '{i}'
make -s -C noy >stdout 2>stderr
grep -q '^join: no column "y" to choose the best row by$' stderr
ok $? 'a column that is not there'

# Records that span lines.
run 0 "$recipes/grid" lines i=1,2 -- printf '"x\ny"\tz\n"\n%s\n"\t2\n' '{i}'
run 0 make -s -C lines
same lines/result.tsv "$(printf 'i\t"x\ny"\tz\n1\t"\n1\n"\t2\n2\t"\n2\n"\t2\n')$nl"

# Values are data: they are put in once, as they are.
printf '%s\n' '#!/bin/sh' 'printf "x\n%s\n" "$1"' >say
chmod +x say
while IFS= read -r value; do
	rm -rf values
	run 0 "$recipes/grid" -j 3 values "a=$value" b=7 -- ./say '{a}{b}{a}'
	make -s -C values
	cell=$value
	case $value in NA | ' '*) cell="\"$value\"" ;; esac
	same values/result.tsv "a	b	x$nl$cell	7	${value}7$value$nl"
done <<'END'
{b}
{a}
{task}
{threads}
{
}
{}{{b}}
$HOME
$(touch X)
`touch X`
'
'$x'
\
\1\n&
&
%s%d
-x
--
*
~
;#!|<>()[]?
a b
 x 
größe
NA
x=y:z
END
run 0 "$recipes/grid" -j 3 values2 'a=a={b},2' b=1,2 -- ./say '{a} {b} {{a}} {c} {threads}/{task} { {'
make -s -C values2
same values2/result.tsv "a	b	x
a={b}	1	a={b} 1 {a={b}} {c} 3/1 { {
a={b}	2	a={b} 2 {a={b}} {c} 3/2 { {
2	1	2 1 {2} {c} 3/3 { {
2	2	2 2 {2} {c} 3/4 { {
"
run 0 "$recipes/grid" 'pairs=' a:b='{b}:{a},{task}:{threads}' -- ./say '{a}{b}'
make -s -C 'pairs='
same 'pairs=/result.tsv' "a	b	x
{b}	{a}	{b}{a}
{task}	{threads}	{task}{threads}
"
run 0 "$recipes/shards" -n 1 -j 3 literal ./show '{threads}' '{task}' '$(touch X)'
make -s -C literal
same literal/result.tsv "x$nl--shard 1/1 -j 3 {threads} {task} \$(touch X)$nl"
[ ! -e X ]
ok $? 'nothing was run'

# Where CDPATH leads elsewhere.
mkdir -p elsewhere/values elsewhere/values2
CDPATH=$PWD/elsewhere run 0 values/status
out "$(printf 'task\tstate\texit\n1\tdone\t0\n')$nl"
CDPATH=$PWD/elsewhere run 0 values/join

# Tasks that fail, are not certified, or do not fit.
run 0 "$recipes/grid" bad s=0,1,65 -- sh -c 'echo x; echo {s}; echo reason {s} >&2; exit {s}'
run 2 make -s -k -C bad
err "task 2: exit status 1:${nl}reason 1${nl}task 3: exit status 65:${nl}reason 65${nl}make: *** [Makefile:9: task-3] Error 65${nl}make: Target 'all' not remade because of errors.$nl"
run 0 bad/status
out "$(printf 'task\tstate\texit\n1\tdone\t0\n2\tuncertified\t1\n3\tfailed\t65\n')$nl"
run 66 bad/join
err "join: tables of tasks are missing (failed: 3); see logs, run the job again$nl"
[ ! -e bad/result.tsv ]
ok $? 'no result'
sed -i 's/65/0/g' bad/tasks/3.sh
run 2 make -s -C bad
err "join: result.tsv is written, but not certified (exit status 1) are tasks 2; see logs${nl}make: *** [Makefile:7: all] Error 1$nl"
same bad/result.tsv "$(printf 's\tx\n0\t0\n1\t1\n65\t0\n')$nl"
run 1 bad/task 2
run 0 bad/task -k 2
run 0 "$recipes/grid" differ s=a,b -- printf '%s\n1\n' '{s}'
run 2 make -s -C differ
grep -q '^join: tables 1 and 2 have different columns$' stderr && [ ! -e differ/result.tsv ]
ok $? 'tables of different columns are not joined'
run 0 "$recipes/grid" empty s=a -- sh -c ': {s}'
run 70 empty/task 1
err "task 1: exit status 70:${nl}no table: the command printed nothing$nl"

# A signal ends the task and what it has started.
run 0 "$recipes/grid" slow s=987.$$ -- sh -c 'echo x; sleep {s}; echo'
slow/task 1 2>/dev/null &
task=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -s "$(echo slow/parts/.1.*)" ] && break
	sleep .2
done
# sleeps: whether the process that task starts is there.
sleeps() { cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -q "[s]leep 987[.]$$ "; }
sleeps
ok $? 'a task runs'
kill -TERM $task
wait $task
[ $? -eq 143 ] && [ -z "$(find slow/parts slow/exits -type f)" ] &&
	grep -q 'stopped by SIGTERM' slow/logs/1.log
ok $? 'a task that is ended leaves no table'
! sleeps
ok $? 'and no process'

# What Slurm would be asked.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$*" >>../asked
wc -l <../asked
END
printf '#!/bin/sh\nexit 0\n' >bin/squeue
chmod +x bin/*
run 0 "$recipes/grid" -j 4 'a grid' s=1,2,3,4,5,6,7 -- sh -c 'echo x; echo {s}'
for i in 3 5 6; do 'a grid/task' $i; done
rm -f asked
for awk in $awks; do
	rm -f asked
	PATH=$PWD/bin:$PWD/awks/$awk:$PATH run 0 'a grid/slurm' -j 2 --partition=p
	err "slurm: job 1: tasks 1-2,4,7${nl}slurm: job 2: join$nl"
done
same asked "--parsable --job-name=kith-a_grid --cpus-per-task=4 --partition=p --array=1-2,4,7%2 --output=$PWD/a grid/logs/%a.log slurm.sbatch ./task -b
--parsable --job-name=kith-a_grid-join --partition=p --dependency=afterany:1 --cpus-per-task=1 --output=$PWD/a grid/logs/join.log slurm.sbatch ./join
"
run 2 'a grid/slurm' -j x
cp -a 'a grid' cut && sed -i '$d' cut/settings && rm asked
PATH=$PWD/bin:$PATH run 66 cut/slurm
err "status: settings: the file is not whole; plan the job again$nl"
[ ! -e asked ]
ok $? 'nothing is submitted then'
name="-j'\"\$x {} {1} %a &${nl}y"
run 0 "$recipes/grid" -- "$name" s=1 -- sh -c 'echo x; echo {s}'
PATH=$PWD/bin:$PATH run 0 "./$name/slurm"
grep -q -e '--job-name=kith--j___x_____1___a___y ' asked
ok $? 'the name of a job is one word for Slurm'
grep -qF -e "--output=$PWD/-j'\"\$x {} {1} %%a &" asked
ok $? 'and the names of logs are as they are'
mv "./$name" 'back\slash'
PATH=$PWD/bin:$PATH run 2 'back\slash/slurm'
err "slurm: $PWD/back\\slash: has a backslash, which Slurm does not take$nl"
mv 'back\slash' "./$name"
run 0 make -s -C "./$name"
same "./$name/result.tsv" "s	x${nl}1	1$nl"

# Wrong calls.
for value in $'\001' $'\033[1m' $'x\ny' $'x\ty' $'\177'; do
	run 2 "$recipes/grid" w "a=$value" -- echo '{a}'
	err "grid: 'a': a quote or control character${nl}try 'grid --help'$nl"
done
while IFS='|' read -r status words message; do
	rm -rf w
	# shellcheck disable=SC2086 # words
	run "$status" "$recipes"/$words
	got=$(head -n 1 stderr)
	[ "$got" = "$message" ] && [ ! -e w ]
	ok $? "$message"
	[ "$got" = "$message" ] || echo "# $got"
done <<'END'
2|shards -n 0 w nnkgraph|shards: bad -n: '0' (a whole number, 1 to 999999)
2|shards -n|shards: -n needs a value
2|shards w nnkgraph|shards: nnkgraph needs -m 'nnkgraph --merge'
2|shards -b 2 w nnkgraph|shards: unknown option '-b'
2|shards w|shards: name a job, then the command
2|shards w nnkgraph -o x|shards: no -o: a task keeps what is printed
2|shards w nnkgraph --shard 1/2|shards: no --shard: every task gets its own
66|shards w no-such-command|shards: no-such-command: no such command in PATH
66|shards no/w knnclf|shards: ./no: no such directory
2|grid w -- nnkgraph|grid: no parameters
2|grid w a=1 nnkgraph|grid: 'nnkgraph': not NAME=VALUE,... (-- before the command?)
2|grid w a=1|grid: no command: -- goes before it
2|grid w a=1 -- echo b|grid: {a} is nowhere in the command
2|grid w a=1,,2 -- echo {a}|grid: 'a': an empty value
2|grid w a= -- echo {a}|grid: 'a': an empty value
2|grid w a:b=1:2,3 -- echo {a}{b}|grid: 'a:b': '3' is not 2 values
2|grid w a:b=1: -- echo {a}{b}|grid: 'a:b': an empty value
2|grid w a=1 a=2 -- echo {a}|grid: two parameters 'a'
2|grid w task=1 -- echo {task}|grid: two parameters 'task'
2|grid w 1=1 -- echo {1}|grid: bad name of a parameter: '1'
2|grid w a="x" -- echo {a}|grid: 'a': a quote or control character
END
done_testing
