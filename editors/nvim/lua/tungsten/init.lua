--- The plugin's front: options, commands, and what starts the server.
local M = {}

---@class tungsten.Options
---@field enable? boolean start the server for TGSI and GCN files (default true)
---@field cmd? string[] what runs the server (default `{ 'tungsten', 'lsp' }`)
---@field targets? string[] chips to compile for (default `{ 'polaris10' }`)
---@field llvm? string the libLLVM to compile with
---@field compile? boolean compile while editing (default true)
---@field cache? boolean|string keep results of compiles on the disk, or in this folder (default true)
---@field format? { instructionNumbers?: 'keep'|'always'|'never' } how text is laid out
---@field hints? { machineCode?: boolean, values?: boolean, run?: boolean, clocks?: boolean, vectorRegisters?: boolean, scalarRegisters?: boolean } kinds of inlay hints (default all but the last)
---@field heat? 'off'|'registers'|'clocks' what the signs beside the lines show (default 'clocks')
---@field assembly? { target?: string, dialect?: 'llvm'|'clrx', includeFolders?: string[], symbols?: string[] } for assembly files
---@field tgsi? { dialect?: string } the reader of TGSI that decides what is an error: `mesa-21`, `virglrenderer`
---@field inlay_hints? boolean show inlay hints from the start (default true)
---@field code_lenses? boolean show code lenses (default true)

---@type tungsten.Options
local defaults = {
  enable = true,
  cmd = { 'tungsten', 'lsp' },
  targets = { 'polaris10' },
  compile = true,
  cache = true,
  heat = 'clocks',
  inlay_hints = true,
  code_lenses = true,
}

--- The options in force: those of `vim.g.tungsten` over the defaults.
---@return tungsten.Options
function M.options()
  return vim.tbl_extend('force', defaults, vim.g.tungsten or {})
end

--- For those who like to call it; the same as setting `vim.g.tungsten` before
--- the plugin is loaded, and it works after that too.
---@param options? tungsten.Options
function M.setup(options)
  vim.g.tungsten = vim.tbl_extend('force', vim.g.tungsten or {}, options or {})
  if vim.g.loaded_tungsten then
    require('tungsten.client').enable()
  end
end

---@type table<string, { run: fun(arguments: string[]), complete?: fun(): string[] }>
local subcommands = {
  compiled = {
    run = function(arguments)
      require('tungsten.compiled').open({ target = arguments[1] })
    end,
    complete = function()
      return require('tungsten.compiled').known_targets()
    end,
  },
  heat = {
    run = function(arguments)
      require('tungsten.costs').show(arguments[1] or 'clocks')
    end,
    complete = function()
      return { 'off', 'registers', 'clocks' }
    end,
  },
  expand = {
    run = function()
      require('tungsten.expansion').open()
    end,
  },
  source = {
    run = function()
      require('tungsten.compiled').go_to_source()
    end,
  },
  status = {
    run = function()
      require('tungsten.client').show_status()
    end,
  },
  restart = {
    run = function()
      require('tungsten.client').restart()
    end,
  },
}

---@param wanted string
---@param words string[]
---@return string[]
local function starting_with(wanted, words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, wanted)
  end, words)
end

local function define_commands()
  vim.api.nvim_create_user_command('Tungsten', function(call)
    local subcommand = subcommands[call.fargs[1]]
    if subcommand == nil then
      vim.notify('Tungsten: no such command: ' .. call.fargs[1], vim.log.levels.ERROR)
      return
    end
    subcommand.run(vim.list_slice(call.fargs, 2))
  end, {
    nargs = '+',
    desc = 'Commands of the Tungsten plugin',
    complete = function(word, line)
      local name = line:match('^%s*%S+%s+(%S+)%s')
      if name == nil then
        local names = vim.tbl_keys(subcommands)
        table.sort(names)
        return starting_with(word, names)
      end
      local subcommand = subcommands[name]
      return subcommand and subcommand.complete and starting_with(word, subcommand.complete()) or {}
    end,
  })
  vim.api.nvim_create_user_command('TungstenCompiled', function(call)
    subcommands.compiled.run(call.fargs)
  end, {
    nargs = '?',
    desc = 'Open the compiled code of the shader at the cursor',
    complete = function(word)
      return starting_with(word, subcommands.compiled.complete())
    end,
  })
end

local function define_highlights()
  local links = {
    TungstenLinked = 'Visual',
    TungstenStale = 'Comment',
    TungstenNotice = 'WarningMsg',
  }
  for name, target in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
  local heat = { '#4a6f9c', '#4f9d8a', '#c9b458', '#d98841', '#d1453b' }
  for step, colour in ipairs(heat) do
    vim.api.nvim_set_hl(0, 'TungstenHeat' .. step, { fg = colour, ctermfg = 8 + step, default = true })
  end
end

--- Called once, when Neovim loads its plugins.
function M.load()
  define_commands()
  define_highlights()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('tungsten.highlights', {}),
    callback = define_highlights,
  })
  require('tungsten.decoded').enable()
  if M.options().enable then
    require('tungsten.client').enable()
  end
end

return M
