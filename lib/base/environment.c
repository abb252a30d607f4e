/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/environment.h"

#include <stddef.h>
#include <string.h>

extern char **environ;

const char *
kith_environment(const char *name)
{
	const size_t len = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
			return *e + len + 1;
	return NULL;
}
