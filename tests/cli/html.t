#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/html makes a site whose links lead somewhere.
. "${0%/*}/tap.sh"

if ! command -v mandoc >/dev/null || ! command -v cmark-gfm >/dev/null; then
	skip 'mandoc or cmark-gfm is not installed'
	done_testing
	exit
fi
run 0 "$root/scripts/html" site
err ''
out ''
cd site || exit 1

for page in "$root"/man/*.[157]; do
	[ -s "${page##*/}.html" ] || echo "${page##*/}"
done >../missing
[ ! -s ../missing ]
ok $? 'each manual page has one of the site'

# link FILE: what it refers to, and the names that it has.
links() {
	tr '\n' ' ' <"$1" | grep -oE '(href|src)="[^"]*"' | sed 's/.*="//; s/"$//'
}
for page in *.html; do
	links "$page" | grep -v '^https://' | sort -u | while IFS= read -r link; do
		file=${link%%#*}
		file=${file:-$page}
		[ -f "$file" ] || echo "$page: $link: no such file"
		case $link in
		*'#'*) grep -qF "id=\"${link#*#}\"" "$file" ||
			echo "$page: $link: no such name" ;;
		esac
	done
done >../dead
same ../dead ''
links knnclf.1.html | grep -q '^kith.7.html$'
ok $? 'pages are linked to each other'
links kith.7.html | grep -q '^https://manpages.debian.org/'
ok $? '... and to those of others'
links index.html | grep -q '^report.html$'
ok $? 'the front page leads to the report'
[ "$(links index.html | grep -c '^pictures/')" -ge 8 ]
ok $? '... and shows the pictures'
for page in *.html; do
	for tag in '<!DOCTYPE' '<html' '<head>' '<body' '</body>' '</html>'; do
		[ "$(grep -c "$tag" "$page")" -eq 1 ] || echo "$page: $tag"
	done
done >../many
same ../many ''
! grep -L 'name="viewport"' -- *.html | grep .
ok $? 'each page tells telephones its width'

done_testing
