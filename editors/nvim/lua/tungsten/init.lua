--- The plugin's front: options, and what happens when a first file needs it.
local M = {}

---@class tungsten.Options: tungsten.Settings
---@field enable? boolean start the server for TGSI and GCN files (default true)
---@field cmd? string[] what runs the server (default: the program that was built beside this folder, else `tungsten` on PATH, with `lsp`)
---@field hints? tungsten.settings.inlayHints the same as `inlayHints`
---@field decorations? boolean show anything of what follows: hints, lenses, signs, text, colours (default true)
---@field heat? 'off'|'registers'|'clocks' what the signs beside the lines show (default 'clocks')
---@field virtual_text? 'off'|'registers'|'clocks' what the text at the ends of lines shows (default 'off')
---@field line_colours? boolean colour lines and their machine code alike while both are shown (default true)
---@field inlay_hints? boolean show inlay hints from the start (default true)
---@field code_lenses? boolean show code lenses (default true)

--- Whether a file that is ours was seen: before, nothing of the plugin runs.
local started = false

---@type tungsten.Options
local defaults = {
  enable = true,
  targets = { 'polaris10' },
  compile = true,
  cache = true,
  decorations = true,
  heat = 'clocks',
  virtual_text = 'off',
  line_colours = true,
  inlay_hints = true,
  code_lenses = true,
}

--- What runs the server where nobody says it: the program that was built from the
--- repository that this file is in, which is of the plugin's version, else that on PATH.
---@return string[]
local function usual_command()
  local file = vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)) or ''
  local repository = file:match('^(.*)/editors/nvim/lua/tungsten/init%.lua$')
  local built = repository and repository .. '/target/release/tungsten'
  return { built and vim.fn.executable(built) == 1 and built or 'tungsten', 'lsp' }
end

--- The options in force: those of `vim.g.tungsten` over the defaults.
---@return tungsten.Options
function M.options()
  local options = vim.tbl_extend('force', defaults, vim.g.tungsten or {})
  options.cmd = options.cmd or usual_command()
  return options
end

--- The option of a decoration; false where all are switched off.
---@param name string
---@return any
function M.decorated(name)
  local wanted = M.options()
  return wanted.decorations and wanted[name]
end

--- The sums of the shader or kernel at the cursor, for a status line.
---@return string
function M.status()
  -- A status line is drawn before there is anything to say.
  return started and require('tungsten.status').line() or ''
end

--- Changes options and draws everything anew.
---@param changed tungsten.Options
function M.change(changed)
  vim.g.tungsten = vim.tbl_extend('force', vim.g.tungsten or {}, changed)
  if not started then
    return
  end
  require('tungsten.costs').redraw()
  require('tungsten.compiled').redraw()
  local client = require('tungsten.client').of()
  for buffer in pairs(client and client.attached_buffers or {}) do
    require('tungsten.client').decorate(client, buffer)
  end
end

--- Whether the server is started for all files that are ours.
local enabled = false

--- Called for the first file that is ours, and by what needs the server before one.
function M.start()
  if enabled then
    return
  end
  started, enabled = true, true
  require('tungsten.highlights').enable()
  if M.options().enable then
    require('tungsten.client').enable()
  end
end

--- Called for a source of another language that holds a shader.
---@param buffer integer
function M.serve_source(buffer)
  started = true
  require('tungsten.highlights').enable()
  require('tungsten.client').start(buffer)
end

--- For those who like to call it; the same as setting `vim.g.tungsten` before
--- the plugin is loaded, and it works after that too.
---@param options? tungsten.Options
function M.setup(options)
  M.change(options or {})
  if enabled and M.options().enable then
    require('tungsten.client').enable()
  end
end

return M
