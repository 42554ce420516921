-- Starts the server for TGSI and GCN files and defines the commands. Nothing
-- here needs a call of setup(): the options stand in `vim.g.tungsten`.
if vim.g.loaded_tungsten then
  return
end
vim.g.loaded_tungsten = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('tungsten needs Neovim 0.10 or newer', vim.log.levels.WARN)
  return
end

require('tungsten').load()
