# SPDX-License-Identifier: BSD-2-Clause
# A random thousand of digits, of a table with the class in the last column:
#   awk -v seed=1 -v usps=1 -f random.awk -f draw.awk
# with usps 2.6 c^2 rows of class c, and 260 of class 0; else 100 of each class.
# Rows keep their order.
BEGIN { FS = "," }
NR == 1 {
	print
	next
}
{
	class[NR] = $NF
	row[NR] = $0
	many[$NF]++
}
END {
	for (i = 2; i <= NR; i++) {
		c = class[i]
		if (!(c in due))
			due[c] = !usps ? 100 : int(2.6 * (c ? c * c : 100) + .5)
		# Of those of the class that are left, each is as likely.
		if (uniform() * many[c]-- < due[c]) {
			due[c]--
			print row[i]
		}
	}
}
