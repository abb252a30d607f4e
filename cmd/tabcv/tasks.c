/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of the folder, S being a split and T a task, both numbered from 1:
 *
 *	train.S test.S    the rows of the split; they are written before its first task, and removed
 *	                  behind its last one.  train.0 and test.0 are TABLE and the file of --test
 *	T.out T.err       what the task printed
 *	tmp.T             the folder {tmp} of the task
 */
#include "tabcv.h"

#include "base/progress.h"
#include "cli/cli.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	DESCRIBED = 3,  /* failures: a wrong command fails in every task */
	SAID_LINES = 5, /* the last lines of a task that failed: a message, and its cause */
	SAID_BYTES = 1000
};

/* How many tasks were read, failed, had status 1 and count, and did not fail but wrote to standard
 * error; words are of the first task that did: its name, and its last line. */
static struct tally {
	size_t read, failed, uncertain, spoke;
	const char *words;
} tally;

/* The last lines of the failed tasks that were described. */
static struct {
	const char *line[DESCRIBED * SAID_LINES];
	size_t n;
} described;

char *
file_of(const char *kind, size_t number, struct kith_pool *pool)
{
	return *kind == '.' ? text(pool, "%s/%zu%s", folder, number, kind)
			    : text(pool, "%s/%s.%zu", folder, kind, number);
}

struct task *
make_tasks(void)
{
	const size_t c = grid.combinations, n = splits.n * c;
	struct task *task = kith_new(&kept, n, sizeof(*task));

	for (size_t i = 0; i < n; i++)
		task[i] = (struct task){.split = i / c,
		    .combination = i % c,
		    .number = 1 + (i + n - splits.outer * c) % n};
	return task;
}

/* Returns the line of a task of split S (0: all rows). */
static char *
fill_line(const char *line, size_t split, size_t number, size_t combination, const char *k,
    struct kith_pool *pool)
{
	const size_t seed = split ? splits.v[split - 1].seed : how.seed;
	struct place *place = kith_new(pool, grid.n + 5, sizeof(*place));
	size_t n = 0;

	place[n++] = (struct place){"train", file_of("train", split, pool)};
	place[n++] = (struct place){"test", file_of("test", split, pool)};
	place[n++] = (struct place){"tmp", file_of("tmp", number, pool)};
	place[n++] = (struct place){"seed", text(pool, "%zu", seed)};
	if (*k)
		place[n++] = (struct place){"k", k};
	for (size_t i = 0; i < grid.n; i++)
		place[n++] = (struct place){grid.v[i].name, value_of(&grid.v[i], combination)};
	return fill_places(line, place, n, false, pool);
}

void
check_places(void)
{
	struct kith_pool tmp = {0};

	if (how.then && has_place(how.then, "test") && !how.test)
		kith_misuse("--then: {test} is the file of --test");
	for (size_t i = 0; i < grid.n; i++)
		if (!has_place(command, grid.v[i].name))
			kith_misuse("no {%s} in the command", grid.v[i].name);
	for (size_t c = 0; c < grid.combinations; c++, kith_pool_free(&tmp)) {
		fill_line(command, 1, 1, c, "", &tmp);
		if (how.then)
			fill_line(how.then, 0, 0, c, "", &tmp);
	}
}

/* "theta=.1, part 3" */
static const char *
name_task(const struct task *t, struct kith_pool *pool)
{
	const char *words = words_of(t->combination, "", pool);
	size_t part = t->split + 1, i = 0;

	words = text(pool, "%s%s", words, *words ? ", " : "");
	if (t->split < splits.outer || !splits.outer)
		return text(pool, "%s%spart %zu", words, splits.outer ? "outer " : "", part);
	while (splits.inner[i + 1] <= t->split)
		i++;
	return text(pool, "%souter part %zu, part %zu", words, i + 1, part - splits.inner[i]);
}

/*
 * Returns a line without the name of a file that is there for a task alone: with the name of the
 * table instead, and which of its rows the file has.  The folder of a plan stays.
 */
static char *
name_table(char *line, size_t split, struct kith_pool *pool)
{
	const char *const kind[] = {"train", "test"}, *const which[] = {"training", "test"};
	const char *const table[] = {rows.file, how.test ? how.test : rows.file};

	for (size_t a = 0; !how.collect && a < 2; a++) {
		const char *const path = file_of(kind[a], split, pool),
				  *const at = strstr(line, path);

		if (at)
			line = text(pool, "%.*s%s (%s rows)%s", (int)(at - line), line, table[a],
			    which[a], at + strlen(path));
	}
	return line;
}

/*
 * Reads the last lines of the standard error of a task, or of the grid of a recipe (number and
 * split 0), that are not empty; returns their number.
 */
static size_t
read_last_lines(size_t number, size_t split, char *line[SAID_LINES], struct kith_pool *tmp)
{
	FILE *in = fopen(file_of(".err", number, tmp), "r");
	char *s = kith_new(tmp, SAID_BYTES + 1, 1), *save;
	size_t n = 0;

	if (!in)
		return 0;
	if (fseek(in, -SAID_BYTES, SEEK_END))
		rewind(in);
	s[fread(s, 1, SAID_BYTES, in)] = '\0';
	fclose(in);
	for (s = strtok_r(s, "\r\n", &save); s; s = strtok_r(NULL, "\r\n", &save)) {
		if (n == SAID_LINES)
			memmove(line, line + 1, --n * sizeof(*line));
		line[n++] = name_table(s, split, tmp);
	}
	return n;
}

void
say_last_lines(size_t number, size_t split)
{
	struct kith_pool tmp = {0};
	char *line[SAID_LINES];
	const size_t n = read_last_lines(number, split, line, &tmp);

	for (size_t i = 0; i < n; i++)
		kith_say("  %s", line[i]);
	kith_pool_free(&tmp);
}

static bool
is_described(const char *line)
{
	for (size_t i = 0; i < described.n; i++)
		if (strcmp(line, described.line[i]) == 0)
			return true;
	return false;
}

/*
 * Prints why a task failed, and its last lines unless tasks before have printed each of them: a
 * wrong command fails in every task with the same words.
 */
static void
describe_failure(const struct task *t, const char *why, struct kith_pool *tmp)
{
	char *line[SAID_LINES];
	const size_t n = read_last_lines(t->number, t->split + 1, line, tmp);
	bool is_new = n == 0;

	for (size_t i = 0; i < n; i++)
		is_new |= !is_described(line[i]);
	kith_say("%s: %s%s", name_task(t, tmp), why, is_new ? "" : ", as above");
	for (size_t i = 0; is_new && i < n; i++) {
		kith_say("  %s", line[i]);
		described.line[described.n++] = text(&kept, "%s", line[i]);
	}
}

/*
 * Reads the predictions of a task; status comes from waitpid(2).  Returns why it failed, or NULL.
 */
static const char *
read_output(struct task *t, int status, struct kith_pool *tmp)
{
	const char *out = file_of(".out", t->number, tmp);
	const int code = WEXITSTATUS(status);
	size_t *row = kith_new(tmp, rows.n, sizeof(*row)), m = 0;
	struct kith_err err;
	struct stat st;

	for (size_t i = 0; i < rows.n; i++)
		if (predicts(&splits.v[t->split], i))
			row[m++] = i;
	if (WIFSIGNALED(status))
		return text(tmp, "signal %d", WTERMSIG(status));
	if (code > 1)
		return text(tmp, "status %d", code);
	if (stat(out, &st))
		return "not done";
	if (st.st_size == 0)
		return text(tmp, "status %d, and it printed nothing", code);
	if (read_predictions(out, row, m, t, &err))
		return text(tmp, "%s", err.msg);
	if (*t->score[0].k && find_parameter("k"))
		return "a parameter k, and columns predicted_K";
	tally.uncertain += code == 1;
	return NULL;
}

/* Reads what a task printed, and says why it failed. */
static void
read_task(struct task *t, int status)
{
	struct kith_pool tmp = {0};
	char *line[SAID_LINES];
	const char *why = read_output(t, status, &tmp);
	size_t n;

	tally.read++;
	if (why) {
		t->scores = 0;
		if (tally.failed++ < DESCRIBED)
			describe_failure(t, why, &tmp);
	} else if ((n = read_last_lines(t->number, t->split + 1, line, &tmp)) > 0 &&
	    tally.spoke++ == 0)
		tally.words = text(&kept, "%s: %s", name_task(t, &tmp), line[n - 1]);
	kith_pool_free(&tmp);
}

char *
write_task(const struct task *t, struct kith_pool *pool)
{
	const struct split *s = &splits.v[t->split];
	const char *test = file_of("test", t->split + 1, pool);

	if (access(test, F_OK)) {
		write_rows(s, false, file_of("train", t->split + 1, pool));
		write_rows(s, true, test);
	}
	return fill_line(command, t->split + 1, t->number, t->combination, "", pool);
}

static void
start_task(const struct task *t, size_t slot)
{
	struct kith_pool tmp = {0};

	if (has_place(command, "tmp"))
		mkdir(file_of("tmp", t->number, &tmp), 0777);
	start_line(slot, write_task(t, &tmp), file_of(".out", t->number, &tmp),
	    file_of(".err", t->number, &tmp));
	kith_pool_free(&tmp);
}

/* Removes the files of a task that was read, and of its split behind its last task. */
static void
remove_files(const struct task *t)
{
	struct kith_pool tmp = {0};

	unlink(file_of(".out", t->number, &tmp));
	unlink(file_of(".err", t->number, &tmp));
	if (has_place(command, "tmp"))
		remove_folder(file_of("tmp", t->number, &tmp));
	if (--splits.v[t->split].waiting == 0) {
		unlink(file_of("train", t->split + 1, &tmp));
		unlink(file_of("test", t->split + 1, &tmp));
	}
	kith_pool_free(&tmp);
}

void
run_tasks(struct task *task, size_t n)
{
	struct kith_pool tmp = {0};
	size_t *of, next = 0, read = 0, slot;
	int *status, ended; /* status -1: the task has not ended */

	for (size_t i = 0; how.collect && i < n; i++)
		read_task(&task[i], 0);
	if (how.collect)
		return;
	of = kith_new(&tmp, how.jobs, sizeof(*of));
	status = kith_new(&tmp, n, sizeof(*status));
	for (size_t i = 0; i < n; i++) {
		splits.v[task[i].split].waiting++;
		status[i] = -1;
	}
	kith_log_size("tasks", n);
	kith_progress_phase("tasks", n, "tasks");
	set_threads(1);
	for (size_t done = 0; done < n; done++) {
		for (slot = 0; slot < how.jobs && next < n; slot++)
			if (is_free(slot)) {
				start_task(&task[next], slot);
				of[slot] = next++;
			}
		slot = await_line(&ended);
		status[of[slot]] = ended;
		kith_progress_add(1);
		for (; read < n && status[read] >= 0; read++) { /* in order, for messages are */
			read_task(&task[read], status[read]);
			remove_files(&task[read]);
		}
	}
	kith_progress_end();
	kith_pool_free(&tmp);
}

int
run_final(const char *line, size_t combination, const char *k, const char *log, char **printed,
    size_t *length)
{
	struct kith_pool tmp = {0};
	const char *out = file_of("final", 0, &kept);
	int status;

	mkdir(file_of("tmp", 0, &tmp), 0777);
	write_rows(NULL, false, file_of("train", 0, &tmp));
	if (how.test)
		write_rows(NULL, true, file_of("test", 0, &tmp));
	set_threads(how.jobs);
	start_line(0, fill_line(line, 0, 0, combination, k, &tmp), out, log);
	await_line(&status);
	kith_pool_free(&tmp);
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	*printed = read_whole(out, length);
	if (!*printed && status <= 1)
		fail(EX_IOERR, out, "cannot read the output of the final command");
	return status;
}

bool
report_tasks(void)
{
	if (tally.failed > DESCRIBED)
		kith_say("%zu of %zu tasks failed", tally.failed, tally.read);
	if (tally.uncertain > 0)
		kith_warn("%zu of %zu tasks had status 1; their predictions count", tally.uncertain,
		    tally.read);
	if (tally.spoke > 0)
		kith_warn("%zu of %zu tasks wrote to standard error; the first, %s", tally.spoke,
		    tally.read, tally.words);
	return tally.failed > 0;
}
