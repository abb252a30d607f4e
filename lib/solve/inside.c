#include "solve/inside.h"

#include "base/pool.h"
#include "solve/mmat.h"
#include "solve/sparse.h"

/* The nodes that are in, neighbours near to each other, and where each is. */
static size_t
line_up(const struct kith_mmat *A, size_t *node, uint32_t *row)
{
	size_t m = 0;

	for (size_t i = 0; i < A->n; i++)
		row[i] = UINT32_MAX;
	for (size_t i = 0, next = 0; i < A->n; i++) {
		if (A->out[i] || row[i] != UINT32_MAX)
			continue;
		row[i] = (uint32_t)m;
		node[m++] = i;
		for (; next < m; next++) {
			const size_t at = node[next];

			for (size_t e = A->start[at]; e < A->start[at + 1];
			     e++) {
				const size_t to = A->column[e];

				if (A->out[to] || row[to] != UINT32_MAX)
					continue;
				row[to] = (uint32_t)m;
				node[m++] = to;
			}
		}
	}
	return m;
}

/* Put an entry among those of a row, from `first` on, in order. */
static void
insert(
    struct kith_sparse *S, size_t first, size_t end, uint32_t column, double x)
{
	for (; end > first && S->column[end - 1] > column; end--) {
		S->column[end] = S->column[end - 1];
		S->x[end] = S->x[end - 1];
	}
	S->column[end] = column;
	S->x[end] = x;
}

void
kith_mmat_inside(const struct kith_mmat *A, struct kith_sparse *S,
    struct kith_pool *of_s, size_t **node, struct kith_pool *of_node)
{
	struct kith_pool tmp = {0};
	uint32_t *row = kith_new(&tmp, A->n, sizeof(*row));
	size_t in = 0, m, n = 0;

	for (size_t i = 0; i < A->n; i++) {
		in += !A->out[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			n += !A->out[i] && !A->out[A->column[e]];
	}
	*node = kith_new(of_node, in, sizeof(**node));
	m = line_up(A, *node, row);
	*S = (struct kith_sparse){.n = m,
	    .start = kith_new(of_s, m + 1, sizeof(*S->start)),
	    .column = kith_new(of_s, n, sizeof(*S->column)),
	    .x = kith_new(of_s, n, sizeof(*S->x)),
	    .diagonal = kith_new(of_s, m, sizeof(*S->diagonal))};
	for (size_t j = 0, at = 0; j < m; j++) {
		const size_t i = (*node)[j];

		S->diagonal[j] = A->diagonal[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			if (!A->out[A->column[e]])
				insert(S, S->start[j], at++, row[A->column[e]],
				    -A->w[e]);
		S->start[j + 1] = at;
	}
	kith_pool_free(&tmp);
}
