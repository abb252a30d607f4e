#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The frame of the experiments, on one small target, and the report on results
# made by hand; with each awk that is here.
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
path=$PATH

# rows LINE...: lines whose semicolons become tabs.
rows() { printf '%s\n' "$@" | tr ';' '\t'; }
# units: the names of those that the last make has run.
units() { sed -n 's/^sqpfw-table1 //p' stdout | sort | tr '\n' ' '; }

# Units are run, joined, and stay done.
experiment() {
	run 0 make --no-print-directory -C "$root/scripts/experiments" SIZE=quick \
		ONLY=wdbc DATA="$data" OUT="$tap_dir/out.$awk" "$@"
	err ''
}
# What it prints, but for the seconds.
found() { cut -f 1-5 "out.$1/raw/sqpfw-table1.tsv"; }
machines=$(command -v svm-train >/dev/null && echo 1 || echo 0)
all='wdbc.1.1 wdbc.2.1 wdbc.3.1 '
[ "$machines" = 0 ] || all="${all}wdbc.LIBSVM.1 "
all="${all}wdbc.NCA-D.1 wdbc.rest.1 "
compared=''
for awk in $awks; do
	PATH=$PWD/awks/$awk:$path
	# Some are built without the mathematical functions that the experiments need.
	awk 'BEGIN { exit sqrt(4) + exp(0) != 3 }' 2>/dev/null || continue
	experiment sqpfw-table1
	[ "$(units)" = "$all" ]
	ok $? 'each unit is run once'
	awk -F '\t' '
		NR == 1 { exit $0 != "data\tmethod\tmeasure\trepetition\tvalue\tseconds" }
		' "out.$awk"/raw/sqpfw-table1.tsv
	ok $? 'the repetitions have a header'
	awk -F '\t' '
		$1 == "wdbc" && $2 == "kNN" && $3 == "error" && $4 == 1 &&
			$5 >= 0 && $5 < .1 && $6 ~ /^[0-9.]+$/ { n++ }
		END { exit n != 1 }' "out.$awk"/raw/sqpfw-table1.tsv
	ok $? 'a repetition is there, with its seconds'
	awk -F '\t' -v OFS='\t' -v machines="$machines" '
		NR == FNR { value[$1, $2, $3] = $5; next }
		FNR == 1 { bad = $0 != "data\tmethod\tmeasure\tpaper\tours\tse\tn\tseconds\tmark" }
		$1 == "wdbc" {
			n += $3 !~ /^figure/
			curves += $3 ~ /^figure/
			bad = bad || NF != 9 || $7 != 1 || $6 != "NA" || $9 != ""
			e = $5 - value[$1, $2, $3]
			bad = bad || e * e > 1e-10
		}
		END { exit bad || n != 8 + machines || curves != 50 }' "out.$awk"/raw/sqpfw-table1.tsv "out.$awk"/sqpfw-table1.tsv
	ok $? 'the table has all values, once each'
	awk -F '\t' '
		FNR == 1 { next }
		$1 != "wdbc" { n++; bad = bad || $5 != "NA" || $7 != 0 || $9 != "not available" }
		END { exit bad || !n }' "out.$awk"/sqpfw-table1.tsv
	ok $? 'sets that are not there are not available'
	awk -F '\t' '$1 == "sonar" && $2 == "SQP-FW" && $3 == "error" { print $4 }' \
		"out.$awk"/sqpfw-table1.tsv >paper
	same paper ".221$nl"

	rm "out.$awk"/sqpfw-table1.tsv
	experiment sqpfw-table1
	[ "$(units)" = '' ] && [ -s "out.$awk"/sqpfw-table1.tsv ]
	ok $? 'what is done is not run again'
	rm "out.$awk"/units/quick/sqpfw-table1/wdbc.rest.1.tsv
	experiment sqpfw-table1
	[ "$(units)" = 'wdbc.rest.1 ' ]
	ok $? 'what is missing is run'
	find "out.$awk" -name '*.part' >parts
	same parts ''
	found "$awk" | cmp -s - "due.found" || [ -z "$compared" ]
	ok $? "$awk finds the same"
	found "$awk" >due.found
	compared=1
done
PATH=$path

# What was run is kept, and comes back: nothing is run again.  Of other scripts it
# does not.
if [ "${KITH_LONG:-}" ]; then
	cp -R "$root/scripts" copy
	cp "$root/VERSION" .
	there() {
		run 0 make --no-print-directory -C copy/experiments SIZE=full DATA="$data" \
			OUT="$PWD/full" ONLY=wdbc ROUND=1 "$@"
		err ''
	}
	rm -rf copy/experiments/figures
	there sqpfw-table1
	[ "$(units)" = "$all" ]
	ok $? "the first round of the full protocol: $(units)"
	sed 1d full/raw/sqpfw-table1.tsv | cut -f 1-5 >was
	there keep
	ls copy/experiments/figures >figures
	same figures "sqpfw-table1.tsv.gz$nl"
	cp copy/experiments/figures/sqpfw-table1.tsv.gz first.gz
	rm -rf full
	there restore
	there sqpfw-table1
	[ "$(units)" = '' ]
	ok $? 'what was kept is not run again'
	sed 1d full/raw/sqpfw-table1.tsv | cut -f 1-5 | cmp -s was -
	ok $? 'and it is the same'
	there keep
	cmp -s first.gz copy/experiments/figures/sqpfw-table1.tsv.gz
	ok $? 'kept again, the same bytes'
	# A sitting takes up what is kept, and reports.
	rm -rf full
	run 0 env DATA="$data" OUT=full ONLY=wdbc copy/experiments/sitting 0
	err ''
	[ -s full/REPORT.md ] && cmp -s first.gz copy/experiments/figures/sqpfw-table1.tsv.gz
	ok $? 'a sitting of no minutes keeps and reports what is there'
	grep -q "^Measured on .*, in $(echo "$all" | wc -w) units.$" full/REPORT.md
	ok $? 'with its first repetition'
	rm -rf full
	echo '# a remark' >>copy/experiments/run/sqpfw-table1
	there restore
	[ -d full/units/full/sqpfw-table1 ]
	ok $? 'remarks change no protocol'
	rm -rf full
	echo 'seed=2' >>copy/experiments/run/sqpfw-table1
	run 0 make --no-print-directory -C copy/experiments DATA="$data" OUT="$PWD/full" restore
	err "figures/sqpfw-table1.tsv.gz: of another protocol, not restored$nl"
	[ ! -d full/units ]
	ok $? 'other commands do'
	there restore FORCE=1
	[ -d full/units/full/sqpfw-table1 ]
	ok $? 'unless this is forced'
fi

# The reduced protocol, of the sets of KITH_DATA, within ten minutes of two processors.
if [ "${KITH_LONG:-}" ]; then
	times >clock.0
	run 0 make --no-print-directory -C "$root/scripts/experiments" -j2 quick \
		DATA="${KITH_DATA:-$data}" OUT="$PWD/quick"
	times >clock.1
	spent=$(awk '
		function sec(t) { sub(/s$/, "", t); split(t, p, "m"); return 60 * p[1] + p[2] }
		FNR == 2 { t[++n] = sec($1) + sec($2) }
		END { printf "%d", t[2] - t[1] }' clock.0 clock.1)
	[ "$spent" -lt 1200 ]
	ok $? "make quick takes $spent CPU seconds"
	[ "$(grep -c '^## ' quick/REPORT.md)" -eq \
		"$(sed 1d "$root/scripts/experiments/targets.tsv" | wc -l)" ]
	ok $? 'its report has all targets'
	if [ -n "${KITH_DATA:-}" ]; then
		! grep '^[*] not run:' quick/REPORT.md | sed 's/^/# /' | grep .
		ok $? 'and nothing that was not run'
	fi
fi

# Repetitions that fit into the share of a data set.
afford() {
	DATA=$data sh -c '. "$1/scripts/experiments/common.sh"; here=$PWD/shares/run
		afford "$2" "$3"' "$root/scripts/experiments/run/$1" "$root" "$2" "$3"
}
mkdir shares shares/run
rows target a b >shares/targets.tsv # 24 hours of two processors, two targets
rows 'target;data;seconds' 'a;x;10' 'a;y;900' 'a;z;4320' 'a;w;5000' 'b;x;9999' \
	>shares/costs.tsv # 21600 a set
for due in 'x 100 100' 'y 100 10' 'y 24 24' 'y 5 5' 'z 100 5' 'w 100 3' 'other 7 7'; do
	# shellcheck disable=SC2086 # words
	set -- $due
	afford a "$1" "$2" >got
	same got "$3$nl"
done

# The units of a round: a repetition is a seed, or a fold where a set has fewer.
for due in '1 a.x.1 b.1-1' '3 a.x.1 a.x.3 b.1-1 b.1-2'; do
	# shellcheck disable=SC2086 # words
	set -- $due
	printf '%s\n' a.x.1 a.x.3 a.x.5 a.x.10 b.1-1 b.1-2 b.1-10 |
		ROUND=$1 DATA=$data sh -c '. "$1/scripts/experiments/common.sh"; rounds' \
			"$root/scripts/experiments/run/any" "$root" >got
	shift
	same got "$(printf '%s\n' "$@")$nl"
done

# Which data sets are there: packed or not, also by a gzip that passes on nothing
# but what it has packed.
mkdir sets packers
cp "$data/wdbc.csv" sets
gzip -c "$data/iris.csv" >sets/iris.csv.gz
cp "$data/iris.csv" sets/wine.csv
! command -v busybox >/dev/null || ln -s "$(command -v busybox)" packers/gzip
run 0 env PATH="$PWD/packers:$PATH" DATA="$PWD/sets" "$root/scripts/experiments/data"
grep -v 'absent$' stdout | sort >states
same states "$(printf 'iris\tok\nwdbc\tok\nwine\tother')$nl"
err ''

# The report, on results whose tests are known.
compare=$root/scripts/compare
mkdir -p e/notes hand/raw
rows 'target;title;measure;main;better' \
	't1;Errors;error;A;less' 't2;Accuracies;accuracy;A,B;more' \
	't3;Nothing;error;A;less' >e/targets.tsv
echo '* A note.' >e/notes/t1.md
touch hand/size-quick
head='data;method;measure;paper;ours;se;n;seconds;mark'
rows "$head" 'd1;A;error;.1;0.1075;0.005;4;1.5;' \
	'd1;B*;error;.5;0.2075;0.005;4;NA;' \
	'd2;A;error;.25;0.3;0.02;4;NA;' \
	'd2;B*;error;.25;0.3;0.015;4;NA;' \
	'd3;A;error;.1;0.13;NA;1;2;' \
	'd4;A;error;NA;0.2;0.01;4;NA;stand-in: this, not that (paper .2)' \
	'd5;A;error;.3;NA;NA;0;NA;not run' \
	'AR;A;error;.4;NA;NA;0;NA;not available' \
	'AR;B*;error;.5;NA;NA;0;NA;not available' \
	'd6;A;error;NA;NA;NA;0;NA;stand-in: this, not that' \
	'd1;A;median features;10;10.4;NA;4;NA;' \
	'd1;B*;median features;10;11;NA;4;NA;' \
	'd1;A;edges, k = 1;NA;1234.6;NA;4;NA;' \
	'd1;A;edges, k = 2;NA;2;NA;4;NA;' \
	'(W/T/L);B*;A;9/8/7;NA;NA;0;NA;not run' >hand/t1.tsv
# d1 A wins, d2 ties, d3 has one repetition in common, d4 A loses.
{
	rows 'data;method;measure;repetition;value;seconds'
	rows 'd1;A;error;1;.10;1' 'd1;A;error;2;.12;1' 'd1;A;error;3;.11;2' \
		'd1;A;error;4;.10;2' 'd1;B*;error;1;.20;NA' 'd1;B*;error;2;.21;NA' \
		'd1;B*;error;3;.22;NA' 'd1;B*;error;4;.20;NA'
	rows 'd2;A;error;1;.4;NA' 'd2;A;error;2;.2;NA' 'd2;B*;error;1;.2;NA' \
		'd2;B*;error;2;.4;NA' 'd2;A;error;3;0;NA' 'd2;A;error;4;0;NA' \
		'd2;B*;error;3;0;NA' 'd2;B*;error;4;0;NA'
	rows 'd3;A;error;1;.1;NA' 'd3;B*;error;1;.2;NA' 'd3;B*;error;2;.2;NA'
	rows 'd4;A;error;1;.3;NA' 'd4;A;error;2;.4;NA' 'd4;B*;error;2;.3;NA' \
		'd4;B*;error;1;.2;NA' 'd4;B*;error;3;.9;NA'
	rows '(all);A;error;1;.1;NA' '(all);A;error;2;.1;NA' \
		'(all);B*;error;1;.2;NA' '(all);B*;error;2;.2;NA'
	rows 'd1;A;median features;1;1;NA' 'd1;B*;median features;1;2;NA'
} >hand/raw/t1.tsv
rows "$head" 'd1;A;accuracy;.9;0.95;0.001;3;NA;' \
	'd1;B;accuracy;.9;0.85;0.001;3;NA;the paper has 10 folds' >hand/t2.tsv
{
	rows 'data;method;measure;repetition;value;seconds'
	rows 'd1;A;accuracy;1;.95;.5' 'd1;A;accuracy;2;.94;.5' 'd1;A;accuracy;3;.96;.25' \
		'd1;B;accuracy;1;.85;NA' 'd1;B;accuracy;2;.85;NA' 'd1;B;accuracy;3;.85;NA'
} >hand/raw/t2.tsv

cat >due.contents <<'END'
| [Errors](#t1) | 3 of 7 figures reproduce; paired t-tests: 1 wins, 1 ties, 1 losses; rows not available: 2; rows not run: 2 | 6 |
| [Accuracies](#t2) | 0 of 2 figures reproduce; paired t-tests: 1 wins, 0 ties, 0 losses | 1.25 |
| [Nothing](#t3) | not run | NA |
END
cat >due.body <<'END'
## t1

Errors

### error

| data | A | B\* | n |
|---|---|---|---|
| d1 | 0.1075 ± 0.0050 (.1) | 0.2075 ± 0.0050 (.5) | 4 |
| d2 | 0.3000 ± 0.0200 (.25) | 0.3000 ± 0.0150 (.25) | 4 |
| d3 | 0.1300 (.1) | | 1 |
| d4 | 0.2000 ± 0.0100 [.2]<sup>1</sup> | | 4 |
| d5 | not run (.3) | | 0 |
| AR | not available (.4) | not available (.5) | 0 |
| d6 | not run<sup>1</sup> | | 0 |

CPU seconds of a repetition:

| data | A |
|---|---|
| d1 | 1.5 |
| d3 | 2 |

### median features

| data | A | B\* | n |
|---|---|---|---|
| d1 | 10.4 (10) | 11 (10) | 4 |

### edges

| data | A | n |
|---|---|---|
| d1, k = 1 | 1235 | 4 |
| d1, k = 2 | 2 | 4 |

<sup>1</sup> stand-in: this, not that

### Paired t-tests (error, p < .05)

| method | against | wins | ties | losses | untested | paper |
|---|---|---|---|---|---|---|
| A | B\* | 1 | 1 | 1 | 1 | 9/8/7 |

### What does not reproduce

* d1 B\*: paper .5, ours 0.2075 ± 0.0050 (n = 4): better.
* d2 B\*: paper .25, ours 0.3000 ± 0.0150 (n = 4): worse.
* d3 A: paper .1, ours 0.1300 (n = 1): worse.
* d1 B\*, median features: paper 10, ours 11 (n = 4): more.

### Rows without a value

* not available: AR (A; B\*)
* not run: d5 (A)
* not run: d6 (A)

### Notes

* A note.

## t2

Accuracies

### accuracy

| data | A | B | n |
|---|---|---|---|
| d1 | 0.9500 ± 0.0010 (.9) | 0.8500 ± 0.0010 (.9)<sup>1</sup> | 3 |

<sup>1</sup> the paper has 10 folds

### Paired t-tests (accuracy, p < .05)

| method | against | wins | ties | losses | untested | paper |
|---|---|---|---|---|---|---|
| A | B | 1 | 0 | 0 | 0 |  |

### What does not reproduce

* d1 A: paper .9, ours 0.9500 ± 0.0010 (n = 3): better.
* d1 B: paper .9, ours 0.8500 ± 0.0010 (n = 3): worse; the paper has 10 folds.

## t3

Nothing

Nothing of it was run.
END
for awk in $awks; do
	PATH=$PWD/awks/$awk:$path
	awk 'BEGIN { exit sqrt(4) != 2 }' 2>/dev/null || continue
	rm -f hand/REPORT.md
	run 0 "$compare" -e e hand
	out ''
	err ''
	LC_ALL=C ls -A hand >files
	same files "REPORT.md${nl}raw${nl}size-quick${nl}t1.tsv${nl}t2.tsv$nl"
	sed -n '1,/^| target/s/^\(\* Date:\) 20[0-9-]*$/\1/p' hand/REPORT.md >when
	same when "* Date:$nl"
	grep -c -e "^\* Machine: $(uname -m)" \
		-e "^\* $(tabscore --version | sed -n '1s/.* /kith /p')$" \
		-e '^\* Protocol: quick' \
		-e '^\* Made by: .make -C scripts/experiments quick DATA=DIR.$' \
		hand/REPORT.md >header
	same header "4$nl"
	grep '^| \[' hand/REPORT.md | cmp -s - due.contents
	ok $? 'its contents are as due'
	sed -n '/^## t1/,$p' hand/REPORT.md >body
	diff due.body body | sed -n '1,20s/^/# /p'
	cmp -s due.body body
	ok $? "its sections are as due, by $awk"
	# The order in which awk prints and writes is the same each time.
	again=0
	for _ in 1 ${KITH_LONG:+2 3 4 5}; do
		"$compare" -e e hand && sed -n '/^## t1/,$p' hand/REPORT.md |
			cmp -s body - || again=1
	done
	ok $again 'made anew it is the same'
done
PATH=$path

# Values and sections of an earlier report, with their dates, stand where there are
# none, or fewer than three repetitions.
sed 's/^\* Date: .*/* Date: 2020-02-02/' hand/REPORT.md >earlier.md
mkdir later later/raw
touch later/size-full
rows "$head" 'd1;A;error;.1;0.5;NA;1;1.5;' 'd1;B*;error;.5;0.25;0.005;3;NA;' \
	'd3;A;error;.1;NA;NA;0;NA;not run' \
	'd4;A;error;NA;NA;NA;0;NA;stand-in: this, not that (paper .2)' \
	'd5;A;error;.3;NA;NA;0;NA;not run' >later/t1.tsv
later() {
	"$compare" -e e -k "$1" later || echo failed
	sed -n '/^| d[0-9]/p; /^<sup>/p; /^## /p; /^Measured/p' later/REPORT.md
}
cat >due.later <<'END'
## t1
| d1 | 0.1075 ± 0.0050 (.1)<sup>1</sup> | 0.2500 ± 0.0050 (.5) | 3-4 |
| d3 | 0.1300 (.1)<sup>1</sup> | | 1 |
| d4 | 0.2000 ± 0.0100 [.2]<sup>2</sup><sup>1</sup> | | 4 |
| d5 | not run (.3) | | 0 |
| d1 | 1.5 |
<sup>1</sup> measured on 2020-02-02
<sup>2</sup> stand-in: this, not that
## t2
Measured on 2020-02-02.
| d1 | 0.9500 ± 0.0010 (.9) | 0.8500 ± 0.0010 (.9)<sup>1</sup> | 3 |
<sup>1</sup> the paper has 10 folds
## t3
END
for awk in $awks; do
	PATH=$PWD/awks/$awk:$path
	awk 'BEGIN { exit sqrt(4) != 2 }' 2>/dev/null || continue
	later earlier.md >got
	diff due.later got | sed 's/^/# /'
	cmp -s due.later got
	ok $? "what an earlier report has, by $awk"
	grep -q '^| .Accuracies.(#t2) | 0 of 2 figures' later/REPORT.md
	ok $? 'and its verdict'
	sed 's/^\* Date: .*/* Date: 2021-01-01/' later/REPORT.md >between.md
	later between.md | cmp -s due.later -
	ok $? 'dates stay where they are handed on'
done
PATH=$path
run 66 "$compare" -e e -k absent hand
err "compare: absent: cannot be read$nl"

# A test that fails ends it, and the report stays as it was.
mkdir bin
# shellcheck disable=SC2016 # for the command
printf '%s\n' '#!/bin/sh' '[ "$1" = --version ]' >bin/tabscore
chmod +x bin/tabscore
cp hand/REPORT.md before
run 1 env PATH="$tap_dir/bin:$PATH" "$compare" -e e hand
cmp -s before hand/REPORT.md && [ "$(LC_ALL=C ls -A hand)" = "$(cat files)" ]
ok $? 'and leaves the report that was there'

# Names of folders that look like something else, and no room for its files.
mkdir elsewhere elsewhere/e
mv hand 'file=1'
cp -R e ./-e
CDPATH=$PWD/elsewhere run 0 "$compare" -e -e 'file=1'
err ''
sed -n '/^## t1/,$p' 'file=1/REPORT.md' | cmp -s due.body -
ok $? 'the same report'
mv 'file=1' hand
mkdir 'a\tb'
TMPDIR=$PWD/a\\tb run 0 "$compare" -e e hand
err ''
TMPDIR=/nonexistent run 74 "$compare" -e e hand

# How it fails.
run 2 "$compare"
err "compare: give one folder of results${nl}try 'compare --help'$nl"
run 2 "$compare" -z hand
err "compare: unknown option '-z'${nl}try 'compare --help'$nl"
run 2 "$compare" -e
err "compare: -e needs a value${nl}try 'compare --help'$nl"
run 66 "$compare" absent
err "compare: absent: no such folder$nl"
run 66 "$compare" -e absent hand
err "compare: absent/targets.tsv: cannot be read$nl"
run 0 "$compare" --help
err ''
awk 'length > 80 { exit 1 }' stdout
ok $? 'its help fits 80 columns'

done_testing
