/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/say/sqpfw_tried.h: what is kept, against a choice among all. */
#include "say/sqpfw_tried.h"

#include "base/pool.h"
#include "base/rng.h"
#include "table/trial.h"
#include "tap.h"

#include <string.h>

enum { ROUNDS = 200, P = 5, NK = 2, MOST = 12 };

static struct kith_pool pool;

/* Draw solutions, few errors of them different; the wrong ones. */
static size_t
walk(int how, struct kith_rng *rng)
{
	const struct kith_trial_form form = kith_sqpfw_form(false);
	struct kith_sqpfw_tried tried = {.how = how, .pool = &pool};
	struct kith_trial all[MOST * NK];
	const size_t n = 1 + kith_rng_below(rng, MOST);
	double w[MOST][P];
	const struct kith_trial *trial;
	const struct kith_sqpfw_kept *kept;
	size_t at, good = 0, features = 0;

	for (size_t s = 0; s < n; s++) {
		size_t positive = 0;

		for (size_t j = 0; j < P; j++) {
			w[s][j] = (double)kith_rng_below(rng, 3) / 2;
			positive += w[s][j] > 0;
		}
		for (size_t a = 0; a < NK; a++)
			all[s * NK + a] = (struct kith_trial){
			    .key = {(double)(n - s), (double)(2 * a + 1)},
			    .error = (double)kith_rng_below(rng, 6) / 8,
			    .se = .2,
			    .features = positive};
		kith_sqpfw_tried_add(&tried, all + s * NK, NK, w[s], P);
	}
	at = kith_trial_choose(&form, all, n * NK, how);
	kept = kith_sqpfw_tried_choose(&tried, &trial);
	for (size_t j = 0; j < P; j++)
		if (w[at / NK][j] > 0) {
			good += features < kept->n && kept->feature[features] == j &&
			    kept->w[features] >= w[at / NK][j] &&
			    kept->w[features] <= w[at / NK][j];
			features++;
		}
	return trial != &tried.trial[at] || kept->n != features || good != features ||
	    kept->theta < all[at].key[0] || kept->theta > all[at].key[0] || tried.n != n * NK ||
	    (how == KITH_BEST_SE && tried.keeps != n);
}

/* Of errors that do not fall no solution is kept but the first. */
static void
test_kept(void)
{
	struct kith_sqpfw_tried tried = {.how = KITH_BEST, .pool = &pool};
	const double w[] = {1};
	struct kith_trial t = {.key = {3, 1}, .error = .25, .se = .1, .features = 1};

	kith_sqpfw_tried_add(&tried, &t, 1, w, 1);
	t.key[0] = 4;
	kith_sqpfw_tried_add(&tried, &t, 1, w, 1);
	is_size(tried.keeps, 1, "as good, with a larger theta");
	t.error = .125;
	kith_sqpfw_tried_add(&tried, &t, 1, w, 1);
	is_size(tried.keeps, 2, "better");
	ok(tried.best == 2 && tried.of[0] == 0 && tried.of[2] == 1, "which is the best");
}

static void
test_form(void)
{
	const struct kith_trial_form few = kith_sqpfw_form(false);
	const struct kith_trial_form all = kith_sqpfw_form(true);

	ok(few.keys == 2 && few.features && !few.regress && strcmp(few.key[0].name, "theta") == 0 &&
		!few.key[0].whole && !few.key[0].simple_is_large &&
		strcmp(few.key[1].name, "k") == 0 && few.key[1].whole && few.key[1].simple_is_large,
	    "theta and k");
	ok(all.keys == 4 && strcmp(all.key[0].name, "hits") == 0 &&
		strcmp(all.key[1].name, "misses") == 0 && all.key[1].whole &&
		strcmp(all.key[3].name, "k") == 0 && all.features,
	    "behind hits and misses");
}

int
main(void)
{
	struct kith_rng rng;
	size_t wrong = 0;

	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < ROUNDS; i++) {
		wrong += walk(KITH_BEST, &rng);
		wrong += walk(KITH_BEST_SE, &rng);
	}
	is_size(wrong, 0, "chosen as of all solutions, with their weights");
	test_kept();
	test_form();
	kith_pool_free(&pool);
	return done();
}
