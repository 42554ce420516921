--- Find a faster form: a search in the background for a form of the shader or kernel at the
--- cursor that costs less and does the same. What is found is shown beside what is there, in
--- Vim's own diff, and applied from there.
local M = {}

local client_of = require('tungsten.client')
local text = require('tungsten.text')

--- The search that runs.
---@type { client: vim.lsp.Client, id: integer, token: string }?
local running

--- Makes the token of each search new.
local count = 0

---@param said string
---@param level? integer
local function tell(said, level)
  vim.notify('Tungsten: ' .. said, level or vim.log.levels.INFO)
end

--- Shows how far the search is, where messages are shown.
---@param token string
local function follow(token)
  vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event)
      local params = event.data and event.data.params or {}
      if running == nil or running.token ~= token then
        return true
      end
      local value = params.token == token and params.value or {}
      if value.kind == 'report' and value.message then
        local said = ('Tungsten: %s; :Tungsten advise stop ends it'):format(value.message)
        vim.api.nvim_echo({ { said:sub(1, vim.o.columns - 12) } }, false, {})
      end
    end,
  })
end

--- Applies what was found, where the text is still the one that was searched.
---@param client vim.lsp.Client
---@param source integer
---@param tick integer the text that was searched
---@param edit table
local function apply(client, source, tick, edit)
  if not vim.api.nvim_buf_is_valid(source) or vim.api.nvim_buf_get_changedtick(source) ~= tick then
    tell('the text has changed since it was searched; undo the change, or search again', vim.log.levels.WARN)
    return
  end
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
end

--- Shows two texts side by side in a tab of their own.
---@param source integer
---@param pair { before: string, after: string }
---@param titles string[]
---@return integer[] buffers
local function compare(source, pair, titles)
  local buffers = {}
  for number, content in ipairs({ pair.before, pair.after }) do
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.bo[buffer].bufhidden = 'wipe'
    vim.cmd((number == 1 and 'tab sbuffer ' or 'rightbelow vertical sbuffer ') .. buffer)
    vim.bo[buffer].filetype = vim.bo[source].filetype
    text.fill(buffer, text.lines(content))
    vim.wo.winbar = titles[number]
    vim.cmd('diffthis')
    buffers[number] = buffer
  end
  vim.cmd('wincmd =')
  return buffers
end

---@param client vim.lsp.Client
---@param source integer
---@param tick integer
---@param answer table
local function show(client, source, tick, answer)
  local edit = client_of.present(answer.edit)
  local found = edit and ' a faster form: <CR> applies it, q closes' or ' a faster form: q closes'
  local buffers = compare(source, answer.preview, { ' as it is', found })
  local tab = vim.api.nvim_get_current_tabpage()
  local function close()
    if vim.api.nvim_tabpage_is_valid(tab) and #vim.api.nvim_list_tabpages() > 1 then
      vim.cmd('tabclose ' .. vim.api.nvim_tabpage_get_number(tab))
    end
  end
  for _, buffer in ipairs(buffers) do
    vim.keymap.set('n', 'q', close, { buffer = buffer, desc = 'Close' })
    if edit then
      vim.keymap.set('n', '<CR>', function()
        close()
        apply(client, source, tick, edit)
      end, { buffer = buffer, desc = 'Apply the faster form' })
    end
  end
end

--- Ends the search that runs.
function M.stop()
  if running == nil then
    tell('no search is running')
    return
  end
  local client, id = running.client, running.id
  running = nil
  if vim.fn.has('nvim-0.11') == 1 then
    client:cancel_request(id)
  else
    client.cancel_request(id)
  end
  tell('the search was cancelled')
end

--- Searches at a place; at the cursor where none is named.
---@param reference? { uri: string, position: lsp.Position }
---@param seconds? integer
function M.find(reference, seconds)
  local source = reference and vim.uri_to_bufnr(reference.uri) or vim.api.nvim_get_current_buf()
  local client = client_of.needed(source)
  if client == nil then
    return
  end
  count = count + 1
  local token = 'tungsten.findFasterForm/' .. count
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(source) },
    position = reference and reference.position
      or vim.lsp.util.make_position_params(0, client.offset_encoding).position,
    seconds = seconds,
    workDoneToken = token,
  }
  local tick = vim.api.nvim_buf_get_changedtick(source)
  local _, id = client_of.request(client, 'tungsten/advise', params, function(failure, answer)
    if running and running.token == token then
      running = nil
    end
    answer = client_of.present(answer)
    if failure then
      if failure.code ~= -32800 then
        tell(failure.message, vim.log.levels.ERROR)
      end
    elseif answer == nil then
      tell('no shader or kernel at the cursor')
    else
      if answer.status == 'better' then
        show(client, source, tick, answer)
      end
      tell(answer.message)
    end
  end, source)
  if id and running == nil then
    running = { client = client, id = id, token = token }
    follow(token)
  end
end

return M
