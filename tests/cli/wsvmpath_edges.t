#!/bin/sh
# Paths of problems at the edges of doubles, which tests/gen/edges.c draws and
# judges in 80 bits: status 0 means that all steps, and all between them, are
# solutions.  KITH_LONG: those of other seeds, and many.
. "${0%/*}/tap.sh"

if [ "${KITH_LONG:-}" ]; then
	from=10001 classify=6000 regress=1500 rank=1000
else
	from=1 classify=150 regress=60 rank=40
fi
for task in classify regress rank; do
	eval "sets=\$$task"
	mkdir "$task"
	# shellcheck disable=SC2154 # by eval
	"$KITH_BUILD/gen/edges" run $from "$sets" $task $task >"told"
	ok $? "$task: $(tail -n 1 told)"
done

done_testing
