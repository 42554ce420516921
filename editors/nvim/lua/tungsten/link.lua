--- Draws what belongs together: the machine code of the cursor's line, the line
--- of the cursor's machine code, and the age of what is shown.
local M = {}

local linked = vim.api.nvim_create_namespace('tungsten.linked')
local aged = vim.api.nvim_create_namespace('tungsten.age')

--- The line of the source that a line of machine code comes from, both from 0.
---@param view tungsten.View
---@param line integer
---@return integer?
function M.source_line(view, line)
  local origin = view.code.sourceLines[line + 1]
  return type(origin) == 'number' and origin or nil
end

--- The lines of machine code that come from a line of the source, all from 0.
---@param view tungsten.View
---@param source_line integer
---@return integer[]
function M.compiled_lines(view, source_line)
  local lines = {}
  for index, origin in ipairs(view.code.sourceLines) do
    if origin == source_line then
      table.insert(lines, index - 1)
    end
  end
  return lines
end

---@param window integer
---@return integer from 0
local function cursor_line(window)
  return vim.api.nvim_win_get_cursor(window)[1] - 1
end

---@param buffer integer
---@param lines integer[]
local function mark(buffer, lines)
  vim.api.nvim_buf_clear_namespace(buffer, linked, 0, -1)
  local count = vim.api.nvim_buf_line_count(buffer)
  for _, line in ipairs(lines) do
    if line < count then
      vim.api.nvim_buf_set_extmark(buffer, linked, line, 0, { line_hl_group = 'TungstenLinked', priority = 150 })
    end
  end
end

--- What the views are called.
local words = {
  code = '',
  ir = ' · LLVM IR',
  spirv = ' · SPIR-V',
  glsl = ' · GLSL',
  hosts = ' · hosts',
  hex = ' · bytes',
  tokens = ' · tokens',
  expanded = ' · expanded',
  registers = ' · registers',
  waits = ' · waits',
}

--- A name to read, in place of the buffer's: `lit.tgsi · polaris10 · LLVM IR`; behind the
--- file the number of the shader, where it is not the first.
---@param view tungsten.View
---@return string
local function title_of(view)
  local code = view.code
  local file = vim.fs.basename(vim.api.nvim_buf_get_name(view.source))
  local shader = code.shader > 0 and (' #%d'):format(code.shader + 1) or ''
  -- A table of all hosts is of no chip.
  local target = code.view == 'hosts' and '' or ' · ' .. code.target
  return ('%s%s%s%s'):format(file, shader, target, words[code.view])
end

---@param view tungsten.View
local function mark_age(view)
  local buffer = view.buffer
  vim.api.nvim_buf_clear_namespace(buffer, aged, 0, -1)
  local age = require('tungsten.compiled').age(view.code)
  if age and (view.code.state == 'stale' or view.code.state == 'outdated') then
    -- Above the syntax's colours, which would say that all is well.
    vim.api.nvim_buf_set_extmark(buffer, aged, 0, 0, {
      end_row = vim.api.nvim_buf_line_count(buffer),
      hl_group = 'TungstenStale',
      hl_eol = true,
      priority = 200,
    })
  end
  local title = title_of(view)
  vim.b[buffer].tungsten_title = title
  local bar = ' ' .. title:gsub('%%', '%%%%')
  if age then
    bar = ('%s  %%#TungstenNotice#◌ %s'):format(bar, age:gsub('%%', '%%%%'))
  end
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.wo[window].winbar = bar
  end
end

--- The line of the source that the cursor means, from 0: that of the source's
--- window, or the one that the code at the cursor comes from.
---@param view tungsten.View
---@return integer?
local function meant(view)
  local looked_at = require('tungsten.compiled').of_buffer(vim.api.nvim_get_current_buf())
  if looked_at and looked_at.source == view.source then
    return M.source_line(looked_at, cursor_line(0))
  end
  local window = vim.fn.bufwinid(view.source)
  return window ~= -1 and cursor_line(window) or nil
end

--- Draws a view's links for where the cursor is now, and its age.
---@param view tungsten.View
function M.draw(view)
  if not (vim.api.nvim_buf_is_valid(view.buffer) and vim.api.nvim_buf_is_valid(view.source)) then
    return
  end
  mark_age(view)
  local line = meant(view)
  mark(view.buffer, line and M.compiled_lines(view, line) or {})
  local has_code = line
    and vim.iter(require('tungsten.compiled').of_source(view.source)):any(function(other)
      return #M.compiled_lines(other, line) > 0
    end)
  mark(view.source, has_code and { line } or {})
end

--- Takes a view's marks out of its source.
---@param view tungsten.View
function M.clear(view)
  if vim.api.nvim_buf_is_valid(view.source) then
    vim.api.nvim_buf_clear_namespace(view.source, linked, 0, -1)
  end
end

--- Puts the cursor of a window on one of some lines, if it is on none of them:
--- whoever changes to that window stands where they looked.
---@param window integer
---@param lines integer[]
local function move_to(window, lines)
  if window == -1 or #lines == 0 or vim.tbl_contains(lines, cursor_line(window)) then
    return
  end
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  local line = math.min(lines[1] + 1, count)
  vim.api.nvim_win_call(window, function()
    local in_sight = vim.fn.line('w0') <= line and line <= vim.fn.line('w$')
    vim.api.nvim_win_set_cursor(window, { line, 0 })
    if not in_sight then
      vim.cmd('normal! zz')
    end
  end)
end

--- The machine code follows the source's cursor.
---@param view tungsten.View
function M.follow_source(view)
  local line = meant(view)
  if line then
    move_to(vim.fn.bufwinid(view.buffer), M.compiled_lines(view, line))
  end
end

--- The source follows the machine code's cursor.
---@param view tungsten.View
function M.follow_compiled(view)
  local line = M.source_line(view, cursor_line(0))
  move_to(vim.fn.bufwinid(view.source), line and { line } or {})
end

return M
