#!/usr/bin/env bash
# Puts Emacs and Helix into a folder, from Debian's packages.
#
# The editors are newer than this Debian's own: their packages are unpacked into the
# folder, Helix with the C library that it wants, and nothing of the system changes.
#
#   editors.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "${1:?the folder to install into}" && cd "$1" && pwd)
readonly here folder
readonly stamp=$folder/stamp-editors
wanted=$(sha256sum <"$here/editors.sh")
readonly wanted

if [[ -f $stamp && $(<"$stamp") == "$wanted" ]]; then
    exit
fi
rm -rf "$folder"/{apt,packages,editors,library,emacs,hx} "$stamp"

# Lists of packages of our own, beside the system's.
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/packages"
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
cat >"$folder/apt/sources.list" <<END
deb [signed-by=$keyring] http://deb.debian.org/debian bookworm main
deb [signed-by=$keyring] http://deb.debian.org/debian bookworm-backports main
deb [signed-by=$keyring] http://deb.debian.org/debian trixie main
END
readonly options=(-qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=-
    -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update >/dev/null
cd "$folder/packages"
apt-get "${options[@]}" download emacs-nox/bookworm-backports emacs-common/bookworm-backports \
    libgccjit0/bookworm libtree-sitter0/bookworm elpa-dape/trixie hx/trixie libc6/trixie libgcc-s1/trixie >/dev/null
for package in emacs-*.deb libgccjit*.deb libtree-sitter*.deb elpa-dape_*.deb hx_*.deb; do
    dpkg -x "$package" "$folder/editors"
done
for package in libc6_*.deb libgcc-s1_*.deb; do
    dpkg -x "$package" "$folder/library"
done
cd "$folder"
rm -rf "$folder/packages" "$folder/apt"

cat >"$folder/emacs" <<'END'
#!/usr/bin/env bash
# Emacs without its packages' usual places.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/editors" && pwd)
share=$(echo "$root"/usr/share/emacs/[0-9]*)
lisp=$(find "$share/lisp" "$root/usr/share/emacs/site-lisp/elpa-src" -type d -printf '%p:')
libexec=$(dirname "$root"/usr/libexec/emacs/*/*/emacs-*.pdmp)
EMACSLOADPATH=$lisp EMACSDATA=$share/etc EMACSPATH=$libexec \
    exec env LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu" \
    "$root/usr/bin/emacs-nox" --dump-file="$(echo "$libexec"/emacs-*.pdmp)" "$@"
END
cat >"$folder/hx" <<'END'
#!/usr/bin/env bash
# Helix with the C library of the Debian that it is of.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libraries=$here/library/usr/lib/x86_64-linux-gnu
HELIX_RUNTIME=$(find "$here/editors/usr" -type d -path '*/hx/runtime' -print -quit)
export HELIX_RUNTIME
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/editors/usr/bin/hx" "$@"
END
chmod +x "$folder/emacs" "$folder/hx"
"$folder/emacs" --version | head -n 1
"$folder/hx" --version
echo "$wanted" >"$stamp"
