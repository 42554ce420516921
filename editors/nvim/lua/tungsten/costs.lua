--- What lines cost: signs of heat beside them, and the sums of the code at the
--- cursor for a status line.
local M = {}

local client_of = require('tungsten.client')

---@class tungsten.LineCosts
---@field line integer
---@field issue integer
---@field stall integer
---@field vgprs integer

---@class tungsten.CodeCosts
---@field name string
---@field firstLine integer
---@field lastLine integer
---@field chips table[]
---@field lines tungsten.LineCosts[]

local namespace = vim.api.nvim_create_namespace('tungsten.heat')
local levels = 5
--- How long the text must rest before the costs are asked for, in milliseconds.
local pause = 250

---@type table<integer, { codes: tungsten.CodeCosts[], asked: integer }> by buffer
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

---@param buffer integer
local function draw(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local heat = require('tungsten').options().heat
  if heat ~= 'registers' and heat ~= 'clocks' then
    return
  end
  local last = vim.api.nvim_buf_line_count(buffer)
  for _, code in ipairs(known[buffer].codes) do
    local most = hottest(heat, code)
    for _, line in ipairs(code.lines) do
      if line.line < last then
        vim.api.nvim_buf_set_extmark(buffer, namespace, line.line, 0, {
          sign_text = '▎',
          sign_hl_group = 'TungstenHeat' .. level(heat, line, most),
          priority = 5,
        })
      end
    end
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
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  client_of.request(client, 'tungsten/costs', params, function(failure, costs)
    local current = vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_changedtick(buffer) == tick
    -- After an edit the next answer is on its way.
    if failure or not current or known[buffer] == nil then
      return
    end
    known[buffer].codes = type(costs) == 'table' and costs.codes or {}
    draw(buffer)
    vim.cmd.redrawstatus()
  end, buffer)
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
  known[buffer] = known[buffer] or { codes = {}, asked = 0 }
  local group = vim.api.nvim_create_augroup('tungsten.costs.' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    group = group,
    buffer = buffer,
    callback = function()
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

--- Changes what the signs show, in all buffers.
---@param heat 'off'|'registers'|'clocks'
function M.show(heat)
  vim.g.tungsten = vim.tbl_extend('force', vim.g.tungsten or {}, { heat = heat })
  for buffer in pairs(known) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      draw(buffer)
    end
  end
end

--- The sums of the shader or kernel at the cursor, for a status line; empty where
--- nothing is known.
---@return string
function M.status()
  local state = known[vim.api.nvim_get_current_buf()]
  local codes = state and state.codes or {}
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local here = vim.iter(codes):find(function(code)
    return code.firstLine <= line and line <= code.lastLine
  end) or codes[1]
  local chip = here and here.chips[1]
  if chip == nil then
    return ''
  end
  return ('%d waves · V %d · S %d · %d clk'):format(chip.waves, chip.vgprs.used, chip.sgprs.used, chip.clocks)
end

return M
