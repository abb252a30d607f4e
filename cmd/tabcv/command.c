/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. A combination is a value of each parameter of the call, NAME=V,V,...; in a line of sh(1) these
 *    values, and the names of files, take the places {name}.
 * 2. The name of a learner stands for a recipe, whose lines hold the places of tabcv, {train},
 *    {test}, {tmp} and parameters, and others that are filled here:
 *
 *	{NAME}       of a learner below, and {kpredict}: the name under which it is installed
 *	{options}    the words behind the learner's name in the call
 *	{scores}     --scores where the measure is auc, which needs them; else nothing
 *	{na}         the learner's --na, for the command that predicts; mean for --na model of relief
 *	{k,}         all values of k, divided by commas: the command prints a column predicted_K each
 *
 *    An option of the learner that is followed by a parameter, as in "--theta {theta}", fixes this
 *    parameter where the call has the option.
 */
#define _XOPEN_SOURCE 700 /* NOLINT: for readlink() */

#include "tabcv.h"

#include "base/num.h"
#include "base/par.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct grid grid;

char *
read_whole(const char *path, size_t *length)
{
	FILE *in = fopen(path, "r");
	char *bytes = NULL;
	size_t room = 0;

	if (!in)
		return NULL;
	for (*length = 0; !feof(in) && !ferror(in); bytes[*length] = '\0') {
		bytes = kith_more(&kept, bytes, *length + 1, &room, 1);
		*length += fread(bytes + *length, 1, room - *length - 1, in);
	}
	bytes = ferror(in) ? NULL : bytes;
	fclose(in);
	return bytes;
}

struct parameter *
find_parameter(const char *name)
{
	for (size_t i = 0; i < grid.n; i++)
		if (strcmp(grid.v[i].name, name) == 0)
			return &grid.v[i];
	return NULL;
}

void
add_parameter(const char *word)
{
	const size_t len = strspn(word, LETTERS);
	struct parameter p = {.name = kith_strndup(&kept, word, len)};
	const char *list = word + len + 1;
	struct kith_texts texts = {0};

	if (len == 0 || word[len] != '=')
		kith_misuse(KITH_CELL ": not NAME=V,V,... (-- before the command?)", word);
	if (strstr(" train test tmp seed ", kith_text(&kept, " %s ", p.name)))
		kith_misuse("{%s} is no parameter", p.name);
	if (find_parameter(p.name))
		kith_misuse("two parameters " KITH_CELL, p.name);
	if (kith_texts_add_list(&texts, *list ? list : "\"\"", &kept, &failure) || texts.n == 0)
		kith_misuse("%s: its values are no line of CSV", p.name);
	p.value = kith_new(&kept, texts.n, sizeof(*p.value));
	for (; p.n < texts.n; p.n++)
		p.value[p.n] = kith_text(&kept, "%s", texts.cell[p.n].s);
	grid.v = kith_more(&kept, grid.v, grid.n, &grid.room, sizeof(*grid.v));
	grid.v[grid.n++] = p;
}

const char *
value_of(const struct parameter *p, size_t combination)
{
	for (const struct parameter *later = grid.v + grid.n; --later > p;)
		combination /= later->n;
	return p->value[combination % p->n];
}

/* Returns NAME=V, where V is quoted as in CSV. */
static char *
word_of(const char *name, const char *value)
{
	char *word = kith_new(&scratch, strlen(name) + 2 * strlen(value) + 4, 1), *to;

	if (!strpbrk(value, ",\"\n ") && *value)
		return kith_text(&scratch, "%s=%s", name, value);
	to = word + sprintf(word, "%s=\"", name);
	for (; *value; *to++ = *value++)
		if (*value == '"')
			*to++ = '"';
	*to = '"';
	return word;
}

char *
words_of(size_t combination, const char *k)
{
	char **word = kith_new(&scratch, grid.n + 2, sizeof(*word));

	for (size_t i = 0; i < grid.n; i++)
		word[i] = word_of(grid.v[i].name, value_of(&grid.v[i], combination));
	if (*k)
		word[grid.n] = word_of("k", k);
	return kith_log_words(word, &scratch);
}

/* Returns the place whose {name} the line begins with, or NULL. */
static const struct place *
find_place(const char *line, const struct place *place, size_t n)
{
	for (size_t i = 0; *line == '{' && i < n; i++) {
		const size_t len = strlen(place[i].name);

		if (strncmp(line + 1, place[i].name, len) == 0 && line[len + 1] == '}')
			return &place[i];
	}
	return NULL;
}

/* Writes the text of a place; quote is the mark that is open, or 0.  Returns its end. */
static char *
put_place(char *to, const struct place *place, char quote, bool raw)
{
	for (const char *s = place->text; *s; s++) {
		const bool plain = raw || strchr(LETTERS "./:=,+@%-", *s);

		if (!plain && (*s == '\n' || quote))
			kith_misuse("{%s} %s, and its value is " KITH_CELL, place->name,
			    quote ? "stands in quotes" : "cannot have a line end", place->text);
		if (!plain)
			*to++ = '\\';
		*to++ = *s;
	}
	return to;
}

char *
fill_places(const char *line, const struct place *place, size_t n, bool raw, struct kith_pool *pool)
{
	size_t longest = 1;
	char quote = 0, *filled, *to;

	for (size_t i = 0; i < n; i++)
		if (strlen(place[i].text) > longest)
			longest = strlen(place[i].text);
	to = filled = kith_new(pool, strlen(line) * 2 * longest + 1, 1);
	while (*line) {
		const struct place *found = find_place(line, place, n);

		if (found) {
			to = put_place(to, found, quote, raw);
			line += strlen(found->name) + 2;
			continue;
		}
		if (*line == '\\' && quote != '\'' && line[1])
			*to++ = *line++;
		else if (*line == quote)
			quote = 0;
		else if (!quote && (*line == '\'' || *line == '"'))
			quote = *line;
		*to++ = *line++;
	}
	return filled;
}

bool
has_place(const char *line, const char *name)
{
	const struct place place = {name, ""};

	return strcmp(fill_places(line, &place, 1, true, &scratch), line) != 0;
}

/* ---- Recipes ---- */

/*
 * Predictions by the nearest rows, under the weights that the command in front prints.  knnclf -q
 * does not warn of weights below 0, which relief often prints, and which count as 0.
 */
#define VOTES " | {knnclf} -q {scores} {na} -k {k,} -w - -t {train} {test}"
/* Weights say with which k they were chosen. */
#define WITH_K "printf '# k\\t%s\\n' {k} && "

/* Commands that a name stands for. */
static const struct recipe {
	const char *name;
	const char *grid;    /* prints NAME=V,V ... of TABLE, {train}; the simplest values first */
	const char *command; /* prints the predictions of {test} */
	const char *final;   /* --then final */
} recipes[] = {
    {"knnclf", "echo k=25,15,9,7,5,3,1", "{knnclf} -k {k,} {scores} {options} -t {train} {test}",
	"{knnclf} -k {k} {options} -t {train} {test}"},
    {"sqpfw", "echo theta=.01,.03,.1,.3,1,3 k=9,7,5,3,1",
	"{sqpfw} --theta {theta} {options} {train}" VOTES,
	WITH_K "{sqpfw} --theta {theta} {options} {train}"},
    {"relief", "echo neighbours=20,10,5 k=9,5,3,1",
	"{relief} -k {neighbours} {options} {train}" VOTES,
	WITH_K "{relief} -k {neighbours} {options} {train}"},
    {"immigrate",
	"{immigrate} -q --max-iter 1 {options} {train} | "
	"LC_ALL=C awk '$2 == \"sigma\" { x = $3; print \"sigma=\" 4 * x \",\" 2 * x \",\" x \",\" "
	"x / 2 "
	"\",\" x / 4; exit }'",
	"{immigrate} --sigma {sigma} {options} {train} | "
	"{knnclf} {scores} {na} --vote expected --sigma {sigma} -w - -t {train} {test}",
	"{immigrate} --sigma {sigma} {options} {train}"},
    {"knife",
	"{knife} -q --grid 2 {options} {train} | "
	"LC_ALL=C awk 'NR > 1 { x = $2 } END { if (!x) exit 1; printf \"lambda2=\"; for (i = 0; i "
	"< 12; "
	"i++) "
	"printf \"%s%.4g\", i ? \",\" : \"\", x * exp(-log(1000) * i / 11) }'",
	"{knife} --lambda2 {lambda2} {options} --save-model {tmp}/model {train} "
	">{tmp}/weights && {kpredict} {scores} {na} -m {tmp}/model {test}",
	"{knife} --lambda2 {lambda2} {options} {train}"},
    {"wsvmpath",
	"LC_ALL=C awk -F '\\t' '{ p = NF - 1; print \"gamma=\" .25 / p \",\" 1 / p \",\" 4 / p; "
	"exit }' "
	"{train}",
	"{wsvmpath} -q --gamma {gamma} {options} "
	"--save-model {tmp}/model {train} >{tmp}/errors && "
	"{kpredict} {scores} {na} -m {tmp}/model {test}",
	"{wsvmpath} --gamma {gamma} {options} "
	"{train} --save-model {tmp}/model >{tmp}/errors && cat {tmp}/model"},
    {0},
};

static const char blank[] = " \t\n";

const char *command, *programs;
static const struct recipe *recipe; /* of the command, or NULL */
static const char *prefix = "";     /* of the names of kith's commands: "my-", or "kith " where one
				 * executable is all commands */

/* What stands for places of recipes; in --recipes they stay. */
static const char *options = "{options}", *scores = "{scores}", *na = "{na}", *values = "{k,}";

/* Finds the commands beside this executable, and puts their folder in front of PATH. */
static void
find_programs(void)
{
	static const char own[] = "tabcv";
	const char *others = kith_environment("PATH");
	char path[4096], *name;
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	size_t n, end = sizeof(own) - 1;

	path[len > 0 ? len : 0] = '\0';
	name = strrchr(path, '/');
	if (!name)
		return;
	*name++ = '\0';
	programs = kith_text(&kept, "%s", path);
	setenv("PATH", kith_text(&kept, "%s:%s", path, others ? others : ""), 1);
	n = strlen(name);
	prefix = n >= end && strcmp(name + n - end, own) == 0 ? kith_strndup(&kept, name, n - end)
							      : kith_text(&kept, "%s ", name);
}

/*
 * Finds an option among `options`: "--theta .1", "--theta=.1", "-k 5" or "-k5".  Returns its value,
 * and sets [*start, *end) to both; NULL: there is none.
 */
static const char *
find_option(const char *name, const char **start, const char **end)
{
	const size_t len = strlen(name);

	for (const char *word = options + strspn(options, blank); *word;
	     word = *end + strspn(*end, blank)) {
		const char *value = NULL;

		*start = word;
		*end = word + strcspn(word, blank);
		if (strncmp(word, name, len) == 0 && word + len == *end) {
			value = *end + strspn(*end, blank);
			*end = value + strcspn(value, blank);
		} else if (strncmp(word, name, len) == 0 && (name[1] != '-' || word[len] == '='))
			value = word + len + (name[1] == '-');
		if (value)
			return kith_strndup(&kept, value, (size_t)(*end - value));
	}
	return NULL;
}

/* Fills the places of recipes. */
static char *
fill_recipe(const char *line)
{
	struct place place[16] = {{"options", options}, {"scores", scores}, {"na", na},
	    {"k,", values}, {"kpredict", kith_text(&kept, "%skpredict", prefix)}};
	size_t n = 5;

	for (const struct recipe *r = recipes; r->name; r++)
		place[n++] = (struct place){r->name, kith_text(&kept, "%s%s", prefix, r->name)};
	return fill_places(line, place, n, true, &kept);
}

/*
 * Adds the parameters that options fix; the options of the learner stand before the first | or >.
 */
static void
fix_parameters(void)
{
	char *own = kith_strndup(&kept, recipe->command, strcspn(recipe->command, "|>")), *save;
	const char *before = "", *value, *start, *end;

	for (char *word = strtok_r(own, blank, &save); word; word = strtok_r(NULL, blank, &save)) {
		if (word[0] == '{' && before[0] == '-' &&
		    (value = find_option(before, &start, &end))) {
			options = kith_text(&kept, "%.*s%*s%s", (int)(start - options), options,
			    (int)(end - start), "", end);
			add_parameter(kith_text(
			    &kept, "%.*s=%s", (int)strcspn(word + 1, ",}"), word + 1, value));
		}
		before = word;
	}
}

void
parse_command(char *const *word)
{
	const char *own, *value, *end, *likely = NULL, *names = "";
	size_t least = SIZE_MAX;

	find_programs();
	for (; word && *word; word++)
		command = kith_text(
		    &kept, "%s%s%s", command ? command : "", command ? " " : "", *word);
	if (!command)
		kith_misuse("no command: tabcv TABLE -- knnclf, or a line of the shell with "
			    "{train} and {test}");
	if (has_place(command, "test"))
		return;
	value = kith_strndup(&kept, command, strcspn(command, blank));
	own = command + (strncmp(command, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0);
	for (const struct recipe *r = recipes; r->name; r++) {
		const size_t len = strlen(r->name);

		if (strncmp(own, r->name, len) == 0 && strchr(blank, own[len])) {
			recipe = r;
			options = own + len;
		}
		names = kith_text(&kept, "%s%s%s", names, *names ? ", " : "", r->name);
		if (kith_names_nearer(value, r->name, &least))
			likely = r->name;
	}
	if (has_place(command, "train"))
		kith_misuse("no {test} in the command: knnclf -t {train} {test}?");
	if (!recipe)
		kith_misuse(KITH_CELL " is no recipe (%s), and has no {test}%s%s%s", value, names,
		    likely ? ": " : "", likely ? likely : "", likely ? "?" : "");
	scores = how.measure == KITH_SCORE_AUC ? "--scores" : "";
	value = find_option("--na", &own, &end);
	na = !value ? ""
		    : kith_text(&kept, "--na %s", strcmp(value, "model") == 0 ? "mean" : value);
	fix_parameters();
	if (how.then && strcmp(how.then, "final") == 0)
		how.then = fill_recipe(recipe->final);
}

/*
 * Adds the parameter k of a grid line, whose values fall, with the values that the smallest
 * training part has rows for.
 */
static void
add_k(const char *word)
{
	size_t least = rows.own, k;
	struct parameter *p;

	for (size_t i = 0; i <= splits.n; i++) {
		size_t n = 0;

		for (size_t r = 0; r < rows.n; r++)
			n += learns(&splits.v[i], r);
		least = n < least ? n : least;
	}
	add_parameter(word);
	p = &grid.v[grid.n - 1];
	for (; p->n > 1 && !kith_parse_size(p->value[0], &k) && k > least; p->n--)
		p->value++;
}

/*
 * Runs the grid line of the recipe, and adds the parameters that it prints and the call does not
 * have; makes the grid and the command.
 */
static void
use_recipe(void)
{
	struct parameter *k;
	char *save, *words;
	size_t length;
	struct task all = {.k = ""};
	const int status = run_line(fill_recipe(recipe->grid), &all, true, &words, &length);

	if (status > 0 || !strchr(words, '=')) {
		say_last_lines(&all);
		fail(EX_DATAERR, NULL,
		    "the recipe finds no values for its parameters (NAME=V,V,...: tabcv "
		    "--recipes)");
	}
	for (char *w = strtok_r(words, blank, &save); w; w = strtok_r(NULL, blank, &save))
		if (!find_parameter(kith_strndup(&kept, w, strcspn(w, "=")))) {
			if (strncmp(w, "k=", 2) == 0)
				add_k(w);
			else
				add_parameter(w);
		}
	for (size_t i = 0; i < grid.n; i++)
		if (!has_place(recipe->command, grid.v[i].name) &&
		    !has_place(recipe->command, kith_text(&kept, "%s,", grid.v[i].name)))
			kith_misuse(
			    "the recipe of %s has no parameter %s", recipe->name, grid.v[i].name);
	k = find_parameter("k");
	if (k && k->n <= 1) { /* the column would have no number */
		values = "{k}";
	} else if (k) {
		values = k->value[0];
		for (size_t i = 1; i < k->n; i++)
			values = kith_text(&kept, "%s,%s", values, k->value[i]);
		memmove(k, k + 1, (size_t)(grid.v + --grid.n - k) * sizeof(*k));
	}
	command = fill_recipe(recipe->command);
}

void
make_grid(void)
{
	if (recipe)
		use_recipe();
	grid.combinations = 1;
	for (size_t i = 0; i < grid.n; i++)
		grid.combinations *= grid.v[i].n;
}

void
print_recipes(void)
{
	find_programs();
	for (const struct recipe *r = recipes; r->name; r++)
		printf("%s%s%s\n\tgrid   %s\n\ttask   %s\n\tfinal  %s\n", r == recipes ? "" : "\n",
		    prefix, r->name, fill_recipe(r->grid), fill_recipe(r->command),
		    fill_recipe(r->final));
	if (fflush(stdout) || ferror(stdout))
		fail(EX_IOERR, "<stdout>", "cannot write");
}
