# SPDX-License-Identifier: BSD-2-Clause
# Random numbers that are the same in every awk: awk -v seed=1 -f random.awk -f ...
#
#   uniform()   between 0 and 1, both excluded
#   normal()    of mean 0 and variance 1
#
# x' = 48271 x mod 2^31 - 1 (Park and Miller 1988, 1993), exact in doubles; the
# normal ones by Box and Muller.  Squares modulo a prime part the seeds: streams
# that begin at 1, 2 and so on would be multiples of each other.
BEGIN {
	for (random_i = 0; random_i < 16; random_i++)
		random_x = (random_x * random_x + seed + 1) % 67108859
	random_x++
}
function uniform() {
	random_x = random_x * 48271 % 2147483647
	return random_x / 2147483647
}
function normal(r) {
	r = sqrt(-2 * log(uniform()))
	return r * cos(6.283185307179586 * uniform())
}
