#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/html makes a site whose links lead somewhere and whose pages have all they need;
# with KITH_LONG=1 chromium opens each page, 1200 and 400 pixels wide.
. "${0%/*}/tap.sh"

need_commands mandoc mandoc
need_commands cmark-gfm cmark-gfm
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
		for (line = $0; match(line, /(href|src|id|aria-current)="[^"]*"/);
		     line = substr(line, RSTART + RLENGTH)) {
			split(substr(line, RSTART, RLENGTH), part, "\"")
			print name[NR] "\t" part[1] "\t" part[2]
		}
		n = split("<!DOCTYPE ,<html ,<head>,<body>,</body>,</html>,<h1 ,<main>,<title>," \
			"<meta name=\"description\" content=\"[^\"],<meta name=\"viewport\"," \
			"aria-current=\"page\"", tag, ",")
		for (i = 1; i <= n; i++)
			print name[NR] "\ttag\t" tag[i] "\t" gsub(tag[i], "")
	}' >../attributes
find . -type f | sed 's:^\./::' >../files
awk -F '\t' 'pass == 0 { is_file[$1]; next }
	pass == 1 {
		if ($2 == "id=" && $1 "#" $3 in has)
			print $1 ": " $3 ": two of this name"
		if ($2 == "id=")
			has[$1 "#" $3]
		next
	}
	$2 ~ /^(href|src)=$/ && $3 !~ /^(https|data):/ {
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
links index.html | grep -q '^pictures/' && grep -q 'apt-get install' index.html &&
	[ "$(grep -c '<code class="language-sh">' index.html)" -ge 3 ]
ok $? 'the front page has a picture, how to install, and three tasks'
links report.html | sort -u | grep -c '^report-.*-' | awk '{ exit $1 < 20 }'
ok $? 'the report leads to a page for each table'
links gallery.html | grep '^pictures/' | sort -u | sed 's:.*/::' >../shown
printf '%s\n' pictures/* | sed 's:.*/::' | cmp -s - ../shown
ok $? 'the gallery shows all pictures'
for picture in pictures/*.svg; do
	awk -F '"' '/viewBox=/ { split($2, box, " ") }
	{
		for (rest = $0; match(rest, /font-size="[0-9.]*/); rest = substr(rest, RSTART + RLENGTH)) {
			size = substr(rest, RSTART + 11, RLENGTH - 11) * 368 / box[3]
			if (!least || size < least)
				least = size
		}
	}
	END { if (!(least >= 8)) print FILENAME ": " least }' "$picture"
done >../small
same ../small '' # pixels of letters in a window of 400
for page in knnclf wsvmpath sqpfw nnkgraph; do
	links choose.html | grep -q "^$page.1.html$" || echo $page
done >../missing
same ../missing ''
grep -q '<code class="Li">knnclf' speed.html
ok $? 'there are figures of speed'
links commands.html | grep '[.][157][.]html$' | LC_ALL=C sort -u >../listed
printf '%s\n' *.[157].html | LC_ALL=C sort | cmp -s - ../listed
ok $? 'commands by purpose have all manual pages'
awk -F '\t' '$2 == "tag" && $4 != 1 && !($3 ~ /^aria/ && $1 ~ /^kith-tutorial/) {
	print $1 ": " $3 " " $4 }' ../attributes >../many
same ../many ''
[ -z "$(cat -- *.html | grep '^<title>' | sort | uniq -d)" ]
ok $? 'each page has a title of its own'
grep -q '^\["wsvmpath.1.html#from", "wsvmpath(1): --from C", "[A-Z]' search-index.js
ok $? 'options are found with what they do'
grep -q '^\["wsvmpath.1.html#EXAMPLES", ' search-index.js
ok $? '... and headings'

if [ "${KITH_LONG:-}" ]; then
	need_commands chromium chromium
	cd .. || exit 1
	for width in 1200 400; do
		for page in site/*.html; do
			echo "<iframe width=$width height=800 src=$page></iframe>"
		done
	done >frames.html
	cat >>frames.html <<'END'
<pre id="problems">not opened
</pre>
<script>
const problems = [];
function judge(frame, page_of) {
	const page = frame.contentDocument, name = frame.getAttribute('src') + ' ' + frame.width;
	const insist = (holds, what) => holds || problems.push(name + ': ' + what);
	const root = page.documentElement;
	insist(root.scrollWidth <= frame.width, 'is ' + root.scrollWidth + ' wide');
	insist(page.querySelector('header input').checkVisibility(), 'no search box');
	const contents = [...page.querySelectorAll('details')];
	insist(contents.every(d => d.open === frame.width > 400), 'contents are open or closed');
	for (const image of page.images)
		insist(image.naturalWidth > 0, 'no picture ' + image.src);
	for (const a of page.querySelectorAll('a[href]')) {
		const to = new URL(a.href);
		if (to.protocol !== 'file:' || to.pathname.endsWith('.txt'))
			continue;
		const target = page_of[to.pathname];
		insist(target, 'no page ' + a.href);
		insist(!to.hash || target?.getElementById(decodeURIComponent(to.hash.slice(1))),
			'no anchor ' + a.href);
	}
}
function search(frame) {
	const input = frame.contentDocument.querySelector('header input');
	input.value = 'lambda2';
	input.dispatchEvent(new Event('focus'));
	return new Promise(resolve => setTimeout(() => {
		const first = frame.contentDocument.querySelector('header li a');
		if (first?.getAttribute('href') !== 'knife.1.html#lambda2')
			problems.push(frame.src + ': the search finds ' + first);
		resolve();
	}, 2000));
}
onload = async () => {
	const frames = [...document.querySelectorAll('iframe')], page_of = {};
	for (const frame of frames)
		page_of[new URL(frame.src).pathname] = frame.contentDocument;
	for (const frame of frames)
		judge(frame, page_of);
	await search(document.querySelector('iframe[src$="index.html"]'));
	document.querySelector('#problems').textContent = [...problems, 'opened', ''].join('\n');
};
</script>
END
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
		--allow-file-access-from-files --user-data-dir="$PWD/chromium" \
		--virtual-time-budget=60000 --dump-dom "file://$PWD/frames.html" >dom 2>log
	ok $? 'chromium opens all pages'
	sed -n '/^<pre id="problems">/,/^<.pre>/{ s/^<[^>]*>//; /./p; }' dom >problems
	same problems "opened$nl"
	grep CONSOLE log >console
	same console ''
fi

done_testing
