/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/nnk.h: what nnkgraph and nnkmeans cost. */
#include "cost/nnk.h"
#include "figures.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/graph.h"

enum { N = 400, P = 20 };

static const struct kith_metric metric = {KITH_SQUARED, P, NULL};

/* All but k and the method. */
static struct kith_nnk_how
how(enum kith_nnk_method method, size_t k)
{
	return (struct kith_nnk_how){
	    .method = method, .k = k, .kernel = KITH_KERN_GAUSSIAN};
}

/* Of m rows of X, or of Z. */
static struct kith_cost
cost_of(const struct kith_nnk_how *how, size_t m, bool other)
{
	struct kith_pool pool = {0};
	struct kith_mat X = kith_mat_new(&pool, N, P), Z = X;
	struct kith_cost got;
	struct kith_local_rows rows = {
	    .X = &X, .metric = &metric, .Z = other ? &Z : NULL, .m = m};

	/* Eight rows of sixteen are at 0, the others far from all. */
	for (size_t i = 0; i < N; i++)
		X.v[i * P] = i / 8 % 2 ? 10. * (double)i : 0;
	if (!other && m < N)
		rows.first = 6;
	got = kith_cost_of_nnk(
	    &(struct kith_cost_nnk){.rows = &rows, .how = how, .threads = 2});
	kith_pool_free(&pool);
	return got;
}

static struct kith_cost
all_rows(enum kith_nnk_method method, size_t k)
{
	const struct kith_nnk_how with = how(method, k);

	return cost_of(&with, N, false);
}

static struct kith_cost
pool_of_all(enum kith_nnk_method method)
{
	struct kith_nnk_how with = how(method, 8);

	with.all = true;
	return cost_of(&with, N, false);
}

static struct kith_cost
within(double radius, size_t m)
{
	struct kith_nnk_how with = how(KITH_NNK_RADIUS, 8);

	with.radius = radius;
	return cost_of(&with, m, false);
}

static struct kith_cost
given(size_t each)
{
	size_t start[N + 1];
	const struct kith_graph graph = {.m = N, .start = start};
	struct kith_nnk_how with = how(KITH_NNK, 8);

	for (size_t i = 0; i <= N; i++)
		start[i] = i * each;
	with.given = &graph;
	return cost_of(&with, N, false);
}

/* A kernel's bandwidth takes a search of its own where the rows are others. */
static struct kith_cost
queries(enum kith_kern_kind kernel, bool fixed, size_t m, bool other)
{
	struct kith_nnk_how with = how(KITH_NNK_KNN, 8);

	with.kernel = kernel;
	with.sigma.rule = fixed ? KITH_SIGMA_FIXED : KITH_SIGMA_AUTO;
	return cost_of(&with, m, other);
}

static struct kith_cost
by_pairs(size_t m, size_t pairs, size_t k)
{
	const struct kith_nnk_how with = how(KITH_NNK, k);

	return kith_cost_of_nnk(&(struct kith_cost_nnk){
	    .how = &with, .m = m, .pairs = pairs, .threads = 2});
}

static void
test_methods(void)
{
	const struct cost_case all[] = {
	    {"nnk", all_rows(KITH_NNK, 8),
		{0.0007161237287, 0.0009947237287, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"knn", all_rows(KITH_NNK_KNN, 8),
		{0.0007161237287, 0.0007899237287, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"mp", all_rows(KITH_NNK_MP, 8),
		{0.0007161237287, 0.0009947237287, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"omp", all_rows(KITH_NNK_OMP, 8),
		{0.0009209237287, 0.001199523729, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"lle", all_rows(KITH_NNK_LLE, 8),
		{0.001420123729, 0.001493923729, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"lle-gram", all_rows(KITH_NNK_LLE_GRAM, 8),
		{0.001420123729, 0.001493923729, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"lle-signed", all_rows(KITH_NNK_LLE_SIGNED, 8),
		{0.001420123729, 0.001493923729, 0.0002, 0.0008, 4195200,
		    4195200}},
	    {"smooth", all_rows(KITH_NNK_SMOOTH, 8),
		{0.003189083729, 0.03641488373, 0.0002, 0.0008, 4732800,
		    4732800}},
	    {"aew", all_rows(KITH_NNK_AEW, 8),
		{0.002190683729, 0.02873488373, 0.0002, 0.0008, 4297600,
		    4297600}},
	    {"mp of all rows", pool_of_all(KITH_NNK_MP),
		{0.008821083729, 0.05049488373, 0.0002, 0.0008, 4195200,
		    4195200}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
}

static void
test_candidates(void)
{
	const struct cost_case all[] = {
	    {"k above n", all_rows(KITH_NNK_KNN, (size_t)3 * N),
		{0.566231867, 0.566231867, 0.01, 0.04, 5120000, 5120000}},
	    {"candidates are given", given(5),
		{8.4e-05, 0.000134, 0.000125, 0.0005, 64000, 64000}},
	    {"none are given", given(0), {0, 0}},
	    {"a radius", within(1, N),
		{0.03451536, 0.03451536, 0.002525, 0.0101, 1292800, 1292800}},
	    {"of some rows", within(1, 3),
		{0.0006942912, 0.0006942912, 2.5125e-05, 0.0001005, 12864,
		    12864}},
	    {"queries", queries(KITH_KERN_GAUSSIAN, true, N, true),
		{0.0007407237287, 0.0008883237287, 0.0002, 0.0008, 4144000,
		    4144000}},
	    {"some rows", queries(KITH_KERN_GAUSSIAN, true, 100, false),
		{0.0001851809322, 0.0002220809322, 5e-05, 0.0002, 4067200,
		    4067200}},
	    {"some rows and a bandwidth",
		queries(KITH_KERN_GAUSSIAN, false, 100, false),
		{0.0007108646609, 0.0008953646609, 5e-05, 0.0002, 4067200,
		    4067200}},
	    {"some rows of a kernel without one",
		queries(KITH_KERN_LINEAR, false, 100, false),
		{0.0001851809322, 0.0002220809322, 5e-05, 0.0002, 4067200,
		    4067200}},
	    {"pairs", by_pairs(50, 300, 8),
		{1.96e-05, 3.675e-05, 2.1875e-05, 8.75e-05, 0, 0}},
	    {"few pairs", by_pairs(50, 100, 8),
		{3.6e-06, 4.95e-06, 9.375e-06, 3.75e-05, 0, 0}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
}

static void
test_sizes(void)
{
	struct kith_cost got = all_rows(KITH_NNK, 8);

	is_sizes(&got, (size_t[]){N, P, 0, 0, 8, 2}, "all rows");
	got = queries(KITH_KERN_LINEAR, false, 100, false);
	is_sizes(&got, (size_t[]){N, P, 100, 0, 8, 2}, "some rows");
	got = queries(KITH_KERN_LINEAR, false, N, true);
	is_sizes(&got, (size_t[]){N, P, N, 0, 8, 2}, "other rows");
	got = within(1, N);
	is_sizes(&got, (size_t[]){N, P, 0, 0, 101, 2}, "within a radius");
	got = by_pairs(50, 100, 8);
	is_sizes(&got, (size_t[]){50, 0, 0, 0, 3, 2}, "pairs");
}

static void
test_merge(void)
{
	const struct kith_cost got = kith_cost_of_merge(100, 4000);

	is_cost(&got,
	    (const double[FIGURES]){0, 0, 0.00025, 0.001, 192000, 192000},
	    "lists that are merged");
	is_sizes(&got, (size_t[]){100, 0, 0, 0, 0, 0}, "lists");
}

static struct kith_cost
means(size_t atoms, size_t k, size_t max_iter)
{
	const struct kith_mat X = {N, P, NULL};

	return kith_cost_of_means(&X,
	    &(struct kith_means_how){
		.atoms = atoms, .k = k, .max_iter = max_iter, .threads = 2});
}

static void
test_means(void)
{
	struct kith_cost got = means(30, 10, 1000);

	is_cost(&got,
	    (const double[FIGURES]){0.012292, 0.18438, 0, 0, 216000, 216000},
	    "30 atoms");
	is_sizes(&got, (size_t[]){N, P, 0, 0, 10, 2}, "30 atoms");
	got = means(6, 10, 100);
	is_cost(&got,
	    (const double[FIGURES]){
		0.00581712, 0.0581712, 0, 0, 143296, 143296},
	    "fewer atoms than k");
	is_sizes(&got, (size_t[]){N, P, 0, 0, 6, 2}, "fewer atoms");
	got = means(6, 10, 7);
	is_cost(&got,
	    (const double[FIGURES]){
		0.004071984, 0.004071984, 0, 0, 143296, 143296},
	    "seven iterations");
}

int
main(void)
{
	test_methods();
	test_candidates();
	test_sizes();
	test_merge();
	test_means();
	return done();
}
