#include "cli/call.h"

#include "cli/cli.h"
#include "cli/opt_parse.h"
#include "cli/opt_value.h"
#include "text/place.h"

/* The options of the command: set once, by kith_call_begin(). */
static const struct kith_opt *options;
static bool given[KITH_OPT_MOST + 1]; /* option i was on the command line */
static struct kith_opt_value usual[KITH_OPT_MOST]; /* its default */

bool *
kith_call_begin(const struct kith_opt *opts)
{
	options = opts;
	for (size_t i = 0; i < kith_opt_count(opts); i++)
		kith_opt_load(&opts[i], &usual[i]);
	return given;
}

bool
kith_call_has(enum kith_opt_type type)
{
	for (size_t i = 0; i < kith_opt_count(options); i++)
		if (given[i] && options[i].type == type)
			return true;
	return false;
}

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

struct kith_written
kith_written_output(void)
{
	return (struct kith_written){
	    "output", kith_run.output ? kith_run.output : "-"};
}

struct kith_written
kith_written_log(void)
{
	return (struct kith_written){"log", kith_run.log};
}

/* End with a wrong call: they are one file, which stays as it is. */
static _Noreturn void
are_same(const struct kith_written *a, const struct kith_written *b)
{
	if (a->path == kith_run.log || b->path == kith_run.log)
		kith_log_drop();
	kith_misuse("--%s and --%s are the same file", a->option, b->option);
}

void
kith_apart(const struct kith_written *file, size_t n)
{
	for (size_t b = 1; b < n; b++)
		for (size_t a = 0; a < b; a++)
			if (file[a].path && file[b].path &&
			    kith_place_same(file[a].path, file[b].path))
				are_same(&file[a], &file[b]);
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

/* Let an option that was given be as if it had not been, and say so. */
static void
ignore(const void *place, const char *joined, const char *other)
{
	const size_t i = option_at(place);
	const struct kith_opt *o = &options[i];

	if (!given[i])
		return;
	if (o->name)
		kith_warn("--%s is not used %s %s", o->name, joined, other);
	else
		kith_warn("-%c is not used %s %s", o->key, joined, other);
	kith_opt_reset(o, &usual[i]);
	given[i] = false;
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
