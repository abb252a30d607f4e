#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tabscale: what it prints, what it saves, and how it fails.
. "${0%/*}/tap.sh"

printf 'a,b,c,y\n1,x,2,p\n3,y,4,q\n5,x,12,p\n' >t

run 0 tabscale t
table 'a b c y' '-1 x -0.7559289460184544 p' '0 y -0.3779644730092272 q' \
	'1 x 1.1338934190276817 p'
err ''
run 0 tabscale --method minmax t
table 'a b c y' '0 x 0 p' '0.5 y 0.2 q' '1 x 1 p'
run 0 tabscale --method minmax --range=-1:1 -x a,c t
table 'a b c y' '-1 x -1 p' '0 y -0.6 q' '1 x 1 p'
# What cells become equal is a matter of the cells, whatever the width of the range.
run 0 tabscale --method minmax --range 0:1e-101 -x a t
table 'a b c y' '0 x 2 p' '5e-102 y 4 q' '1e-101 x 12 p'
err ''
# The smallest and the largest cell become exactly the ends, the others stay between; a file
# of --save gives the same.
for f in wine wdbc iris; do
	for r in 0:1 -1:1 .1:.3 -7:1e6 1000000.1:1000000.3 \
		-1.2345678901234567e-10:1.2345678901234566e-10; do
		run 0 tabscale --method minmax --range="$r" --save s "$data/$f.csv"
		tabscale --apply s "$data/$f.csv" | cmp -s - stdout
		ok $? "$f by minmax $r: --apply of --save gives the same"
		awk -F '\t' -v lo="${r%:*}" -v hi="${r#*:}" 'NR > 1 {
			for (j = 1; j < NF; j++) {
				if (NR == 2 || $j < least[j]) least[j] = $j
				if (NR == 2 || $j > most[j]) most[j] = $j
			}
		} END { if (NR < 3) exit 1
			for (j = 1; j < NF; j++) if (least[j] != lo + 0 || most[j] != hi + 0) exit 1 }' stdout
		ok $? "$f by minmax $r: from end to end"
	done
done
printf 'a,y\n1000000.1,p\n1000000.2,p\n1000000.3,p\n' >near
run 0 tabscale --method minmax --range=-1:1 near
# The middle is a difference of large numbers: its last digits are those of long double.
sed 's/^-5\.820766089[0-9]*e-10/middle/' stdout >ends
mv ends stdout
table 'a y' '-1 p' 'middle p' '1 p'
run 0 tabscale --method none t
table 'a b c y' '1 x 2 p' '3 y 4 q' '5 x 12 p'
# A header alone is the empty table where nothing is fitted.
printf 'a,b,c,y\n' >header
for o in -q '-x a' '-x !a' '--na mean' '--na omit' '--id a'; do
	# shellcheck disable=SC2086
	run 0 tabscale -q --method none $o header
	table 'a b c y'
done

# The target, ids and columns that are ignored pass through as they are.
printf 'id\ta\tz\ty\n01\t1\t1.0\t1.50\n02\t3\t"?"\t\n03\t2\t\t"NA"\n' >u
run 0 tabscale --id id -x !z u
table 'id a z y' '01 -1 1.0 1.50' '02 1 "?" ' '03 0  "NA"'
run 0 tabscale -y a --id 1 -x !-2,!4 u
table 'id a z y' '01 1 1.0 1.50' '02 3 "?" ' '03 2  "NA"'
printf 'a;b\n1;1\n3;2\n' >two
run 0 tabscale -y none two
table 'a b' '-0.7071067811865475 -0.7071067811865475' \
	'0.7071067811865475 0.7071067811865475'
run 0 tabscale two
table 'a b' '-0.7071067811865475 1' '0.7071067811865475 2'
printf '1;1\n3;2\n' >raw
run 0 tabscale -H raw
table 'V1 V2' '-0.7071067811865475 1' '0.7071067811865475 2'

# Constant columns.
printf 'a,b,c,d,y\n1,7,1,1e9,p\n2,7,1,1e9,q\n' >flat
run 0 tabscale -x a,b flat
table 'a b c d y' '-0.7071067811865475 0 1 1e9 p' \
	'0.7071067811865475 0 1 1e9 q'
err "tabscale: warning: column \"b\" is constant: 0 throughout$nl"
run 0 tabscale -q flat
err ''
run 0 tabscale --method none flat
err ''
run 0 tabscale -q --save flat.z flat
printf 'a,b,c,d,y\n1,8,1,1e9,p\n' >other
run 0 tabscale --apply flat.z other
table 'a b c d y' '-0.7071067811865475 0 0 0 p'
printf 'a,y\n1,p\n' >single
run 0 tabscale single
table 'a y' '0 p'
err "tabscale: warning: column \"a\" is constant: 0 throughout$nl"

# What was saved does to the same rows what was done to them.
run 0 tabscale --save z t
mv stdout once
run 0 tabscale --apply z t
cmp -s stdout once
ok $? 'applied to its own rows it gives the same bytes'
printf 'y;extra;c;b;a\n?;e;2;n;5\n' >turned
run 0 tabscale --apply z turned
table 'y extra c b a' '? e -0.7559289460184544 n 1'
printf 'a,y\n1,p\n' >lacks
run 65 tabscale --apply z lacks
out ''
err "tabscale: lacks:1: column \"c\": not found$nl"
run 0 sh -c 'tabscale --save - -o /dev/null t'
run 0 tabscale --method minmax --apply z t
err "tabscale: warning: --method is not used with --apply$nl"
run 0 tabscale --range 0:2 t
err "tabscale: warning: --range is not used with --method zscore$nl"

# Levels.
printf 'a,col\n1,red\n2,"NA"\n3,b lue\n4,red\n' >levels
run 0 tabscale -y none --method none --onehot col --save lz levels
printf 'a\tcol=NA\tcol=b lue\tcol=red\n1\t0\t0\t1\n2\t1\t0\t0\n3\t0\t1\t0\n4\t0\t0\t1\n' >due
cmp stdout due
ok $? 'a column for each level'
printf 'col,a\ngreen,1\nred,2\ngrey,7\n' >unseen
run 0 tabscale --apply lz unseen
printf 'col=NA\tcol=b lue\tcol=red\ta\n0\t0\t0\t1\n0\t0\t1\t2\n0\t0\t0\t7\n' >due
cmp stdout due
ok $? 'unseen levels are zeros'
err "tabscale: warning: column \"col\": 2 cells of levels that are not in lz: zeros$nl"
printf 'a,a=x,y\nx,1,p\nz,2,q\n' >clash
run 65 tabscale --onehot a clash
err "tabscale: clash:1: column \"a=x\": the output would have this name twice$nl"

# Missing cells.
printf 'a,b,y\n,x,p\n1,,q\n4,y,\n5,y,r\n' >holes
run 65 tabscale --na error holes
err "tabscale: holes:2: column \"a\": missing: '' (--na omit or mean?)$nl"
run 0 tabscale --onehot b --save hs holes
table 'a b=x b=y y' 'NA 1 0 p' '-1.1208970766356101 NA NA q' '0.3202563076101742 0 1 ' \
	'0.8006407690254357 0 1 r'
run 0 tabscale --apply hs --na mean holes
table 'a b=x b=y y' '0 1 0 p' '-1.1208970766356101 0.3333333333333333 0.6666666666666666 q' \
	'0.3202563076101742 0 1 ' '0.8006407690254357 0 1 r'
printf 'a,b\n7,NA\n7,1\n' >same
run 0 tabscale -q -y none same
table 'a b' '0 NA' '0 0'
run 0 tabscale --names holes
out "a${nl}b${nl}y$nl"
run 0 tabscale --names "$data/iris.csv"
cut -d, -f "$(grep -n width <stdout | cut -d: -f 1 | paste -sd, -)" <"$data/iris.csv" | head -n 1 >due
same due "sepal_width,petal_width$nl"
run 0 tabscale --na omit holes
table 'a b y' '-1.1208970766356101  q' '0.3202563076101742 y ' \
	'0.8006407690254357 y r'
run 0 tabscale --na mean --method none --onehot b --save hz holes
table 'a b=x b=y y' '3.3333333333333335 1 0 p' \
	'1 0.3333333333333333 0.6666666666666666 q' '4 0 1 ' '5 0 1 r'
run 0 tabscale --na omit --method none --onehot b holes
table 'a b=y y' '4 1 ' '5 1 r'
printf 'b,a\n?,NA\n' >ask
run 65 tabscale --apply hz --na error ask
err "tabscale: ask: missing cells: column \"b\": 1, at line 2; column \"a\": 1, at line 2 (--na omit or mean?)$nl"
run 0 tabscale --apply hz ask
table 'b=x b=y a' 'NA NA NA'
run 0 tabscale --apply hz --na mean ask
table 'b=x b=y a' '0.3333333333333333 0.6666666666666666 3.3333333333333335'
printf 'a,y\nNA,1\n' >none
run 0 tabscale none
table 'a y' 'NA 1'
run 65 tabscale -x a --na mean none
err "tabscale: none: column \"a\": no number$nl"
run 65 tabscale -x a --na omit none
err "tabscale: none: every row has a missing cell$nl"

# Scales from the smallest to the largest.
printf 'a,b,c,d,y\n1e300,1e-300,-1.7e308,5e-324,p\n3e300,3e-300,1.7e308,1e-323,q\n' >huge
run 0 tabscale -x a,b huge
table 'a b c d y' \
	'-0.7071067811865475 -0.7071067811865475 -1.7e308 5e-324 p' \
	'0.7071067811865475 0.7071067811865476 1.7e308 1e-323 q'
run 65 tabscale -x c huge
out ''
err "tabscale: huge: column \"c\": its range -1.7e+308 to 1.7e+308 does not fit a double$nl"
run 0 tabscale --method minmax --range 0:4 -x c huge
table 'a b c d y' '1e300 1e-300 0 5e-324 p' '3e300 3e-300 4 1e-323 q'
printf 'column,method,center,scale,fill,level\na,zscore,0,1e-300,0,NA\n' >steep
printf 'a\n1e300\n' >far
run 65 tabscale --apply steep far
err "tabscale: far: column \"a\": scaled, a value does not fit a double$nl"

# Mixed columns, and other bad tables.
refuse_file 'a,y\n1,p\nx,q\n' \
	":3: column \"a\": not a number: 'x' (-x '!COL' or --onehot?)"
refuse_file 'a,y\nx,p\n1,q\n' \
	":3: column \"a\": a number in a column of text: '1' (-x '!COL' or --onehot?)"
refuse_file 'a;y\n1,5;p\n' ":2: column \"a\": not a number: '1,5' (decimal comma? sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE)"
refuse_file 'a,y\ninf,p\n' ":2: column \"a\": not a finite number: 'inf'"
refuse_file 'a,y\n1e999,p\n' ":2: column \"a\": too large for a double: '1e999'"
refuse_file 'a,y\n' ': no row below the header'
refuse_file '' ': empty input'
refuse_file 'a,y\n1\n' ':2: 1 cells where the header has 2'
refuse_file 'a,y\n1,p\n' ":1: column \"b\": not found" -x b
saved() { # FORMAT MESSAGE
	# shellcheck disable=SC2059
	printf "column,method,center,scale,fill,level\n$1" >bad
	run 65 tabscale --apply bad t
	out ''
	err "tabscale: bad$2$nl"
}
saved 'a,zscore,0,1,0,NA\na,zscore,0,1,0,NA\n' \
	":3: column \"column\": named twice: 'a'"
saved 'a,onehot,0,1,0,x\nb,onehot,0,1,0,x\na,onehot,0,1,0,x\n' \
	":4: column \"column\": named twice: 'a'"
saved 'a,onehot,0,1,0,x\na,zscore,0,1,0,NA\n' \
	":3: column \"column\": named twice: 'a'"
saved 'a,zap,0,1,0,NA\n' ":2: column \"method\": not a method: 'zap'"
saved 'a,zscore,0,-1,0,NA\n' ":2: column \"scale\": negative: '-1'"
saved 'a,zscore,0,NA,0,NA\n' ":2: column \"scale\": missing: 'NA'"
saved 'a,zscore,0,1,0,x\n' ":2: column \"level\": too much for this method: 'x'"
saved 'a,onehot,0,1,0,\n' ":2: column \"level\": missing for this method: ''"
printf 'column,method\na,zscore\n' >bad
run 65 tabscale --apply bad t
err "tabscale: bad:1: not a scaling: no column \"center\" (tabscale --save writes one)$nl"

printf 'method,center,scale,fill,level\nzscore,0,1,0,NA\n' >bad
run 65 tabscale --apply bad t
err "tabscale: bad:1: not a scaling: no column \"column\" (tabscale --save writes one)$nl"

# A list in a file without a name, in whatever role; and what --apply scales.
: >none
for option in -x --onehot; do
	run 65 tabscale $option @none t
	out ''
	err "tabscale: none: empty: it names no column$nl"
done
printf 'a,b,y\n1,2,p\n3,4,q\n' >three
tabscale --save scale three >/dev/null
sed 2d scale >shorter
logged 0 tabscale --apply shorter three
out "a	b	y
1	-0.7071067811865475	p
3	0.7071067811865475	q$nl"
[ "$(grep '^scaled	\|^columns	' log | cut -f 2 | tr '\n' ' ')" = '1 3 ' ]
ok $? 'one of the three columns is scaled'

# Wrong calls.
misuse '--save and --apply exclude each other' --save z --apply z t
misuse '--output and --save are the same file' --save z -o ./z t
misuse '--output and --save are the same file' --save - t
printf 'a,none\n1,5\n3,6\n' >named
run 0 tabscale -y none named
table 'a none' '-0.7071067811865475 5' '0.7071067811865475 6'
ok 0 'a column of that name is the target'
misuse "bad --range: '1' (two numbers LO:HI, LO below HI)" --range 1 t
misuse "bad --range: '1:1' (two numbers LO:HI, LO below HI)" --range 1:1 t
misuse "bad --range: 'x:1' (two numbers LO:HI, LO below HI)" --range x:1 t
misuse 'standard input named twice (give the rows as operand FILE)' \
	--apply -
misuse 'column "y" has another role already' -x a,y t
misuse 'column "b" has another role already' -x b --onehot b t

# A pipe with gzip in it, and several operands as one table.
gzip -c t >t.gz
run 0 tabscale --save z1 t
mv stdout once
run 0 sh -c 'cat t.gz | tabscale --save z2'
cmp -s stdout once && cmp -s z1 z2
ok $? 'gzip on a pipe reads the same'
head -2 t >t1 && sed 2d t >t2
run 0 tabscale t1 t2
cmp -s stdout once
ok $? 'two operands are one table'
run 65 tabscale t1 two
err "tabscale: two:1: the header differs from that of t1$nl"

done_testing
