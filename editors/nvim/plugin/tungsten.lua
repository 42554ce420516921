-- What Neovim must know of the plugin at its start: names, and which of its parts each
-- of them loads. Nothing of it is loaded before it is used, and nothing needs a call of
-- setup(): the options stand in `vim.g.tungsten`.
if vim.g.loaded_tungsten then
  return
end
vim.g.loaded_tungsten = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('tungsten needs Neovim 0.10 or newer', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command('Tungsten', function(call)
  require('tungsten.commands').run(call.fargs)
end, {
  nargs = '+',
  desc = 'Commands of the Tungsten plugin',
  complete = function(word, line)
    return require('tungsten.commands').complete(word, line)
  end,
})
vim.api.nvim_create_user_command('TungstenCompiled', function(call)
  require('tungsten.commands').run(vim.list_extend({ 'compiled' }, call.fargs))
end, {
  nargs = '*',
  desc = 'Open the compiled code of the shader at the cursor',
  complete = function(word)
    return require('tungsten.commands').complete(word, 'Tungsten compiled ')
  end,
})

local group = vim.api.nvim_create_augroup('tungsten', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'tgsi', 'gcn' },
  -- Once: then it looks after all such files itself.
  once = true,
  callback = function()
    require('tungsten').start()
    require('tungsten.debug').setup(require('tungsten.client').program()[1])
  end,
})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = {
    'rust',
    'go',
    'c',
    'cpp',
    'python',
    'javascript',
    'javascriptreact',
    'typescript',
    'typescriptreact',
    'zig',
  },
  callback = function(event)
    require('tungsten.embedded').open(event.buf)
  end,
})
vim.api.nvim_create_autocmd('BufReadPost', {
  group = group,
  callback = function(event)
    -- File types are found by the same event, perhaps later.
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(event.buf) then
        require('tungsten.embedded').offer(event.buf)
      end
    end)
  end,
})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = { '*.tgsib', '*.co', '*.hsaco', '*.o', '*.hipfb', '*.fatbin', '*.sb' },
  callback = function(event)
    require('tungsten.decoded').open(event.buf, vim.fn.fnamemodify(event.match, ':p'))
  end,
})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  -- Without the slash, a pattern is held against the last part of a name alone.
  pattern = { 'tungsten-gcn:/*', 'tungsten-view:/*' },
  -- The source is read within, and its own events start the server.
  nested = true,
  callback = function(event)
    require('tungsten.restored').open(event.buf)
  end,
})

-- Loaded late, by a manager: what it is for may be open.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  local filetype = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype
  if filetype == 'tgsi' or filetype == 'gcn' then
    require('tungsten').start()
    break
  end
end
