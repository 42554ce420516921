--- What a macro call expands to, in a scratch buffer beside its source.
local M = {}

local client_of = require('tungsten.client')
local show = require('tungsten.beside').shower('gcn')

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
      show(answer.text, (line:match('[%w_.$]+') or 'macro') .. ' expanded')
    end
  end)
end

return M
