/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hnsw FILE P K TRUTH - the approximate index of hnswlib (libhnswlib-dev) for
 * the rows that `near` wrote, on one thread: M 16, efConstruction 100, and the
 * smallest ef of 30, 50, 100 and 200 with a recall of at least .95 of the
 * neighbours in TRUTH.  Prints CPU seconds to build it and to search for all
 * rows, which every 50th row tells, the recall, and ef.
 */
#include <hnswlib/hnswlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double
seconds()
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

template <typename T>
static std::vector<T>
all_of(const char *file)
{
	FILE *in = fopen(file, "rb");
	std::vector<T> v;

	if (!in || fseek(in, 0, SEEK_END))
		exit(1);
	v.resize(size_t(ftell(in)) / sizeof(T));
	rewind(in);
	if (fread(v.data(), sizeof(T), v.size(), in) != v.size())
		exit(1);
	fclose(in);
	return v;
}

int
main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	const std::vector<double> rows = all_of<double>(argv[1]);
	const std::vector<float> x(rows.begin(), rows.end());
	const std::vector<uint32_t> truth = all_of<uint32_t>(argv[4]);
	const size_t p = strtoul(argv[2], NULL, 10);
	const size_t k = strtoul(argv[3], NULL, 10), n = x.size() / p;
	const size_t step = 50;
	const double start = seconds();
	hnswlib::L2Space space(p);
	hnswlib::HierarchicalNSW<float> index(&space, n, 16, 100);

	for (size_t i = 0; i < n; i++)
		index.addPoint(x.data() + i * p, i);
	const double built = seconds() - start;

	for (const size_t ef : {31, 50, 100, 200}) {
		const double begin = seconds();
		size_t found = 0, asked = 0;

		index.setEf(ef);
		for (size_t i = 0; i < n; i += step, asked++) {
			auto got = index.searchKnn(x.data() + i * p, k + 1);

			for (; !got.empty(); got.pop())
				for (size_t j = 0; j < k; j++)
					found += truth[i * k + j] == got.top().second;
		}
		const double recall = double(found) / double(asked * k);

		if (recall < .95 && ef < 200)
			continue;
		printf("%.3f %.4f %zu\n", built + (seconds() - begin) * double(n) / double(asked),
		    recall, ef);
		break;
	}
	return 0;
}
