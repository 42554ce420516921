--- Serves the shaders in the strings of other languages' sources, and offers TGSI as the file
--- type of logs and texts. For a buffer without a shader nothing is started and nothing set.
local M = {}

--- File types of logs and plain texts.
local texts = { [''] = true, text = true, log = true, messages = true }

--- How long a source rests after an edit before it is looked at again, in milliseconds.
local pause = 500

--- What Neovim sets for a buffer that a server serves; it is for the language's own.
local kept = { 'omnifunc', 'tagfunc', 'formatexpr' }

---@type table<integer, table<string, string>> the settings of the sources that are served
local served = {}

--- Whether a buffer is a source of another language that is served.
---@param buffer integer
---@return boolean
function M.is_served(buffer)
  return served[buffer] ~= nil
end

--- Gives a source its settings back, once the server serves it.
---@param buffer integer
function M.restore(buffer)
  for option, value in pairs(served[buffer] or {}) do
    vim.bo[buffer][option] = value
  end
end

--- Has the server serve a source, if it holds a shader.
---@param buffer integer
local function look(buffer)
  local is_file = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == ''
  if not is_file or not require('tungsten').options().enable or not require('tungsten.scan').holds_shader(buffer) then
    return
  end
  served[buffer] = {}
  for _, option in ipairs(kept) do
    served[buffer][option] = vim.bo[buffer][option]
  end
  require('tungsten').serve_source(buffer)
end

--- Has the server serve the sources that it served.
function M.serve_all()
  for buffer in pairs(served) do
    require('tungsten.client').start(buffer)
  end
end

--- Looks at a source that was opened, and again after edits until a shader is found.
---@param buffer integer
function M.open(buffer)
  served[buffer] = nil
  -- What is read again is still being left by its servers.
  vim.schedule(function()
    look(buffer)
  end)
  local waiting = false
  local group = vim.api.nvim_create_augroup('tungsten.source.' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave' }, {
    group = group,
    buffer = buffer,
    callback = function()
      if M.is_served(buffer) then
        return true
      end
      if not waiting then
        waiting = true
        vim.defer_fn(function()
          waiting = false
          if not M.is_served(buffer) then
            look(buffer)
          end
        end, pause)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufUnload', 'BufWipeout' }, {
    group = group,
    buffer = buffer,
    callback = function()
      served[buffer] = nil
    end,
  })
end

--- Where the user's answer about texts is kept.
local function answer_file()
  return vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'tungsten-texts')
end

---@return string?
local function answer()
  local file = io.open(answer_file())
  local word = file and file:read('*l')
  if file then
    file:close()
  end
  return word
end

---@param word string
local function remember(word)
  vim.fn.mkdir(vim.fs.dirname(answer_file()), 'p')
  vim.fn.writefile({ word }, answer_file())
end

local asking = false

--- Offers TGSI as the file type of a log or a text that holds shaders; the answer is remembered.
---@param buffer integer
function M.offer(buffer)
  local is_text = vim.bo[buffer].buftype == '' and texts[vim.bo[buffer].filetype]
  is_text = is_text and vim.fn.bufwinid(buffer) ~= -1
  if asking or not is_text or not require('tungsten.scan').holds_shader(buffer) then
    return
  end
  local word = answer()
  if word == 'always' then
    vim.bo[buffer].filetype = 'tgsi'
  elseif word == nil then
    asking = true
    vim.schedule(function()
      local choices = { 'always', 'not now', 'never' }
      vim.ui.select(choices, { prompt = 'This text holds TGSI shaders. Show such texts as TGSI?' }, function(choice)
        asking = false
        if choice == 'always' or choice == 'never' then
          remember(choice)
        end
        if choice == 'always' and vim.api.nvim_buf_is_loaded(buffer) then
          vim.bo[buffer].filetype = 'tgsi'
        end
      end)
    end)
  end
end

return M
