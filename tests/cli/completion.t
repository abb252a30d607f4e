#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Shell completion: it offers the options of --help=tsv and their words; columns come
# from the header of a file.
# shellcheck disable=SC2016 # $d is a name
. "${0%/*}/tap.sh"
# shellcheck source=awks.sh
. "$root/tests/cli/awks.sh"

complete=$root/scripts/completion
touch train.tsv 'two words' && mkdir tables

# Complete the last of these words in bash, or word $at; print what is offered.
complete_words() {
	# shellcheck disable=SC2016 # bash's
	AT=${at:-} bash -c '
		. ./completion
		COMP_WORDS=("$@")
		COMP_CWORD=${AT:-$(($# - 1))}
		_kith
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

offers() { # TEXT WORD...
	text=$1
	shift
	complete_words "$@" | sort >offered
	same offered "$text"
}

for tool in $(cd "$root/cmd" && ls ./*.c) kith-plot kith-job; do
	tool=$(basename "$tool" .c)
	run 0 "$complete" bash "$tool"
	err ''
	cp stdout completion
	"$tool" --help=tsv | sed '1d; s/	.*//; s/, /\n/' | sort >due
	complete_words "$tool" - | sort >got
	[ -s due ] && cmp -s due got
	ok $? "all options of $tool are offered"
	if command -v zsh >/dev/null; then
		"$complete" zsh "$tool" >_completion
		# shellcheck disable=SC2016 # zsh
		zsh -f -c '
			_arguments() { print -rl -- "$@"; }
			words=($1) && . ./_completion' zsh "$tool" |
			sed -n 's/^\(([^)]*)\)\{0,1\}\(-[^[+=]*\).*/\2/p' | sed 1,2d | sort >got
		cmp -s due got
		ok $? "zsh is told all options of $tool"
	fi
done

"$complete" bash tabscale >completion
offers '--no-header
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

# Columns, from the header of a file.
printf 'sp ace,"q""uote","com,ma",it'\''s,c:olon,$d,gene_1,gene_2,class\n1,2,3,4,5,6,7,8,9\n' >odd.csv
names='$d
c:olon
class
com,ma
gene_1
gene_2
it'\''s
q"uote
sp ace
'
"$complete" bash knnclf >completion
offers 'class
' knnclf -t odd.csv -y cl
offers 'sp\ ace
' knnclf -t odd.csv --target sp
offers "it\\'s
" knnclf -t odd.csv --id it
offers '\$d
' knnclf -t odd.csv --id '\$'
offers 'q\"uote
' knnclf -t odd.csv --id q
offers "sp ace
" knnclf -t odd.csv --id "'sp"
offers 'sp ace
' knnclf -t odd.csv --id '"sp'
offers 'class
' knnclf -t odd.csv --target = cl
offers 'class
' knnclf --train = odd.csv --target = cl
offers '-yclass
' knnclf -todd.csv -ycl
offers 'olon
' knnclf -t odd.csv -y c : o

# In a list, which takes quotes, ranges and exclusions.
offers 'gene_1
gene_2
' knnclf -t odd.csv -x ge
offers 'class,gene_1
class,gene_2
' knnclf -t odd.csv -x class,ge
offers 'gene_2,class,gene_1
' knnclf -t odd.csv --features = gene_2,class,g
offers 'class,\"com,ma\"
' knnclf -t odd.csv --features class,co
offers 'class,"com,ma"
' knnclf -t odd.csv --features "'class,\"co"
offers '\"q\"\"uote\"
' knnclf -t odd.csv -x q
offers '"com,ma",gene_1
"com,ma",gene_2
' knnclf -t odd.csv -x "'\"com,ma\",g"
offers 'class
' knnclf -t odd.csv -x gene_1 : cl
offers 'class
' knnclf -t odd.csv -x a,-3 : cl
offers '!class
' knnclf -t odd.csv -x "'!cl"
offers '!gene_1:class
' knnclf -t odd.csv -x "'!gene_1:cl"
offers '
' knnclf -t odd.csv -x nothing,x

# The file: of -t, an operand, standard input; where rows are copied from it,
# the operand comes first.
printf 'other\tclass\n1\t2\n' >other.tsv
gzip -c odd.csv >odd.gz
cp odd.csv 'a b.csv'
printf '\357\273\277# x\n# a\tb\n\r\n' >bad
printf '# x\n# a\tb\nV1;"b\nc";class\n' >semi
offers 'class
' knnclf odd.csv -y cl
offers 'class
' knnclf '<' odd.csv -y cl
offers 'class
' knnclf --vote kernel -q -k 3 odd.csv '>' other.tsv -y cl
at=2
offers 'class
' knnclf -y cl odd.csv
offers 'class
' knnclf -y cl '<' odd.csv
at=''
offers 'class
' knnclf -t odd.gz -y cl
offers 'class
' knnclf -t 'a\ b.csv' -y cl
offers 'class
' knnclf -t '"a b.csv"' -y cl
offers 'other
' knnclf -t other.tsv odd.csv -y o
offers 'class
' knnclf -t nowhere odd.csv -y cl
offers 'class
' knnclf -t semi -y c
offers 'V1
V2
V3
' knnclf -t semi -H -y V
complete_words knnclf -t odd.csv -y '' | sort >got
printf %s "$names" | sed 's/["$'\'' ]/\\&/g' | sort | cmp -s - got
ok $? 'all columns'
for none in nowhere tables bad train.tsv '$(touch' -; do
	complete_words knnclf -t "$none" -y c >got 2>&1
	same got "$nl"
done
head -c 3000 "$(command -v knnclf)" >binary
complete_words knnclf -t binary -y '' >got 2>&1
same got "$nl"
"$complete" bash labelprop >completion
offers 'class
' labelprop --nodes odd.csv other.tsv -y cl
offers '
' labelprop other.tsv -y cl
"$complete" bash tabratio >completion
offers 'other
' tabratio --test odd.csv other.tsv -y o
"$complete" bash wsvmpath >completion
offers 'class
' wsvmpath odd.csv --query cl
offers 'class
' wsvmpath odd.csv --cost cl
"$complete" bash tabscale >completion
offers 'class
' tabscale odd.csv --onehot cl
offers '
' tabscale odd.csv --na-string cl

# By any awk.
for awk in $awks; do
	for file in odd.csv other.tsv semi odd.gz; do
		PATH="$PWD/awks/$awk:$PATH" complete_words tabscale $file -y '' |
			sort >got
		complete_words tabscale $file -y '' | sort | cmp -s - got &&
			grep -q class got
		ok $? "columns of $file by $awk"
	done
done

# In zsh, what it is told.
if command -v zsh >/dev/null; then
	"$complete" zsh knnclf >_completion
	# shellcheck disable=SC2016 # zsh
	zsh_offers() { # TEXT KIND WORD...
		text=$1
		shift
		zsh -f -c '
			_arguments() { :; }
			compadd() { print -l -- ${(M)${(P)@[-1]}:#${(Q)PREFIX}*}; }
			compset() {
				local rest=${PREFIX##${~2}}
				[[ $rest != $PREFIX ]] || return
				PREFIX=$rest
			}
			go() {
				local kind=$1 IPREFIX PREFIX=$@[-1] LBUFFER="${@[2,-1]}" RBUFFER
				shift
				local -a words=("$@")
				local CURRENT=$#
				. ./_completion
				_kith_columns $kind $words[-2]
			}
			go "$@"' zsh "$@" 2>&1 | sort >offered
		same offered "$text"
	}
	zsh_offers 'class
' one knnclf -t odd.csv -y cl
	zsh_offers 'sp ace
' one knnclf odd.csv -y sp
	zsh_offers 'gene_1
gene_2
' list knnclf -t odd.gz -x class,ge
	zsh_offers 'class
' list knnclf -t odd.csv -x 'class,!gene_1:cl'
	zsh_offers '"com,ma"
' list knnclf -t odd.csv -x 'class,"co'
	zsh_offers 'class
' one knnclf '<' odd.csv -y cl
	zsh_offers '
' one knnclf -t nowhere -y cl
fi

# Under another name, and under any shell.
"$complete" bash k-tabscale >completion
grep -q '^complete -o filenames -F _kith k-tabscale$' completion
ok $? 'a prefix belongs to the name'
run 2 "$complete" fish tabscale
err 'completion: no shell fish (bash or zsh)
'
for shell in bash zsh; do
	"$complete" $shell nnkgraph >due
	printf %s "$shells" >list
	while read -r sh; do
		# shellcheck disable=SC2086 # words
		run 0 $sh "$complete" $shell nnkgraph </dev/null
		cmp -s due stdout
		ok $? "the completion of $shell under $sh is the same"
	done <list
done

done_testing
