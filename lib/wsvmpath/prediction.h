/*
 * wsvmpath/prediction - the rows that --online and --task transduce write:
 *
 *	id predicted actual margin
 */
#ifndef KITH_WSVMPATH_PREDICTION_H
#define KITH_WSVMPATH_PREDICTION_H

struct kith_out;

struct kith_wsvm_prediction {
	const char *id;
	const char *predicted; /* class; NULL: missing, and margin too */
	const char *actual;    /* class; NULL: missing */
	double margin;         /* f */
};

void kith_wsvm_prediction_header(struct kith_out *out);
void kith_wsvm_prediction_write(
    const struct kith_wsvm_prediction *p, struct kith_out *out);

#endif
