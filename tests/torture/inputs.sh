# SPDX-License-Identifier: BSD-2-Clause
# Sourced: makes what the calls read, in this directory.  $here is tests/torture.
# shellcheck shell=sh
# shellcheck disable=SC2154 # $here
awk -F , 'NR == 1 || (NR >= 2 && NR <= 13) || (NR >= 52 && NR <= 63)' \
	"$here/../data/iris.csv" >two.csv
awk -F , -v OFS=, 'NR > 1 && NR % 2 { $NF = "" } 1' two.csv >some.csv
gzip -nc two.csv >two.csv.gz
knnclf -t two.csv two.csv >predicted.tsv
nnkgraph -y class -k 5 two.csv >edges.tsv
for i in 1 2; do
	nnkgraph -y class --method knn -k 5 --sigma 1 --shard $i/2 two.csv >block$i.tsv
done
nnkgraph -y class two.csv >graph.tsv
nnkgraph -y class -k 8 --symmetrize none --method lle-signed two.csv >affine.tsv
wsvmpath -q --from 1 --to 2 --print coef --at .5 --save-model model.tsv \
	two.csv >path.tsv
