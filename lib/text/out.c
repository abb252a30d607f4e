#include "text/out.h"

#include "base/err.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/temp.h"
#include "text/cell.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ROOM = 1 << 16, /* bytes of a buffer */
	TRIES = 3       /* looks at a path that changes */
};

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Whether an open regular file is not where the text of the links says: it was
 * removed, or lies outside of what we see, and only a link of /proc leads to
 * it. Two calls must agree that nothing is there.
 */
static bool
is_nameless(const struct stat *st, const char *path, const char *target)
{
	struct stat end;

	if (st->st_nlink == 0)
		return true;
	if (strcmp(path, target) == 0)
		return false;
	if (!stat(target, &end))
		return !same_file(st, &end);
	return errno == ENOENT && access(target, F_OK) && errno == ENOENT;
}

/*
 * Open what is written directly, as the open descriptor says: a device, a FIFO,
 * a file without a name.  -1 and EAGAIN when it is another one now.
 */
static int
open_directly(const char *path, const char *target)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) &&
	    (!S_ISREG(st.st_mode) ||
		(is_nameless(&st, path, target) && !ftruncate(fd, 0))))
		return fd;
	close(fd);
	errno = EAGAIN;
	return -1;
}

/* Open path: directly, or a file beside its target; -1 and errno. */
static int
open_once(struct kith_out *o, const char *path)
{
	struct stat st, end;
	const bool there = !stat(path, &st);
	char *target;
	int fd;

	if (!there && (errno != ENOENT || !*path))
		return -1;
	target = kith_temp_follow(path, &o->pool);
	if (!target)
		return -1;
	if (there && S_ISREG(st.st_mode)) {
		const bool found = !lstat(target, &end);

		if (!found && errno != ENOENT)
			return -1;
		if (!found || !same_file(&st, &end))
			return open_directly(path, target);
		if (access(target, W_OK))
			return -1;
	} else if (there) {
		return open_directly(path, target);
	}
	o->temp = kith_temp_create(target, path, there ? &end : NULL, &fd);
	return fd;
}

/* The same of a file that others may remove or replace meanwhile. */
static int
open_path(struct kith_out *o, const char *path)
{
	int fd = -1;

	for (int try = 0; try < TRIES && fd < 0; try++)
		if ((fd = open_once(o, path)) < 0 && errno != EAGAIN)
			break;
	return fd;
}

int
kith_out_open(struct kith_out *o, const char *path, struct kith_err *err)
{
	*o = (struct kith_out){.file = path, .fd = -1};
	if (!path || strcmp(path, "-") == 0) {
		o->file = "<stdout>";
		o->fd = STDOUT_FILENO;
	} else if ((o->fd = open_path(o, path)) < 0) {
		const int why = errno;

		kith_pool_free(&o->pool);
		return kith_fail_at(
		    err, EX_IOERR, path, 0, "%s", strerror(why));
	}
	o->buf = kith_new(&o->pool, ROOM, 1);
	return 0;
}

/* Look at the directory of a path: whether it is there. */
static bool
look_around(const char *path, struct stat *dir, struct kith_pool *pool)
{
	const size_t len = kith_temp_directory(path);

	return !stat(len ? kith_strndup(pool, path, len) : ".", dir);
}

bool
kith_out_same(const char *a, const char *b)
{
	struct kith_pool pool = {0};
	struct stat st, end;
	const bool is_a = !stat(a, &st), is_b = !stat(b, &end);
	bool same = is_a && is_b && S_ISREG(st.st_mode) && same_file(&st, &end);

	if (!is_a && !is_b) {
		a = kith_temp_follow(a, &pool);
		b = kith_temp_follow(b, &pool);
		same = a && b &&
		    strcmp(a + kith_temp_directory(a),
			b + kith_temp_directory(b)) == 0 &&
		    look_around(a, &st, &pool) && look_around(b, &end, &pool) &&
		    same_file(&st, &end);
	}
	kith_pool_free(&pool);
	return same;
}

static void
fail(struct kith_out *o, int why)
{
	o->failed = true;
	o->why = why;
	o->used = 0;
}

void
kith_out_flush(struct kith_out *o)
{
	const char *s = o->buf;

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
			fail(o, errno);
		}
	}
}

/* Make room for n <= ROOM more bytes; false when o has failed. */
static bool
make_room(struct kith_out *o, size_t n)
{
	if (o->used + n > ROOM)
		kith_out_flush(o);
	return !o->failed;
}

void
kith_out_bytes(struct kith_out *o, const char *s, size_t len)
{
	while (len > 0 && make_room(o, 1)) {
		const size_t room = ROOM - o->used;
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
	if (make_room(o, 1))
		o->buf[o->used++] = c;
}

void
kith_out_text(struct kith_out *o, const char *s)
{
	kith_out_bytes(o, s, strlen(s));
}

static void
put_quoted(struct kith_out *o, const char *s)
{
	kith_out_char(o, '"');
	for (const char *q; (q = strchr(s, '"')); s = q + 1) {
		kith_out_bytes(o, s, (size_t)(q - s) + 1);
		kith_out_char(o, '"');
	}
	kith_out_text(o, s);
	kith_out_char(o, '"');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether a cell of len bytes reads as itself only in quotes. */
static bool
needs_quotes(const char *s, size_t len)
{
	return kith_is_missing(s, len) || is_blank(s[0]) ||
	    is_blank(s[len - 1]) || s[strcspn(s, "\t\"\r\n")];
}

void
kith_out_cell(struct kith_out *o, const char *s)
{
	const size_t len = strlen(s);

	if (len == 0 || needs_quotes(s, len))
		put_quoted(o, s);
	else
		kith_out_bytes(o, s, len);
}

void
kith_out_verbatim(struct kith_out *o, const struct kith_cell *c)
{
	if (kith_cell_missing(c))
		kith_out_bytes(o, c->s, c->len);
	else
		kith_out_cell(o, c->s);
}

void
kith_out_missing(struct kith_out *o)
{
	kith_out_bytes(o, "NA", 2);
}

void
kith_out_header(struct kith_out *o, const char *const *name, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		const char *s = name[j];
		const bool first = strncmp(s, "# ", 2) == 0 ||
		    strncmp(s, "\xEF\xBB\xBF", 3) == 0;

		if (j > 0)
			kith_out_char(o, '\t');
		if ((j == 0 && first) || (n == 1 && s[strcspn(s, ",;")]))
			put_quoted(o, s);
		else
			kith_out_cell(o, s);
	}
	kith_out_char(o, '\n');
}

void
kith_out_real(struct kith_out *o, double x)
{
	if (isnan(x) && !o->failed)
		fail(o, 0);
	if (make_room(o, KITH_NUM_ROOM))
		o->used += kith_format_real(o->buf + o->used, x);
}

void
kith_out_size(struct kith_out *o, size_t n)
{
	if (make_room(o, KITH_NUM_ROOM))
		o->used += kith_format_size(o->buf + o->used, n);
}

static void
put_cell(struct kith_out *o, const char *s)
{
	if (s)
		kith_out_cell(o, s);
	else
		kith_out_missing(o);
}

static void
put_real(struct kith_out *o, double x, bool may_miss)
{
	if (may_miss && isnan(x))
		kith_out_missing(o);
	else
		kith_out_real(o, x);
}

void
kith_out_put(struct kith_out *o, const char *form, ...)
{
	va_list ap;

	va_start(ap, form);
	for (; *form; form++)
		if (*form != '%')
			kith_out_char(o, *form);
		else if (*++form == 's')
			put_cell(o, va_arg(ap, const char *));
		else if (*form != 'z')
			put_real(o, va_arg(ap, double), *form == 'G');
		else if (*++form == 'u')
			kith_out_size(o, va_arg(ap, size_t));
	va_end(ap);
}

int
kith_out_close(struct kith_out *o, struct kith_err *err)
{
	kith_out_flush(o);
	if (o->temp && !o->failed && kith_temp_complete(o->temp, o->fd))
		fail(o, errno);
	if (close(o->fd) && errno != EINTR && !o->failed)
		fail(o, errno);
	if (o->temp && o->failed)
		kith_temp_drop(o->temp);
	kith_pool_free(&o->pool);
	if (!o->failed)
		return 0;
	if (o->why == 0)
		return kith_fail_at(err, EX_SOFTWARE, o->file, 0,
		    "a result is not a number (NaN); this is a bug");
	return kith_fail_at(err, EX_IOERR, o->file, 0, "%s", strerror(o->why));
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
