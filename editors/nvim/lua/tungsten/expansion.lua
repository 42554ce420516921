--- What a macro call expands to, in a scratch buffer beside its source.
local M = {}

local client_of = require('tungsten.client')
local text = require('tungsten.text')

--- The buffer of the newest expansion. One is enough: it shows what was asked last.
---@type integer?
local shown

---@param expanded string
---@param name string
local function show(expanded, name)
  if shown == nil or not vim.api.nvim_buf_is_valid(shown) then
    shown = vim.api.nvim_create_buf(false, true)
    vim.bo[shown].bufhidden = 'wipe'
    vim.bo[shown].filetype = 'gcn'
  end
  text.fill(shown, text.lines(expanded))
  local window = vim.fn.bufwinid(shown)
  if window == -1 then
    window = vim.api.nvim_open_win(shown, false, { split = 'right' })
  end
  vim.wo[window].winbar = name .. ' expanded'
end

--- Shows what the call at a place expands to; at the cursor where none is named.
---@param reference? { uri: string, position: lsp.Position }
function M.open(reference)
  local buffer = reference and vim.uri_to_bufnr(reference.uri) or vim.api.nvim_get_current_buf()
  local client = client_of.needed(buffer)
  if client == nil then
    return
  end
  local position = reference and reference.position
    or vim.lsp.util.make_position_params(0, client.offset_encoding).position
  client_of.ask(client, buffer, 'tungsten/expandMacro', { position = position }, function(answer)
    if answer == nil then
      vim.notify('Tungsten: no macro call or repetition at the cursor', vim.log.levels.INFO)
    else
      local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ''
      show(answer.text, line:match('[%w_.$]+') or 'macro')
    end
  end)
end

return M
