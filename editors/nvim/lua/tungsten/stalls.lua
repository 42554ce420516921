--- `:Tungsten stalls`: the lines that wait, in the quickfix list, the longest first.
local M = {}

local costs = require('tungsten.costs')

--- The list's window is at most as high as Vim makes it by itself.
local most_rows = 10

--- A line of a buffer in few words.
---@param buffer integer
---@param line integer from 0
---@return string
local function words(buffer, line)
  local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''
  return vim.trim(text)
end

--- The entries of the list.
---@param buffer integer
---@param code tungsten.CodeCosts
---@return vim.quickfix.entry[]
local function entries(buffer, code)
  local waiting = vim.tbl_filter(function(line)
    return line.stall > 0
  end, code.lines)
  table.sort(waiting, function(one, other)
    return one.stall == other.stall and one.line < other.line or one.stall > other.stall
  end)
  return vim.tbl_map(function(line)
    local text = ('%d clk, %s'):format(line.stall, words(buffer, line.line))
    local cause = require('tungsten.client').present(line.cause)
    if cause == line.line then
      text = text .. ' ← the line itself'
    elseif cause then
      text = ('%s ← line %d: %s'):format(text, cause + 1, words(buffer, cause))
    end
    return { bufnr = buffer, lnum = line.line + 1, text = text }
  end, waiting)
end

--- Fills the list and opens it.
function M.show()
  local code = costs.needed()
  if code == nil then
    return
  end
  local buffer = vim.api.nvim_get_current_buf()
  local items = entries(buffer, code)
  if #items == 0 then
    vim.notify('Tungsten: nothing waits here', vim.log.levels.INFO)
    return
  end
  vim.fn.setqflist({}, ' ', { title = ('Waits of %s on %s'):format(code.name, code.chips[1].target), items = items })
  vim.cmd('botright copen ' .. math.min(#items, most_rows))
end

return M
