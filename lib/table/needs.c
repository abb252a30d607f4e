/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/needs.h"

#include "base/err.h"
#include "base/num.h"
#include "text/out.h"
#include "text/rec.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int
take_sigma(const struct kith_rec *rec, const struct kith_rec_note *note,
    struct kith_needs *needs, struct kith_err *err)
{
	double x;

	if (needs->sigma > 0)
		return kith_fail_at(err, EX_DATAERR, rec->file, note->line,
		    "sigma: named twice");
	if (kith_parse_real(note->value, strlen(note->value), &x) || !(x > 0))
		return kith_fail_at(err, EX_DATAERR, rec->file, note->line,
		    "sigma: not a number above 0: " KITH_CELL, note->value);
	needs->sigma = x;
	return 0;
}

/* A sample and its seed, whole numbers; else the note is none of these. */
static bool
take_rows(const struct kith_rec_note *note, struct kith_needs *needs)
{
	size_t n;

	if (kith_parse_size(note->value, &n))
		return false;
	if (strcmp(note->key, "sample") == 0)
		needs->sample = n;
	else if (strcmp(note->key, "seed") == 0)
		needs->seed = n;
	else
		return false;
	return true;
}

int
kith_needs_read(
    const struct kith_rec *rec, struct kith_needs *needs, struct kith_err *err)
{
	*needs = (struct kith_needs){.file = rec->file};
	for (size_t i = 0; i < rec->notes; i++) {
		const struct kith_rec_note *note = &rec->note[i];

		if (strcmp(note->key, "sigma") == 0) {
			if (take_sigma(rec, note, needs, err))
				return -1;
		} else if (!take_rows(note, needs) && needs->unknowns++ == 0) {
			snprintf(needs->unknown, sizeof(needs->unknown), "%s",
			    note->key);
		}
	}
	return 0;
}

void
kith_needs_put(const struct kith_needs *needs, struct kith_out *out)
{
	if (needs->sigma > 0)
		kith_out_note(out, "sigma", needs->sigma);
	if (needs->sample > 0) {
		kith_out_note(out, "sample", (double)needs->sample);
		kith_out_note(out, "seed", (double)needs->seed);
	}
}
