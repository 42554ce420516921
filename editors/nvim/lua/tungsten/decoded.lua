--- Files of bytes, shown as the text that they stand for. Vim fills a buffer at
--- once, so the program is asked and not the server, which may still be starting.
local M = {}

--- The bytes of a file that may be looked through, as many as the program reads.
local longest = 64 * 1024 * 1024

--- Whether a file holds code objects: an ELF file for AMD's GPUs (224 is their machine), a
--- bundle, or a host's object with bundles in a section. Objects of other machines bear the
--- same names.
---@param file string
---@return boolean
local function holds_code(file)
  local handle = io.open(file, 'rb')
  if not handle then
    return false
  end
  local head = handle:read(24) or ''
  local holds = head == '__CLANG_OFFLOAD_BUNDLE__' or head:match('^CCOB[\1-\3]\0[\0\1]\0') ~= nil
  if head:sub(1, 4) == '\127ELF' then
    holds = head:sub(19, 20) == '\224\0'
    if not holds then
      local rest = handle:read(longest) or ''
      holds = rest:find('\0.hip_fat', 1, true) ~= nil
    end
  end
  handle:close()
  return holds
end

--- Whether a file is a shader of the PlayStation 4: its footer has this name.
---@param file string
---@return boolean
local function is_console_shader(file)
  local handle = io.open(file, 'rb')
  local content = handle and handle:read(longest) or ''
  if handle then
    handle:close()
  end
  return content:find('OrbShdr', 1, true) ~= nil
end

--- What makes text of files: their names, the words for the program, the file type,
--- and which of them it takes. That of code makes a listing of a file of any name.
---@class tungsten.Decoder
---@field endings string[]
---@field words string[]
---@field filetype string
---@field takes fun(file: string): boolean

---@type tungsten.Decoder
local code = {
  endings = { 'co', 'hsaco', 'o', 'hipfb', 'fatbin' },
  words = { 'disasm', '--emit', 'listing' },
  filetype = 'gcn',
  takes = holds_code,
}

---@type tungsten.Decoder[]
local decoders = {
  code,
  {
    endings = { 'tgsib' },
    words = { 'tokens', '--decode', '--raw' },
    filetype = 'tgsi',
    takes = function()
      return true
    end,
  },
  {
    endings = { 'sb' },
    words = code.words,
    filetype = 'gcn',
    takes = is_console_shader,
  },
}

--- The text of a file, and what the program said; no text where there is none.
---@param decoder tungsten.Decoder
---@param file string
---@param entry? integer of a bundle, from 1
---@return string[]? lines
---@return string said
local function text_of(decoder, file, entry)
  local command = vim.list_extend(require('tungsten.client').program(), decoder.words)
  vim.list_extend(command, entry and { '--entry', tostring(entry), file } or { file })
  local started, result = pcall(function()
    return vim.system(command, { text = true }):wait()
  end)
  if not started then
    return nil, tostring(result)
  end
  if result.stdout == nil or result.stdout == '' then
    return nil, result.stderr or ''
  end
  local lines = vim.split(result.stdout, '\n')
  if lines[#lines] == '' then
    table.remove(lines)
  end
  return lines, result.stderr or ''
end

--- Says why a file has no text.
---@param file string
---@param said string
local function complain(file, said)
  vim.notify('Tungsten: no text for ' .. file .. ': ' .. vim.trim(said), vim.log.levels.ERROR)
end

--- Fills a buffer with the text of its file.
---@param decoder tungsten.Decoder
---@param buffer integer
---@param lines string[]
---@param said string
local function fill(decoder, buffer, lines, said)
  if said ~= '' then
    -- The era or chip that the bytes are of, and what could not be read.
    vim.notify('Tungsten: ' .. vim.trim(said), vim.log.levels.INFO)
  end
  vim.bo[buffer].readonly = false
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modified = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].readonly = true
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].filetype = decoder.filetype
  -- The text is never written over the bytes.
  vim.api.nvim_create_autocmd({ 'BufWriteCmd', 'FileWriteCmd' }, {
    group = vim.api.nvim_create_augroup('tungsten.decoded.' .. buffer, {}),
    buffer = buffer,
    callback = function()
      vim.notify('Tungsten: the file is shown as text, but not written', vim.log.levels.ERROR)
    end,
  })
end

--- Shows another code object of the file in a buffer, or leaves it as it is.
---@param buffer integer
---@param file string
---@param entry integer
local function show_entry(buffer, file, entry)
  local lines, said = text_of(code, file, entry)
  if lines then
    fill(code, buffer, lines, said)
  else
    complain(file, said)
  end
end

--- Fills the buffer of a file that no decoder takes as Vim does.
---@param buffer integer
---@param file string
local function read_as_it_is(buffer, file)
  vim.api.nvim_buf_call(buffer, function()
    if vim.uv.fs_stat(file) then
      vim.cmd('silent keepalt noautocmd read ++edit ' .. vim.fn.fnameescape(file))
      vim.cmd('silent keepjumps 1delete _')
    end
    vim.bo.modified = false
  end)
end

--- Fills the buffer of a file: with text, where it is one of those.
---@param buffer integer
---@param file string
function M.open(buffer, file)
  local ending = file:match('%.(%w+)$')
  local decoder = vim.iter(decoders):find(function(each)
    return vim.tbl_contains(each.endings, ending) and each.takes(file)
  end)
  if decoder then
    local lines, said = text_of(decoder, file)
    if lines == nil then
      complain(file, said)
    end
    fill(decoder, buffer, lines or {}, lines and said or '')
  else
    read_as_it_is(buffer, file)
  end
  vim.api.nvim_exec_autocmds('BufReadPost', { buffer = buffer, modeline = false })
end

--- Opens the listing of a file of any name: programs and libraries hold code objects too.
---@param file string
function M.show(file)
  if file == '' then
    vim.notify('Tungsten: which file? Name it after `:Tungsten listing`', vim.log.levels.ERROR)
    return
  end
  local path = vim.fn.fnamemodify(file, ':p')
  local lines, said = text_of(code, path)
  if lines == nil then
    complain(path, said)
    return
  end
  local buffer = vim.fn.bufadd(path)
  -- Without its events: they would read it as the bytes that it is.
  vim.cmd('noautocmd keepalt buffer ' .. buffer)
  vim.bo[buffer].buflisted = true
  fill(code, buffer, lines, said)
end

--- Shows another code object of the file in the current buffer: that of a number, or the one
--- that the user chooses.
---@param number? integer
function M.choose(number)
  local buffer = vim.api.nvim_get_current_buf()
  local file = vim.api.nvim_buf_get_name(buffer)
  if number then
    show_entry(buffer, file, number)
    return
  end
  local command = vim.list_extend(require('tungsten.client').program(), { 'disasm', '--list', file })
  local result = vim.system(command, { text = true }):wait()
  local rows = vim.split(vim.trim(result.stdout or ''), '\n', { trimempty = true })
  if #rows == 0 then
    vim.notify('Tungsten: ' .. vim.trim(result.stderr or ''), vim.log.levels.ERROR)
    return
  end
  local function format(row)
    local own, _, name, kind = unpack(vim.split(row, '\t'))
    return ('%s: %s (%s)'):format(own, name, kind)
  end
  vim.ui.select(rows, { prompt = 'Code object', format_item = format }, function(row)
    if row and vim.api.nvim_buf_is_valid(buffer) then
      show_entry(buffer, file, assert(tonumber(row:match('^%d+'))))
    end
  end)
end

return M
