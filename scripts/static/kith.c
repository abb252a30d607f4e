/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kith - all commands in one executable.
 *
 * 1. Called by the name of a command, as by a link, it is the command.
 * 2. As `kith COMMAND [ARG]...` it is the command with these arguments.
 * 3. Else it lists the commands.
 *
 * The Makefile makes KITH_COMMANDS, and gives main() of each command the name COMMAND_main.
 */
#include "cli/cli.h"
#include "text/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef KITH_COMMANDS /* where this file is read alone */
#define KITH_COMMANDS KITH_COMMAND(tabfold)
#endif

struct command {
	const char *name;
	int (*main)(int argc, char *argv[]);
};

#define KITH_COMMAND(name) int name##_main(int argc, char *argv[]);
KITH_COMMANDS
#undef KITH_COMMAND

#define KITH_COMMAND(name) {#name, name##_main},
static const struct command commands[] = {KITH_COMMANDS};

static const struct command *
find(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	return NULL;
}

static int
list(void)
{
	puts("usage: kith COMMAND [ARG]...\n"
	     "       COMMAND [ARG]..., where COMMAND is a link to kith\n\n"
	     "Commands:");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		printf("  %s\n", commands[i].name);
	puts("\n'kith COMMAND --help' tells more.\n"
	     "kith-plot and kith-job are not in here.");
	return fflush(stdout) || ferror(stdout) ? 74 : 0;
}

static int
version(void)
{
	struct kith_out out;
	struct kith_err err;

	if (kith_out_open(&out, NULL, &err))
		return 74;
	kith_version_put(&out, "kith");
	return kith_out_close(&out, &err) ? 74 : 0;
}

int
main(int argc, char *argv[])
{
	const struct command *command = argc ? find(argv[0]) : NULL;

	if (command)
		return command->main(argc, argv);
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return list();
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return version();
	command = strchr(argv[1], '/') ? NULL : find(argv[1]);
	if (command)
		return command->main(argc - 1, argv + 1);
	fprintf(stderr, "kith: no command '%s'\ntry 'kith --help'\n", argv[1]);
	return 2;
}
