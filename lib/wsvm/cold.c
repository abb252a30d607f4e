#include "base/pool.h"
#include "wsvm/margin.h"
#include "wsvm/polish.h"
#include "wsvm/state.h"

#include <math.h>
#include <string.h>

/* Steps of smo, beside twenty for each variable: then polishing is faster. */
enum { STEPS = 1000 };

#define ROUGH 1e-3 /* of q, where smo stops */

/* Empty M. */
static void
clear(struct kith_wsvm *s)
{
	for (size_t m = kith_wsvm_margin_size(s->margin); m-- > 0;) {
		const size_t v = kith_wsvm_margin_list(s->margin)[m];

		kith_wsvm_margin_leave(s->margin, v);
		s->where[v] = KITH_WSVM_OUT;
	}
}

static void
note_all(struct kith_wsvm *s, int8_t *before)
{
	for (size_t v = 0; v < s->N; v++)
		if (before[v] != s->where[v] && s->was[v] == KITH_WSVM_SAME) {
			s->was[v] = before[v];
			s->moved[s->moves++] = v;
		}
}

/* What rounding may leave of the slopes of x. */
static double
noise_of(const struct kith_wsvm *s)
{
	double sum = 0;

	for (size_t v = 0; v < s->N; v++)
		sum += fabs(s->x[v]);
	return KITH_WSVM_ROUGH * (s->q_most + s->kappa * sum);
}

/* From x, s of the form, within its bounds, the exact solution. */
void
kith_wsvm_settle(struct kith_wsvm *s)
{
	struct kith_wsvm_polish_job job = {&s->form, s->margin, s->live,
	    s->lives, 0, noise_of(s), true, s->x, s->s, s->b0};

	kith_wsvm_polish_begin(s->polish, &job);
	job.off = 0;
	for (size_t v = 0; v < s->N; v++)
		job.off -= s->form.sign[v] * s->x[v];
	kith_wsvm_polish(s->polish, &job);
	for (size_t v = 0; v < s->N; v++) {
		const bool in = s->x[v] > 0;

		s->where[v] = KITH_WSVM_MARGIN;
		if (kith_wsvm_margin_place(s->margin, v) != KITH_WSVM_NOT)
			continue;
		s->where[v] = in ? KITH_WSVM_IN : KITH_WSVM_OUT;
		s->A0[v] = in ? s->from[v] : 0;
		s->A1[v] = in ? s->d[v] : 0;
	}
	s->b0 = job.b;
	s->b1 = 0;
}

void
kith_wsvm_cold(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	int8_t *before = kith_new(&tmp, s->N, sizeof(*before));

	memcpy(before, s->where, s->N * sizeof(*before));
	clear(s);
	memset(s->x, 0, s->N * sizeof(*s->x));
	memset(s->s, 0, s->n * sizeof(*s->s));
	memset(s->lo, 0, s->N * sizeof(*s->lo));
	s->lives = 0;
	for (size_t v = 0; v < s->N; v++) {
		s->hi[v] = kith_wsvm_weight(s, v);
		if (s->hi[v] > 0)
			s->live[s->lives++] = v;
	}
	kith_smo(&s->form, s->live, s->lives, ROUGH * s->q_most,
	    20 * s->lives + STEPS, s->x, s->s);
	kith_wsvm_settle(s);
	note_all(s, before);
	kith_wsvm_refresh(s);
	kith_pool_free(&tmp);
}
