#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kith-job: plans, running by make, joining, messages.  Slurm and GNU parallel are in
# tests/cluster; here a list takes the place of Slurm.
# shellcheck disable=SC2016 # what tasks are to expand
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of make check

run 0 kith-job --help
err ''
awk 'length > 80 { exit 1 }' stdout && [ "$(wc -l <stdout)" -le 60 ]
ok $? 'the help fits 60 lines of 80 columns'
run 0 kith-job --help=tsv
sed -n '1p; /^-j/p; /^--par/p' stdout >got
same got "option${tab}argument${tab}type${tab}heading${tab}words
-j${tab}N${tab}count${tab}To run${tab}run: N tasks at a time [as many as there are processors]
--parallel${tab}${tab}flag${tab}To run${tab}run by GNU parallel, with the options behind it, as --sshlogin one,two
"
run 0 kith-job --version
out "kith-job $(cat "$root/VERSION")$nl"

# Shards: names that a shell would take apart, and the bytes of one run.
mkdir 'a $dir' && cd 'a $dir' || exit 1
tabscale "$data/wdbc.csv" >"it's a \"table\".tsv"
set -- nnkgraph -y -1 -k 9 "it's a \"table\".tsv"
"$@" >whole.tsv
run 0 kith-job shards -n 5 'my job' "$@"
out ''
err ''
run 0 kith-job status 'my job'
out "$(printf 'task\tstate\texit\n' && printf '%s\topen\tNA\n' 1 2 3 4 5)$nl"
run 66 kith-job join 'my job'
err "kith-job: tables of tasks are missing: 1 2 3 4 5; kith-job run $PWD/my job$nl"
run 0 kith-job run 'my job' -j 3
out ''
err ''
run 0 kith-job join 'my job'
cmp whole.tsv stdout
ok $? 'the shards are one run, byte for byte'
run 0 kith-job status 'my job'
out "$(printf 'task\tstate\texit\n' && printf '%s\tdone\t0\n' 1 2 3 4 5)$nl"

# What is done is not done again; what is lost is; clocks do not matter, contents do.
touch -d '+20 seconds' "it's a \"table\".tsv"
touch before
rm 'my job/2.out' 'my job/4.status' 'my job/4.out'
run 0 kith-job run 'my job'
[ "$(find 'my job' -name '*.out' -newer before | sort | tr '\n' ' ')" = 'my job/2.out my job/4.out ' ]
ok $? 'only tables that are not there are made'
run 0 kith-job shards -n 5 'my job' "$@"
run 2 kith-job shards -n 6 'my job' "$@"
err "kith-job: $PWD/my job: is there, and not from this call: see $PWD/my job/plan$nl"
sed -i 2d "it's a \"table\".tsv"
for call in 'run' 'join'; do
	run 65 kith-job $call 'my job'
	err "kith-job: $PWD/it's a \"table\".tsv: changed since the job was planned (rm -r $PWD/my job)$nl"
done
run 65 kith-job shards -n 5 'my job' "$@"
err "kith-job: $PWD/my job: planned for other contents of its files (rm -r $PWD/my job)$nl"

# A shard that is there twice is told; shards of no row have a header.
rm -r 'my job'
kith-job shards -n 3 'my job' "$@" && kith-job run 'my job' && cp 'my job/2.out' 'my job/3.out'
run 65 kith-job join 'my job'
grep -q 'shard 2/3: .*/my job/2[.]out is this shard, too' stderr
ok $? 'a shard that is there twice is told'
run 0 kith-job shards -n 700 many knnclf -t "it's a \"table\".tsv" -k 3 "it's a \"table\".tsv"
sed -i '6,$d' many/tasks
run 0 kith-job run many
kith-job join many >joined
[ "$(wc -l <joined)" -eq 5 ] && head -n 1 joined | grep -q '^id.predicted'
ok $? 'shards of no row have a header'
printf '#!/bin/sh\necho x\necho "$* $KITH_THREADS"\n' >show
chmod +x show
run 0 kith-job shards -n 2 literal ./show '{threads}' -k 'a b' '$(touch X)'
run 0 kith-job run literal
run 0 kith-job join literal
out "x$nl--shard 1/2 {threads} -k a b \$(touch X) 1$nl--shard 2/2 {threads} -k a b \$(touch X) 1$nl"
[ ! -e X ]
ok $? 'nothing else was run'
cd ..

# Grids: the values are columns in front, but for those that the tables have.
run 0 kith-job grid cells a=1,2 'b=x,"NA","y,"" z"' -- 'printf "n\tb\n%s\t%s\n" {a} {b}'
run 0 kith-job run cells -j 2
run 0 kith-job join cells
out "$(printf 'a\tn\tb\n1\t1\tx\n1\t1\tNA\n1\t1\ty," z\n2\t2\tx\n2\t2\tNA\n2\t2\ty," z\n')$nl"
run 0 kith-job grid cells2 a=1 'b="NA", x,"y,"" z"' -- 'printf "n,m\n1,2\n"; : {a}{b}'
run 0 kith-job run cells2
for awk in $awks; do
	PATH=$PWD/awks/$awk:$PATH run 0 kith-job join cells2
	out "$(printf 'a,b,n,m\n1,"NA",1,2\n1," x",1,2\n1,"y,"" z",1,2\n')$nl"
done
run 0 kith-job grid notes a=1,2 -- 'printf "# sigma\t{a}\nfeature\tweight\nx\t{a}\n"'
run 0 kith-job run notes
run 0 kith-job join notes
out "$(printf 'a\tfeature\tweight\n1\tx\t1\n2\tx\t2\n')$nl"
run 0 kith-job grid lines i=1,2 -- 'printf "\"x\ny\"\tz\n\"\n{i}\n\"\t2\n"'
run 0 kith-job run lines
run 0 kith-job join lines
out "$(printf 'i\t"x\ny"\tz\n1\t"\n1\n"\t2\n2\t"\n2\n"\t2\n')$nl"

# Values are data: the shell reads each as one word, as it is.
printf '%s\n' '#!/bin/sh' 'printf "x\n%s\n" "$1"' >say
chmod +x say
list='' due="a	b	x$nl"
while IFS= read -r value; do
	list="$list${list:+,}\"$(printf '%s\n' "$value" | sed 's/"/""/g')\""
	cell=$value
	case $value in NA | ' '*) cell="\"$value\"" ;; esac
	due="$due$cell	7	${value}7$value{c}$nl"
done <<'END'
{b}
{a}
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
run 0 kith-job grid values "a=$list" b=7 -- './say {a}{b}{a}{c}'
run 0 kith-job run values
run 0 kith-job join values
out "$due"
[ ! -e X ]
ok $? 'nothing was run'

# A plan of tabcv is run and joined, too.
tabcv -n 3 "$data/iris.csv" k=1,3 -- 'knnclf -t {train} -k {k} {test}' >due
tabcv --plan plan -n 3 "$data/iris.csv" k=1,3 -- 'knnclf -t {train} -k {k} {test}'
run 0 kith-job run plan
run 0 kith-job join plan
cmp due stdout
ok $? 'a plan of tabcv gives what tabcv prints'

# Tasks that fail, are not certified, print nothing, or do not fit.
run 0 kith-job grid bad s=0,1,65 -- 'echo x; echo {s}; echo reason {s} >&2; exit $(cat sign{s} || echo {s})' 
echo 0 >sign0 && echo 1 >sign1 && echo 65 >sign65
run 1 kith-job run bad
err "kith-job: task 3: exit status 65: reason 65${nl}kith-job: not done are tasks 3; see DIR/TASK.err, run the job again$nl"
run 0 kith-job status bad
out "$(printf 'task\tstate\texit\n1\tdone\t0\n2\tuncertified\t1\n3\tfailed\t65\n')$nl"
run 66 kith-job join bad
out ''
echo 0 >sign65
run 1 kith-job run bad
err "kith-job: not certified (exit status 1) are tasks 2$nl"
run 1 kith-job join bad
out "$(printf 's\tx\n0\t0\n1\t1\n65\t65\n')$nl"
err "kith-job: not certified (exit status 1) are tasks 2$nl"
run 0 kith-job grid differ s=a,b -- 'printf "%s\n1\n" {s}'
kith-job run differ
run 65 kith-job join differ
err "kith-job: tables 1 and 2 have different columns$nl"
run 0 kith-job grid empty s=a -- ': {s}'
run 1 kith-job run empty
grep -q '^kith-job: task 1: exit status 70:' stderr
ok $? 'a task that prints nothing has failed'
sed -i 2d differ/parameters.tsv
run 65 kith-job join differ
grep -q 'parameters.tsv: not a row for each task' stderr
ok $? 'a row of parameters that is lost is told'
run 0 kith-job grid cut k=1 s=a,b -- 'printf "%s\n1\n" x; : {k} {s}'
kith-job run cut
run 0 kith-job join cut
sed -i '2s/.a/a/' cut/parameters.tsv
run 65 kith-job join cut
grep -q 'cut/parameters.tsv: not a row for each task' stderr
ok $? 'so is a cell that is lost'

# A signal ends the tasks and what they have started; the job goes on later.
run 0 kith-job grid slow s=987.$$ -- 'echo x; sleep {s}; echo'
kith-job run slow 2>told &
task=$!
# sleeps: whether the process that the task starts is there.
sleeps() { cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -q "[s]leep 987[.]$$ "; }
for _ in $(seq 100); do
	sleeps && break
	sleep .1
done
sleeps
ok $? 'a task runs'
kill -TERM $task
wait $task
[ $? -eq 75 ] && [ -z "$(find slow -name '*.out' -o -name '*.part*')" ] &&
	grep -q 'told to stop; kith-job run goes on' told
ok $? 'a job that is told to stop leaves no table, and says so'
! sleeps
ok $? 'and no process'

# What Slurm would be asked: arrays within its limit, of what is not done.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$*" >>../asked
cat >>../script
wc -l <../asked
END
printf '#!/bin/sh\nexit 0\n' >bin/squeue
printf '#!/bin/sh\necho "MaxArraySize            = 4"\n' >bin/scontrol
chmod +x bin/*
mkdir in && cd in || exit 1
run 0 kith-job grid 'a grid' s=1,2,3,4,5,6,7 -- 'echo x; echo {s}'
kith-job task 'a grid' 3
for awk in $awks; do
	rm -f ../asked ../script
	PATH=$PWD/../bin:$PWD/../awks/$awk:$PATH run 0 kith-job run 'a grid' --slurm --partition=p
	err "kith-job: Slurm jobs 1,2: 6 tasks; kith-job status $PWD/a grid$nl"
done
same ../asked "--parsable --job-name=kith-a_grid --nodes=1 --ntasks=1 --requeue --open-mode=append --output=$PWD/a grid/slurm.log --partition=p --array=1-3
--parsable --job-name=kith-a_grid --nodes=1 --ntasks=1 --requeue --open-mode=append --output=$PWD/a grid/slurm.log --partition=p --array=1-3
"
# The scripts of both arrays do what they are for.
sed '/^#!/d' ../script >lines
SLURM_ARRAY_TASK_ID=3 sh -c "$(sed -n 1p lines)"
SLURM_ARRAY_TASK_ID=1 sh -c "$(sed -n 2p lines)"
run 0 kith-job status 'a grid'
out "$(printf 'task\tstate\texit\n1\topen\tNA\n2\topen\tNA\n3\tdone\t0\n4\tdone\t0\n5\tdone\t0\n6\topen\tNA\n7\topen\tNA\n')$nl"
printf '#!/bin/sh\necho 1\n' >../bin/squeue
PATH=$PWD/../bin:$PATH run 2 kith-job run 'a grid' --slurm
err "kith-job: Slurm jobs 1,2 of $PWD/a grid are in the queue (scancel takes them out)$nl"
mv 'a grid' 'back\slash'
PATH=$PWD/../bin:$PATH run 2 kith-job run 'back\slash' --slurm
cd ..
name="-j'\"\$x {} {1} %a &y"
run 0 kith-job grid "./$name" s=1 -- 'echo x; echo {s}'
run 0 kith-job run "./$name"
run 0 kith-job join "./$name"
out "s	x${nl}1	1$nl"

# Wrong calls.
for value in "$(printf '\001')" "$(printf '\033[1m')" "x${nl}y" "x${tab}y" "$(printf '\177')"; do
	run 2 kith-job grid w "a=$value" -- echo '{a}'
	err "kith-job: 'a': a control character${nl}try 'kith-job --help'$nl"
done
while IFS='|' read -r status words message; do
	rm -rf w
	# shellcheck disable=SC2086 # words
	run "$status" kith-job $words
	got=$(head -n 1 stderr)
	[ "$got" = "kith-job: $message" ] && [ ! -e w ]
	ok $? "$message"
	[ "$got" = "kith-job: $message" ] || echo "# $got"
done <<END
2||shards, grid, run, status or join?
2|cells|no 'cells': shards, grid, run, status or join?
2|shards -n 0 w nnkgraph|bad -n: '0' (a whole number, 1 to 999999)
2|shards w|name a directory, then the command
2|shards w nnkgraph -o x|no -o: a task keeps what is printed
2|shards w nnkgraph --shard 1/2|no --shard: every task gets its own
66|shards w no-such-command|no-such-command: no such command in PATH
66|shards no/w knnclf|no: no such directory
2|grid|name a directory, parameters, --, and the command
2|grid w -- nnkgraph|no parameters
2|grid w a=1 nnkgraph|'nnkgraph': not NAME=V,V,... (-- before the command?)
2|grid w a=1|no command: -- goes before it
2|grid w a=1 -- echo b|{a} is nowhere in the command
2|grid w a=1,,2 -- echo {a}|'a': an empty value, or a quote inside one
2|grid w a="x"y -- echo {a}|'a': an empty value, or a quote inside one
2|grid w a= -- echo {a}|'a': an empty value, or a quote inside one
2|grid w a=1 a=2 -- echo {a}|two parameters 'a'
2|grid w 1=1 -- echo {1}|bad name of a parameter: '1'
66|run w|w: no job: kith-job shards, kith-job grid or tabcv --plan make one
2|run cells -j x|bad -j: 'x' (a whole number)
2|run cells -k|unknown argument '-k'
2|status|status takes the directory of a job
2|join cells x|join takes the directory of a job
2|task cells 7|no task '7'
END
done_testing
