--- A Neovim under test: a process of its own with a real main loop, driven by
--- keys and asked over its RPC channel what it shows.
local Editor = {}
Editor.__index = Editor

--- How long anything may take, in milliseconds. Only what fails takes as long: a busy
--- machine fails nothing.
Editor.patience = 120000

--- Starts Neovim with nothing at all.
---@param log string where its own messages go; those of its language clients stand beside
function Editor.bare(log)
  local self = setmetatable({ log = log, state_folder = log .. '.state' }, Editor)
  self.channel = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean', '-n' }, {
    rpc = true,
    env = { NVIM_LOG_FILE = log, XDG_STATE_HOME = self.state_folder },
    on_exit = function(_, status)
      self.status = status
    end,
  })
  assert(self.channel > 0, 'Neovim did not start')
  self:lua([[
    -- Without a screen attached the size is free to choose.
    vim.o.columns, vim.o.lines = 160, 50
    _G.notes = {}
    vim.notify = function(text, level) table.insert(_G.notes, { text = text, level = level }) end
  ]])
  return self
end

--- Starts Neovim with nothing but the plugin.
---@param plugin string the plugin's folder
---@param options table `vim.g.tungsten`
---@param log string
---@param before? string Lua that runs before the plugin is loaded, as in an init file
function Editor.start(plugin, options, log, before)
  local self = Editor.bare(log)
  self:lua(before or '')
  self:lua(
    [[
      local plugin, options = ...
      vim.g.tungsten = options
      vim.opt.runtimepath:prepend(plugin)
      vim.cmd('runtime! ftdetect/tungsten.lua')
      vim.cmd('runtime plugin/tungsten.lua')
      vim.cmd('filetype plugin on | syntax on')
    ]],
    plugin,
    options
  )
  return self
end

--- A fault of Neovim 0.11 itself: its semantic tokens of a text that has just changed are
--- cancelled though they were answered, if that is still being worked on.
local late_cancel = 'Cannot find request with id %d+ whilst attempting to cancel'

--- What Neovim wrote down of its language clients as errors and warnings.
---@return string[]
function Editor:complaints()
  local log = self:lua('return vim.lsp.get_log_path()')
  local lines = vim.uv.fs_stat(log) and vim.fn.readfile(log) or {}
  return vim.tbl_filter(function(line)
    local told = line:find('^%[ERROR%]') ~= nil or line:find('^%[WARN%]') ~= nil
    return told and not line:find(late_cancel)
  end, lines)
end

--- The windows, each with its buffer's name and lines and its bar.
---@return { name: string, bar: string, text: string, filetype: string, diff: boolean, floats: boolean, cursor: integer }[]
function Editor:windows()
  return self:lua([[
    return vim.tbl_map(function(window)
      local buffer = vim.api.nvim_win_get_buf(window)
      return {
        name = vim.api.nvim_buf_get_name(buffer),
        bar = vim.wo[window].winbar,
        text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'),
        filetype = vim.bo[buffer].filetype,
        diff = vim.wo[window].diff,
        floats = vim.api.nvim_win_get_config(window).relative ~= '',
        cursor = vim.api.nvim_win_get_cursor(window)[1],
      }
    end, vim.api.nvim_tabpage_list_wins(0))
  ]])
end

--- Waits for a window of which something holds.
---@param what string
---@param holds fun(window: table): boolean?
function Editor:window(what, holds)
  return self:eventually(what, function()
    return vim.iter(self:windows()):find(holds)
  end)
end

--- Waits for a window that lies over the others and holds some words.
---@param words string not a pattern
function Editor:float(words)
  return self:window('a float with ' .. words, function(window)
    return window.floats and window.text:find(words, 1, true) ~= nil
  end)
end

--- Waits for machine code that holds some words.
---@param words string not a pattern
function Editor:code(words)
  return self:window('machine code with ' .. words, function(window)
    return vim.startswith(window.name, 'tungsten-gcn:') and window.text:find(words, 1, true) ~= nil
  end)
end

--- Waits for a message to the user that holds some words.
---@param words string not a pattern
function Editor:note(words)
  return self:eventually('a message with ' .. words, function()
    return vim.iter(self:lua('return _G.notes')):find(function(note)
      return note.text:find(words, 1, true) ~= nil
    end)
  end)
end

function Editor:call(method, ...)
  return vim.rpcrequest(self.channel, method, ...)
end

--- Runs Lua in the editor; what it returns must be plain data.
function Editor:lua(code, ...)
  return self:call('nvim_exec_lua', code, { ... })
end

--- Types keys, as at a keyboard.
function Editor:keys(keys)
  self:call('nvim_input', keys)
end

--- Runs a command line.
function Editor:command(line)
  self:call('nvim_command', line)
end

--- Puts the cursor of the source's window on a line, from 1, by keys.
function Editor:go_to_line(line)
  self:keys(('<Esc>%dG0'):format(line))
  self:eventually('the cursor is on line ' .. line, function()
    return self:lua('return vim.fn.line(".")') == line
  end)
end

--- Waits until a condition holds and returns its value; the main loops of both
--- processes run meanwhile.
---@generic T
---@param what string
---@param condition fun(): T?
---@return T
function Editor:eventually(what, condition)
  local value
  local held = vim.wait(Editor.patience, function()
    assert(self.status == nil, 'Neovim ended')
    value = condition()
    return value ~= nil and value ~= false and value ~= vim.NIL
  end, 10)
  if not held then
    local shown = vim.tbl_map(function(window)
      return vim.tbl_extend('force', window, { text = window.text:sub(1, 400) })
    end, self:windows())
    local notes, messages = self:lua('return _G.notes'), self:lua([[return vim.fn.execute('messages')]])
    local seen = vim.inspect({ notes = notes, messages = messages, windows = shown })
    error(('not within %d s: %s; seen instead: %s'):format(Editor.patience / 1000, what, seen), 2)
  end
  return value
end

---@param file string
---@return string
local function contents(file)
  local handle = io.open(file)
  local text = handle and handle:read('*a') or ''
  if handle then
    handle:close()
  end
  return text
end

--- The processes below another, all the way down. A child is listed with the
--- thread that started it, so every thread is asked.
---@param parent integer
---@return { pid: integer, command: string }[]
local function descendants(parent)
  local found = {}
  for _, list in ipairs(vim.fn.glob(('/proc/%d/task/*/children'):format(parent), true, true)) do
    for pid in contents(list):gmatch('%d+') do
      local command = contents(('/proc/%s/cmdline'):format(pid)):gsub('%z', ' ')
      table.insert(found, { pid = tonumber(pid), command = command })
      vim.list_extend(found, descendants(tonumber(pid)))
    end
  end
  return found
end

--- Whether a process still runs. One that has ended but was not yet asked for its
--- status has no command line any more.
---@param pid integer
---@return boolean
function Editor.is_running(pid)
  return contents(('/proc/%d/cmdline'):format(pid)) ~= ''
end

--- The process ids of programs that the editor has started, directly or not.
---@param pattern string
---@return integer[]
function Editor:processes(pattern)
  local pids = {}
  for _, process in ipairs(descendants(self:lua('return vim.fn.getpid()'))) do
    if process.command:find(pattern) then
      table.insert(pids, process.pid)
    end
  end
  return pids
end

--- Waits until the server serves the current buffer, and gives the client's id.
---@param before? integer the client of a server that ends
---@return integer
function Editor:served(before)
  return self:eventually('the server', function()
    local id = self:lua([[
      local client = vim.lsp.get_clients({ name = 'tungsten', bufnr = 0 })[1]
      return client and client.initialized and client.id or 0
    ]])
    return id ~= 0 and id ~= before and id
  end)
end

--- Opens a file and the machine code of its shader, which samples an image, beside it;
--- gives the client's id.
---@param file string
---@return integer
function Editor:compile(file)
  self:command('edit ' .. vim.fn.fnameescape(file))
  local client = self:served()
  self:command('Tungsten compiled')
  self:code('image_sample')
  return client
end

--- How many errors are shown.
---@return integer
function Editor:errors()
  return self:lua('return #vim.diagnostic.get(nil, { severity = vim.diagnostic.severity.ERROR })')
end

--- What the server says of a document, asked past the plugin; asked again where an edit
--- was faster.
---@param method string
---@param file? string the current one if not given
---@param more? table parameters beside the document
---@return any
function Editor:answer(method, file, more)
  return self:eventually('an answer to ' .. method, function()
    return self:lua(
      [[
        local method, file, more, patience = ...
        local buffer = vim.fn.bufnr(file)
        local client = vim.lsp.get_clients({ name = 'tungsten', bufnr = buffer })[1]
        local params = vim.tbl_extend('error', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, more)
        local reply = client and client:request_sync(method, params, patience, buffer)
        return reply and reply.result
      ]],
      method,
      file or '%',
      more or vim.empty_dict(),
      Editor.patience
    )
  end)
end

--- Waits until the server tells an outline of the current buffer.
function Editor:outline()
  self:eventually('an outline', function()
    return #self:answer('textDocument/documentSymbol') > 0
  end)
end

--- Goes to the window of a buffer whose name holds some words.
---@param words string not a pattern
function Editor:focus(words)
  local found = self:lua(
    [[
      for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
        if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)):find(..., 1, true) then
          vim.api.nvim_set_current_win(window)
          return true
        end
      end
      return false
    ]],
    words
  )
  assert(found, 'no window of ' .. words)
end

--- Waits until everything that was asked of servers is answered, and an answer has led
--- to no new question: who stops one in the middle of a question is answered too late,
--- which the recording would show as a fault.
function Editor:settle()
  local quiet_since
  self:eventually('no open question', function()
    local open = self:lua([[
      return vim.iter(vim.lsp.get_clients()):any(function(client)
        return vim.iter(pairs(client.requests)):any(function(_, request)
          return request.type == 'pending' or request.type == 'cancel'
        end)
      end)
    ]])
    quiet_since = not open and (quiet_since or vim.uv.now()) or nil
    -- Longer than the plugin waits after an edit before it asks for costs.
    return quiet_since and vim.uv.now() - quiet_since >= 350
  end)
end

--- The errors among Neovim's messages: those of plugins that fail.
---@return string[]
function Editor:failures()
  local messages = vim.split(self:lua([[return vim.fn.execute('messages')]]), '\n')
  return vim.tbl_filter(function(line)
    return line:find('E%d+:') ~= nil or line:find('Error') ~= nil or line:find('traceback') ~= nil
  end, messages)
end

--- Leaves Neovim as it is, and asserts that all was well: nothing that it wrote down as an
--- error or a warning, no failure among its messages, and its status.
function Editor:leave()
  self:settle()
  assert(vim.deep_equal(self:complaints(), {}), 'written down: ' .. vim.inspect(self:complaints()))
  assert(vim.deep_equal(self:failures(), {}), 'messages: ' .. vim.inspect(self:failures()))
  vim.rpcnotify(self.channel, 'nvim_command', 'qall!')
  local ended = vim.wait(Editor.patience, function()
    return self.status ~= nil
  end, 10)
  if not ended then
    vim.fn.jobstop(self.channel)
  end
  assert(ended and self.status == 0, 'exit status: ' .. tostring(self.status))
end

--- The same, once the servers have ended: Neovim does not wait for their last answer, which
--- on a busy machine comes when nobody records it any more.
function Editor:quit()
  self:settle()
  self:lua('vim.lsp.stop_client(vim.lsp.get_clients())')
  self:eventually('the servers’ end', function()
    return self:lua('return #vim.lsp.get_clients()') == 0
  end)
  self:leave()
end

return Editor
