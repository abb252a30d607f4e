/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/certificate - what sqpfw/certify.h asks and answers; its symbols are
 * explained there.
 */
#ifndef KITH_SQPFW_CERTIFICATE_H
#define KITH_SQPFW_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

/* The largest residual of a minimum. */
#define KITH_CERTIFY_LIMIT 1e-8

/*
 * Multipliers that somebody has come to: ask() tells the share of the pair of
 * rows i and j among those tied at the target of row i, NAN where it is not
 * known.  They are a proposal: only those that prove a minimum are believed.
 */
struct kith_certify_known {
	double (*ask)(const void *of, size_t i, bool miss, size_t j);
	const void *of;
};

struct kith_certify_how {
	size_t hits, misses; /* kappa, lambda */
	const double *prior; /* p; NULL: uniform */
	double theta;
	const double *rounding;                 /* p: of the rows (near/alike.h) */
	const struct kith_certify_known *known; /* NULL: nothing */
	bool only_known;                        /* no others are sought: the residual may be NaN */
	const double *weight;                   /* n, of mean 1: of the rows' terms; or NULL */
};

struct kith_certificate {
	size_t ties;     /* tied pairs that differ, the targets left out */
	size_t concave;  /* targets with a concave kink */
	size_t open;     /* concave kinks of which not all choices were tried:
			    above 0, nothing is proved */
	double residual; /* largest |r_f| / max(1, theta H_f), of any choice
			    that was tried; may be NaN */
	bool certified;  /* open = 0, unless theta = 0, where no kink counts,
			    and residual <= KITH_CERTIFY_LIMIT */
};

#endif
