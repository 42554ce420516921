#!/usr/bin/env bash
# Puts pytest-lsp and what else the checks are written with into a folder, from PyPI.
#
#   setup.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "${1:?the folder to install into}" && cd "$1" && pwd)
readonly here folder
readonly stamp=$folder/stamp-python
wanted=$(cat "$here/setup.sh" "$here/requirements.txt" | sha256sum)
readonly wanted

if [[ -f $stamp && $(<"$stamp") == "$wanted" ]]; then
    exit
fi
rm -rf "$folder/python" "$stamp"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
echo "$wanted" >"$stamp"
