#!/usr/bin/env bash
# Runs Neovim in a real terminal, tmux's, and keeps what stands on its screen:
# that a window, a sign or a float is drawn at all is seen nowhere else.
#
#   screen.sh NVIM SERVER PLUGIN EXAMPLE WORK ARTEFACTS PYTHON
#
# The pictures that it makes are those of the plugin's README: after a change that is
# seen, look at artefacts/neovim-*.png and copy them to editors/nvim/media.
set -euo pipefail

readonly nvim=$1 server=$2 plugin=$3 example=$4 work=$5 artefacts=$6 python=$7
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly socket=$work/tmux
mkdir -p "$work"
cp "$example" "$work/screen.tgsi"
cp "${example%.tgsi}.inputs.toml" "$work"
(echo '# tungsten: run=lit_texture.inputs.toml lane=1' && cat "$example") >"$work/values.tgsi"

cat >"$work/init.lua" <<EOF
vim.g.tungsten = { cmd = { '$server', 'lsp' }, targets = { 'polaris10', 'tahiti', 'vega10' } }
vim.opt.runtimepath:prepend('$plugin')
vim.o.statusline = " %{get(b:, 'tungsten_title', expand('%:t'))} %=%{v:lua.require'tungsten'.status()} "
vim.o.wrap = false
vim.o.hlsearch = false
vim.o.termguicolors = true
vim.o.swapfile = false
EOF

cat >"$work/end.lua" <<'EOF'
local quiet_since
vim.wait(120000, function()
  local open = vim.iter(vim.lsp.get_clients()):any(function(client)
    return vim.iter(pairs(client.requests)):any(function(_, request) return request.type ~= 'complete' end)
  end)
  quiet_since = not open and (quiet_since or vim.uv.now()) or nil
  return quiet_since and vim.uv.now() - quiet_since > 350
end, 20)
vim.lsp.stop_client(vim.lsp.get_clients())
vim.wait(120000, function() return #vim.lsp.get_clients() == 0 end, 20)
vim.cmd('qall!')
EOF

cat >"$work/chips.lua" <<'EOF'
vim.wait(120000, function()
  local code = require('tungsten.costs').at_cursor()
  return code and #code.chips == 3
end, 20)
EOF

tmux_() {
    tmux -S "$socket" -f /dev/null "$@"
}
trap 'tmux_ kill-server 2>/dev/null || true' EXIT

screen() {
    tmux_ capture-pane -p "$@" -t neovim
}

keys() {
    tmux_ send-keys -t neovim "$@"
}

# Waits until the screen shows some words (an extended regular expression).
wait_for() {
    local words=$1 attempt
    for ((attempt = 0; attempt < 1200; attempt++)); do
        if screen | grep -qE -- "$words"; then
            echo "ok the screen shows: $words"
            return
        fi
        sleep 0.1
    done
    echo "not ok the screen does not show: $words"
    screen
    exit 1
}

# Keeps the screen as text and as a picture.
keep() {
    screen >"$artefacts/neovim-$1.txt"
    if [[ -z ${CI:-} && ! -f /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf ]]; then
        echo "skipped: a picture, without the font DejaVu Sans Mono"
        return
    fi
    screen -e -N >"$work/$1.ansi"
    "$python" "$here/picture.py" "$work/$1.ansi" "$artefacts/neovim-$1.png"
}

# Ends Neovim when nothing is asked any more: a question without an answer would look
# like a fault of the server. Until it is gone, the last messages are not recorded.
end_neovim() {
    local attempt
    keys ":luafile $work/end.lua" Enter
    for ((attempt = 0; attempt < 1200; attempt++)); do
        if ! tmux_ has-session -t neovim 2>/dev/null; then
            echo "ok Neovim ends"
            return
        fi
        sleep 0.1
    done
    echo "not ok Neovim does not end"
    exit 1
}

export XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8
tmux_ new-session -d -s neovim -x 146 -y 40 -c "$work" \
    "'$nvim' --clean -u '$work/init.lua' screen.tgsi"

wait_for 'polaris10 · [0-9]+ waves · V [0-9]+ · S [0-9]+ · [0-9]+ clk'
wait_for 'TEX TEMP\[4\].* [0-9]+\+[0-9]+'
keys ':Tungsten compiled' Enter
wait_for '│.*image_sample v\['
keys 32G
wait_for '│.*; 20: MUL TEMP'
keep compiled
# Line groups: backgrounds of at least four colours.
grounds=$(screen -e | grep -oE '48;2;[0-9]+;[0-9]+;[0-9]+' | sort -u | wc -l)
((grounds >= 4)) || {
    echo "not ok only $grounds backgrounds"
    exit 1
}
echo "ok $grounds backgrounds"
# The float shows what is known when it opens: that is to be all three chips.
keys ":luafile $work/chips.lua" Enter
keys ':Tungsten costs' Enter
wait_for '▲ the cursor'
wait_for 'tahiti +[0-9]+ ▇+'
wait_for '▶ +[0-9]+ +[0-9]+ V +[0-9]+ S +←'
keep costs
keys j
keys ':Tungsten stalls' Enter
wait_for 'Waits of FRAG on polaris10'
wait_for '[0-9]+ clk, .*← (the )?line'
keep stalls
keys ':cclose | Tungsten pin' Enter
wait_for 'pinned for polaris10'
keys ':only' Enter '/END' Enter 'OCOS OUT[0].x, TEMP[0].xxxx' Escape
wait_for '[0-9][+-][0-9]+ clk$'
keys ':Tungsten compare' Enter
wait_for 'now polaris10 .*instr [0-9]+ \([+-][0-9]+\)'
keys '/v_cos' Enter
wait_for '│ .*v_cos_f32'
keep compare
keys ':tabclose' Enter ':set background=light' Enter
# The source alone: the comparison shows the same words as the view to come.
wait_for '^ *DCL SAMP\[0\] *$'
keys ':Tungsten compiled' Enter
wait_for '│.*v_cos_f32'
keys 'OBOGUS' Escape
wait_for 'polaris10 +◌ out of date'
keep stale
keys 'u:only' Enter ":edit! values.tgsi" Enter
wait_for 'MUL TEMP\[0\].xyz.*→ 0.0, 0.6, 0.8'
wait_for 'values.tgsi .* clk'
keep values
end_neovim

# The README's way from a clone to compiled code, word for word after the build, with
# nothing of the user's own.
mkdir -p "$work/clone/target/release" "$work/clone/editors"
cp -r "$(dirname "$example")" "$work/clone/examples"
cp -r "$plugin" "$work/clone/editors/nvim"
ln -s "$server" "$work/clone/target/release/tungsten"
first_look=$(grep -m 1 '^nvim .*examples/' "$plugin/README.md")
mkdir "$work/bin"
ln -s "$nvim" "$work/bin/nvim"
began=$(date +%s%N)
tmux_ new-session -d -s neovim -x 146 -y 40 -c "$work/clone" \
    "PATH='$work/bin:/usr/bin:/bin' HOME='$work/clone' sh -c '$first_look'"
wait_for '│.*[sv]_[a-z0-9_]+ [sv]'
echo "ok compiled code $((($(date +%s%N) - began) / 1000000)) ms after: $first_look"
end_neovim
