/* SPDX-License-Identifier: BSD-2-Clause */
/* eigenmap - the nodes of a graph as points of few coordinates. */
#include "base/pool.h"
#include "cli/cli.h"
#include "graph/embed.h"
#include "table/check.h"
#include "table/edges.h"
#include "table/table.h"
#include "text/out.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { LAPLACIAN, LLE };
enum { LARGEST, ALL };
enum { COORDINATES, VALUES };
enum { DIMS = 10000 };

static size_t dims = 2, rows;
static struct kith_how how;
static const char *nodes_file, *map_file;
static int method, laplacian, component, print;

static const struct kith_opt opts[] = {
    {0, "nodes", KITH_FILE(&nodes_file), "the table whose rows the edges join", "Which nodes"},
    {0, "rows", KITH_SIZE(&rows, 1, UINT32_MAX - 1),
	"there are N nodes, named 1 to N (without --nodes)", NULL},
    {0, "component", KITH_CHOICE(&component, "largest|all"),
	"map the largest component, or each by itself [largest]", NULL},
    {0, "dims", KITH_SIZE(&dims, 1, DIMS), "the number of coordinates of a node [2]",
	"Which coordinates"},
    {0, "method", KITH_CHOICE(&method, "laplacian|lle"),
	"eigenmaps, or locally linear embedding [laplacian]", NULL},
    {0, "laplacian", KITH_CHOICE(&laplacian, "random-walk|symmetric|combinatorial"),
	"the matrix whose eigenvectors are the coordinates [random-walk]", NULL},
    {0, "print", KITH_CHOICE(&print, "coordinates|values"),
	"print coordinates, or eigenvalues [coordinates]", "Output and proof"},
    {0, "check", KITH_FILE(&map_file), "check that the coordinates in FILE are eigenvectors", NULL},
    {0, "id", KITH_COL(&how.id), "the column of --nodes by which edges name rows", "Columns"},
    KITH_LAST_OPTIONS(&how, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "eigenmap",
    .args = "--nodes FILE|--rows N [EDGES]...",
    .about = "Map the nodes of a graph to points, by its eigenvectors.",
    .examples = "  nnkgraph -y -1 --kernel cosine train.tsv | "
		"eigenmap --nodes train.tsv\n"
		"  nnkgraph -q --kernel cosine train.tsv | "
		"eigenmap --nodes train.tsv --dims 10\n",
    .opts = opts,
    .gone = {{"-t", "--nodes FILE"}, {"--train", "--nodes FILE"}},
};

struct run {
	struct kith_table nodes; /* --nodes; else empty */
	struct kith_node_names names;
	struct kith_undirected graph;
	struct kith_embed_how how;
	struct kith_embedding map;
	struct kith_pool *pool;
};

static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {!nodes_file && !rows, "give the nodes: --nodes FILE or --rows N"},
	    {nodes_file && rows, "--nodes and --rows exclude each other"},
	    {!nodes_file && how.id, "--id needs --nodes FILE"},
	};
	const struct kith_idle option[] = {
	    {method == LLE, &laplacian, "--method lle"},
	    {map_file, &dims, "--check"},
	    {map_file, &print, "--check"},
	    {!nodes_file, &how.format.sep, "--rows"},
	    {!nodes_file, &how.format.no_header, "--rows"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	const enum kith_laplacian of = method == LLE ? KITH_AFFINE : (enum kith_laplacian)laplacian;

	r->how = (struct kith_embed_how){dims, of, component == ALL, how.format.threads};
	r->names = (struct kith_node_names){.n = rows};
	if (nodes_file &&
	    (kith_nodes_read(nodes_file, &how, false, &r->nodes, r->pool, err) ||
		kith_node_names_of(&r->nodes, &r->names, r->pool, err)))
		return -1;
	if ((method == LLE ? kith_affine_read : kith_undirected_read)(
		files, &r->names, &r->graph, r->pool, err))
		return -1;
	kith_log_size("nodes", r->names.n);
	kith_log_size("edges", r->graph.edges);
	kith_log_size("components", r->graph.components);
	return 0;
}

/* Writes the table of coordinates: id e1 e2 ... [component] */
static void
write_coordinates(const struct run *r, struct kith_out *out)
{
	char name[KITH_NUM_ROOM + 1];

	kith_out_cell(out, "id");
	for (size_t j = 1; j <= dims; j++) {
		snprintf(name, sizeof(name), "e%zu", j);
		kith_out_put(out, "\t%s", name);
	}
	if (component == ALL)
		kith_out_put(out, "\t%s", "component");
	kith_out_row(out);
	for (size_t i = 0; i < r->map.n && !out->failed; i++) {
		if (nodes_file)
			kith_table_write_id(&r->nodes, i, out);
		else
			kith_out_size(out, i + 1);
		for (size_t j = 0; j < dims; j++)
			kith_out_put(out, "\t%G", r->map.y[i * dims + j]);
		if (component == ALL)
			kith_out_put(out, "\t%zu", r->graph.component[i] + 1);
		kith_out_row(out);
	}
}

/* [component] coordinate eigenvalue residual */
static void
write_values(const struct run *r, struct kith_out *out)
{
	const char *const column[] = {"component", "coordinate", "eigenvalue", "residual"};
	const int skip = component != ALL;

	kith_out_header(out, column + skip, 4 - (size_t)skip);
	for (size_t p = 0; p < r->map.parts; p++) {
		const struct kith_embedded *e = &r->map.part[p];

		for (size_t i = 0; i < e->d; i++) {
			char name[KITH_NUM_ROOM + 1];

			if (component == ALL)
				kith_out_put(out, "%zu\t", e->component + 1);
			snprintf(name, sizeof(name), "e%zu", i + 1);
			kith_out_put(out, "%s\t%G\t%G\n", name, e->value[i], e->residual[i]);
		}
	}
}

/* ---- Messages ---- */

/* Warns of the first of the eigenvalues that are nearly equal. */
static void
warn_equal(const struct kith_embedded *e)
{
	const size_t i = e->first_equal;

	kith_warn("eigenvalues %zu and %zu are nearly equal (%g)%s: what their "
		  "coordinates span is unique, not the coordinates%s",
	    i + 1, i + 2, e->value[i], e->equal > 1 ? ", and others" : "",
	    e->splits_equal ? "; nor that, where the last and the next one are equal "
			      "(--dims?)"
			    : "");
}

/*
 * Logs how the embedding went, and warns of what is wrong with it, once of each reason; returns the
 * status, 0 or 1.
 */
static int
report_map(const struct kith_embedding *map)
{
	const struct kith_embedded *off = NULL, *turned = NULL, *missed = NULL, *huge = NULL;
	double worst = 0, angle = 0, n_missed = 0;
	size_t products = 0, equal = 0, none = 0, some = 0; /* nodes without (all) coordinates */

	for (size_t i = 0; i < map->n; i++)
		if (isnan(map->y[i * map->d]))
			none++;
		else
			some += isnan(map->y[i * map->d + map->d - 1]) != 0;
	kith_log_size("embedded", map->n - none);
	if (none > 0)
		kith_warn("%zu of %zu nodes have no coordinates: %s", none, map->n,
		    component == ALL ? "no edges"
				     : "not in the largest component (--component all?)");
	if (some > 0)
		kith_warn("%zu nodes have less than %zu coordinates: their "
			  "components are small",
		    some, map->d);
	for (const struct kith_embedded *e = map->part; e < map->part + map->parts; e++) {
		products += e->products;
		worst = fmax(worst, e->worst);
		angle = fmax(angle, e->angle);
		n_missed = isnan(e->missed) ? NAN : n_missed + e->missed;
		if (e->equal > 0 && equal == 0)
			warn_equal(e);
		equal += e->equal;
		off = off || e->worst <= KITH_EMBED_RESIDUAL ? off : e;
		turned = turned || e->angle <= KITH_EMBED_ANGLE ? turned : e;
		missed = !missed && fabs(e->missed) > 0 ? e : missed;
		huge = !huge && isinf(e->value[e->d - 1]) ? e : huge;
	}
	if (map->parts == 1) {
		const struct kith_embedded *e = map->part;

		kith_log_text("solved", e->dense ? "dense" : e->factored ? "factor" : "products");
		for (size_t i = 0; i <= e->d; i++)
			if (!isnan(e->value[i]))
				kith_log_real(i < e->d ? "eigenvalue" : "next", e->value[i]);
	}
	kith_log_size("products", products);
	kith_log_real("residual", worst);
	kith_log_real("angle", angle);
	kith_log_size("equal", equal);
	kith_log_text("counted", isnan(n_missed) ? "no" : "yes");
	if (off)
		kith_warn("worst residual %g: coordinates may be off", off->worst);
	if (turned)
		kith_warn("e%zu may be off by %g of its length, as eigenvalues "
			  "near %g differ by less than rounding",
		    turned->turned + 1, fmin(turned->angle, 1), turned->value[turned->turned]);
	if (missed)
		kith_warn("eigenvalues up to %g that were not found: %g",
		    missed->value[missed->d - 1], missed->missed);
	if (huge)
		kith_warn("eigenvalue %zu is too large for a number", huge->d);
	return off || turned || missed || huge;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};
	struct kith_check proof[KITH_CHECK_EMBED];
	int status;

	check_call();
	if (read_all(&r, files, err))
		return -1;
	if (map_file)
		return kith_check_embed(&r.graph, &r.how, map_file, &r.names, proof, err)
		    ? -1
		    : kith_check_write(proof, KITH_CHECK_EMBED, kith_output(), out, err);
	if (kith_embed(&r.graph, &r.how, &r.map, pool, err))
		return -1;
	status = report_map(&r.map);
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	(print == VALUES ? write_values : write_coordinates)(&r, out);
	return status;
}
