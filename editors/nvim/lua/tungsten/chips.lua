--- The chips that shaders can be compiled for, as completion offers them. The program
--- is asked, and once: it also knows them where no server runs yet.
local M = {}

---@type string[]?
local known

--- The chips of the options, by each compiler of the options.
---@return string[]
local function builds()
  local options = require('tungsten').options()
  local names = {}
  for _, target in ipairs(options.targets) do
    for _, compiler in ipairs(options.compilers or { 'llvm' }) do
      table.insert(names, compiler == 'llvm' and target or (compiler .. ':' .. target))
    end
  end
  return names
end

--- All names of chips, those of the options first.
---@return string[]
function M.names()
  local wished = builds()
  if known == nil then
    local command = vim.list_extend(require('tungsten.client').program(), { 'targets' })
    local started, result = pcall(function()
      return vim.system(command, { text = true }):wait()
    end)
    if not started or result.code ~= 0 then
      return wished
    end
    known = {}
    for name in result.stdout:gmatch('\n +(%S+) +gfx') do
      table.insert(known, name)
    end
  end
  local others = vim.tbl_filter(function(name)
    return not vim.tbl_contains(wished, name)
  end, known)
  return vim.list_extend(vim.deepcopy(wished), others)
end

return M
