--- The compiled code beside its source: which buffers show what, and when
--- they are brought up to date. How it is drawn stands in `tungsten.link` and
--- `tungsten.groups`, how a stored session gets it back in `tungsten.restored`.
local M = {}

local client_of = require('tungsten.client')
local groups = require('tungsten.groups')
local link = require('tungsten.link')
local text = require('tungsten.text')

---@class tungsten.CompiledCode the server's answer
---@field uri string
---@field text string
---@field state 'fresh'|'stale'|'outdated'|'pending'|'unavailable'
---@field message? string
---@field sourceLines (integer|userdata)[]
---@field shader integer
---@field target string
---@field targets string[]
---@field view 'code'|'ir'|'spirv'|'glsl'|'hosts'|'hex'|'tokens'|'expanded'|'registers'|'waits'

---@class tungsten.View
---@field source integer the buffer that is compiled
---@field buffer integer the buffer that shows the machine code
---@field code tungsten.CompiledCode the newest answer
---@field name string what the buffer is called, with which the view is found again
---@field asking? integer the client of which an answer is awaited
---@field wanted_again boolean the source changed while it was

---@type table<integer, tungsten.View> by the buffer that shows it
local views = {}

--- Those that the server serves as assembly.
local assembly = { code = true, expanded = true }

--- Those of lines to go to.
local explanations = { registers = true, waits = true }

--- What to say of code that is not of the current text.
---@param code tungsten.CompiledCode
---@return string?
function M.age(code)
  local message = client_of.present(code.message)
  if code.state == 'stale' then
    return 'of the previous text, compiling…'
  elseif code.state == 'outdated' then
    return 'out of date: ' .. (message or 'the current text has errors')
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
  text.fill(view.buffer, text.lines(code.text))
  if assembly[code.view] then
    client_of.serve(view.buffer, view.source)
  end
  link.draw(view)
  groups.draw(view.source, M.of_source(view.source))
  if vim.api.nvim_get_current_buf() ~= view.buffer then
    link.follow_source(view)
  end
end

--- Asks anew; at most one question is on its way, and an answer that the next
--- edit has overtaken is not shown.
---@param view tungsten.View
function M.refresh(view)
  local client = client_of.of(view.source)
  if client == nil then
    return
  end
  -- One that was stopped never answers.
  if view.asking == client.id then
    view.wanted_again = true
    return
  end
  view.asking = client.id
  view.wanted_again = false
  local which = { shader = view.code.shader, target = view.code.target, view = view.code.view }
  client_of.ask(client, view.source, 'tungsten/compiledCode', which, function(code)
    if view.asking ~= client.id then
      return
    end
    view.asking = nil
    if view.wanted_again then
      M.refresh(view)
    elseif code ~= nil then
      show(view, code)
    else
      local gone = { state = 'outdated', message = 'the shader is no longer in the file' }
      show(view, vim.tbl_extend('force', view.code, gone))
    end
  end, function()
    view.asking = nil
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
      vim.iter(M.of_source(source)):each(M.refresh)
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
  vim.api.nvim_create_autocmd({ 'BufDelete', 'BufWipeout' }, {
    group = group,
    buffer = source,
    callback = function()
      -- What nothing brings up to date any more.
      vim.schedule(function()
        for _, view in ipairs(M.of_source(source)) do
          vim.api.nvim_buf_delete(view.buffer, { force = true })
        end
      end)
    end,
  })
end

--- Forgets a view whose buffer goes, and the source with the last of its views.
---@param view tungsten.View
---@param group integer the view's autocommands
local function forget(view, group)
  views[view.buffer] = nil
  link.clear(view)
  local others = M.of_source(view.source)
  groups.draw(view.source, others)
  vim.api.nvim_del_augroup_by_id(group)
  if #others == 0 then
    vim.api.nvim_del_augroup_by_name('tungsten.source.' .. view.source)
  end
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
      for _, other in ipairs(M.of_source(view.source)) do
        if other ~= view then
          link.draw(other)
          link.follow_source(other)
        end
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = view.buffer,
    callback = function()
      forget(view, group)
    end,
  })
end

--- Makes a buffer one that shows a view. Its name is the view's URI, by which the
--- server knows the document and a stored session opens it again; `nofile` would
--- be stored as an empty buffer.
---@param buffer integer
---@param source integer
---@param code tungsten.CompiledCode
---@return tungsten.View
function M.show_in(buffer, source, code)
  vim.bo[buffer].buftype = 'nowrite'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].undolevels = -1
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = assembly[code.view] and 'gcn' or code.view == 'ir' and 'llvm' or ''
  if code.view == 'hex' then
    vim.bo[buffer].syntax = 'gcn'
  end
  if explanations[code.view] then
    vim.keymap.set('n', '<CR>', M.go_to_source, { buffer = buffer, desc = 'Go to the line of the source' })
  end
  local view = {
    source = source,
    buffer = buffer,
    code = code,
    name = vim.api.nvim_buf_get_name(buffer),
    wanted_again = false,
  }
  views[buffer] = view
  watch_source(source)
  watch_view(view)
  return view
end

---@param source integer
---@param code tungsten.CompiledCode
---@return tungsten.View
local function adopt(source, code)
  for _, view in pairs(views) do
    if view.name == code.uri then
      return view
    end
  end
  local buffer = vim.api.nvim_create_buf(false, false)
  vim.api.nvim_buf_set_name(buffer, code.uri)
  return M.show_in(buffer, source, code)
end

--- What a window needs to show a view well.
---@param window integer
function M.dress(window)
  local options = {
    number = false,
    relativenumber = false,
    wrap = false,
    -- Offsets and words; the view of the bytes shows them.
    conceallevel = 2,
    concealcursor = 'nc',
    foldmethod = 'expr',
    foldexpr = "v:lua.require'tungsten.folds'.level(v:lnum)",
    foldtext = "v:lua.require'tungsten.folds'.text()",
    -- All is open until someone folds.
    foldlevel = 99,
  }
  -- The usual status line would show the buffer's name, which is a long URI.
  if vim.go.statusline == vim.api.nvim_get_option_info2('statusline', {}).default then
    options.statusline = " %{get(b:, 'tungsten_title', '')}%=%{v:lua.require'tungsten'.status()} "
  end
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = window, scope = 'local' })
  end
end

---@param view tungsten.View
---@param place 'instead'|'beside' of other code of the same shader
local function open_window(view, place)
  if vim.fn.bufwinid(view.buffer) ~= -1 then
    return
  end
  local window
  local rightmost = vim.api.nvim_get_current_win()
  for _, candidate in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local other = views[vim.api.nvim_win_get_buf(candidate)]
    if other and other.source == view.source then
      rightmost = candidate
      window = window or (other.code.shader == view.code.shader and candidate or nil)
    end
  end
  if window ~= nil and place == 'instead' then
    vim.api.nvim_win_set_buf(window, view.buffer)
  else
    window = vim.api.nvim_open_win(view.buffer, false, { split = 'right', win = rightmost })
  end
  M.dress(window)
end

--- The shader that is meant: that of the view that one looks at, else the one at the
--- cursor.
---@param wished { buffer?: integer, shader?: integer, target?: string }
---@return integer source, { shader?: integer, target?: string, position?: lsp.Position } selection
function M.selection(wished)
  local here = vim.api.nvim_get_current_buf()
  local view = views[here]
  local source = wished.buffer or (view and view.source) or here
  local selection = {
    target = wished.target or (view and view.code.target),
    shader = wished.shader or (view and view.code.shader),
  }
  local client = client_of.of(source)
  local window = vim.fn.bufwinid(source)
  if selection.shader == nil and client ~= nil and window ~= -1 then
    selection.position = vim.lsp.util.make_position_params(window, client.offset_encoding).position
  end
  return source, selection
end

---@param wished { buffer?: integer, shader?: integer, target?: string, view?: string, place?: 'instead'|'beside' }
local function open_now(wished)
  local source, selection = M.selection(wished)
  local client = client_of.needed(source)
  if client == nil then
    return
  end
  selection.view = wished.view or 'code'
  client_of.ask(client, source, 'tungsten/compiledCode', selection, function(code)
    if code == nil then
      vim.notify('Tungsten: no shader here', vim.log.levels.INFO)
      return
    end
    local opened = adopt(source, code)
    open_window(opened, wished.place or 'instead')
    show(opened, code)
  end)
end

--- Opens the compiled code of a shader beside its source.
---@param wished { buffer?: integer, shader?: integer, target?: string, view?: string, place?: 'instead'|'beside' }
function M.open(wished)
  local source = M.selection(wished)
  client_of.when_served(source, function()
    open_now(vim.tbl_extend('force', wished, { buffer = source }))
  end)
end

--- The server says that asking again gives another answer.
---@param params { textDocument: { uri: string }, shader: integer, target: string, view: string }
function M.changed(params)
  for _, view in pairs(views) do
    local code = view.code
    local same = code.shader == params.shader and code.target == params.target and code.view == params.view
    if same and vim.uri_from_bufnr(view.source) == params.textDocument.uri then
      M.refresh(view)
    end
  end
end

--- Brings up to date what is shown of some source, or of all.
---@param source? integer
function M.refresh_all(source)
  for _, view in pairs(views) do
    if source == nil or view.source == source then
      M.refresh(view)
    end
  end
end

--- Draws the colours of lines anew, after an option has changed.
function M.redraw()
  for _, view in pairs(views) do
    groups.draw(view.source, M.of_source(view.source))
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

return M
