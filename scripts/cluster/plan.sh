# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC2034 # $name; $threads is for the task; $threads_word
# plan.sh: what shards and grid share: they write the directory of a job.
# Sourced, with $name, the name of the script, set.
#
# A job is a directory:
#	plan             the call that made it
#	settings         threads, merge, directory, environment, inputs
#	tasks/I.sh       task I: prints a table
#	parameters.tsv   grids: the parameters of task I in line I + 1
#	parts/I.tsv      its table, there only when whole
#	exits/I          its exit status, 0 or 1 when the table counts
#	logs/I.log       the messages of all its attempts
#	result.tsv       what ./join makes of the parts
# The scripts that run it, those of job/ here, are copied into it, so that a job
# under way does not change when they do.

unset CDPATH
here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
threads=1 merge='' then_command='' plan=''
inputs=()
words=() # of the command of a task, as a shell reads them
threads_word='"$threads"' # what a task is given

die() { # STATUS MESSAGE
	printf '%s: %s\n' "$name" "$2" >&2
	exit "$1"
}
misuse() {
	printf "%s: %s\ntry '%s --help'\n" "$name" "$1" "$name" >&2
	exit 2
}
# The comment at the top of the script is its help.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

need_count() { # OPTION VALUE
	[[ $2 =~ ^[1-9][0-9]{0,5}$ ]] ||
		misuse "bad $1: '$2' (a whole number, 1 to 999999)"
}

# add_words ARG...: arguments that stand for themselves, whatever is in them.
add_words() {
	local arg word
	for arg; do
		input "$arg"
		printf -v word %q "$arg"
		words+=("$word")
	done
}

# input ARG: an argument that names a file, also as --option=FILE, is an input.
input() {
	local file=$1 old
	case $file in --*=*) file=${file#*=} ;; esac
	[ -f "$file" ] || return 0
	case $file in /*) ;; *) file=$PWD/$file ;; esac
	for old in "${inputs[@]}"; do
		[ "$old" != "$file" ] || return 0
	done
	inputs+=("$file")
}

# write_task I: the task runs the command of $words.
write_task() {
	printf 'exec -- %s\n' "${words[*]}" >"$plan/tasks/$1.sh"
	words=()
}

# begin_plan JOB COMMAND: the job is planned in $plan, beside where it will be.
begin_plan() {
	job=${1%/}
	case $job in
	/* | ./* | ../*) ;;
	'') misuse 'no name of a job' ;;
	*) job=./$job ;;
	esac
	type -P -- "$2" >/dev/null || die 66 "$2: no such command in PATH"
	[ -d "${job%/*}" ] || die 66 "${job%/*}: no such directory"
	plan=$(mktemp -d "${job%/*}/.${job##*/}.XXXXXX") || exit 74
	trap 'rm -rf "$plan"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	chmod "$(printf %o $((0777 & ~$(umask))))" "$plan"
	mkdir "$plan/tasks" "$plan/parts" "$plan/exits" "$plan/logs" || exit 74
}

# end_plan CALL...: the job appears under its name, whole.  One that is there
# already is left as it is if it was made by the same call, else refused.
end_plan() {
	local call count
	count=("$plan"/tasks/*.sh)
	printf -v call '%q ' "$@"
	printf 'cd %q\n%s\n' "$PWD" "${call% }" >"$plan/plan"
	{
		printf 'threads=%q
merge=%q
' "$threads" "$merge"
		printf 'directory=%q
' "$PWD"
		printf 'then_command=%q\npath=%q\n' "$then_command" "$PATH"
		printf 'library_path=%q\n' "${LD_LIBRARY_PATH-}"
		printf 'inputs=('
		[ ${#inputs[@]} -eq 0 ] || printf '%q ' "${inputs[@]}"
		printf ')\n'
		# the last line: without it, the file is not whole
		printf 'tasks=%q\n' ${#count[@]}
	} >"$plan/settings"
	if [ -e "$job" ] || [ -L "$job" ]; then
		cmp -s "$plan/plan" "$job/plan" ||
			die 2 "$job: is there, and not from this call: see $job/plan"
		return
	fi
	cp "$here"/job/* "$plan" && mv -T "$plan" "$job" || exit 74
}
