--- Starts the server and handles its own messages and commands.
local M = {}

local name = 'tungsten'
local filetypes = { 'tgsi', 'gcn' }

local function options()
  return require('tungsten').options()
end

--- Neovim 0.12 redraws code lenses by itself; before, they are asked for.
local redraws_lenses = vim.lsp.codelens.enable ~= nil

---@param buffer integer
local function refresh_lenses(buffer)
  local wanted = require('tungsten').decorated('code_lenses')
  if not redraws_lenses and wanted and vim.api.nvim_buf_is_loaded(buffer) then
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
end

---@param client_id integer
local function refresh_all_lenses(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    refresh_lenses(buffer)
  end
end

--- Shows hints and lenses, or takes them away, as the options say.
---@param client vim.lsp.Client
---@param buffer integer
function M.decorate(client, buffer)
  local decorated = require('tungsten').decorated
  if client.server_capabilities.inlayHintProvider then
    vim.lsp.inlay_hint.enable(decorated('inlay_hints'), { bufnr = buffer })
  end
  if not client.server_capabilities.codeLensProvider then
    return
  end
  if redraws_lenses then
    vim.lsp.codelens.enable(decorated('code_lenses'), { bufnr = buffer })
  elseif decorated('code_lenses') then
    refresh_lenses(buffer)
  else
    vim.lsp.codelens.clear(client.id, buffer)
  end
end

--- The buffers that each client serves: of one that has ended, Neovim forgets them.
---@type table<integer, table<integer, true>> by client
local served = {}

---@param client vim.lsp.Client
---@param buffer integer
local function on_attach(client, buffer)
  served[client.id] = served[client.id] or {}
  served[client.id][buffer] = true
  require('tungsten.embedded').restore(buffer)
  M.decorate(client, buffer)
  require('tungsten.costs').attach(buffer)
  require('tungsten.compiled').refresh_all(buffer)
  if client.server_capabilities.codeLensProvider then
    if not redraws_lenses then
      vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
        group = vim.api.nvim_create_augroup('tungsten.lenses.' .. buffer, {}),
        buffer = buffer,
        callback = function()
          refresh_lenses(buffer)
        end,
      })
    end
  end
end

---@return lsp.ClientCapabilities
local function capabilities()
  local own = {
    workspace = { codeLens = { refreshSupport = true }, diagnostics = { refreshSupport = true } },
    experimental = {
      tungsten = { statusNotification = true, tellsMissingCompiler = true, findsFasterForms = true },
    },
  }
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), own)
end

---@type table<integer, { version: integer, hints: lsp.InlayHint[]? }> the newest answer per buffer
local hinted = {}

--- Before 0.12, Neovim does not draw new hints for a text that it drew since it asked
--- for them: they come when a compile ends, and would stay hidden until the next edit.
--- Switching them off and on draws them.
---@type lsp.Handler
local function on_hints(failure, hints, context)
  vim.lsp.handlers['textDocument/inlayHint'](failure, hints, context)
  local buffer = context.bufnr
  if failure or buffer == nil then
    return
  end
  local before = hinted[buffer]
  hinted[buffer] = { version = context.version, hints = hints }
  if before and before.version == context.version and not vim.deep_equal(before.hints, hints) then
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
        vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
        vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
        -- Until they are asked for again, none would be there: the lines would jump.
        vim.lsp.handlers['textDocument/inlayHint'](nil, hints, context)
      end
    end)
  end
end

--- Asks for the diagnostics of all buffers again.
---@type lsp.Handler
local function pull_again(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    local document = { uri = vim.uri_from_bufnr(buffer) }
    M.request(client, 'textDocument/diagnostic', { textDocument = document }, nil, buffer)
  end
  return vim.NIL
end

--- The handlers that Neovim has not. Where it has one for lenses, that one is better.
local function handlers()
  local own = {
    ['tungsten/compiledCodeChanged'] = function(_, params)
      require('tungsten.compiled').changed(params)
      require('tungsten.comparison').changed(params)
    end,
    ['tungsten/costsChanged'] = function(_, params)
      require('tungsten.costs').changed(params)
    end,
    ['tungsten/statusChanged'] = function(_, params)
      require('tungsten.status').changed(params)
    end,
  }
  if vim.fn.has('nvim-0.12') == 0 then
    own['textDocument/inlayHint'] = on_hints
  end
  if vim.lsp.handlers['workspace/diagnostic/refresh'] == nil then
    own['workspace/diagnostic/refresh'] = pull_again
  end
  if not redraws_lenses then
    own['workspace/codeLens/refresh'] = function(_, _, context)
      refresh_all_lenses(context.client_id)
      return vim.NIL
    end
  end
  return own
end

--- Called when a client has ended.
---@type fun(code: integer, signal: integer, client_id: integer)
local on_exit

--- What runs the server: it takes the folders that may be read from its user's hand alone.
---@param wanted tungsten.Options
---@return string[]
local function server_command(wanted)
  if type(wanted.cmd) ~= 'table' then
    return wanted.cmd -- A function starts it in its own way.
  end
  local words = vim.deepcopy(wanted.cmd)
  for _, folder in ipairs(wanted.trustedFolders or {}) do
    table.insert(words, 2, '--trust=' .. vim.fs.normalize(folder))
  end
  return words
end

--- The same for what it loads and where it writes.
---@param wanted tungsten.Options
---@return table<string, string>
local function environment(wanted)
  local cache = wanted.cache
  return {
    TUNGSTEN_LLVM = wanted.llvm,
    TUNGSTEN_CACHE = cache == false and 'off' or type(cache) == 'string' and vim.fs.normalize(cache) or nil,
  }
end

--- What starts the client: for vim.lsp.config, and for vim.lsp.start before that.
---@return vim.lsp.ClientConfig
function M.config()
  local wanted = options()
  local settings = {}
  for _, key in ipairs(require('tungsten.settings')) do
    settings[key] = wanted[key]
  end
  settings.inlayHints = wanted.hints or wanted.inlayHints
  return {
    name = name,
    cmd = server_command(wanted),
    cmd_env = environment(wanted),
    filetypes = filetypes,
    root_markers = { 'tungsten.toml', '.git' },
    settings = { tungsten = settings },
    init_options = settings,
    capabilities = capabilities(),
    handlers = handlers(),
    commands = {
      ['tungsten.findFasterForm'] = function(command)
        require('tungsten.advice').find((command.arguments or {})[1])
      end,
      ['tungsten.expandMacro'] = function(command)
        require('tungsten.expansion').open((command.arguments or {})[1])
      end,
      ['tungsten.openCompiledCode'] = function(command)
        local reference = (command.arguments or {})[1] or {}
        require('tungsten.compiled').open({
          buffer = reference.uri and vim.uri_to_bufnr(reference.uri),
          shader = reference.shader,
          target = reference.target,
        })
      end,
    },
    on_init = function(_, answer)
      require('tungsten.status').greet(answer.serverInfo)
    end,
    on_attach = on_attach,
    on_exit = on_exit,
  }
end

--- The client of a buffer, if it has one.
---@param buffer? integer
---@return vim.lsp.Client?
function M.of(buffer)
  return vim.lsp.get_clients({ name = name, bufnr = buffer })[1]
end

--- Sends a request in the way of every supported version: `client.request` was a
--- function before it became a method.
---@param client vim.lsp.Client
---@param method string
---@param params? table
---@param handler lsp.Handler
---@param buffer? integer
function M.request(client, method, params, handler, buffer)
  if vim.fn.has('nvim-0.11') == 1 then
    return client:request(method, params, handler, buffer)
  end
  return client.request(method, params, handler, buffer)
end

--- Sends a notification, in the same way.
---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  if vim.fn.has('nvim-0.11') == 1 then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

--- The client of a buffer, or a word to the user that there is none.
---@param buffer integer
---@return vim.lsp.Client?
function M.needed(buffer)
  local client = M.of(buffer)
  if client == nil then
    vim.notify('Tungsten: no server for this buffer; see :checkhealth tungsten', vim.log.levels.WARN)
  end
  return client
end

--- Does something as soon as a server serves a buffer: a command may be given while it
--- still starts. Where none will, the user is told.
---@param buffer integer
---@param act fun()
function M.when_served(buffer, act)
  local ours = vim.bo[buffer].buftype == '' and vim.tbl_contains(filetypes, vim.bo[buffer].filetype)
  if M.of(buffer) ~= nil or not (ours and options().enable and M.server_is_there()) then
    act()
    return
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    buffer = buffer,
    callback = function()
      if M.of(buffer) ~= nil then
        vim.schedule(act)
        return true
      end
    end,
  })
end

--- JSON's null is a value of its own in Lua.
---@generic T
---@param value T|userdata|nil
---@return T?
function M.present(value)
  if value == vim.NIL then
    return nil
  end
  return value
end

--- What a server answers that was interrupted, by an edit or by its end.
--- RequestCancelled, ContentModified, ServerCancelled.
local interrupted = { [-32800] = true, [-32801] = true, [-32802] = true }

--- How long an interrupted question rests before it is asked again, in milliseconds:
--- the time of a key.
local pause = 100

--- Asks something about a document. A refusal is shown. A question that an edit has
--- overtaken is asked again, as long as its server is there: what the user wished for is
--- wished for still.
---@param client vim.lsp.Client
---@param buffer integer the document
---@param method string
---@param wished table more parameters
---@param accept fun(answer: any)
---@param refused? fun() called in its place
function M.ask(client, buffer, method, wished, accept, refused)
  local params = vim.tbl_extend('error', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, wished)
  M.request(client, method, params, function(failure, answer)
    if failure and interrupted[failure.code] then
      vim.defer_fn(function()
        local now = vim.api.nvim_buf_is_valid(buffer) and M.of(buffer)
        if now and now.id == client.id then
          M.ask(client, buffer, method, wished, accept, refused)
        end
      end, pause)
    elseif failure then
      vim.notify('Tungsten: ' .. failure.message, vim.log.levels.ERROR)
      if refused then
        refused()
      end
    else
      accept(M.present(answer))
    end
  end, buffer)
end

--- Has the server of a source serve what was made of it too: hovers and the like.
---@param buffer integer
---@param source integer
function M.serve(buffer, source)
  local client = M.of(source)
  if client ~= nil and M.of(buffer) == nil then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
end

--- The configuration in force. Where Neovim keeps configurations, users may have
--- changed ours.
---@return vim.lsp.ClientConfig
local function configuration()
  return vim.lsp.config and vim.deepcopy(vim.lsp.config[name]) or M.config()
end

--- What starts the server. A function in place of words starts it in its own way.
---@return string[]
function M.command()
  local command = configuration().cmd
  return type(command) == 'table' and command or options().cmd
end

--- What runs the program, without the word that makes it a server.
---@return string[]
function M.program()
  return vim.tbl_filter(function(word)
    return word ~= 'lsp'
  end, M.command())
end

local missing_reported = false

--- Says once that the server's program is missing, instead of an error per file.
---@return boolean
function M.server_is_there()
  local program = M.command()[1]
  if vim.fn.executable(program) == 1 then
    return true
  end
  if not missing_reported then
    missing_reported = true
    vim.notify(
      ('Tungsten: the server was not found: %s. Put it on PATH or set vim.g.tungsten.cmd; see :checkhealth tungsten.'):format(
        program
      ),
      vim.log.levels.WARN
    )
  end
  return false
end

--- Starts the server for a buffer, or has the one that runs serve it.
---@param buffer integer
function M.start(buffer)
  -- Virtual documents have the filetype too, but are not files.
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= '' or not M.server_is_there() then
    return
  end
  local config = configuration()
  config.root_dir = vim.fs.root(buffer, config.root_markers)
  vim.lsp.start(config, { bufnr = buffer })
end

--- How often a server that dies is started again, and within which time, in
--- milliseconds: one that dies of a file would do so for ever.
local revivals = { most = 3, within = 180000 }

---@type integer[] when it was, newest last
local revived = {}

--- Starts a server anew that has ended by itself.
---@param code integer
---@param signal integer
---@param client_id integer
on_exit = function(code, signal, client_id)
  local buffers = vim.tbl_keys(served[client_id] or {})
  served[client_id] = nil
  local terminated = 15
  -- Stopped on request, or with Neovim itself.
  if (code == 0 and signal == 0) or signal == terminated or vim.v.exiting ~= vim.NIL then
    return
  end
  local now = vim.uv.now()
  revived = vim.tbl_filter(function(moment)
    return now - moment < revivals.within
  end, revived)
  if #revived == revivals.most then
    vim.schedule(function()
      vim.notify('Tungsten: the server ended again and again; :Tungsten restart tries again', vim.log.levels.ERROR)
    end)
    return
  end
  table.insert(revived, now)
  vim.schedule(function()
    vim.notify('Tungsten: the server ended unexpectedly and was started again', vim.log.levels.WARN)
    vim.iter(buffers):each(M.start)
  end)
end

--- Has Neovim start the server for all files that are ours, those open already included.
local function enable_configuration()
  if not M.server_is_there() then
    return
  end
  -- What was read of our configuration before is forgotten, so that options set since
  -- take effect; what users set is not.
  vim.lsp.config(name, {})
  vim.lsp.enable(name)
  -- It takes the server away from all files that are not ours.
  require('tungsten.embedded').serve_all()
end

--- Tells a client of a file that was written, unless it serves it: an included file, one
--- of settings or of inputs. By itself Neovim watches no files on Linux.
---@param event { buf: integer, match: string }
local function tell_written(event)
  local changes = { { uri = vim.uri_from_fname(event.match), type = vim.lsp.protocol.FileChangeType.Changed } }
  for _, client in ipairs(vim.lsp.get_clients({ name = name })) do
    if vim.bo[event.buf].buftype == '' and not client.attached_buffers[event.buf] then
      M.notify(client, 'workspace/didChangeWatchedFiles', { changes = changes })
    end
  end
end

--- Has the server started for every TGSI and GCN file, those open already included.
function M.enable()
  local group = vim.api.nvim_create_augroup('tungsten.start', {})
  vim.api.nvim_create_autocmd('BufWritePost', { group = group, callback = tell_written })
  if vim.lsp.config ~= nil and vim.lsp.enable ~= nil then
    if vim.v.vim_did_enter == 1 then
      enable_configuration()
    else
      -- Before, it would wait for the next file.
      vim.api.nvim_create_autocmd('VimEnter', { group = group, once = true, callback = enable_configuration })
    end
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes,
    callback = function(event)
      M.start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.tbl_contains(filetypes, vim.bo[buffer].filetype) then
      M.start(buffer)
    end
  end
end

--- Stops the server and starts it again for the buffers that it served.
function M.restart()
  local client = M.of()
  revived = {}
  if client == nil then
    M.enable()
    return
  end
  local buffers = vim.tbl_keys(client.attached_buffers)
  vim.lsp.stop_client(client.id)
  local attempts = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(
    50,
    50,
    vim.schedule_wrap(function()
      attempts = attempts + 1
      if attempts == 40 then
        -- It does not go by itself.
        vim.lsp.stop_client(client.id, true)
      end
      if vim.lsp.get_client_by_id(client.id) ~= nil or timer:is_closing() then
        return
      end
      timer:close()
      vim.iter(buffers):each(M.start)
    end)
  )
end

--- Opens what Neovim has written down of its language servers, at the end.
function M.show_log()
  local path = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  vim.cmd('tabedit ' .. vim.fn.fnameescape(path))
  vim.bo.autoread = true
  vim.cmd('normal! G')
end

return M
