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

# page, href or src or id, value: of each attribute; and each tag that a page has once.
for page in *.html; do
	tr '\n' ' ' <"$page"
	printf '\n'
done | awk -v pages="$(echo *.html)" 'BEGIN { split(pages, name, " ") }
	{
		for (line = $0; match(line, /(href|src|id)="[^"]*"/); line = substr(line, RSTART + RLENGTH)) {
			split(substr(line, RSTART, RLENGTH), part, "\"")
			print name[NR] "\t" part[1] "\t" part[2]
		}
		n = split("<!DOCTYPE <html <head> <body </body> </html>", tag, " ")
		for (i = 1; i <= n; i++)
			print name[NR] "\ttag\t" tag[i] "\t" gsub(tag[i], "")
	}' >../attributes
find . -type f | sed 's:^\./::' >../files
awk -F '\t' 'pass == 0 { is_file[$1]; next }
	pass == 1 { if ($2 == "id=") has[$1 "#" $3]; next }
	$2 ~ /^(href|src)=$/ && $3 !~ /^https:/ {
		file = $3
		sub(/#.*/, "", file)
		file = file == "" ? $1 : file
		if (!(file in is_file))
			print $1 ": " $3 ": no such file"
		if ($3 ~ /#/ && !(file substr($3, index($3, "#")) in has))
			print $1 ": " $3 ": no such name"
	}' ../files pass=1 ../attributes pass=2 ../attributes >../dead
same ../dead ''
links() { awk -F '\t' -v page="$1" '$1 == page && $2 ~ /^(href|src)=$/ { print $3 }' ../attributes; }
links knnclf.1.html | grep -q '^kith.7.html$'
ok $? 'pages are linked to each other'
links kith.7.html | grep -q '^https://manpages.debian.org/'
ok $? '... and to those of others'
links index.html | grep -q '^report.html$'
ok $? 'the front page leads to the report'
[ "$(links index.html | grep -c '^pictures/')" -ge 8 ]
ok $? '... and shows the pictures'
awk -F '\t' '$2 == "tag" && $4 != 1 { print $1 ": " $3 }' ../attributes >../many
same ../many ''
! grep -L 'name="viewport"' -- *.html | grep .
ok $? 'each page tells telephones its width'

done_testing
