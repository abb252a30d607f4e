/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan is a folder with the files of tasks.c and
 *
 *	table.tsv test.tsv    all cells of TABLE and of the file of --test
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

/* Returns the words of a file, their number in *n; NULL: no plan wrote the file. */
static char **
read_words(const char *path, size_t *n)
{
	FILE *in = fopen(path, "r");
	char *bytes = NULL, **word = NULL;
	size_t used = 0, room = 0, words = 0;

	for (int c; in && (c = getc(in)) != EOF;) {
		bytes = kith_more(&kept, bytes, used, &room, 1);
		bytes[used++] = (char)c;
	}
	if (in)
		fclose(in);
	if (used == 0 || bytes[used - 1])
		return NULL;
	for (*n = 0; used > 0; used -= strlen(bytes) + 1, bytes += strlen(bytes) + 1) {
		word = kith_more(&kept, word, *n + 1, &words, sizeof(*word));
		word[(*n)++] = bytes;
		word[*n] = NULL;
	}
	return word;
}

struct call
divide_call(int argc, char **argv)
{
	static const char collect[] = "--collect";
	struct call call = {.word = argv};
	const char *dir = NULL;
	char **planned, **word;
	size_t n;

	for (; call.n < argc && strcmp(argv[call.n], "--") != 0; call.n++) {
		if (strcmp(argv[call.n], collect) == 0)
			dir = argv[call.n + 1];
		else if (strncmp(argv[call.n], collect, sizeof(collect) - 1) == 0)
			dir = argv[call.n] + sizeof(collect);
	}
	call.command = call.n < argc ? argv + call.n + 1 : NULL;
	argv[call.n] = NULL;
	if (!dir)
		return call;
	planned = read_words(text(&kept, "%s/call", dir), &n);
	call.broken = !planned;
	if (call.broken)
		return call;
	word = kith_new(&kept, n + (size_t)call.n + 1, sizeof(*word));
	word[0] = argv[0];
	call.digest = *planned;
	for (n = 1; *++planned && strcmp(*planned, "--") != 0;)
		word[n++] = *planned;
	memcpy(word + n, argv + 1, (size_t)call.n * sizeof(*word));
	call.word = word;
	call.n += (int)n - 1;
	call.command = *planned ? planned + 1 : NULL;
	return call;
}

void
begin_plan(struct kith_out copy[2])
{
	static const char *const name[] = {"table.tsv", "test.tsv"};
	struct kith_err err;

	if (mkdir(how.plan, 0777))
		fail(EX_IOERR, how.plan, "%s", strerror(errno));
	for (size_t i = 0; i < 2; i++)
		if (kith_out_open(&copy[i], text(&kept, "%s/%s", how.plan, name[i]), &err))
			kith_die(&err);
}

void
end_plan(const struct call *call, char *const *operand, struct kith_out copy[2])
{
	struct kith_err err;
	FILE *to = fopen(text(&kept, "%s/call", folder), "w");
	bool failed = !to;

	for (size_t i = 0; i < 2; i++)
		if (kith_out_close(&copy[i], &err) || kith_atomic_settle(NULL, &err))
			kith_die(&err);
	if (to) {
		fprintf(to, "%s%c", digest_plan(), 0);
		for (char *const *word = call->word + 1; word < operand; word++)
			fprintf(to, "%s%c", *word, 0);
		fprintf(to, "--task=%s%c", how.task == KITH_REGRESS ? "regress" : "classify", 0);
		fprintf(to, "table.tsv%c", 0);
		while (*++operand)
			fprintf(to, "%s%c", *operand, 0);
		fprintf(to, "--%c", 0);
		for (char *const *word = call->command; *word; word++)
			fprintf(to, "%s%c", *word, 0);
		failed = ferror(to) != 0;
		if (fclose(to) != 0)
			failed = true;
	}
	if (failed)
		fail(EX_IOERR, how.plan, "cannot write the plan");
	keep_folder();
}

char *
digest_plan(void)
{
	const uint64_t prime = 1099511628211U; /* FNV-1a (Fowler, Noll and Vo) */
	struct kith_pool tmp = {0};
	uint64_t digest = 14695981039346656037U;

	for (size_t k = 0; k < splits.n; k++)
		for (size_t i = 0; i < rows.n; i++)
			digest = (digest ^
				     ((uint64_t)predicts(&splits.v[k], i) +
					 2 * (uint64_t)learns(&splits.v[k], i))) *
			    prime;
	for (size_t c = 0; c < grid.combinations; c++, kith_pool_free(&tmp))
		for (const char *s = words_of(c, "", &tmp); *s; s++)
			digest = (digest ^ (unsigned char)*s) * prime;
	return text(&kept, "%" PRIx64, digest);
}
