# SPDX-License-Identifier: BSD-2-Clause
# What the two tables of the SQP-FW paper share.
# shellcheck shell=sh
# shellcheck source=common.sh
. "${0%/*}/../common.sh"

# The values of theta: 100 in the paper.
thetas() { grid .001 1 "$(each 20 100)"; }
