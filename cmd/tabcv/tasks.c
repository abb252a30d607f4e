/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of the folder, S being a split and T a task, both numbered from 1:
 *
 *	train.S test.S    the rows of the split; they are written before its first task, and removed
 *	                  behind its last one.  train.0 and test.0 are TABLE and the file of --test
 *	T.out T.err       what the task printed
 *	tmp.T             the folder {tmp} of the task
 *
 * A plan also has `tasks`, a line of sh(1) a task, which leaves T.out when the task is done, and
 * T.sh where the command has several lines.
 */
#include "tabcv.h"

#include "base/progress.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	DESCRIBED = 3,  /* failures: a wrong command fails in every task */
	SAID_LINES = 5, /* the last lines of a task that failed: a message, and its cause */
	SAID_BYTES = 1000
};

struct tally tally;

static char *
file_of(const char *kind, size_t number, struct kith_pool *pool)
{
	return *kind == '.' ? text(pool, "%s/%zu%s", folder, number, kind)
			    : text(pool, "%s/%s.%zu", folder, kind, number);
}

struct task *
make_tasks(size_t first, size_t m, size_t first_number)
{
	const size_t c = grid.combinations;
	struct task *task = kith_new(&kept, m * c, sizeof(*task));

	for (size_t i = 0; i < m * c; i++)
		task[i] = (struct task){
		    .split = first + i / c, .combination = i % c, .number = first_number + i};
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
	return fill_places(line, place, n, pool);
}

void
check_places(void)
{
	struct kith_pool tmp = {0};

	if (how.then && has_place(how.then, "test") && !how.test)
		kith_misuse("--then: {test} is the file of --test");
	for (size_t i = 0; i < grid.n; i++) {
		if (!has_place(command, grid.v[i].name))
			kith_misuse("no {%s} in the command", grid.v[i].name);
		for (size_t c = 0; c < grid.v[i].n; c++, kith_pool_free(&tmp)) {
			fill_line(command, 1, 1, c * grid.v[i].stride, "", &tmp);
			if (how.then)
				fill_line(how.then, 0, 0, c * grid.v[i].stride, "", &tmp);
		}
	}
	fill_line(command, 1, 1, 0, "", &tmp);
	kith_pool_free(&tmp);
}

/* "theta=.1, part 3" */
static const char *
name_task(const struct task *t, struct kith_pool *pool)
{
	const char *words = words_of(t->combination, "", pool), *by = *words ? ", " : "";
	size_t i = 0;

	if (t->split < splits.outer || !splits.outer)
		return text(
		    pool, "%s%s%spart %zu", words, by, splits.outer ? "outer " : "", t->split + 1);
	while (splits.inner[i + 1] <= t->split)
		i++;
	return text(
	    pool, "%s%souter part %zu, part %zu", words, by, i + 1, t->split - splits.inner[i] + 1);
}

/* Keeps the last lines of the standard error of a task that are not empty. */
static void
keep_said(struct task *t, struct kith_pool *tmp)
{
	FILE *in = fopen(file_of(".err", t->number, tmp), "r");
	char *s = kith_new(tmp, SAID_BYTES + 1, 1), *save;

	if (!in)
		return;
	if (fseek(in, -SAID_BYTES, SEEK_END))
		rewind(in);
	if (fread(s, 1, SAID_BYTES, in) > 0)
		t->said = kith_new(&kept, SAID_LINES, sizeof(*t->said));
	fclose(in);
	for (s = strtok_r(s, "\r\n", &save); s; s = strtok_r(NULL, "\r\n", &save)) {
		if (t->n_said == SAID_LINES)
			memmove(t->said, t->said + 1, --t->n_said * sizeof(*t->said));
		t->said[t->n_said++] = text(&kept, "%s", s);
	}
}

/* Counts the tasks that have ended, from the first of n on, and says which failed. */
static size_t
count_tasks(const struct task *task, size_t n)
{
	struct kith_pool tmp = {0};
	size_t i = 0;

	for (; i < n && task[i].ended; i++) {
		const struct task *t = &task[i];

		tally.ended++;
		if (!t->why && t->n_said > 0 && tally.spoke++ == 0)
			tally.speaker = t;
		if (!t->why || tally.failed++ >= DESCRIBED)
			continue;
		kith_say("%s: %s", name_task(t, &tmp), t->why);
		for (size_t line = 0; line < t->n_said; line++)
			kith_say("  %s", t->said[line]);
	}
	kith_pool_free(&tmp);
	return i;
}

/* Reads what a task printed; status comes from waitpid(2). */
static void
read_task(struct task *t, int status)
{
	struct kith_pool tmp = {0};
	const char *out = file_of(".out", t->number, &tmp), *why = NULL;
	const int code = WEXITSTATUS(status);
	size_t *row = kith_new(&tmp, rows.n, sizeof(*row)), m = 0;
	struct kith_err err;
	struct stat st;

	for (size_t i = 0; i < rows.n; i++)
		if (predicts(&splits.v[t->split], i))
			row[m++] = i;
	if (WIFSIGNALED(status))
		why = text(&tmp, "signal %d", WTERMSIG(status));
	else if (code > 1)
		why = text(&tmp, "status %d", code);
	else if (stat(out, &st))
		why = "not done";
	else if (st.st_size == 0)
		why = text(&tmp, "status %d, and it printed nothing", code);
	else if (read_predictions(out, row, m, t, &err))
		why = err.msg;
	else if (*t->score[0].k && find_parameter("k"))
		why = "a parameter k, and columns predicted_K";
	if (why) {
		t->scores = 0;
		t->why = text(&kept, "%s", why);
	} else
		tally.uncertain += code == 1;
	keep_said(t, &tmp);
	t->ended = true;
	kith_pool_free(&tmp);
}

/* Writes the rows of the split of a task, and returns the line of the task. */
static char *
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

/* Tasks that run; the first `counted` are counted. */
struct run {
	struct task *task;
	size_t n, counted;
};

static struct line
prepare(void *to, size_t i, struct kith_pool *pool)
{
	const struct task *t = &((struct run *)to)->task[i];

	if (has_place(command, "tmp"))
		mkdir(file_of("tmp", t->number, pool), 0777);
	return (struct line){write_task(t, pool), file_of(".out", t->number, pool),
	    file_of(".err", t->number, pool)};
}

static void
finish(void *to, size_t i, int status)
{
	struct run *run = to;
	struct task *t = &run->task[i];
	struct kith_pool tmp = {0};

	read_task(t, status);
	run->counted += count_tasks(run->task + run->counted, run->n - run->counted);
	unlink(file_of(".out", t->number, &tmp));
	unlink(file_of(".err", t->number, &tmp));
	if (has_place(command, "tmp"))
		remove_folder(file_of("tmp", t->number, &tmp));
	if (--splits.v[t->split].waiting == 0) {
		unlink(file_of("train", t->split + 1, &tmp));
		unlink(file_of("test", t->split + 1, &tmp));
	}
	kith_progress_add(1);
	kith_pool_free(&tmp);
}

void
run_tasks(struct task *task, size_t n)
{
	struct run run = {task, n, 0};

	for (size_t i = 0; i < n; i++) {
		splits.v[task[i].split].waiting++;
		if (how.collect)
			read_task(&task[i], 0);
	}
	if (how.collect) {
		count_tasks(task, n);
		return;
	}
	kith_log_size("tasks", n);
	kith_progress_phase("tasks", n, "tasks");
	run_lines(n, 1, prepare, finish, &run);
	kith_progress_end();
}

/* The line that runs on all rows. */
struct final {
	const char *line, *k, *out;
	size_t combination;
	int status;
};

static struct line
prepare_final(void *to, size_t i, struct kith_pool *pool)
{
	const struct final *f = to;

	mkdir(file_of("tmp", i, pool), 0777);
	write_rows(NULL, false, file_of("train", 0, pool));
	if (how.test)
		write_rows(NULL, true, file_of("test", 0, pool));
	return (struct line){fill_line(f->line, 0, 0, f->combination, f->k, pool), f->out, NULL};
}

static void
finish_final(void *to, size_t i, int status)
{
	(void)i;
	((struct final *)to)->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
							   : WEXITSTATUS(status);
}

int
run_final(const char *line, size_t combination, const char *k, char **path)
{
	struct final f = {line, k, NULL, combination, 0};

	*path = file_of("final", 0, &kept);
	f.out = *path;
	run_lines(1, how.jobs, prepare_final, finish_final, &f);
	return f.status;
}

/* Returns a word as sh(1) reads it. */
static char *
quote(const char *word, struct kith_pool *pool)
{
	return kith_log_words((char *[]){text(pool, "%s", word), NULL}, pool);
}

void
plan_tasks(const struct task *task, size_t n)
{
	struct kith_pool tmp = {0};
	const char *path = text(&kept, "%s/tasks", folder);
	FILE *to = fopen(path, "w"), *script;
	char cwd[4096];
	bool failed = !to || !getcwd(cwd, sizeof(cwd)) || strchr(cwd, '\n');

	for (size_t i = 0; !failed && i < n; i++, kith_pool_free(&tmp)) {
		const size_t T = task[i].number;
		const char *dir = quote(file_of("tmp", T, &tmp), &tmp);
		const char *part = quote(file_of(".part", T, &tmp), &tmp);
		const char *line = write_task(&task[i], &tmp), *sh = file_of(".sh", T, &tmp);

		if (strchr(line, '\n')) {
			script = fopen(sh, "w");
			failed = !script || fprintf(script, "%s\n", line) < 0 || fclose(script);
			line = quote(sh, &tmp);
		} else
			line = text(&tmp, "-c %s", quote(line, &tmp));
		fprintf(to, "cd %s && ", quote(cwd, &tmp));
		if (programs)
			fprintf(to, "PATH=%s:$PATH && export PATH && ", quote(programs, &tmp));
		fprintf(to,
		    "mkdir -p %s && rm -f %s && { KITH_THREADS=1 OPENBLAS_NUM_THREADS=1 "
		    "sh %s </dev/null >%s 2>%s; s=$?; rm -rf %s; [ $s -le 1 ] && mv %s %s; }\n",
		    dir, part, line, part, quote(file_of(".err", T, &tmp), &tmp), dir, part,
		    quote(file_of(".out", T, &tmp), &tmp));
	}
	if (to && ferror(to))
		failed = true;
	if (to && fclose(to) != 0)
		failed = true;
	if (failed)
		fail(EX_IOERR, path, "cannot write the tasks");
}

void
report_tasks(void)
{
	if (tally.failed > DESCRIBED)
		kith_say("%zu of %zu tasks failed", tally.failed, tally.ended);
	if (tally.uncertain > 0)
		kith_warn("%zu of %zu tasks had status 1; their predictions count", tally.uncertain,
		    tally.ended);
	if (tally.spoke > 0)
		kith_warn("%zu of %zu tasks wrote to standard error; the first, %s: %s",
		    tally.spoke, tally.ended, name_task(tally.speaker, &kept),
		    tally.speaker->said[tally.speaker->n_said - 1]);
}
