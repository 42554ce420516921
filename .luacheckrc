std = "luajit"
globals = { "vim" }
max_line_length = 140
exclude_files = { "target", "**/node_modules" }
-- Made of the table of settings, a sentence each.
files["editors/nvim/lua/tungsten/settings.lua"] = { max_line_length = false }
