/* SPDX-License-Identifier: BSD-2-Clause */
/* say/search - what commands tell of a search for neighbours. */
#ifndef KITH_SAY_SEARCH_H
#define KITH_SAY_SEARCH_H

struct kith_knn_choice;

/* Log which way it went, and what was known of the other. */
void kith_say_search(const struct kith_knn_choice *search);

#endif
