--- Scratch buffers beside a source, one of each kind: it shows what was asked last.
local M = {}

local text = require('tungsten.text')

--- What shows a text of a kind in its buffer, under a title.
---@param filetype string
---@return fun(content: string, title: string): integer window
function M.shower(filetype)
  ---@type integer?
  local shown
  return function(content, title)
    if shown == nil or not vim.api.nvim_buf_is_valid(shown) then
      shown = vim.api.nvim_create_buf(false, true)
      vim.bo[shown].bufhidden = 'wipe'
      vim.bo[shown].filetype = filetype
    end
    text.fill(shown, text.lines(content))
    local window = vim.fn.bufwinid(shown)
    if window == -1 then
      window = vim.api.nvim_open_win(shown, false, { split = 'right' })
    end
    vim.wo[window].winbar = title
    return window
  end
end

return M
