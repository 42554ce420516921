#!/usr/bin/env bash
# Runs Neovim in a real terminal, tmux's, and keeps what stands on its screen:
# that a window, a sign or a float is drawn at all is seen nowhere else.
#
#   screen.sh NVIM SERVER PLUGIN EXAMPLE WORK ARTEFACTS
set -euo pipefail

readonly nvim=$1 server=$2 plugin=$3 example=$4 work=$5 artefacts=$6
readonly socket=$work/tmux
mkdir -p "$work"
cp "$example" "$work/screen.tgsi"

cat >"$work/init.lua" <<EOF
vim.g.tungsten = { cmd = { '$server', 'lsp' }, targets = { 'polaris10', 'tahiti', 'vega10' } }
vim.opt.runtimepath:prepend('$plugin')
vim.o.statusline = "%f %=%{v:lua.require'tungsten'.status()}"
vim.o.termguicolors = true
vim.o.swapfile = false
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
    for ((attempt = 0; attempt < 150; attempt++)); do
        if screen | grep -qE -- "$words"; then
            echo "ok the screen shows: $words"
            return
        fi
        sleep 0.2
    done
    echo "not ok the screen does not show: $words"
    screen
    exit 1
}

# Keeps the screen as text, and with its colours.
keep() {
    screen >"$artefacts/neovim-$1.txt"
    screen -e >"$artefacts/neovim-$1.ansi"
}

export XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8
tmux_ new-session -d -s neovim -x 170 -y 50 \
    "'$nvim' --clean -u '$work/init.lua' '$work/screen.tgsi'"

wait_for 'polaris10 · [0-9]+ waves · V [0-9]+ · S [0-9]+ · [0-9]+ clk'
wait_for 'TEX TEMP\[4\].* [0-9]+\+[0-9]+'
keys ':Tungsten compiled' Enter
wait_for '│.*image_sample v\['
keys ':32' Enter
wait_for '│.*; 20: MUL TEMP'
keep compiled
# Line groups: backgrounds of at least four colours.
grounds=$(screen -e | grep -oE '48;2;[0-9]+;[0-9]+;[0-9]+' | sort -u | wc -l)
((grounds >= 4)) || { echo "not ok only $grounds backgrounds"; exit 1; }
echo "ok $grounds backgrounds"
keys ':Tungsten costs' Enter
wait_for '▲ the cursor'
wait_for 'tahiti +[0-9]+ █+'
keep costs
keys Escape j
keys ':Tungsten stalls' Enter
wait_for 'Waits of FRAG on polaris10'
wait_for '[0-9]+ clk, .*← line'
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
keys ':qall!' Enter
# Until it is gone, the server's last messages are not recorded.
for ((attempt = 0; attempt < 50; attempt++)); do
    tmux_ has-session -t neovim 2>/dev/null || break
    sleep 0.2
done
((attempt < 50)) || { echo "not ok Neovim does not end"; exit 1; }
echo "ok Neovim ends"
