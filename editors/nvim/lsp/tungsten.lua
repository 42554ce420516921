-- Found by vim.lsp.config (Neovim 0.11 and newer) under the name `tungsten`.
return require('tungsten.client').config()
