/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan is a folder with the files of tasks.c and
 *
 *	table.tsv test.tsv    all cells of TABLE and of the file of --test
 *	tasks                 a line of sh(1) a task, which leaves T.out when task T is done
 *	T.sh                  the command of task T, where it has several lines
 *	call                  a digest of the splits and the grid, then the options of the call, the
 *	                      operands with table.tsv for TABLE, "--", and the command: words, each
 *	                      of which a null byte ends
 *
 * --collect DIR is that call, where TABLE is DIR/table.tsv, followed by the options of this one.
 */
#include "tabcv.h"

#include "cli/cli.h"
#include "table/roles.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_COPY, TEST_COPY, TASKS, CALL, FILES };
static const char *const file_name[FILES] = {"table.tsv", "test.tsv", "tasks", "call"};
static struct kith_out file[FILES];

struct call
divide_call(int argc, char **argv)
{
	static const char collect[] = "--collect";
	const size_t len = sizeof(collect) - 1;
	struct call call = {.word = argv};
	const char *dir = NULL;
	size_t length, n = 1;
	char *planned, **word;
	int own = 0;

	for (; own < argc && strcmp(argv[own], "--") != 0; own++)
		if (strncmp(argv[own], collect, len) == 0)
			dir = argv[own][len] ? argv[own] + len + 1 : argv[own + 1];
	call.n = own;
	call.command = own < argc ? argv + own + 1 : NULL;
	argv[own] = NULL;
	if (!dir)
		return call;
	planned = read_whole(text(&kept, "%s/call", dir), &length);
	if (!planned || length == 0 || planned[length - 1])
		return call;
	word = kith_new(&kept, length + (size_t)own + 1, sizeof(*word));
	word[0] = argv[0];
	for (char *w = planned; (w += strlen(w) + 1) < planned + length;)
		if (call.digest || strcmp(w, "--") != 0) {
			word[n++] = w;
		} else {
			memcpy(word + n, argv + 1, (size_t)own * sizeof(*word));
			call.n = (int)n + own - 1;
			n += (size_t)own;
			call.word = word;
			call.command = word + n;
			call.digest = planned;
		}
	return call;
}

struct kith_out *
begin_plan(void)
{
	struct kith_err err;

	if (mkdir(how.plan, 0777))
		fail(EX_IOERR, how.plan, "%s", strerror(errno));
	for (size_t i = 0; i < FILES; i++)
		if (kith_out_open(&file[i], text(&kept, "%s/%s", how.plan, file_name[i]), &err))
			kith_die(&err);
	return file;
}

/* Returns a word as sh(1) reads it. */
static char *
quote(const char *word, struct kith_pool *pool)
{
	return kith_log_words((char *[]){text(pool, "%s", word), NULL}, pool);
}

/* Returns the command of a task as the words behind sh. */
static char *
shell_words(const struct task *t, struct kith_pool *pool)
{
	const char *line = write_task(t, pool), *path = file_of(".sh", t->number, pool);
	FILE *script;

	if (!strchr(line, '\n'))
		return text(pool, "-c %s", quote(line, pool));
	script = fopen(path, "w");
	if (!script || fprintf(script, "%s\n", line) < 0 || fclose(script))
		fail(EX_IOERR, path, "%s", strerror(errno));
	return quote(path, pool);
}

/* Writes the line of a task. */
static void
put_task(const struct task *t)
{
	struct kith_pool tmp = {0};
	const char *dir = quote(file_of("tmp", t->number, &tmp), &tmp);
	const char *part = quote(file_of(".part", t->number, &tmp), &tmp), *path = "";
	char cwd[4096];

	if (!getcwd(cwd, sizeof(cwd)) || strchr(cwd, '\n'))
		fail(EX_IOERR, how.plan, "cannot write the tasks");
	if (programs)
		path = text(&tmp, "PATH=%s:$PATH && export PATH && ", quote(programs, &tmp));
	kith_out_text(&file[TASKS],
	    text(&tmp,
		"cd %s && %smkdir -p %s && rm -f %s && { KITH_THREADS=1 OPENBLAS_NUM_THREADS=1 "
		"sh %s </dev/null >%s 2>%s; s=$?; rm -rf %s; [ $s -le 1 ] && mv %s %s; }\n",
		quote(cwd, &tmp), path, dir, part, shell_words(t, &tmp), part,
		quote(file_of(".err", t->number, &tmp), &tmp), dir, part,
		quote(file_of(".out", t->number, &tmp), &tmp)));
	kith_pool_free(&tmp);
}

/* Adds a word to the call. */
static void
put_word(const char *word)
{
	kith_out_bytes(&file[CALL], word, strlen(word) + 1);
}

void
write_plan(const struct task *task, const struct call *call, char *const *operand)
{
	const size_t n = splits.n * grid.combinations;
	struct kith_err err;

	for (size_t i = 0; i < n; i++)
		put_task(&task[(i + splits.outer * grid.combinations) % n]);
	put_word(digest_plan());
	for (char *const *word = call->word + 1; word < operand; word++)
		put_word(*word);
	put_word(how.task == KITH_REGRESS ? "--task=regress" : "--task=classify");
	put_word(file_name[TABLE_COPY]);
	while (*++operand)
		put_word(*operand);
	put_word("--");
	for (char *const *word = call->command; *word; word++)
		put_word(*word);
	for (size_t i = 0; i < FILES; i++)
		if (kith_out_close(&file[i], &err) || kith_atomic_settle(NULL, &err))
			kith_die(&err);
	keep_folder();
	kith_log_size("tasks", n);
}

char *
digest_plan(void)
{
	const uint64_t prime = 1099511628211U; /* FNV-1a (Fowler, Noll and Vo) */
	struct kith_pool tmp = {0};
	uint64_t digest = 14695981039346656037U;

	for (const struct split *s = splits.v; s < splits.v + splits.n; s++)
		for (size_t i = 0; i < rows.n; i++)
			digest = (digest ^ (predicts(s, i) + 2U * learns(s, i))) * prime;
	for (size_t c = 0; c < grid.combinations; c++, kith_pool_free(&tmp))
		for (const char *s = words_of(c, "", &tmp); *s; s++)
			digest = (digest ^ (unsigned char)*s) * prime;
	return text(&kept, "%" PRIx64, digest);
}
