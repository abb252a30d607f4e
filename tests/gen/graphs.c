/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graphs - graphs of what real tables have and textbooks leave out, for labelprop and eigenmap.
 *
 *	graphs SEED TABLE EDGES
 *
 * writes a table with the column class and a list of edges between its rows, and prints a line of
 * options for labelprop and one for eigenmap.  2 to 80 nodes, one time in ten up to 400; chains, stars,
 * rings, cliques, trees, sparse graphs, groups that tiny weights join, nodes without an edge; weights
 * that are equal, of a few values, 0, over up to 580 decades, all tiny or all huge; edges once or in
 * both directions; labels of one to five classes, few or many.
 */
#include "base/num.h"
#include "draw.h"

enum { MOST = 400 };

static double w[MOST][MOST];
static size_t n;

static double
draw_weight(size_t kind)
{
	static const double range[] = {0, 1, 10, 100, 290};

	if (kind == 0)
		return 1;
	if (kind == 1)
		return (double)(1 + below(3));
	if (kind == 2)
		return once_in(5) ? 0 : uniform(.1, 1);
	if (kind == 3)
		return power_of_ten(-300, -290);
	if (kind == 4)
		return power_of_ten(290, 300);
	return power_of_ten(-range[kind - 5], range[kind - 5]);
}

static void
join(size_t i, size_t j, double weight)
{
	if (i != j)
		w[i < j ? i : j][i < j ? j : i] = weight;
}

/* Nodes first .. end - 1, connected in one of seven shapes. */
static void
draw_part(size_t first, size_t end, size_t kind)
{
	const size_t m = end - first, shape = below(7);

	for (size_t i = 1; i < m; i++) {
		const size_t to[] = {i - 1, 0, i - 1, below(i), i / 2, below(i), i - 1};

		join(first + i, first + to[shape], draw_weight(kind));
		for (size_t k = 0; k < 3 && shape > 4; k++)
			join(first + i, first + below(i), draw_weight(kind));
		for (size_t k = 0; k < i && shape == 3 && m < 20; k++)
			join(first + i, first + k, draw_weight(kind));
	}
	if (shape == 2)
		join(first, end - 1, draw_weight(kind));
}

static void
draw_graph(void)
{
	const size_t kind = below(10);
	const size_t parts = once_in(3) ? 1 + below(4) : 1, bridges = once_in(2) ? below(3) + 1 : 0;
	const double bridge = power_of_ten(-15, 0) * draw_weight(kind);

	n = once_in(10) ? 80 + below(MOST - 79) : 2 + below(79);
	for (size_t p = 0; p < parts; p++) {
		const size_t first = p * n / parts, end = (p + 1) * n / parts;

		if (end > first && !(parts > 2 && once_in(4)))
			draw_part(first, end, kind);
		for (size_t k = 0; k < bridges && first > 0 && end > first; k++)
			join(first + below(end - first), below(first), bridge);
	}
}

static void
write_table(FILE *f)
{
	const size_t classes = 1 + below(5);
	const double share = one_of((const double[]){.05, .2, .5, .9}, 4);

	fputs("class\n", f);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && kith_rng_unit(&rng) > share)
			fputs("NA\n", f);
		else
			fprintf(f, "%zu\n", below(classes));
	}
}

static void
write_edges(FILE *f)
{
	const bool both = once_in(3);

	fputs("from\tto\tweight\n", f);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			if (!(w[i][j] > 0))
				continue;
			fprintf(f, "%zu\t%zu\t%.17g\n", i + 1, j + 1, w[i][j]);
			if (both) /* rounding of a sum in another order */
				fprintf(f, "%zu\t%zu\t%.17g\n", j + 1, i + 1,
				    w[i][j] * (1 + (once_in(2) ? 0x1p-51 : 0)));
		}
}

int
main(int argc, char *argv[])
{
	static const char *const method[] = {
	    "harmonic", "normalized", "spread --alpha .9", "spread", "poisson", "poisson"};
	static const char *const laplacian[] = {"random-walk", "symmetric", "combinatorial"};
	size_t seed;
	FILE *table, *edges;

	if (argc != 4 || kith_parse_size(argv[1], &seed) || !(table = fopen(argv[2], "w")) ||
	    !(edges = fopen(argv[3], "w")))
		return 2;
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	draw_graph();
	write_table(table);
	write_edges(edges);
	printf("--method %s\n", method[below(6)]);
	printf("--laplacian %s --component %s --dims %zu\n", laplacian[below(3)],
	    once_in(2) ? "all" : "largest", 1 + below(n > 6 ? 5 : 1));
	return fclose(table) || fclose(edges);
}
