--- Drives a real Neovim with the plugin and the real server, in one theme of the tests:
--- each stands for itself.
---
---   nvim --headless --clean -l run.lua SERVER PLUGIN EXAMPLE WORK THEME
---
--- SERVER is a program that runs the server when given `lsp`.
local server, plugin, example, work, theme = unpack(_G.arg)
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')))
package.path = here .. '/?.lua;' .. package.path
local Editor = require('editor')
local steps = require('steps')

vim.fn.mkdir(work, 'p')
local file = vim.fs.joinpath(work, vim.fs.basename(example))
assert(vim.uv.fs_copyfile(example, file))

local context = {
  here = here,
  server = server,
  plugin = plugin,
  example = example,
  file = file,
  work = work,
  source_lines = vim.fn.readfile(file),
}

--- The first line of the example, from 1, with an instruction.
local function line_of(opcode)
  for number, line in ipairs(context.source_lines) do
    if line:match('^%s*%d*:?%s*' .. opcode .. '%f[%W]') then
      return number
    end
  end
  error('the example has no ' .. opcode)
end
context.first_line, context.texture_line, context.end_line = line_of('DP3'), line_of('TEX'), line_of('END')

--- Where a Neovim writes its messages.
---@param name string
---@return string
function context.log(name)
  return vim.fs.joinpath(work, 'neovim-' .. name .. '.log')
end

--- Starts Neovim with the plugin, the server and what else users set.
---@param name string
---@param options? table added to `vim.g.tungsten`
---@param before? string Lua of an init file
function context.start(name, options, before)
  local all = vim.tbl_extend('keep', options or {}, { cmd = { server, 'lsp' } })
  return Editor.start(plugin, all, context.log(name), before)
end

--- A copy of the example.
---@param name string
---@return string
function context.copy(name)
  local copy = vim.fs.joinpath(work, name)
  assert(vim.uv.fs_copyfile(file, copy))
  return copy
end

require(theme)(context)

print(('%s: %d passed, %d failed\n'):format(theme, steps.passed, steps.failed))
os.exit(steps.failed == 0 and steps.passed > 0 and 0 or 1)
