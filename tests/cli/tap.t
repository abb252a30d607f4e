#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What tests of commands are made with reports each planted fault, and nothing else.
# shellcheck disable=SC2016 # for the planted file
. "${0%/*}/tap.sh"

# planted LINE...: run a file of tests, of these lines.
planted() {
	mkdir -p tests/cli
	printf '%s\n' ". '$root/tests/cli/tap.sh'" "$@" done_testing >tests/cli/tabfold.t
	${limited:-} sh tests/cli/tabfold.t >got 2>said
	status=$?
}

# passes CHECKS LINE...: they make so many checks, which pass.
passes() {
	checks=$1
	shift
	planted "$@"
	[ $status -eq 0 ] && [ "$(grep -c '^ok' got)" -eq "$checks" ] && ! grep '^not' got && [ ! -s said ]
	ok $? "passes: $1${2:+; $2}"
}

# fails LINE...: one check of these does not pass.
fails() {
	planted "$@"
	[ $status -eq 1 ] && [ "$(grep -c '^not ok' got)" -eq 1 ]
	ok $? "fails: $1${2:+; $2}"
}

passes 1 'run 0 true'
passes 1 'run 3 sh -c "exit 3"'
fails 'run 0 false'
fails 'run 1 true'
fails 'run 0 no-such-command'
fails 'run 0 sh -c "kill -9 \$\$"'
passes 1 'run 137 sh -c "kill -9 \$\$"'

passes 3 'run 0 echo a' 'out "a$nl"' 'err ""'
passes 2 'run 0 printf a' 'out a'
fails 'run 0 printf a' 'out "a$nl"'
fails 'run 0 echo a' 'out a'
fails 'run 0 printf "a\n\n"' 'out "a$nl"'
fails 'run 0 echo a' 'out "a$nl$nl"'
fails 'run 0 printf "\na\n"' 'out "a$nl"'
fails 'run 0 printf "a\0\n"' 'out "a$nl"'
fails 'run 0 printf "a\n\0"' 'out "a$nl"'
fails 'run 0 printf "\0"' 'out ""'
fails 'run 0 printf " a\n"' 'out "a$nl"'
fails 'run 0 printf "a\\\\n\n"' 'out "an$nl"'
fails 'run 0 printf "a\n-n"' 'out "a$nl"'
passes 2 'run 0 printf %s -n' 'out -n'
passes 2 'run 0 echo "*"' 'out "*$nl"'
fails 'run 0 echo a' 'out ""'
fails 'run 0 sh -c "echo a >&2"' 'err ""'
fails 'run 0 true' 'out "a$nl"'
fails 'run 0 true' 'err "a$nl"'
fails 'same none ""'
fails 'same none "a$nl"'
fails 'mkdir none' 'same none "a$nl"'
# What differs is told.
fails 'run 0 printf "a\nc\n"' 'out "a${nl}b$nl"'
[ "$(sed -n 's/^# //p' got | tr -d '\n')" = '2c2< b---> c' ]
ok $? 'what differs is told'

passes 2 'run 0 printf "a\tb\n1\t\t2\n"' 'table "a b" "1  2"'
fails 'run 0 printf "a\tb\n1\t3\n"' 'table "a b" "1 2"'
fails 'run 0 printf "a b\n"' 'table "a b"'
fails 'run 0 printf "a\tb\n1\t2"' 'table "a b" "1 2"'
fails 'run 0 printf "a\tb\n1\t2\n\n"' 'table "a b" "1 2"'
passes 2 'run 0 printf "a\n0.10000000000000001\n"' 'rounded_table a 0.1'
fails 'run 0 printf "a\n0.1000001\n"' 'rounded_table a 0.1'
passes 1 'tabs "a b" "1  2" >t' 'printf "a\tb\n1\t\t2\n" | cmp t -' 'ok $? tabs'
passes 1 'tabs a 1 >t' 'tabs a 1.01 >u' 'near t u .02'
fails 'tabs a 1 >t' 'tabs a 1.01 >u' 'near t u .001'
fails 'tabs a 1 >t' 'tabs a 1 2 >u' 'near t u 3'
fails 'tabs a 1 >t' 'tabs b 1 >u' 'near t u 1'
fails 'tabs a >t' 'near t t 1'
fails 'tabs a 1 >t' ': >u' 'near t u 1'
fails 'tabs a 1 >t' ': >u' 'near u t 1'
fails 'tabs a 1 >t' 'tabs a 1 1 >u' 'near t u 1'
fails 'tabs a 1 >t' 'tabs a 1 1 >u' 'near u t 1'
fails 'tabs a 1 >t' 'tabs a nan >u' 'near t u 1'
tabs 'a b c holds' '1 2 3 yes' '1 2 3 no' >answers
passes 2 "run 0 cat '$PWD/answers'" 'verdict "yes no"'
fails "run 0 cat '$PWD/answers'" 'verdict "yes yes"'
fails "run 0 cat '$PWD/answers'" 'verdict yes'
passes 2 "run 0 cat '$PWD/answers'" 'verdict "* no"'
fails "run 0 cat '$PWD/answers'" 'verdict "no *"'
passes 2 "run 0 cat '$PWD/answers'" 'verdict "yes no" "1 1"'
fails "run 0 cat '$PWD/answers'" 'verdict "yes no" "1 2"'
printf 'key\t1\nfatal\nprogress\thalf\nkey\t\\2\n' >log
passes 4 "logged 0 sh -c 'cat $PWD/log >&2' --" 'same log "key${tab}1${nl}key${tab}\\2$nl"' \
	'err "fatal$nl"' 'out ""'

# Messages of tabfold, in whose name the planted file is.
passes 3 "misuse 'unknown option '\\''--none'\\''' --none"
planted 'misuse "another message" --none'
[ "$(grep -c '^not ok' got)" -eq 1 ]
ok $? 'a message that is another one is reported'
planted 'misuse "no" --version'
[ "$(grep -c '^not ok' got)" -eq 3 ]
ok $? 'a call that is not wrong is reported by each of three checks'
planted 'refuse_file "a\n1\n2\n3\n" ": no" -n 2'
[ "$(grep -c '^not ok' got)" -eq 3 ]
ok $? 'a file that is not refused is reported by each of three checks'

# What never ends: by its processor time, or with its file.
KITH_LIMIT=1
export KITH_LIMIT
fails 'run 0 sh -c "while :; do :; done"'
unset KITH_LIMIT
limited='timeout 1'
planted 'run 0 true' 'run 0 sleep 1000'
[ $status -eq 124 ] && grep -q '^ok 1' got && ! grep -q '^1\.\.' got
ok $? 'a command that waits for ever ends its file, without a plan'
grep -q "exec 'timeout .* sh' \$(CLI)" "$root/scripts/mk/tests.mk"
ok $? 'make check has a limit for each file'
limited=
# What make check runs: at the end, the tests that failed.
mkdir -p proved
printf '%s\n' 'echo "ok 1 - a"' 'echo "not ok 2 - b"' 'echo "# why"' 'echo 1..2' 'exit 1' >proved/one.t
printf '%s\n' 'echo "ok 1 - c"' 'echo 1..1' >proved/two.t
run 1 "$root/tests/prove" -j2 --exec sh proved
[ "$(tail -n 2 stdout)" = "${nl}proved/one.t: not ok 2 - b" ] && grep -qx '# why' stdout
ok $? 'tests/prove ends with the tests that failed'
run 0 "$root/tests/prove" --exec sh proved/two.t
[ "$(tail -n 1 stdout)" = 'Result: PASS' ]
ok $? 'tests/prove of tests that pass'
mkdir alone
ln -s "$root/tests" "$root/scripts" alone
ln -s "$KITH_BUILD" alone/build
env -u KITH_BUILD PATH=/usr/bin:/bin sh "$PWD/alone/tests/cli/rowless.t" >got
tail -n 1 got | grep -qx '1\.\.[1-9][0-9]*' && ! grep '^not' got
ok $? 'a file of tests alone, without make'
unset KITH_NO_SKIP
planted 'skip because' 'ok 0 a'
[ $status -eq 0 ] && [ "$(tail -n 1 got)" = 1..2 ]
ok $? 'what is skipped is counted'
KITH_NO_SKIP=1
export KITH_NO_SKIP
fails 'skip because'
fails 'need_shared no/such/file'
fails 'need_commands none no-such-command'
done_testing
