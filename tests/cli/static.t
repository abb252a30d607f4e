#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# All commands in one static executable, as make static builds it.
. "${0%/*}/tap.sh"

kith=$KITH_BUILD/static/kith
if [ ! -x "$kith" ]; then
	skip 'make static was not called'
	done_testing
	exit
fi

mkdir bin
cp "$kith" bin/kith
for tool in $(tools | sort); do
	tools="${tools:-}  $tool$nl"
	ln -s kith "bin/$tool"
done

# The dynamic loader says so of what it does not load.
! ldd bin/kith >stdout 2>&1
ok $? 'it needs no library'

run 0 bin/kith
cp stdout list
sed -n 's/^\(  [a-z]*\)$/\1/p' list >stdout
out "$tools"
run 0 bin/kith --help
cmp -s list stdout
ok $? '--help is the list'
run 74 sh -c 'bin/kith >/dev/full'
run 0 bin/kith --version
sed 1q stdout >first
same first "kith $(cat "$root/VERSION")$nl"
run 2 bin/kith none
err "kith: no command 'none'${nl}try 'kith --help'$nl"
run 2 bin/kith bin/tabfold
run 2 bin/kith tabfold --none
cp stderr named
run 2 bin/tabfold --none
cmp -s named stderr
ok $? 'a link is the command of its name'
run 2 tabfold --none
cmp -s named stderr
ok $? '... which tells as the small one'

# both COMMAND [ARG]...: the small command and the one in kith.
both() {
	name="$*"
	"$@" >small 2>small.err
	small=$?
	bin/kith "$@" >large 2>large.err
	[ $? -eq $small ] && [ $small -le 1 ] && cmp small large && cmp small.err large.err
	ok $? "the same bytes: $name"
}

cp "$data/iris.csv" "$data/wine.csv" .
both tabscale -y class --save scale wine.csv
tabscale -y class wine.csv >scaled
tabscale -y class iris.csv >flowers
both tabscale -y class --apply scale wine.csv
both tabfold -y class --fold 1/5 --part train wine.csv
both tabratio -y class --test scaled wine.csv
for vote in majority kernel nnk; do
	both knnclf -y class -k 1,5 --loo --vote $vote scaled
done
for method in nnk knn omp lle smooth; do
	both nnkgraph -y class --method $method scaled
done
nnkgraph -y class scaled >graph
both labelprop --nodes scaled --reveal .1 graph
both eigenmap --nodes scaled graph
both sqpfw -y class --theta 3,10 flowers
both immigrate -y class flowers
for method in relief relieff lfe nca; do
	both relief -y class --method $method scaled
done
both knife -y class --grid 4 --max-iter 40 scaled
awk -F '\t' 'NR == 1 || !/setosa/' flowers >two
both wsvmpath -y class --from .1 --to 3 --print coef --at .5 --save-model model two
both kpredict -m model two
knnclf -y class -t scaled scaled >votes
both tabscore votes

# What is passed on: whoever gets it can link other libraries.
archive=$(ls "$KITH_BUILD"/static/*.tar.gz)
tar -xzf "$archive"
made=${archive##*/}
made=${made%.tar.gz}
bin/kith tabscale -y class wine.csv >scaled
run 0 "$made/kith" tabscale -y class wine.csv
cmp -s stdout scaled
ok $? 'the archive holds kith'
mv "$made/kith" kith.was
run 0 "$made/relink"
run 0 "$made/kith" tabscale -y class wine.csv
cmp -s stdout scaled
ok $? 'relink makes it from its objects'
tar -tzf "$archive" | grep -qx "$made/LICENSE"
ok $? 'with the licence'

done_testing
