# SPDX-License-Identifier: BSD-2-Clause
# The section of a report on one target, for scripts/compare: reads
#   file=duels  MAIN METHOD win|tie|loss|untested, a line for each data set;
#   file=was    STEM LINE METHOD VALUE SE N DATE: what an earlier report has, as texts;
#   file=rows   data method measure paper ours se n seconds mark, with header;
# takes measure and better (less or more); one line goes to the file verdict of the
# folder that the environment calls work.
#
# Measures that are equal up to ", " make one table; what follows it tells their
# lines apart.
file == "duels" {
	oppose($1, $2)
	outcome[$1, $2, $3]++
	total[$3]++
	next
}
file == "was" {
	earlier[$1, $2, $3] = $4 "\t" $5 "\t" $6 "\t" $7
	next
}
FNR == 1 || $3 ~ /^figure / { next } # for pictures alone
$1 == "(W/T/L)" {
	oppose($3, $2)
	theirs[$3, $2] = $4
	next
}
{
	rows++
	data[rows] = $1
	method[rows] = $2
	what[rows] = $3
	paper[rows] = $4
	ours[rows] = $5
	se[rows] = $6
	n[rows] = $7
	cpu[rows] = $8 + 0 >= 1000 ? sprintf("%.0f", $8) : $8
	mark[rows] = $9
	head = $3
	sub(/, .*/, "", head)
	stem[rows] = head
	line[rows] = $1 substr($3, length(head) + 1)
	# Earlier values stand for what has none, and before those of one or two
	# repetitions if they have more.
	split("", then)
	if ((plain(head), plain(line[rows]), plain($2)) in earlier)
		split(earlier[plain(head), plain(line[rows]), plain($2)], then, "\t")
	most = then[3]
	sub(/.*-/, "", most)
	if (then[1] != "" && ($5 == "NA" || $7 < 3 && most + 0 > $7)) {
		$5 = ours[rows] = then[1]
		se[rows] = then[2]
		n[rows] = then[3]
		date[rows] = then[4]
		if ($9 == "not run")
			mark[rows] = ""
	}
	if (!(head in share)) {
		table[++tables] = head
		share[head] = 1
	}
	if (outside($4) || outside($5))
		share[head] = 0
}

function oppose(main, other) {
	if (!((main, other) in opposed)) {
		opposed[main, other]
		duel[++duels] = main SUBSEP other
	}
}
function outside(x) { return x != "NA" && (x < 0 || x > 1) }
function abs(x) { return x < 0 ? -x : x }

# Text for Markdown.
function plain(s) {
	gsub(/[*|]/, "\\\\&", s)
	gsub(/</, "\\&lt;", s)
	return s
}

# A value of row i, with its standard error.
function value(i, s) {
	if (share[stem[i]])
		s = sprintf("%.4f", ours[i])
	else
		s = sprintf(abs(ours[i]) >= 1000 ? "%.0f" : "%.4g", ours[i])
	if (se[i] != "NA")
		s = s " ± " sprintf(share[stem[i]] ? "%.4f" : "%.2g", se[i])
	return s
}

# Why row i has no value; empty if it has one.
function lacking(i) {
	if (ours[i] != "NA")
		return ""
	return mark[i] == "not available" ? mark[i] : "not run"
}

# A mark; what the paper has for data that others stand in for goes before it.
function footnote(text, theirs) {
	if (text == "" || text == "not run" || text == "not available")
		return ""
	if (match(text, / \(paper [^ ()]*\)$/)) {
		theirs = substr(text, RSTART + 8)
		sub(/\)$/, "", theirs)
		return " [" theirs "]" footnote(substr(text, 1, RSTART - 1))
	}
	if (!(text in foot)) {
		foot[text] = ++feet
		note[feet] = text
	}
	return "<sup>" foot[text] "</sup>"
}

function cell(i, s) {
	s = lacking(i)
	if (s == "")
		s = value(i)
	if (paper[i] != "NA")
		s = s " (" paper[i] ")"
	return s footnote(mark[i]) footnote(date[i] == "" ? "" : "measured on " date[i])
}

# Prints the table of a measure, or of its CPU seconds: a line for each data set,
# a column for each method.
function pivot(measure, seconds, i, j, k, s, bar, at, l, lines, c, columns, seen, low, high) {
	for (i = 1; i <= rows; i++) {
		if (stem[i] != measure || (seconds && cpu[i] == "NA"))
			continue
		if (!((0, line[i]) in seen)) {
			seen[0, line[i]]
			l[++lines] = line[i]
		}
		if (!((1, method[i]) in seen)) {
			seen[1, method[i]]
			c[++columns] = method[i]
		}
		at[line[i], method[i]] = i
	}
	if (!lines)
		return
	if (seconds)
		print "\nCPU seconds of a repetition:"
	s = "| data |"
	bar = "|---|"
	for (j = 1; j <= columns; j++) {
		s = s " " plain(c[j]) " |"
		bar = bar "---|"
	}
	print ""
	print s (seconds ? "" : " n |")
	print bar (seconds ? "" : "---|")
	for (i = 1; i <= lines; i++) {
		s = "| " plain(l[i]) " |"
		low = high = ""
		for (j = 1; j <= columns; j++) {
			if (!((l[i], c[j]) in at)) {
				s = s " |"
				continue
			}
			k = at[l[i], c[j]]
			s = s " " (seconds ? cpu[k] : cell(k)) " |"
			split(n[k] "-" n[k], ends, "-")
			if (low == "" || ends[1] + 0 < low)
				low = ends[1] + 0
			if (high == "" || ends[2] + 0 > high)
				high = ends[2] + 0
		}
		if (!seconds)
			s = s " " low (low < high ? "-" high : "") " |"
		print s
	}
}

function tests(i, k, part) {
	if (!duels)
		return
	print "\n### Paired t-tests (" plain(measure) ", p < .05)\n"
	print "| method | against | wins | ties | losses | untested | paper |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= duels; i++) {
		k = duel[i]
		split(k, part, SUBSEP)
		print "| " plain(part[1]) " | " plain(part[2]) " | " \
			outcome[k, "win"] + 0 " | " outcome[k, "tie"] + 0 " | " \
			outcome[k, "loss"] + 0 " | " outcome[k, "untested"] + 0 " | " \
			theirs[k] " |"
	}
}

# Whether a measure is to be small: -1, large: 1, or neither: 0.
function aim(m) {
	if (m == measure)
		return better == "less" ? -1 : 1
	if (m ~ /error|seconds|rmse|losses/)
		return -1
	return m ~ /accuracy|NDCG|wins/ ? 1 : 0
}

# Says of row i, if its value is not the paper's, in what way.
function fault(i, limit, more, how, s) {
	limit = share[stem[i]] ? .02 : .05 * abs(paper[i])
	if (se[i] != "NA" && 2 * sqrt(2) * se[i] > limit)
		limit = 2 * sqrt(2) * se[i]
	more = ours[i] - paper[i]
	if (abs(more) <= limit * (1 + 1e-9))
		return 0
	how = more > 0 ? "more" : "less"
	if (aim(what[i]))
		how = more * aim(what[i]) > 0 ? "better" : "worse"
	s = data[i] " " method[i]
	if (what[i] != measure)
		s = s ", " what[i]
	s = s ": paper " paper[i] ", ours " value(i) " (n = " n[i] "): " how
	if (mark[i] != "")
		s = s "; " mark[i]
	if (!failed)
		print "\n### What does not reproduce\n"
	print "* " plain(s) "."
	return 1
}

# Rows without a value for this reason, a line for each data set.
function absent(reason, i, k, l, lines, s, at) {
	for (i = 1; i <= rows; i++) {
		if (lacking(i) != reason)
			continue
		missing[reason]++
		if (!(data[i] in at)) {
			l[++lines] = data[i]
			at[data[i]] = lines
		}
		k = at[data[i]]
		s[k] = s[k] (s[k] == "" ? "" : "; ") method[i] \
			(what[i] == measure ? "" : ", " what[i])
	}
	for (i = 1; i <= lines; i++) {
		if (!listed++)
			print "\n### Rows without a value\n"
		print "* " reason ": " plain(l[i] " (" s[i] ")")
	}
}

# Of the sets with all methods that stand in this table, those where plain neighbours,
# or a support vector machine, are the best of all.
function plain_ones(i, d, x, best, who, sets, won, s, m) {
	for (i = 1; i <= rows; i++) {
		if (what[i] != measure || ours[i] == "NA" || data[i] ~ /^\(/)
			continue
		d = data[i]
		x = better == "less" ? -ours[i] : ours[i] + 0
		if (!(d in best) || x > best[d]) {
			best[d] = x
			who[d] = method[i]
		}
		times[d]++
	}
	for (d in best)
		if (times[d] > 2) {
			sets++
			m = who[d]
			won[m ~ /^([0-9]*|k)NN$/ ? "plain neighbours" : m == "LIBSVM" ? m : ""]++
		}
	for (i = 1; i <= 2; i++) {
		m = i == 1 ? "plain neighbours" : "LIBSVM"
		if (won[m])
			s = s "; " m " best on " won[m] " of " sets " sets"
	}
	return s
}

END {
	for (k = 1; k <= tables; k++) {
		print "\n### " plain(table[k])
		pivot(table[k], 0)
		pivot(table[k], 1)
	}
	for (k = 1; k <= feet; k++)
		print "\n<sup>" k "</sup> " plain(note[k])
	tests()
	for (k = 1; k <= rows; k++)
		if (paper[k] != "NA" && ours[k] != "NA") {
			compared++
			failed += fault(k)
		}
	absent("not available")
	absent("not run")

	s = "no figure of the paper to set beside"
	if (compared)
		s = compared - failed " of " compared " figures reproduce"
	if (total["win"] + total["tie"] + total["loss"])
		s = s "; paired t-tests: " total["win"] + 0 " wins, " \
			total["tie"] + 0 " ties, " total["loss"] + 0 " losses"
	s = s plain_ones()
	if (missing["not available"])
		s = s "; rows not available: " missing["not available"]
	if (missing["not run"])
		s = s "; rows not run: " missing["not run"]
	print (rows ? s : "not run") >(ENVIRON["work"] "/verdict")
}
