--- The compiled code beside its source: which buffers show what, and when
--- they are brought up to date. How it is drawn stands in `tungsten.link`.
local M = {}

local client_of = require('tungsten.client')
local link = require('tungsten.link')

---@class tungsten.CompiledCode the server's answer
---@field uri string
---@field text string
---@field state 'fresh'|'stale'|'outdated'|'pending'|'unavailable'
---@field message? string
---@field sourceLines (integer|userdata)[]
---@field shader integer
---@field target string
---@field targets string[]

---@class tungsten.View
---@field source integer the buffer that is compiled
---@field buffer integer the buffer that shows the machine code
---@field code tungsten.CompiledCode the newest answer
---@field asking boolean an answer is awaited
---@field wanted_again boolean the source changed while it was

---@type table<integer, tungsten.View> by the buffer that shows it
local views = {}

--- JSON's null is a value of its own in Lua.
---@generic T
---@param value T|userdata|nil
---@return T?
local function present(value)
  if value == vim.NIL then
    return nil
  end
  return value
end

--- What to say of code that is not of the current text.
---@param code tungsten.CompiledCode
---@return string?
function M.age(code)
  local message = present(code.message)
  if code.state == 'stale' then
    return 'of the previous text, compiling…'
  elseif code.state == 'outdated' then
    return 'of an earlier text: ' .. (message or 'the current one has errors')
  elseif code.state == 'pending' then
    return 'compiling…'
  elseif code.state == 'unavailable' then
    return message or 'no compiled code'
  end
end

---@param view tungsten.View
---@param code tungsten.CompiledCode
local function show(view, code)
  view.code = code
  if not vim.api.nvim_buf_is_valid(view.buffer) then
    return
  end
  local lines = vim.split(code.text, '\n')
  if lines[#lines] == '' then
    table.remove(lines)
  end
  local shown = vim.api.nvim_buf_get_lines(view.buffer, 0, -1, false)
  if not vim.deep_equal(lines, shown) then
    vim.bo[view.buffer].modifiable = true
    vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, lines)
    vim.bo[view.buffer].modifiable = false
    vim.bo[view.buffer].modified = false
  end
  link.draw(view)
end

---@param source integer
---@param wished { shader?: integer, target?: string, position?: lsp.Position }
---@param accept fun(code: tungsten.CompiledCode?)
local function ask(source, wished, accept)
  local client = client_of.of(source)
  if client == nil then
    vim.notify('Tungsten: no server for this buffer; see :checkhealth tungsten', vim.log.levels.WARN)
    return
  end
  local params = vim.tbl_extend('error', { textDocument = { uri = vim.uri_from_bufnr(source) } }, wished)
  client_of.request(client, 'tungsten/compiledCode', params, function(failure, code)
    if failure then
      vim.notify('Tungsten: ' .. failure.message, vim.log.levels.ERROR)
    end
    accept(present(code))
  end, source)
end

--- Asks anew; at most one question is on its way, and an answer that the next
--- edit has overtaken is not shown.
---@param view tungsten.View
local function refresh(view)
  if view.asking then
    view.wanted_again = true
    return
  end
  view.asking = true
  view.wanted_again = false
  ask(view.source, { shader = view.code.shader, target = view.code.target }, function(code)
    view.asking = false
    if view.wanted_again then
      refresh(view)
    elseif code ~= nil then
      show(view, code)
    else
      local gone = { state = 'outdated', message = 'the shader is no longer in the file' }
      show(view, vim.tbl_extend('force', view.code, gone))
    end
  end)
end

--- The views of a source buffer.
---@param source integer
---@return tungsten.View[]
function M.of_source(source)
  return vim.tbl_filter(function(view)
    return view.source == source
  end, vim.tbl_values(views))
end

--- The view that a buffer shows.
---@param buffer integer
---@return tungsten.View?
function M.of_buffer(buffer)
  return views[buffer]
end

---@param source integer
local function watch_source(source)
  local group = vim.api.nvim_create_augroup('tungsten.source.' .. source, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, {
    group = group,
    buffer = source,
    callback = function()
      vim.iter(M.of_source(source)):each(refresh)
    end,
  })
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, {
    group = group,
    buffer = source,
    callback = function()
      for _, view in ipairs(M.of_source(source)) do
        link.draw(view)
        link.follow_source(view)
      end
    end,
  })
end

---@param view tungsten.View
local function watch_view(view)
  local group = vim.api.nvim_create_augroup('tungsten.view.' .. view.buffer, {})
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'BufEnter' }, {
    group = group,
    buffer = view.buffer,
    callback = function()
      link.draw(view)
      link.follow_compiled(view)
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = view.buffer,
    callback = function()
      views[view.buffer] = nil
      link.clear(view)
    end,
  })
end

--- Names a buffer by the part of the URI that is for the reader; by all of it, if
--- another file of the same name is open.
---@param buffer integer
---@param uri string
local function name_buffer(buffer, uri)
  local short = uri:gsub('%?.*', '')
  if not pcall(vim.api.nvim_buf_set_name, buffer, short) then
    vim.api.nvim_buf_set_name(buffer, uri)
  end
end

---@param source integer
---@param code tungsten.CompiledCode
---@return tungsten.View
local function adopt(source, code)
  for _, view in pairs(views) do
    if view.code.uri == code.uri then
      return view
    end
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  name_buffer(buffer, code.uri)
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = 'gcn'
  local view = { source = source, buffer = buffer, code = code, asking = false, wanted_again = false }
  views[buffer] = view
  watch_source(source)
  watch_view(view)
  return view
end

---@param view tungsten.View
local function open_window(view)
  local window = vim.fn.bufwinid(view.buffer)
  if window ~= -1 then
    return
  end
  local before = vim.api.nvim_get_current_win()
  -- Another chip's code of the same file gives its place.
  for _, other in ipairs(M.of_source(view.source)) do
    local taken = vim.fn.bufwinid(other.buffer)
    if taken ~= -1 and other.code.shader == view.code.shader then
      vim.api.nvim_win_set_buf(taken, view.buffer)
      window = taken
      break
    end
  end
  if window == -1 then
    window = vim.api.nvim_open_win(view.buffer, false, { split = 'right', win = before })
  end
  vim.wo[window].number = false
  vim.wo[window].relativenumber = false
  vim.wo[window].wrap = false
  vim.wo[window].signcolumn = 'no'
end

--- Opens the compiled code of a shader beside its source.
---@param wished { buffer?: integer, shader?: integer, target?: string }
function M.open(wished)
  local here = vim.api.nvim_get_current_buf()
  local view = views[here]
  local source = wished.buffer or (view and view.source) or here
  local which = { target = wished.target, shader = wished.shader or (view and view.code.shader) }
  if which.shader == nil then
    local client = client_of.of(source)
    local window = vim.fn.bufwinid(source)
    if client and window ~= -1 then
      which.position = vim.lsp.util.make_position_params(window, client.offset_encoding).position
    end
  end
  ask(source, which, function(code)
    if code == nil then
      vim.notify('Tungsten: there is no shader to compile at the cursor', vim.log.levels.INFO)
      return
    end
    local opened = adopt(source, code)
    open_window(opened)
    show(opened, code)
    link.follow_source(opened)
  end)
end

--- The server says that asking again gives another answer.
---@param params { textDocument: { uri: string }, shader: integer, target: string }
function M.changed(params)
  for _, view in pairs(views) do
    local same = view.code.shader == params.shader and view.code.target == params.target
    if same and vim.uri_from_bufnr(view.source) == params.textDocument.uri then
      refresh(view)
    end
  end
end

--- From machine code to the line it was compiled from.
function M.go_to_source()
  local view = views[vim.api.nvim_get_current_buf()]
  if view == nil then
    vim.notify('Tungsten: this buffer shows no compiled code', vim.log.levels.INFO)
    return
  end
  local line = link.source_line(view, vim.fn.line('.') - 1)
  local window = vim.fn.bufwinid(view.source)
  if window == -1 then
    window = vim.api.nvim_open_win(view.source, false, { split = 'left', win = 0 })
  end
  vim.api.nvim_set_current_win(window)
  if line then
    vim.api.nvim_win_set_cursor(window, { line + 1, 0 })
  end
end

--- The chips to offer for completion.
---@return string[]
function M.known_targets()
  local _, view = next(views)
  return view and view.code.targets or require('tungsten').options().targets
end

return M
