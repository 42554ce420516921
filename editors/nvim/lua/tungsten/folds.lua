--- Folding of compiled code: a block, from its label to the next, and in it what
--- each statement of the source became.
local M = {}

--- What a line of a view begins.
---@param text string
---@return 'block'|'statement'|nil
local function begins(text)
  if text:find('^[%w_.$]+:') or text:find('^define ') then
    return 'block'
  elseif text:find('^%s+; ') then
    return 'statement'
  end
end

--- For 'foldexpr': the level of a line, from 1.
---@param number integer
---@return string
function M.level(number)
  local text = vim.fn.getline(number)
  local kind = begins(text)
  if kind == 'block' then
    return '>1'
  elseif kind == 'statement' then
    return '>2'
  end
  -- The figures above the first block belong to none.
  return text == '' and '0' or '='
end

--- For 'foldtext': the first line, and how many instructions are behind it.
---@return string
function M.text()
  local first, last = vim.v.foldstart, vim.v.foldend
  local instructions = 0
  for _, line in ipairs(vim.fn.getline(first + 1, last)) do
    if line:find('^%s+[%a%%]') then
      instructions = instructions + 1
    end
  end
  return ('%s  · %d instruction%s'):format(vim.fn.getline(first), instructions, instructions == 1 and '' or 's')
end

return M
