--- Colours by line group: every source line that became machine code, and that
--- code, in one colour. There are fewer colours than lines, so they repeat; lines
--- that stand together never share one.
local M = {}

local marks = require('tungsten.marks').new('tungsten.groups')

local colours = #require('tungsten.highlights').palette

--- How a line of a group is drawn.
---@param group integer
---@return vim.api.keyset.set_extmark
local function drawn_as(group)
  -- Below the marks of the cursor's line.
  return { line_hl_group = 'TungstenGroup' .. group, priority = 20 }
end

--- Gives lines their groups: each keeps the one that it has, new ones get one that their
--- neighbours have not. So an edit colours nothing anew but what it touches.
---@param lines integer[] sorted
---@param before table<integer, integer> the groups that they have
---@return table<integer, integer> by line
local function assign(lines, before)
  local groups, last = {}, 0
  for place, line in ipairs(lines) do
    local group = before[line]
    if group == nil or group == last then
      group = last % colours + 1
      if group == before[lines[place + 1]] then
        group = group % colours + 1
      end
    end
    groups[line], last = group, group
  end
  return groups
end

--- Hints are drawn fainter by many schemes than can be read on a tint.
local readable_hints = 'LspInlayHint:TungstenHint'

--- Gives the windows of a buffer hints that can be read on tints, or takes that back.
---@param buffer integer
---@param tinted boolean whether it has tints
local function adapt_hints(buffer, tinted)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local others = vim.tbl_filter(function(part)
      return part ~= readable_hints
    end, vim.split(vim.wo[window].winhighlight, ',', { trimempty = true }))
    if tinted then
      table.insert(others, readable_hints)
    end
    local wanted = table.concat(others, ',')
    if wanted ~= vim.wo[window].winhighlight then
      vim.wo[window][0].winhighlight = wanted
    end
  end
end

--- Colours a source and all views of it. One question for all of them, so that a
--- line has its colour in each.
---@param source integer
---@param views tungsten.View[]
function M.draw(source, views)
  local wanted = require('tungsten').decorated('line_colours')
  local lines, seen = {}, {}
  for _, view in ipairs(views) do
    for _, line in ipairs(wanted and view.code.sourceLines or {}) do
      if type(line) == 'number' and not seen[line] then
        seen[line] = true
        table.insert(lines, line)
      end
    end
  end
  table.sort(lines)
  local loaded = vim.api.nvim_buf_is_loaded(source)
  local groups = assign(lines, loaded and marks:shown(source) or {})
  marks:draw(source, groups, drawn_as)
  adapt_hints(source, #lines > 0)
  for _, view in ipairs(views) do
    local own = {}
    for index, line in ipairs(view.code.sourceLines) do
      own[index - 1] = groups[line]
    end
    marks:draw(view.buffer, own, drawn_as)
    adapt_hints(view.buffer, #lines > 0)
  end
end

return M
