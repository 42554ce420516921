--- `:Tungsten`: its words, what they do and how they are completed.
local M = {}

--- The words of `:Tungsten compiled` that are not chips.
local views =
  { code = 'code', ir = 'ir', spirv = 'spirv', glsl = 'glsl', hosts = 'hosts', bytes = 'hex', tokens = 'tokens' }

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
    require('tungsten').change({ [option] = choice })
  else
    vim.notify(('Tungsten: %s is one of %s'):format(option, table.concat(choices, ', ')), vim.log.levels.ERROR)
  end
end

local measures = { 'off', 'registers', 'clocks' }

---@type table<string, { run: fun(arguments: string[]), complete?: fun(word: string): string[] }>
local subcommands = {
  compiled = {
    run = open_compiled,
    complete = function()
      local words = { 'beside', 'bytes', 'code', 'glsl', 'hosts', 'ir', 'spirv', 'tokens' }
      return vim.list_extend(words, require('tungsten.chips').names())
    end,
  },
  advise = {
    run = function(arguments)
      local advice = require('tungsten.advice')
      if arguments[1] == 'stop' then
        advice.stop()
      else
        advice.find(nil, tonumber(arguments[1]))
      end
    end,
    complete = function()
      return { 'stop' }
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
      return require('tungsten.chips').names()
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
        wanted = not require('tungsten').options().decorations
      end
      require('tungsten').change({ decorations = wanted })
    end,
    complete = function()
      return { 'off', 'on' }
    end,
  },
  listing = {
    run = function(arguments)
      require('tungsten.decoded').show(arguments[1] or vim.api.nvim_buf_get_name(0))
    end,
    complete = function(word)
      return vim.fn.getcompletion(word, 'file')
    end,
  },
  entry = {
    run = function(arguments)
      require('tungsten.decoded').choose(tonumber(arguments[1]))
    end,
  },
  expand = {
    run = function()
      require('tungsten.expansion').open()
    end,
  },
  expanded = {
    run = function()
      require('tungsten.compiled').open({ view = 'expanded' })
    end,
  },
  registers = {
    run = function()
      require('tungsten.compiled').open({ view = 'registers' })
    end,
  },
  waits = {
    run = function()
      require('tungsten.compiled').open({ view = 'waits' })
    end,
  },
  layout = {
    run = function()
      require('tungsten.matrix').open()
    end,
  },
  why = {
    run = function(arguments)
      require('tungsten.origins').open('everything', arguments[1])
    end,
  },
  nan = {
    run = function(arguments)
      require('tungsten.origins').open('nan', arguments[1])
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

--- Runs a command.
---@param words string[] its name and what follows
function M.run(words)
  local subcommand = subcommands[words[1]]
  if subcommand == nil then
    vim.notify('Tungsten: no such command: ' .. words[1], vim.log.levels.ERROR)
    return
  end
  subcommand.run(vim.list_slice(words, 2))
end

--- What may stand at the end of a command line.
---@param word string its beginning
---@param line string the line before the cursor
---@return string[]
function M.complete(word, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  if name == nil then
    local names = vim.tbl_keys(subcommands)
    table.sort(names)
    return starting_with(word, names)
  end
  local subcommand = subcommands[name]
  return subcommand and subcommand.complete and starting_with(word, subcommand.complete(word)) or {}
end

return M
