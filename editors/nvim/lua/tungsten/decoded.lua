--- Files of bytes, shown as the text that they stand for. Vim fills a buffer at
--- once, so the program is asked and not the server, which may still be starting.
local M = {}

--- Whether a file is an ELF file for AMD's GPUs: 224 is their machine. Objects of
--- other machines bear the same names.
---@param file string
---@return boolean
local function is_code_object(file)
  local handle = io.open(file, 'rb')
  local head = handle and handle:read(20) or ''
  if handle then
    handle:close()
  end
  return head:sub(1, 4) == '\127ELF' and head:sub(19, 20) == '\224\0'
end

--- What makes text of files: their names, the words for the program, the file type,
--- and which of them it takes.
---@class tungsten.Decoder
---@field endings string[]
---@field words string[]
---@field filetype string
---@field takes fun(file: string): boolean
---@type tungsten.Decoder[]
local decoders = {
  {
    endings = { 'tgsib' },
    words = { 'tokens', '--decode', '--raw' },
    filetype = 'tgsi',
    takes = function()
      return true
    end,
  },
  {
    endings = { 'co', 'hsaco', 'o' },
    words = { 'disasm', '--emit', 'listing' },
    filetype = 'gcn',
    takes = is_code_object,
  },
}

--- The text of a file, and what the program said; no text where there is none.
---@param decoder tungsten.Decoder
---@param file string
---@return string[]? lines
---@return string said
local function text_of(decoder, file)
  local command = vim.list_extend(vim.list_extend(require('tungsten.client').program(), decoder.words), { file })
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

--- Fills the buffer of a file with its text.
---@param decoder tungsten.Decoder
---@param buffer integer
---@param file string
local function read(decoder, buffer, file)
  local lines, said = text_of(decoder, file)
  if lines == nil then
    vim.notify('Tungsten: no text for ' .. file .. ': ' .. vim.trim(said), vim.log.levels.ERROR)
    lines = {}
  elseif said ~= '' then
    -- The era or chip that the bytes are of, and what could not be read.
    vim.notify('Tungsten: ' .. vim.trim(said), vim.log.levels.INFO)
  end
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
    read(decoder, buffer, file)
  else
    read_as_it_is(buffer, file)
  end
  vim.api.nvim_exec_autocmds('BufReadPost', { buffer = buffer, modeline = false })
end

return M
