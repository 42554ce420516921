# Steps that do not keep each other from running, and what they install.
# .ci/run and .ci/full read this file.

# The exit status of a step that cannot be run here, which is no failure and no success.
readonly unavailable=77

summary=()
failures=0
unrun=0
verdict=

# step NAME COMMAND...: leaves ok, FAILED or "not run" in `verdict`.
step() {
    local name=$1 began=$SECONDS status=0
    shift
    echo
    echo "==== $name"
    # In a process of its own, where `set -e` holds: in a condition it would not.
    (set -euo pipefail && "$@") &
    wait $! || status=$?
    case $status in
        0) verdict=ok ;;
        "$unavailable") verdict="not run" unrun=$((unrun + 1)) ;;
        *) verdict=FAILED failures=$((failures + 1)) ;;
    esac
    summary+=("$(printf '%-7s %5d s  %s' "$verdict" $((SECONDS - began)) "$name")")
    echo "==== $name: $verdict"
}

# Ends with the summary of all steps, and exit status 1 if one of them failed.
conclude() {
    echo
    echo "==== summary"
    printf '%s\n' "${summary[@]}"
    if ((failures > 0)); then
        echo "$failures of ${#summary[@]} steps failed"
        exit 1
    fi
    echo "$((${#summary[@]} - unrun)) of ${#summary[@]} steps passed in $SECONDS s, $unrun cannot be run here"
}

die() {
    echo "$*" >&2
    exit 1
}

# Reads the lists of packages, before any is looked for or installed.
update_packages() {
    apt-get update -qq >/dev/null || die "the lists of packages cannot be read"
}

install_packages() {
    [[ $(id -u) == 0 ]] || die "packages are installed as root"
    # Mirrors are named in its output: only failures are shown.
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null ||
        die "not every package can be installed: $*"
    echo "installed: $*"
}

# install_component COMPONENT SUBCOMMAND: a part of the toolchain that cargo calls.
install_component() {
    cargo "$2" --version >/dev/null 2>&1 || rustup component add "$1" || die "$1 cannot be installed"
    cargo "$2" --version
}
