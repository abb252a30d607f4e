#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kith lists the commands and runs those of its own folder.
. "${0%/*}/tap.sh"

list() { # PREFIX
	printf 'usage: %skith COMMAND [ARG]...\n\nCommands:\n' "$1"
	for page in "$root"/man/*.1; do
		name=${page##*/}
		printf '  %-18s %s\n' "$1${name%.1}" "$(sed -n 's/^\.Nd //p' "$page")"
	done
	printf "\n'%skith COMMAND --help' tells more.\n" "$1"
}

# In a clone.
run 0 "$root/scripts/kith"
out "$(list '')$nl"
run 0 "$root/scripts/kith" tabfold --version
cp stdout small
tabfold --version >version
same small "$(cat version)$nl"
run 0 "$root/scripts/kith" kith-plot --version
run 2 "$root/scripts/kith" none
err "kith: no command 'none'${nl}try 'kith --help'$nl"

# Installed, with a prefix, away from all else.
run 0 make -s -o all KITH_BLAS_LIBS=-lopenblas -C "$root" B="$KITH_BUILD" \
	PREFIX="$PWD/usr" PROGRAM_PREFIX=my- install
kith() { # STATUS [ARG]...
	kith_status=$1
	shift
	run "$kith_status" env PATH=/usr/bin:/bin "$PWD/usr/bin/my-kith" "$@"
}
kith 0
out "$(list my-)$nl"
cp stdout list
kith 0 --help
cmp -s list stdout
ok $? '--help is the list'
kith 0 -V
out "kith $(cat "$root/VERSION")$nl"
kith 0 tabfold --version
same version "$(cat stdout)$nl"
kith 0 my-tabfold --version
same version "$(cat stdout)$nl"
kith 2 tabfold --none
err "tabfold: unknown option '--none'${nl}try 'tabfold --help'$nl"
kith 2 tab
err "kith: no command 'tab'${nl}try 'my-kith --help'$nl"
kith 2 ../bin/my-tabfold
run 74 sh -c "usr/bin/my-kith >/dev/full"
ln -s usr/bin/my-kith linked
run 0 ./linked -V
out "kith $(cat "$root/VERSION")$nl"

# Pages call commands what they are called here; other words stay.
page=usr/share/man/man1/my-relief.1
for line in '[.]Dt MY-RELIEF 1' '[.]Nm my-relief' '[.]Xr my-knnclf 1 ,' \
	'[.]Xr kith 7' 'my-relief --task regress .*'; do
	grep -qx -- "$line" $page usr/share/man/man1/my-tabscale.1
	ok $? "pages have: $line"
done
! grep -nE '(^|[|] )(relief|knnclf|tabscale) -' usr/share/man/man[17]/*
ok $? 'no example calls a command by a name that is not there'
! grep -n 'my-[a-z]*:' usr/share/man/man[17]/*
ok $? 'messages begin as the commands print them'

# What was built for another machine cannot be run here.
mkdir foreign
for tool in $(tools); do
	printf '#!/bin/sh\necho ran\nexit 1\n' >"foreign/$tool"
done
run 0 make -s -o all KITH_BLAS_LIBS=-lopenblas -C "$root" B="$PWD/foreign" PREFIX="$PWD/other" \
	PROGRAM_PREFIX=my- install
diff -r usr/share other/share
ok $? 'install runs no command'

run 0 make -s KITH_BLAS_LIBS=-lopenblas -C "$root" B="$KITH_BUILD" PREFIX="$PWD/usr" PROGRAM_PREFIX=my- uninstall
[ -z "$(find usr -type f)" ]
ok $? 'uninstall leaves nothing'

done_testing
