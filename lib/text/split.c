/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/split.h"

#include <string.h>

/* Go over one line, whose newline is at s[end]. */
static void
pass_line(struct kith_split *split, const char *s, size_t end)
{
	const char *line = s + split->seen;
	size_t len = end - split->seen, cuts = 0;

	if (split->at == KITH_CUT_QUOTED || memchr(line, '"', len)) {
		len -= len > 0 && line[len - 1] == '\r';
		split->at = kith_cut_walk(
		    split->at, line, len, split->sep, &cuts);
	}
	split->seen = end + 1;
	if (split->at == KITH_CUT_QUOTED)
		return;
	split->at = KITH_CUT_START;
	split->end = split->seen;
}

/* Lines up to the next quote are whole records: go over them all. */
static void
pass_plain(struct kith_split *split, const char *s, size_t len)
{
	const char *from = s + split->seen;
	const char *quote = memchr(from, '"', len - split->seen);
	const char *end = quote ? quote : s + len;

	while (end > from && end[-1] != '\n')
		end--;
	split->seen = split->end = (size_t)(end - s);
}

void
kith_split_more(struct kith_split *split, const char *s, size_t len)
{
	const char *nl;

	if (split->at == KITH_CUT_START)
		pass_plain(split, s, len);
	while (split->seen < len &&
	    (nl = memchr(s + split->seen, '\n', len - split->seen))) {
		pass_line(split, s, (size_t)(nl - s));
		if (split->at == KITH_CUT_START)
			pass_plain(split, s, len);
	}
}
