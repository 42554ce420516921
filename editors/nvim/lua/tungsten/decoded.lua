--- Files of binary tokens, shown as the text that they stand for. Vim fills a
--- buffer at once, so the program is asked and not the server, which may still
--- be starting.
local M = {}

--- What runs the program, without the word that makes it a server.
---@return string[]
local function program()
  return vim.tbl_filter(function(word)
    return word ~= 'lsp'
  end, require('tungsten').options().cmd)
end

--- The text of a file, and what the program said; no text where there is none.
---@param file string
---@return string[]? lines
---@return string said
local function text_of(file)
  local command = vim.list_extend(program(), { 'tokens', '--decode', '--raw', file })
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

--- Fills the buffer of a file.
---@param buffer integer
---@param file string
local function read(buffer, file)
  local path = vim.fn.fnamemodify(file, ':p')
  local lines, said = text_of(path)
  if lines == nil then
    vim.notify('Tungsten: no text for ' .. file .. ': ' .. vim.trim(said), vim.log.levels.ERROR)
    lines = {}
  elseif said ~= '' then
    -- The era that the tokens are from, and words that could not be read.
    vim.notify('Tungsten: ' .. vim.trim(said), vim.log.levels.INFO)
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modified = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].readonly = true
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].filetype = 'tgsi'
end

--- Has such files opened as text, which is never written over the tokens.
function M.enable()
  local group = vim.api.nvim_create_augroup('tungsten.tokens', {})
  vim.api.nvim_create_autocmd('BufReadCmd', {
    group = group,
    pattern = '*.tgsib',
    callback = function(event)
      read(event.buf, event.match)
      vim.api.nvim_exec_autocmds('BufReadPost', { buffer = event.buf, modeline = false })
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufWriteCmd', 'FileWriteCmd' }, {
    group = group,
    pattern = '*.tgsib',
    callback = function()
      vim.notify('Tungsten: a file of tokens is shown as text, but not written', vim.log.levels.ERROR)
    end,
  })
end

return M
