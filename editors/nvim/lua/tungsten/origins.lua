--- Where a value of a stopped run comes from: the steps that made it, as a tree beside the
--- source. `<CR>` on one of them goes to its moment.
local M = {}

local show = require('tungsten.beside').shower('tungsten-origins')

---@class tungsten.Origin
---@field name string
---@field value string
---@field isKnown boolean
---@field lane? integer
---@field position? integer
---@field line? integer
---@field text? string
---@field sources integer[] from 0

--- The register under the cursor with its brackets and component.
---@return string?
local function register_at_cursor()
  local text = vim.api.nvim_get_current_line()
  local column = vim.api.nvim_win_get_cursor(0)[2] + 1
  local register = vim.regex([=[\h\w*\(\[[^\]]*\]\)\{0,2}\(\.[xyzw]\{1,4}\)\?]=])
  local from = 1
  while true do
    local first, last = register:match_str(text:sub(from))
    if not first then
      return nil
    end
    if from + first <= column and column < from + last then
      return text:sub(from + first, from + last - 1)
    end
    from = from + last
  end
end

--- The lines of a tree, and the moment of each.
---@param origins { values: tungsten.Origin[], roots: integer[] }
---@return string[], table<integer, integer>
local function tree(origins)
  local lines, moments, seen = {}, {}, {}
  local function add(number, depth)
    local own = origins.values[number + 1]
    local where = own.isKnown and 'from the beginning' or ''
    if own.position then
      where = ('line %s: %s'):format(own.line or '?', own.text)
      moments[#lines + 1] = own.position
    end
    lines[#lines + 1] = ('%s%s = %s  %s'):format(('  '):rep(depth), own.name, own.value, where)
    if not seen[number] then
      seen[number] = true
      for _, source in ipairs(own.sources) do
        add(source, depth + 1)
      end
    end
  end
  for _, root in ipairs(origins.roots) do
    add(root, 0)
  end
  return lines, moments
end

--- Shows where a register comes from.
---@param follow 'everything' | 'nan'
---@param expression? string else the register under the cursor
function M.open(follow, expression)
  local session = require('tungsten.debug').session()
  if not session then
    return
  end
  expression = expression or register_at_cursor()
  if not expression then
    return vim.notify('Tungsten: there is no register under the cursor', vim.log.levels.WARN)
  end
  local asked = {
    expression = expression,
    follow = follow,
    frameId = session.current_frame and session.current_frame.id,
  }
  session:request('tungsten/origins', asked, function(refused, origins)
    if refused then
      return vim.notify('Tungsten: ' .. refused.message, vim.log.levels.WARN)
    end
    local lines, moments = tree(origins)
    local window = show(table.concat(lines, '\n'), expression .. ' · <CR> goes to a step')
    local buffer = vim.api.nvim_win_get_buf(window)
    vim.keymap.set('n', '<CR>', function()
      local position = moments[vim.api.nvim_win_get_cursor(0)[1]]
      if position then
        session:request('tungsten/goTo', { position = position })
      end
    end, { buffer = buffer, desc = 'Go to the step of this line' })
  end)
end

return M
