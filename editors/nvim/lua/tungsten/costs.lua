--- What lines cost: kept current for each buffer, and drawn as signs of heat and as
--- text at the ends of lines. `tungsten.status`, `tungsten.pressure` and
--- `tungsten.stalls` show the rest of it.
local M = {}

local client_of = require('tungsten.client')

---@class tungsten.LineCosts
---@field line integer
---@field instructions integer
---@field issue integer
---@field stall integer
---@field cause integer?
---@field vgprs integer
---@field agprs integer
---@field sgprs integer
---@field peak boolean

--- The members of a line's costs in the order of the server's numbers.
local members = { 'line', 'instructions', 'issue', 'stall', 'cause', 'vgprs', 'agprs', 'sgprs', 'peak' }

---@class tungsten.RegisterCosts
---@field used integer
---@field allocated integer
---@field peak integer
---@field spare integer

---@class tungsten.ChipCosts
---@field target string
---@field waves integer
---@field wholeGroups? { groups: integer, waves: integer } of a compute unit, and their waves per SIMD, where fewer
---@field limiter string
---@field vgprs tungsten.RegisterCosts
---@field agprs? tungsten.RegisterCosts
---@field totalVgprs? tungsten.RegisterCosts of both kinds, where they share a file
---@field sgprs tungsten.RegisterCosts
---@field relief? { waves: integer, vgprs: integer, agprs?: integer, eitherKind?: true, sgprs: integer, lds: integer }
---@field ladder { waves: integer, vgprs: integer, sgprs: integer|userdata }[] from the most waves that the chip holds
---@field clocks integer
---@field best integer
---@field worst integer
---@field inverseThroughput integer
---@field bound string

---@class tungsten.CodeCosts
---@field name string
---@field number integer
---@field firstLine integer
---@field lastLine integer
---@field state string
---@field chips tungsten.ChipCosts[]
---@field lines tungsten.LineCosts[]

---@class tungsten.SavedSums what a shader or kernel cost when its file was saved
---@field waves integer
---@field vgprs integer
---@field sgprs integer
---@field clocks integer

---@class tungsten.KnownCosts
---@field codes tungsten.CodeCosts[]
---@field asked integer counts the questions, so that only the newest is asked
---@field saved? table<integer, tungsten.SavedSums> by the number of the code
---@field stands_saved boolean the text is that of the file

local marks = require('tungsten.marks').new('tungsten.heat')
local levels = require('tungsten.highlights').heat_steps
--- The sign of each step: its width tells as much as its colour.
local signs = { '▏', '▎', '▍', '▌', '▊' }
--- How long the text must rest before the costs are asked for, in milliseconds.
local pause = 250

--- Gives the numbers of lines their names.
---@param codes table[] as the server sends them
---@return tungsten.CodeCosts[]
function M.named(codes)
  for _, code in ipairs(codes) do
    code.lines = vim.tbl_map(function(row)
      local line = {}
      for place, member in ipairs(members) do
        line[member] = row[place]
      end
      line.peak = line.peak == 1
      return line
    end, code.lines)
  end
  return codes
end

---@type table<integer, tungsten.KnownCosts> by buffer
local known = {}

--- How hot a line is, from 1. Registers count in their own measure; clocks by
--- magnitude, or a single load would leave all else cold.
---@param heat 'registers'|'clocks'
---@param line tungsten.LineCosts
---@param most number
local function level(heat, line, most)
  local own = heat == 'registers' and line.vgprs or math.log(math.max(1, line.issue + line.stall))
  return most == 0 and 1 or math.min(levels, math.floor(own / most * levels) + 1)
end

---@param heat 'registers'|'clocks'
---@param code tungsten.CodeCosts
local function hottest(heat, code)
  if heat == 'registers' then
    return code.chips[1] and code.chips[1].vgprs.peak or 0
  end
  local most = 0
  for _, line in ipairs(code.lines) do
    most = math.max(most, math.log(math.max(1, line.issue + line.stall)))
  end
  return most
end

--- The text at the end of a line.
---@param what 'registers'|'clocks'
---@param line tungsten.LineCosts
---@return string
local function words(what, line)
  if what == 'registers' then
    return ('V %d S %d%s'):format(line.vgprs, line.sgprs, line.peak and ' peak' or '')
  end
  return ('%d%s clk'):format(line.issue, line.stall > 0 and ('+' .. line.stall) or '')
end

---@param choice string?
---@return ('registers'|'clocks')?
local function chosen(choice)
  return (choice == 'registers' or choice == 'clocks') and choice or nil
end

---@param buffer integer
local function draw(buffer)
  local decorated = require('tungsten').decorated
  local heat, text = chosen(decorated('heat')), chosen(decorated('virtual_text'))
  local wanted, options = {}, {}
  for _, code in ipairs((heat or text) and known[buffer].codes or {}) do
    local most = heat and hottest(heat, code)
    for _, line in ipairs(code.lines) do
      local step, figures = heat and level(heat, line, most), text and words(text, line)
      local look = ('%s %s'):format(step, figures)
      wanted[line.line] = look
      options[look] = options[look]
        or {
          sign_text = step and signs[step] or nil,
          sign_hl_group = step and 'TungstenHeat' .. step or nil,
          virt_text = figures and { { figures, 'TungstenCosts' } } or nil,
          priority = 5,
        }
    end
  end
  marks:draw(buffer, wanted, function(look)
    return options[look]
  end)
end

--- Keeps the sums as those of the saved text. Code that is not current says nothing
--- of it.
---@param state tungsten.KnownCosts
local function remember_saved(state)
  local sums, current = {}, #state.codes > 0
  for _, code in ipairs(state.codes) do
    local chip = code.chips[1]
    current = current and code.state == 'fresh'
    if chip then
      sums[code.number] = { waves = chip.waves, vgprs = chip.vgprs.used, sgprs = chip.sgprs.used, clocks = chip.clocks }
    end
  end
  if current then
    state.saved = sums
    state.stands_saved = false
  end
end

--- Asks for the costs of a buffer and draws them.
---@param buffer integer
local function ask(buffer)
  local client = client_of.of(buffer)
  if client == nil or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  client_of.ask(client, buffer, 'tungsten/costs', {}, function(costs)
    local current = vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_changedtick(buffer) == tick
    -- After an edit the next answer is on its way.
    if not current or known[buffer] == nil then
      return
    end
    local state = known[buffer]
    state.codes = M.named(costs and costs.codes or {})
    if state.stands_saved and not vim.bo[buffer].modified then
      remember_saved(state)
    end
    draw(buffer)
    vim.cmd.redrawstatus()
  end)
end

---@param buffer integer
local function ask_after_pause(buffer)
  local state = known[buffer]
  if state == nil then
    return
  end
  state.asked = state.asked + 1
  local turn = state.asked
  vim.defer_fn(function()
    if known[buffer] ~= nil and known[buffer].asked == turn then
      ask(buffer)
    end
  end, pause)
end

--- Keeps the signs of a buffer current from now on.
---@param buffer integer
function M.attach(buffer)
  known[buffer] = known[buffer] or { codes = {}, asked = 0, stands_saved = true }
  local group = vim.api.nvim_create_augroup('tungsten.costs.' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    group = group,
    buffer = buffer,
    callback = function()
      ask_after_pause(buffer)
    end,
  })
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    buffer = buffer,
    callback = function()
      known[buffer].stands_saved = true
      ask_after_pause(buffer)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buffer,
    callback = function()
      known[buffer] = nil
    end,
  })
  ask_after_pause(buffer)
end

--- The server says that a document costs something else now.
---@param params { textDocument: { uri: string } }
function M.changed(params)
  ask_after_pause(vim.uri_to_bufnr(params.textDocument.uri))
end

--- Draws all buffers anew, after an option has changed.
function M.redraw()
  for buffer in pairs(known) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      draw(buffer)
    end
  end
end

--- The shader or kernel at the cursor, else the first of the buffer, and the sums of
--- each when the file was saved.
---@return tungsten.CodeCosts?
---@return table<integer, tungsten.SavedSums>?
function M.at_cursor()
  local state = known[vim.api.nvim_get_current_buf()]
  local codes = state and state.codes or {}
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local here = vim.iter(codes):find(function(code)
    return code.firstLine <= line and line <= code.lastLine
  end) or codes[1]
  return here, state and state.saved
end

--- What is known of the code at the cursor, or a word to the user that nothing is.
---@return tungsten.CodeCosts?
function M.needed()
  local code = M.at_cursor()
  if code == nil then
    vim.notify('Tungsten: no costs are known here (yet)', vim.log.levels.INFO)
  end
  return code
end

return M
