--- Code beside other code of the same shader, in Vim's own diff: what was pinned and
--- what is now, or one chip and others. It follows the source as it is typed.
local M = {}

local client_of = require('tungsten.client')
local compiled = require('tungsten.compiled')
local text = require('tungsten.text')

---@class tungsten.Figures
---@field instructions integer
---@field bytes integer
---@field vgprs integer
---@field sgprs integer
---@field waves integer
---@field clocks integer

---@class tungsten.Column
---@field label string
---@field target string
---@field state string
---@field message? string
---@field figures? tungsten.Figures

---@class tungsten.Comparison
---@field source integer
---@field selection table what is asked again
---@field buffers integer[] one per column
---@field asked integer counts the questions, so that only the newest answer is shown

---@type tungsten.Comparison[]
local open = {}

--- How long the text must rest before it is compared again, in milliseconds.
local pause = 150

--- The text of one column: each statement that became code in it, and its
--- instructions below.
---@param statements table[]
---@param column integer
---@return string[]
local function text_of(statements, column)
  local lines = {}
  for _, statement in ipairs(statements) do
    local instructions = {}
    for _, row in ipairs(statement.rows) do
      local cell = client_of.present(row.cells[column])
      if cell then
        table.insert(instructions, '    ' .. cell.text)
      end
    end
    if #instructions > 0 then
      local earlier = column == 1 and client_of.present(statement.before)
      table.insert(lines, '; ' .. (earlier or client_of.present(statement.text) or 'shared'))
      vim.list_extend(lines, instructions)
    end
  end
  return lines
end

--- What a column is: a chip, or the moment of a chip's code.
---@param column tungsten.Column
---@return string
local function name_of(column)
  -- Of what is now and what was kept the label does not name the chip.
  local is_named = column.label:sub(-#column.target) == column.target
  return is_named and column.label or column.label .. ' ' .. column.target
end

--- A column's figures, those of later columns with their distance from the first.
---@param first tungsten.Figures?
---@param column tungsten.Column
---@return string
local function title(first, column)
  local name = name_of(column)
  local figures = client_of.present(column.figures)
  local parts = { ' ' .. name }
  if figures then
    local shown =
      { { 'V', 'vgprs' }, { 'S', 'sgprs' }, { 'waves', 'waves' }, { 'clk', 'clocks' }, { 'instr', 'instructions' } }
    for _, pair in ipairs(shown) do
      local now = figures[pair[2]]
      local distance = first and first ~= figures and now - first[pair[2]] or 0
      table.insert(parts, ('%s %d%s'):format(pair[1], now, distance ~= 0 and (' (%+d)'):format(distance) or ''))
    end
  end
  local sums = table.concat(parts, '  '):gsub('%%', '%%%%')
  local age = compiled.age(column)
  return age and ('%s  %%#TungstenNotice#◌ %s'):format(sums, age:gsub('%%', '%%%%')) or sums
end

---@param comparison tungsten.Comparison
---@param answer table
local function show(comparison, answer)
  local first = client_of.present(answer.columns[1].figures)
  for number, buffer in ipairs(comparison.buffers) do
    if vim.api.nvim_buf_is_valid(buffer) and answer.columns[number] then
      text.fill(buffer, text_of(answer.statements, number))
      for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
        vim.wo[window].winbar = title(first, answer.columns[number])
      end
    end
  end
  vim.cmd('diffupdate')
end

---@param comparison tungsten.Comparison
local function refresh(comparison)
  comparison.asked = comparison.asked + 1
  local turn = comparison.asked
  vim.defer_fn(function()
    local client = client_of.of(comparison.source)
    if client == nil or comparison.asked ~= turn then
      return
    end
    client_of.ask(client, comparison.source, 'tungsten/compare', comparison.selection, function(answer)
      if answer ~= nil and comparison.asked == turn then
        show(comparison, answer)
      end
    end)
  end, pause)
end

--- Forgets a comparison as soon as one of its buffers is gone.
---@param comparison tungsten.Comparison
local function watch(comparison)
  local group = vim.api.nvim_create_augroup('tungsten.comparison.' .. comparison.buffers[1], {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, {
    group = group,
    buffer = comparison.source,
    callback = function()
      refresh(comparison)
    end,
  })
  for _, buffer in ipairs(comparison.buffers) do
    vim.api.nvim_create_autocmd('BufWipeout', {
      group = group,
      buffer = buffer,
      callback = function()
        open = vim.tbl_filter(function(other)
          return other ~= comparison
        end, open)
        pcall(vim.api.nvim_del_augroup_by_id, group)
      end,
    })
  end
end

---@param source integer
---@param selection table
---@param answer table
local function open_tab(source, selection, answer)
  local comparison = { source = source, selection = selection, buffers = {}, asked = 0 }
  for number, column in ipairs(answer.columns) do
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.bo[buffer].bufhidden = 'wipe'
    comparison.buffers[number] = buffer
    if number == 1 then
      vim.cmd('tab sbuffer ' .. buffer)
    else
      vim.cmd('rightbelow vertical sbuffer ' .. buffer)
    end
    local file = vim.fs.basename(vim.api.nvim_buf_get_name(source))
    vim.api.nvim_buf_set_name(
      buffer,
      ('tungsten-compare:/%s.%d.%s.%s#%d'):format(file, answer.shader, column.target, column.label, buffer)
    )
    vim.b[buffer].tungsten_title = ('%s · %s'):format(file, name_of(column))
    vim.bo[buffer].filetype = 'gcn'
    text.fill(buffer, text_of(answer.statements, number))
    vim.wo.number = false
    vim.wo.signcolumn = 'no'
    vim.cmd('diffthis')
  end
  vim.cmd('wincmd =')
  table.insert(open, comparison)
  watch(comparison)
  show(comparison, answer)
end

--- Compares with what was pinned, or with other chips where some are named.
---@param targets string[]
function M.open(targets)
  local source, selection = compiled.selection({})
  local client = client_of.needed(source)
  if client == nil then
    return
  end
  selection.with = #targets > 0 and 'targets' or 'baseline'
  selection.beside = #targets > 0 and targets or nil
  client_of.ask(client, source, 'tungsten/compare', selection, function(answer)
    if answer == nil then
      vim.notify('Tungsten: no shader here', vim.log.levels.INFO)
      return
    end
    local first = answer.columns[1]
    if selection.with == 'baseline' and client_of.present(first.figures) == nil then
      vim.notify(
        ('Tungsten: %s for %s; :Tungsten pin keeps the code of now'):format(
          client_of.present(first.message) or 'nothing is pinned',
          first.target
        ),
        vim.log.levels.INFO
      )
      return
    end
    -- The same shader is compared again, wherever the cursor goes.
    local again =
      { shader = answer.shader, target = selection.target, with = selection.with, beside = selection.beside }
    open_tab(source, again, answer)
  end)
end

--- The server says that a comparison may look different now.
---@param params { textDocument: { uri: string }, view: string }
function M.changed(params)
  for _, comparison in ipairs(open) do
    local view = comparison.selection.with == 'baseline' and 'baseline' or 'targets'
    if params.view == view and vim.uri_from_bufnr(comparison.source) == params.textDocument.uri then
      refresh(comparison)
    end
  end
end

--- Keeps the code of now, for later code to be compared with.
function M.pin()
  local source, selection = compiled.selection({})
  local client = client_of.needed(source)
  if client == nil then
    return
  end
  client_of.ask(client, source, 'tungsten/pinBaseline', selection, function(pinned)
    if pinned == nil then
      vim.notify('Tungsten: there is no code to pin', vim.log.levels.WARN)
      return
    end
    local figures = pinned.figures
    vim.notify(
      ('Tungsten: pinned for %s: V %d, S %d, %d waves, %d clk, %d instructions'):format(
        pinned.target,
        figures.vgprs,
        figures.sgprs,
        figures.waves,
        figures.clocks,
        figures.instructions
      ),
      vim.log.levels.INFO
    )
  end)
end

--- Forgets it.
function M.unpin()
  local source, selection = compiled.selection({})
  local client = client_of.needed(source)
  if client == nil then
    return
  end
  client_of.ask(client, source, 'tungsten/unpinBaseline', selection, function(was_pinned)
    local said = was_pinned and 'what was pinned is forgotten' or 'nothing was pinned'
    vim.notify('Tungsten: ' .. said, vim.log.levels.INFO)
  end)
end

return M
