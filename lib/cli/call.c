/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/call.h"

#include "cli/cli.h"

void
kith_obey(const struct kith_rule *rule, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rule[i].wrong)
			kith_misuse("%s", rule[i].why);
}

void
kith_increasing(const char *option, const struct kith_reals *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (!(list->v[i - 1] < list->v[i]))
			kith_misuse("bad --%s: the list must increase", option);
}

/* Let an option that was given be as if it had not been, and say so. */
static void
ignore(const void *place, const char *joined, const char *other)
{
	const struct kith_opt *o = kith_opt_given_forget(place);

	if (o && o->name)
		kith_warn("--%s is not used %s %s", o->name, joined, other);
	else if (o)
		kith_warn("-%c is not used %s %s", o->key, joined, other);
}

void
kith_unused(const void *place, const char *with)
{
	ignore(place, "with", with);
}

void
kith_unused_without(const void *place, const char *without)
{
	ignore(place, "without", without);
}

void
kith_unused_each(const void *const *place, size_t n, const char *with)
{
	for (size_t i = 0; i < n; i++)
		kith_unused(place[i], with);
}

void
kith_unused_all(const struct kith_idle *option, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (option[i].idle)
			kith_unused(option[i].place, option[i].with);
}
