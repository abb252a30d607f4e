#!/bin/sh
# Shell completion: made from --help, and it completes what --help says.
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

complete=$root/scripts/completion
touch train.tsv 'two words' && mkdir tables

# Complete the last of these words in bash; print what is offered.
complete_words() {
	# shellcheck disable=SC2016 # bash's
	bash -c '
		. ./completion
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		"_kith_$1"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

offers() { # TEXT WORD...
	text=$1
	shift
	complete_words "$@" | sort >offered
	same offered "$text"
}

for tool in $(cd "$root/cmd" && ls ./*.c); do
	tool=$(basename "$tool" .c)
	run 0 "$complete" bash "$(command -v "$tool")"
	err ''
	cp stdout completion
	bash -n completion
	ok $? "bash reads the completion of $tool"
	"$tool" --help | sed '/^Examples:/,$d' |
		grep -oE -- '^  +-[^][ ,]+|, --[a-z-]+' | tr -d ' ,' | sort >due
	complete_words "$tool" - | sort >got
	cmp -s due got
	ok $? "all options of $tool are offered"
	run 0 "$complete" zsh "$(command -v "$tool")"
	cp stdout _completion
	if command -v zsh >/dev/null; then
		zsh -n _completion
		ok $? "zsh reads the completion of $tool"
	fi
	[ "$(head -n 1 _completion)" = "#compdef $tool" ]
	ok $? 'zsh knows what it completes'
done

"$complete" bash "$(command -v tabscale)" >completion
offers '--no-header
--no-target
' tabscale --no
offers 'minmax
' tabscale --method m
offers 'minmax
none
zscore
' tabscale --method = ''
offers 'zscore
' tabscale --method = z
offers 'train.tsv
' tabscale --apply tr
offers 'tables
train.tsv
two words
' tabscale -o t
offers 'two words
' tabscale train.tsv tw
offers '
' tabscale --target t

# Under another name.
"$complete" bash "$(command -v tabscale)" k- >completion
grep -q '^complete -o filenames -F _kith_k_tabscale k-tabscale$' completion
ok $? 'a prefix belongs to the name'
run 0 "$complete" options "$(command -v tabfold)"
sed -n 1,2p stdout >got
same got "	--fold	I/N	the I-th of N parts is the test
	--shares	A:B:...	instead: split into parts of these shares
"
run 2 "$complete" fish "$(command -v tabscale)"
err 'completion: no shell fish (bash or zsh)
'

# By any awk, and under any shell.
for shell in bash zsh; do
	"$complete" $shell "$(command -v nnkgraph)" >due
	for awk in $awks; do
		run 0 env PATH="$PWD/awks/$awk:$PATH" "$complete" $shell "$(command -v nnkgraph)"
		cmp -s due stdout
		ok $? "the completion of $shell by $awk is the same"
	done
	printf %s "$shells" >list
	while read -r sh; do
		# shellcheck disable=SC2086 # words
		run 0 $sh "$complete" $shell "$(command -v nnkgraph)" </dev/null
		cmp -s due stdout
		ok $? "the completion of $shell under $sh is the same"
	done <list
done

done_testing
