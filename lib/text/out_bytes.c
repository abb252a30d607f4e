/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/out_bytes.h"

#include "base/progress.h"
#include "base/temp.h"
#include "text/place.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

int
kith_out_open_table(
    struct kith_out *o, const struct kith_dest *to, struct kith_err *err)
{
	const char *path = to->path;

	*o = (struct kith_out){.file = path,
	    .style = to->style,
	    .digits = to->digits,
	    .sep = to->style == KITH_STYLE_CSV ? ',' : '\t',
	    .fd = -1};
	if (!path || strcmp(path, "-") == 0) {
		o->file = "<stdout>";
		o->fd = STDOUT_FILENO;
	} else if ((o->fd = kith_place_open(path, &o->temp, &o->pool)) < 0) {
		const int why = errno;

		kith_pool_free(&o->pool);
		return kith_fail_at(
		    err, EX_IOERR, path, 0, "%s", strerror(why));
	}
	o->buf = kith_new(&o->pool, KITH_OUT_ROOM, 1);
	return 0;
}

int
kith_out_open(struct kith_out *o, const char *path, struct kith_err *err)
{
	return kith_out_open_table(o, &(struct kith_dest){.path = path}, err);
}

void
kith_out_fail(struct kith_out *o, int why)
{
	o->failed = true;
	o->why = why;
	o->used = 0;
}

/* Keep what is in the buffer. */
static void
hold(struct kith_out *o)
{
	if (o->used == 0)
		return;
	if (o->held_used + o->used > o->held_room) {
		o->held_room = 2 * (o->held_room + KITH_OUT_ROOM);
		o->held = kith_grow(&o->pool, o->held, o->held_room, 1);
	}
	memcpy(o->held + o->held_used, o->buf, o->used);
	o->held_used += o->used;
	o->used = 0;
}

void
kith_out_flush(struct kith_out *o)
{
	const char *s = o->buf;

	if ((o->fd < 0 || o->style == KITH_STYLE_NPY) && o->used > 0)
		hold(o);
	if (o->fd == STDOUT_FILENO && o->used > 0)
		kith_progress_give_way();
	while (o->used > 0) {
		ssize_t wrote = write(o->fd, s, o->used);

		if (wrote >= 0) {
			s += wrote;
			o->used -= (size_t)wrote;
		} else if (errno == EAGAIN) {
			/* Somebody set the pipe so: wait for room in it. */
			poll(&(struct pollfd){o->fd, POLLOUT, 0}, 1, -1);
		} else if (errno != EINTR) {
			kith_out_fail(o, errno);
		}
	}
}

void
kith_out_bytes(struct kith_out *o, const char *s, size_t len)
{
	while (len > 0 && kith_out_room(o, 1)) {
		const size_t room = KITH_OUT_ROOM - o->used;
		const size_t n = len < room ? len : room;

		memcpy(o->buf + o->used, s, n);
		o->used += n;
		s += n;
		len -= n;
	}
}

void
kith_out_char(struct kith_out *o, char c)
{
	if (kith_out_room(o, 1))
		o->buf[o->used++] = c;
}

void
kith_out_text(struct kith_out *o, const char *s)
{
	kith_out_bytes(o, s, strlen(s));
}

int
kith_out_close(struct kith_out *o, struct kith_err *err)
{
	int got = 0;

	kith_out_flush(o);
	if (o->finish && !o->failed) {
		o->finish(o);
		kith_out_flush(o);
	}
	if (o->temp && !o->failed && kith_temp_complete(o->temp, o->fd))
		kith_out_fail(o, errno);
	if (close(o->fd) && errno != EINTR && !o->failed)
		kith_out_fail(o, errno);
	if (o->temp && o->failed)
		kith_temp_drop(o->temp);
	if (o->twin)
		got = kith_fail_at(err, EX_DATAERR, o->file, 0,
		    "column " KITH_NAME
		    ": the output would have this name twice",
		    o->twin);
	else if (o->why)
		got = kith_fail_at(
		    err, EX_IOERR, o->file, 0, "%s", strerror(o->why));
	else if (o->failed)
		got = kith_fail_at(err, EX_SOFTWARE, o->file, 0,
		    "a result is not a number (NaN); this is a bug");
	kith_pool_free(&o->pool);
	return got;
}

int
kith_out_settle(kith_out_unkept *tell, struct kith_err *err)
{
	return kith_temp_settle(NULL, tell, err);
}

int
kith_out_close_alone(
    struct kith_out *o, kith_out_unkept *tell, struct kith_err *err)
{
	if (kith_out_close(o, err))
		return -1;
	return o->temp ? kith_temp_settle(o->temp, tell, err) : 0;
}

void
kith_out_drop(struct kith_out *o)
{
	close(o->fd);
	if (o->temp)
		kith_temp_drop(o->temp);
	kith_pool_free(&o->pool);
}
