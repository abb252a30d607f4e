/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/opt_given.h"

#include "cli/opt_parse.h"
#include "cli/opt_value.h"

/* The options of the command: set once, by kith_opt_given_begin(). */
static const struct kith_opt *options;
static bool given[KITH_OPT_MOST + 1];              /* option i was on the command line */
static struct kith_opt_value usual[KITH_OPT_MOST]; /* its default */

bool *
kith_opt_given_begin(const struct kith_opt *opts)
{
	options = opts;
	for (size_t i = 0; i < kith_opt_count(opts); i++)
		kith_opt_load(&opts[i], &usual[i]);
	return given;
}

bool
kith_opt_given_type(enum kith_opt_type type)
{
	for (size_t i = 0; i < kith_opt_count(options); i++)
		if (given[i] && options[i].type == type)
			return true;
	return false;
}

/* The number of the option that stores at this place; that of all for none. */
static size_t
option_at(const void *place)
{
	const size_t n = kith_opt_count(options);

	for (size_t i = 0; i < n; i++)
		if (options[i].to.place == place)
			return i;
	return n;
}

bool
kith_given(const void *place)
{
	return given[option_at(place)];
}

const struct kith_opt *
kith_opt_given_forget(const void *place)
{
	const size_t i = option_at(place);

	if (!given[i])
		return NULL;
	kith_opt_reset(&options[i], &usual[i]);
	given[i] = false;
	return &options[i];
}
