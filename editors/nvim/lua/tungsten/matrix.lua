--- Where the elements of a matrix product are: the map of the instruction at the cursor, in a
--- scratch buffer beside its source.
local M = {}

local client_of = require('tungsten.client')
local show = require('tungsten.beside').shower('markdown')

--- The page of the product in a line; the modifiers say which formats A and B have, the first four
--- operands which registers.
---@param line string
---@return string? page
---@return string? mnemonic
local function page_of(line)
  local mnemonic = line:match('%f[%w_][vV]_[mM][fF][mM][aA]_[%w_]+')
    or line:match('%f[%w_][vV]_[sS][mM][fF][mM][aA][cC]_[%w_]+')
  if mnemonic == nil then
    return
  end
  local words = { 'layout:' .. mnemonic }
  for key, value in line:gmatch('%f[%w_](%a+):(%d+)') do
    if key == 'cbsz' or key == 'blgp' then
      table.insert(words, key .. ':' .. value)
    end
  end
  local operand = '([^%s,;/]+)'
  local pattern = vim.pesc(mnemonic) .. '%s+' .. (operand .. ',%s*'):rep(3) .. operand
  local four = { line:match(pattern) }
  if #four == 4 then
    table.insert(words, 'operands:' .. table.concat(four, ','))
  end
  return table.concat(words, ' '), mnemonic
end

--- How wide prose is: half a screen.
local columns = 78

--- Breaks lines of prose. The window does not wrap, for the tables' sake.
---@param map string
---@return string
local function narrow(map)
  local lines = {}
  for line in vim.gsplit(map, '\n') do
    local own = line
    if line:sub(1, 1) ~= '|' and vim.fn.strdisplaywidth(line) > columns then
      own = ''
      for word in line:gmatch('%S+') do
        local longer = own == '' and word or own .. ' ' .. word
        if vim.fn.strdisplaywidth(longer) > columns and own ~= '' then
          table.insert(lines, own)
          longer = word
        end
        own = longer
      end
    end
    table.insert(lines, own)
  end
  return table.concat(lines, '\n')
end

--- Shows the map of the product at the cursor.
function M.open()
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of.needed(buffer)
  if client == nil then
    return
  end
  local page, mnemonic = page_of(vim.api.nvim_get_current_line())
  if page == nil or mnemonic == nil then
    vim.notify('Tungsten: no matrix product at the cursor', vim.log.levels.INFO)
    return
  end
  local params = { command = 'tungsten.explain', arguments = { page } }
  client_of.request(client, 'workspace/executeCommand', params, function(failure, map)
    if failure then
      vim.notify('Tungsten: ' .. failure.message, vim.log.levels.ERROR)
    elseif client_of.present(map) == nil then
      vim.notify(('Tungsten: no layout is known for %s'):format(mnemonic), vim.log.levels.INFO)
    else
      vim.wo[show(narrow(map), mnemonic .. ' layout')].wrap = false
    end
  end, buffer)
end

return M
