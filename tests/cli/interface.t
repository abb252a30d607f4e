#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The options of every command, by --help=tsv, are those of this table and of the common
# options that the command has; what still differs is in a list of its own.
. "${0%/*}/tap.sh"

common='--target --features --id --na --seed --threads --delimiter --no-header --output --csv --digits --quiet --verbose --help --version'
[ "$(echo "$common" | wc -w)" -eq 15 ]
ok $? 'there are 15 common options'

cat >table <<'END'
tabfold --parts --fold --shares --part --write --bootstrap --group --order --embargo --no-stratify --task
tabscale --method --range --onehot --save --apply --format --na-string --names
tabscore --task --positive --confusion --paired --query --ndcg --weight --ranks
tabcv --parts --loo --group --order --embargo --folds --test --repeats --nested --measure --task --weight --query --best --then --plan --collect --recipes
tabratio --test --centres --sigma --lambda
knnclf --train --loo --cv --best -k --vote --kernel --sigma --ratio --weights --drop --scale --scores --print --shard --task
nnkgraph -k --method --radius --pool --eta --kernel --sigma --symmetrize --train --candidates --weights --scale --errors --check --shard --merge
labelprop --nodes --method --alpha --unreached --reveal --all --scores --check --task
eigenmap --nodes --rows --dims --method --laplacian --component --print --check
relief --method -k --samples --starts --max-iter --tol --sigma --metric --scale --instance-weight --task
sqpfw --theta --path --theta-max --hits --misses --prior --start --instance-weight --scale --print --check --max-iter
immigrate --method --sigma --solver --start --max-iter --tol --threshold --boost --sigma-range --instance-weight --scale --print --check
knife --task --kernel --loss --lambda1 --lambda2 --grid --gamma --degree --coef0 --delta --intercept --solver --start --max-iter --tol --scale --save-model --check
wsvmpath --task --from --to --kernel --gamma --degree --coef0 --epsilon --ridge --scale --weights --print --at --validate --cv --measure --cost --query --best --save-model --check
svmtransduce --labelled --unlabelled --positive-share --kernel --gamma --degree --coef0 --ridge --scale --save-model
svmonline --window -C --delay --batch --forget --task --epsilon --kernel --gamma --degree --coef0 --ridge
kpredict --model --scores --probability --shard
END

# Differences that are still there.
cat >not_yet <<'END'
END

while read -r tool own; do
	"$tool" --help=tsv | sed '1d; s/	.*//; s/^-.*, //' | sort >have
	{
		# shellcheck disable=SC2086 # words
		printf '%s\n' $own
		# shellcheck disable=SC2086 # words
		printf '%s\n' $common | sort | comm -12 - have
	} | sort >due
	comm -3 have due | sed "s/^	/$tool lacks /; t
		s/^/$tool has /"
done <table | sort >differ
sort not_yet >expected
diff expected differ
ok $? 'the options are those of the table, but for the list'
done_testing
