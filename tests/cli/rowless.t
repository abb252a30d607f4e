#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Queries without rows: an empty table, so that a pipe whose filter leaves nothing
# goes on; those who learn or judge from them end with an error.
. "${0%/*}/tap.sh"

sed 's/versicolor/x/; s/virginica/x/' "$data/iris.csv" >two.csv
head -n 1 two.csv >none.csv
sed 's/,class$//' none.csv >bare.csv
knife -q --lambda2 .1 --save-model knife.tsv two.csv >/dev/null
wsvmpath -q --from .1 --to 1 --print coef --at .5 --save-model svm.tsv two.csv >/dev/null
sed 's/setosa$/-1/; s/x$/1/' two.csv |
	wsvmpath -q --scale none --from .1 --to 1 --print coef --at .5 \
		--save-model svm.libsvm >/dev/null
immigrate -q two.csv >pairs.tsv
sqpfw -q --theta .1 two.csv >weights.tsv
tabscale -q --save scale.tsv two.csv >/dev/null
tabscale -q --onehot class -y none --save levels.tsv two.csv >/dev/null

# empty HEADER COMMAND...: its table is this header alone, from a file and a pipe.
empty() {
	header=$1
	shift
	run 0 "$@" none.csv
	out "$header$nl"
	err ''
	"$@" <none.csv | cmp -s stdout -
	ok $? "$*: from a pipe"
}
actual="id${tab}predicted${tab}actual"
votes="score:setosa${tab}score:x"
columns="sepal_length${tab}sepal_width${tab}petal_length${tab}petal_width"

empty "$actual" knnclf -t two.csv
empty "$actual" knnclf -t two.csv --na omit
empty "$actual" knnclf -t two.csv --na mean --scale zscore
empty "$actual" knnclf -t two.csv --shard 2/2 -j 2
empty "$actual" knnclf -t two.csv -w weights.tsv
empty "$actual" knnclf -q -t two.csv --cv 3 --best -k 1,3
empty "$actual" knnclf -t two.csv --vote nnk -k 9
empty "$actual" knnclf -t two.csv --vote expected -w pairs.tsv
empty "$actual$tab$votes" knnclf -t two.csv --scores
empty "id${tab}predicted_1${tab}predicted_3${tab}actual" knnclf -t two.csv -k 1,3
empty "$actual" \
	knnclf -t two.csv --task regress -y 1 -x !class --id sepal_width
empty "$actual" kpredict -m knife.tsv
empty "$actual$tab$votes" kpredict -m svm.tsv --scores
empty "$actual" kpredict -m svm.libsvm
empty "$columns${tab}class" tabscale --apply scale.tsv
empty "$columns${tab}class" tabscale --apply scale.tsv --na omit
empty "$columns${tab}class=setosa${tab}class=x" tabscale --apply levels.tsv
empty "from${tab}to${tab}weight${tab}distance" nnkgraph -y class -t two.csv
empty "from${tab}to${tab}weight${tab}distance${tab}error" \
	nnkgraph -y class -t two.csv --method knn -k 3 --errors
run 0 knnclf -t two.csv bare.csv
out "id${tab}predicted$nl"
{
	printf '\223NUMPY\1\0\166\1'
	printf '%-373s\n' "{'descr': [('sepal_length', '<f8'), ('sepal_width', '<f8'),
		('petal_length', '<f8'), ('petal_width', '<f8'), ('class', '|S1')],
		'fortran_order': False, 'shape': (0,), }"
} >none.npy
run 0 knnclf -t two.csv none.npy
out "$actual$nl"
tail -n +2 two.csv | grep -v . | cat none.csv - | knnclf -t two.csv | cmp -s stdout -
ok $? 'a pipe whose filter leaves nothing'

# refused COMMAND...: no row is an error.
refused() {
	run 65 "$@" none.csv
	err "$1: none.csv: no row below the header$nl"
	out ''
}
refused knnclf --loo
refused knnclf -t two.csv --print errors
refused tabscale
refused nnkgraph -y class
refused relief
echo "$actual" >none.tsv
run 65 tabscore none.tsv
err "tabscore: none.tsv: no row below the header$nl"
run 65 knnclf -t none.csv two.csv
: >nothing
run 65 knnclf -t two.csv nothing
err "knnclf: nothing: empty input$nl"
sed '1!s/^[^,]*/NA/' two.csv >holes.csv
run 65 knnclf -t two.csv --na omit holes.csv
err "knnclf: holes.csv: every row has a missing cell$nl"

done_testing
