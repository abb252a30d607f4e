/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/par - threads over a fixed list of blocks; the processors that the process may use, and
 * variables of its environment.
 *
 * Work is cut into blocks that depend on the data alone, never on the number
 * of threads; threads take the next block when they are free.  A block that
 * writes only what is its own gives the same bytes for any number of threads.
 */
#ifndef KITH_BASE_PAR_H
#define KITH_BASE_PAR_H

#include <stdbool.h>
#include <stddef.h>

/* Do block number `block`; `thread` in 0..threads-1 selects scratch space. */
typedef void kith_par_work(void *to, size_t block, size_t thread);

/* A phase of the run (base/progress.h): all blocks together are total units. */
struct kith_par_phase {
	const char *name;
	size_t total;
	const char *unit;
};

/*
 * Calls work(to, block, thread) once for each block in 0..blocks-1, on at most
 * `threads` threads (>= 1), the caller's among them; returns when all are
 * done.  Where no more threads can be had, fewer do the work.  With a phase (or NULL), reports
 * progress: the phase goes on with each block.
 *
 * All threads start at once; or the caller works alone at first, so that a call that ends within a
 * fraction of a millisecond starts no thread.
 */
void kith_par_run(size_t threads, size_t blocks, kith_par_work *work, void *to,
    const struct kith_par_phase *phase, bool at_once);

/* kith_par(threads, blocks, work, to), without a phase. */
#define kith_par(...) kith_par_run(__VA_ARGS__, NULL, false)

/* kith_par_told(threads, blocks, work, to, phase). */
#define kith_par_told(...) kith_par_run(__VA_ARGS__, false)

/* kith_par_tasks(threads, blocks, work, to, phase), for blocks of which each takes long. */
#define kith_par_tasks(...) kith_par_run(__VA_ARGS__, true)

/*
 * Within the work of a block of kith_par(): n more units of its caller's phase
 * are done.  For long blocks.
 */
void kith_par_add(size_t n);

/*
 * Returns how many processors the process may use, from 1 to 8, as more threads
 * by default would crowd a shared machine: the least of the
 * processors online, the processors of its affinity mask, and the quotas, rounded up, of its
 * control group and of the groups that contain it (Linux, cgroup v2: quota / period of cpu.max).
 */
size_t kith_processors(void);

/*
 * Returns the value of a variable, or NULL.  la/blas.c replaces getenv(), so that a call of it
 * would link la/blas.c, and OpenBLAS, into commands that do without OpenBLAS.
 */
const char *kith_environment(const char *name);

#endif
