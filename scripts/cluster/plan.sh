# shellcheck shell=bash disable=SC2154,SC2016 # $name; $threads is for the task
# plan.sh: what shards and grid share: they write the directory of a job.
# Sourced, with $name, the name of the script, set.
#
# A job is a directory:
#	plan             the call that made it
#	settings         threads, directory, environment, inputs
#	tasks/I.sh       task I: prints a table
#	parameters.tsv   grids: the parameters of task I in line I + 1
#	parts/I.tsv      its table, there only when whole
#	exits/I          its exit status, 0 or 1 when the table counts
#	logs/I.log       the messages of all its attempts
#	result.tsv       what ./join makes of the parts
# The scripts that run it, those of job/ here, are copied into it, so that a job
# under way does not change when they do.

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
threads=1 then_command='' plan=''
inputs=()

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

# word TEXT: in $word, TEXT as a word of a shell script; {threads} becomes what
# a task is given.
word() {
	local text=$1 piece
	word=
	while [[ $text == *'{threads}'* ]]; do
		piece=${text%%'{threads}'*}
		[ -z "$piece" ] || printf -v piece %q "$piece"
		word+=$piece'"$threads"'
		text=${text#*'{threads}'}
	done
	piece=
	if [ -n "$text" ] || [ -z "$word" ]; then printf -v piece %q "$text"; fi
	word+=$piece
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

# write_task I ARG...: the task runs this command.
write_task() {
	local file=$plan/tasks/$1.sh line=exec arg word
	shift
	for arg; do
		input "$arg"
		word "$arg"
		line+=" $word"
	done
	printf '%s\n' "$line" >"$file"
}

# begin_plan JOB COMMAND: the job is planned in $plan, beside where it will be.
begin_plan() {
	job=${1%/}
	case $job in
	/* | ./* | ../*) ;;
	'') misuse 'no name of a job' ;;
	*) job=./$job ;;
	esac
	command -v -- "$2" >/dev/null || die 66 "$2: no such command in PATH"
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
	local call
	printf -v call '%q ' "$@"
	printf 'cd %q\n%s\n' "$PWD" "${call% }" >"$plan/plan"
	{
		printf 'threads=%q\ndirectory=%q\n' "$threads" "$PWD"
		printf 'then_command=%q\npath=%q\n' "$then_command" "$PATH"
		printf 'library_path=%q\n' "${LD_LIBRARY_PATH-}"
		printf 'inputs=('
		[ ${#inputs[@]} -eq 0 ] || printf '%q ' "${inputs[@]}"
		printf ')\n'
	} >"$plan/settings"
	if [ -e "$job" ] || [ -L "$job" ]; then
		cmp -s "$plan/plan" "$job/plan" ||
			die 2 "$job: is there, and not from this call: see $job/plan"
		return
	fi
	cp "$here"/job/* "$plan" && mv "$plan" "$job" || exit 74
}
