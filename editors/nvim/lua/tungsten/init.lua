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
---@field decorations? boolean show anything of what follows: hints, lenses, signs, text, colours (default true)
---@field heat? 'off'|'registers'|'clocks' what the signs beside the lines show (default 'clocks')
---@field virtual_text? 'off'|'registers'|'clocks' what the text at the ends of lines shows (default 'off')
---@field line_colours? boolean colour lines and their machine code alike while both are shown (default true)
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
  decorations = true,
  heat = 'clocks',
  virtual_text = 'off',
  line_colours = true,
  inlay_hints = true,
  code_lenses = true,
}

--- The options in force: those of `vim.g.tungsten` over the defaults.
---@return tungsten.Options
function M.options()
  return vim.tbl_extend('force', defaults, vim.g.tungsten or {})
end

--- The option of a decoration; false where all are switched off.
---@param name string
---@return any
function M.decorated(name)
  local wanted = M.options()
  return wanted.decorations and wanted[name]
end

--- The sums of the shader or kernel at the cursor, for a status line.
---@return string
function M.status()
  return require('tungsten.status').line()
end

--- Changes options and draws everything anew.
---@param changed tungsten.Options
local function change(changed)
  vim.g.tungsten = vim.tbl_extend('force', vim.g.tungsten or {}, changed)
  require('tungsten.costs').redraw()
  require('tungsten.compiled').redraw()
  local client = require('tungsten.client').of()
  for buffer in pairs(client and client.attached_buffers or {}) do
    require('tungsten.client').decorate(client, buffer)
  end
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

--- The words of `:Tungsten compiled` that are no chips.
local views = { code = 'code', ir = 'ir', bytes = 'hex' }

---@param arguments string[]
local function open_compiled(arguments)
  local wished = {}
  for _, word in ipairs(arguments) do
    if views[word] then
      wished.view = views[word]
    elseif word == 'beside' then
      wished.place = 'beside'
    else
      wished.target = word
    end
  end
  require('tungsten.compiled').open(wished)
end

---@param option string
---@param arguments string[]
---@param choices string[]
local function choose(option, arguments, choices)
  local choice = arguments[1] or 'clocks'
  if vim.tbl_contains(choices, choice) then
    change({ [option] = choice })
  else
    vim.notify(('Tungsten: %s is one of %s'):format(option, table.concat(choices, ', ')), vim.log.levels.ERROR)
  end
end

local measures = { 'off', 'registers', 'clocks' }

---@type table<string, { run: fun(arguments: string[]), complete?: fun(): string[] }>
local subcommands = {
  compiled = {
    run = open_compiled,
    complete = function()
      return vim.list_extend({ 'beside', 'bytes', 'code', 'ir' }, require('tungsten.compiled').known_targets())
    end,
  },
  pin = {
    run = function()
      require('tungsten.comparison').pin()
    end,
  },
  unpin = {
    run = function()
      require('tungsten.comparison').unpin()
    end,
  },
  compare = {
    run = function(arguments)
      require('tungsten.comparison').open(arguments)
    end,
    complete = function()
      return require('tungsten.compiled').known_targets()
    end,
  },
  costs = {
    run = function()
      require('tungsten.pressure').show()
    end,
  },
  stalls = {
    run = function()
      require('tungsten.stalls').show()
    end,
  },
  heat = {
    run = function(arguments)
      choose('heat', arguments, measures)
    end,
    complete = function()
      return measures
    end,
  },
  text = {
    run = function(arguments)
      choose('virtual_text', arguments, measures)
    end,
    complete = function()
      return measures
    end,
  },
  decorations = {
    run = function(arguments)
      local on = { on = true, off = false }
      local wanted = on[arguments[1]]
      if wanted == nil then
        wanted = not M.options().decorations
      end
      change({ decorations = wanted })
    end,
    complete = function()
      return { 'off', 'on' }
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
      require('tungsten.status').show()
    end,
  },
  log = {
    run = function()
      require('tungsten.client').show_log()
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
    nargs = '*',
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
    TungstenCosts = 'Comment',
  }
  for name, target in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
  -- Light is little, dark is much, or the reverse on a dark ground: the order is seen
  -- without colours too.
  local heat = { '#fde725', '#5ec962', '#21918c', '#3b528b', '#440154' }
  local dark = vim.o.background == 'dark'
  for step = 1, #heat do
    local colour = heat[dark and #heat + 1 - step or step]
    vim.api.nvim_set_hl(0, 'TungstenHeat' .. step, { fg = colour, ctermfg = 8 + step, default = true })
  end
  require('tungsten.groups').define_highlights()
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
  require('tungsten.restored').enable()
  if M.options().enable then
    require('tungsten.client').enable()
  end
end

return M
