--- Marks on lines, drawn anew only where they differ: thousands of them stand in a large
--- file, and edits move them along by themselves.
local M = {}

---@class tungsten.Marks
---@field namespace integer
---@field package drawn table<integer, table<integer, any>> what each mark shows, by buffer and mark
local Marks = {}
Marks.__index = Marks

--- Marks of a namespace, none yet.
---@param name string of the namespace
---@return tungsten.Marks
function M.new(name)
  return setmetatable({ namespace = vim.api.nvim_create_namespace(name), drawn = {} }, Marks)
end

--- What the marks of a loaded buffer show.
---@param buffer integer
---@return table<integer, any> by line, from 0
function Marks:shown(buffer)
  local own, shown = self.drawn[buffer] or {}, {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, self.namespace, 0, -1, {})) do
    shown[mark[2]] = own[mark[1]]
  end
  return shown
end

--- Has lines of a buffer show something, and all others nothing.
---@param buffer integer
---@param wanted table<integer, any> by line, from 0: values that can be compared
---@param options_of fun(value: any): vim.api.keyset.set_extmark how a value is drawn
function Marks:draw(buffer, wanted, options_of)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    self.drawn[buffer] = nil
    return
  end
  local before, now, right = self.drawn[buffer] or {}, {}, {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, self.namespace, 0, -1, {})) do
    local id, line = mark[1], mark[2]
    if before[id] ~= nil and wanted[line] == before[id] and not right[line] then
      right[line] = true
      now[id] = before[id]
    else
      vim.api.nvim_buf_del_extmark(buffer, self.namespace, id)
    end
  end
  local count = vim.api.nvim_buf_line_count(buffer)
  for line, value in pairs(wanted) do
    if not right[line] and line < count then
      now[vim.api.nvim_buf_set_extmark(buffer, self.namespace, line, 0, options_of(value))] = value
    end
  end
  self.drawn[buffer] = next(now) and now or nil
end

return M
