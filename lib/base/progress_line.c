/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/progress_line.h"

#include "base/num.h"

#include <float.h>
#include <string.h>

enum { FIGURES = 5 }; /* of a number that moves */

struct line {
	char *s;
	size_t used, width;
	int cut; /* it was too long */
};

static void
add_bytes(struct line *l, const char *s, size_t len)
{
	const size_t room = l->width - l->used;

	if (len > room) {
		len = room;
		l->cut = 1;
	}
	memcpy(l->s + l->used, s, len);
	l->used += len;
}

static void
add(struct line *l, const char *s)
{
	add_bytes(l, s, strlen(s));
}

/* The name of a file: what a terminal would obey is shown as '?'. */
static void
add_name(struct line *l, const char *s)
{
	for (; *s; s++)
		add_bytes(l, ' ' <= *s && *s <= '~' ? s : "?", 1);
}

static void
add_size(struct line *l, size_t n)
{
	char digits[KITH_NUM_ROOM];

	kith_format_size(digits, n);
	add(l, digits);
}

/* n / 10, with its decimal. */
static void
add_tenths(struct line *l, size_t n)
{
	add_size(l, n / 10);
	add_bytes(l, (const char[]){'.', (char)('0' + n % 10)}, 2);
}

/* A whole number from 1e4 to 1e5 in digits d, and x = d 10^(e - 4). */
static int
split(double x, char d[FIGURES])
{
	int e = FIGURES - 1;
	size_t n;

	for (; x >= 1e5; e++)
		x /= 10;
	for (; x < 1e4; e--)
		x *= 10;
	n = (size_t)(x + .5);
	if (n == 100000) {
		n = 10000;
		e++;
	}
	for (int i = FIGURES; i-- > 0; n /= 10)
		d[i] = (char)('0' + n % 10);
	return e;
}

/* x in up to five figures; a whole number in all of them. */
static void
add_real(struct line *l, double x)
{
	char d[FIGURES];
	int e, point, n = FIGURES;

	if (!(-DBL_MAX <= x && x <= DBL_MAX)) {
		add(l, x > 0 ? "inf" : x < 0 ? "-inf" : "NA");
		return;
	}
	if (0 <= x && x < 1e15 && x == (double)(size_t)x) {
		add_size(l, (size_t)x);
		return;
	}
	if (-DBL_MIN < x && x < DBL_MIN) {
		add(l, "0");
		return;
	}
	add(l, x < 0 ? "-" : "");
	e = split(x < 0 ? -x : x, d);
	point = -4 <= e && e <= 9 ? e : 0;
	while (n > 1 && d[n - 1] == '0')
		n--;
	for (int i = point < 0 ? point : 0; i < n || i <= point; i++) {
		add_bytes(l, 0 <= i && i < n ? d + i : "0", 1);
		if (i == point && i + 1 < n)
			add(l, ".");
	}
	if (point == e)
		return;
	add(l, e < 0 ? "e-" : "e");
	add_size(l, (size_t)(e < 0 ? -e : e));
}

/* Seconds as people say them; tenths up to 100 s where they are asked for. */
static void
add_time(struct line *l, double seconds, int tenths)
{
	static const struct {
		size_t more, unit;
		const char *name, *part;
		size_t of;
	} as[] = {{360000, 86400, " d ", " h", 3600}, {3600, 3600, " h ", " min", 60},
	    {100, 60, " min ", " s", 1}};
	const size_t n = seconds < 1e9 ? (size_t)seconds : 1000000000;

	for (size_t i = 0; i < sizeof(as) / sizeof(*as); i++) {
		if (n < as[i].more)
			continue;
		add_size(l, n / as[i].unit);
		add(l, as[i].name);
		add_size(l, n % as[i].unit / as[i].of);
		add(l, as[i].part);
		return;
	}
	if (tenths)
		add_tenths(l, (size_t)(10 * seconds));
	else
		add_size(l, n);
	add(l, " s");
}

static void
add_done(struct line *l, const struct kith_progress_level *level)
{
	const int bytes = strcmp(level->unit, "bytes") == 0;
	const size_t n[] = {level->done, level->total};

	add(l, ", ");
	for (size_t i = 0; i < 2 && (i == 0 || n[i] > 0); i++) {
		add(l, i ? " of " : "");
		if (bytes)
			add_tenths(l, n[i] / 100000);
		else
			add_size(l, n[i]);
	}
	add(l, " ");
	add(l, bytes ? "MB" : level->unit);
}

static void
add_level(struct line *l, const struct kith_progress_level *level)
{
	add(l, level->name);
	if (level->of) {
		add(l, " ");
		add_name(l, level->of);
	}
	if (level->unit)
		add_done(l, level);
	for (size_t i = 0; i < level->values; i++) {
		add(l, ", ");
		add(l, level->value[i].name);
		add(l, " ");
		add_real(l, level->value[i].x);
	}
	add(l, "; ");
}

/* How long the outer phase has to go; -1: not known. */
static double
rest(const struct kith_progress_now *now)
{
	const struct kith_progress_level *outer = now->level;

	if (now->depth == 0 || !outer->unit || outer->total == 0 || outer->done == 0)
		return -1;
	if (outer->done >= outer->total)
		return 0;
	return outer->seconds * (double)(outer->total - outer->done) / (double)outer->done;
}

static void
compose(const struct kith_progress_now *now, size_t depth, struct line *l)
{
	const double left = rest(now);

	l->used = 0;
	l->cut = 0;
	add(l, now->tool ? now->tool : "progress");
	add(l, now->tool ? ": " : "\t");
	for (size_t i = 0; i < depth; i++)
		add_level(l, &now->level[i]);
	if (depth == 0)
		add(l, "running for ");
	add_time(l, now->seconds, 1);
	if (left < 0)
		return;
	add(l, ", about ");
	add_time(l, left, 0);
	add(l, " left");
}

size_t
kith_progress_line(const struct kith_progress_now *now, size_t width, char line[KITH_PROGRESS_ROOM])
{
	struct line l = {line, 0, width < KITH_PROGRESS_ROOM ? width : KITH_PROGRESS_ROOM, 0};
	size_t depth = now->depth;

	compose(now, depth, &l);
	while (l.cut && depth > 1)
		compose(now, --depth, &l);
	return l.used;
}
