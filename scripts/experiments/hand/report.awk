# SPDX-License-Identifier: BSD-2-Clause
# The section "Made again by hand" of a report: awk -f report.awk cells.tsv REPORT.md
#
# A cell agrees where its two values differ by at most two standard errors of their
# difference, or, where neither has one, by at most .1 %, which is rounding.  Of one
# that does not, the last column of cells.tsv says why.
BEGIN { FS = "\t" }
function plain(s) {
	gsub(/[*|]/, "\\\\&", s)
	return s
}
FNR == NR {
	if (FNR > 1) {
		cells++
		target[cells] = $1
		data[cells] = $2
		method[cells] = $3
		measure[cells] = $4
		value[cells] = $5
		se[cells] = $6
		n[cells] = $7
		why[cells] = $8
	}
	next
}
/^## / { section = substr($0, 4); head = 0 }
/^### / { stem = substr($0, 5); head = 0 }
/^CPU seconds/ { stem = "" }
!/^\|/ || stem == "" || /^\|---/ { next }
!head {
	head = split($0, name, / *[|] */)
	next
}
{
	split($0, cell, / *[|] */)
	for (j = 3; j < head - 1; j++)
		if (cell[j] ~ /^-?[0-9]/)
			found[section, stem, cell[2], name[j]] = cell[j] "\t" cell[head - 1]
}
# The value of a text like "0.1 ± 0.02 (.1)<sup>1</sup>", and its standard error.
function first(s) { sub(/[^-0-9.e+].*/, "", s); return s }
function second(s) { return s ~ /^[^ ]+ ± / ? first(substr(s, index(s, "±") + length("±") + 1)) : "NA" }
function shown(x, e) { return x (e == "NA" ? "" : " ± " e) }
END {
	for (i = 1; i <= cells; i++) {
		stem = line = measure[i]
		sub(/, .*/, "", stem)
		line = plain(data[i] substr(line, length(stem) + 1))
		if (!((target[i], stem, line, plain(method[i])) in found))
			continue
		split(found[target[i], stem, line, plain(method[i])], was, "\t")
		x = first(was[1])
		e = second(was[1])
		gap = value[i] - x
		gap = gap < 0 ? -gap : gap
		both = sqrt((e == "NA" ? 0 : e * e) + (se[i] == "NA" ? 0 : se[i] * se[i]))
		if (gap <= .001 * (x < 0 ? -x : x))
			how = "equal"
		else if (both)
			how = sprintf("%.1f standard errors", gap / both)
		else
			how = sprintf("%.2g", gap)
		good = how == "equal" || gap <= 2 * both
		agreed += good
		if (!good && why[i] != "")
			cause[++causes] = "* " line ", " plain(method[i]) ": " why[i]
		row[++rows] = "| " target[i] " | " line " | " plain(method[i]) " | " \
			plain(stem) " | " shown(x, e) " | " was[2] " | " \
			shown(value[i], se[i]) " | " n[i] " | " how (good ? "" : ": **no**") " |"
	}
	if (!rows)
		exit
	print "\n## Made again by hand\n"
	print "`hand/again DATA` makes these cells without kith, by numpy, scipy and scikit-learn from the"
	print "formulas of the papers: splits, scaling, learners and votes; its seeds draw other splits."
	print agreed " of " rows " agree: they differ by at most two standard errors of the difference, or"
	print "are equal within .1 %.\n"
	print "| target | data | method | measure | report | n | again | n | difference |"
	print "|---|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= rows; i++)
		print row[i]
	if (causes)
		print ""
	for (i = 1; i <= causes; i++)
		print cause[i]
}
