--- `:Tungsten costs`: a float with the sums of the code at the cursor, how full each
--- chip gets with it, and a chart of the registers that are needed along its lines.
local M = {}

local costs = require('tungsten.costs')

--- Eighths of a cell, from none to full.
local eighths = { ' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█' }
--- The chart's size in cells.
local rows, most_columns = 6, 64

--- What is needed per column: several lines share one where they are too many, of
--- which the most counts.
---@param lines tungsten.LineCosts[]
---@param here integer the cursor's line, from 0
---@return integer[] heights, integer? cursor the column of the cursor's line
local function columns(lines, here)
  local count = math.min(#lines, most_columns)
  local heights, cursor = {}, nil
  for index, line in ipairs(lines) do
    local column = math.floor((index - 1) * count / #lines) + 1
    heights[column] = math.max(heights[column] or 0, line.vgprs)
    if line.line <= here then
      cursor = column
    end
  end
  return heights, cursor
end

--- The chart, highest row first; its scale ends at the registers that are allocated.
---@param code tungsten.CodeCosts
---@param here integer
---@return string[]
function M.chart(code, here)
  local heights, cursor = columns(code.lines, here)
  local top = math.max(1, code.chips[1].vgprs.allocated, code.chips[1].vgprs.peak)
  local lines = {}
  for row = rows, 1, -1 do
    local cells = {}
    for column, height in ipairs(heights) do
      local filled = height / top * rows - (row - 1)
      cells[column] = eighths[math.max(0, math.min(8, math.ceil(filled * 8))) + 1]
    end
    local label = row == rows and tostring(top) or row == 1 and '0' or ''
    table.insert(lines, ('%5s ┤%s'):format(label, table.concat(cells)))
  end
  local first, last = code.lines[1].line + 1, code.lines[#code.lines].line + 1
  local marks = cursor and (' '):rep(cursor - 1) .. '▲' or ''
  table.insert(lines, '       ' .. marks)
  table.insert(lines, ('       lines %d to %d; ▲ the cursor'):format(first, last))
  return lines
end

--- How many waves a chip holds, why not more, and what would change that.
---@param chip tungsten.ChipCosts
---@return string
local function rung(chip)
  local relief = require('tungsten.client').present(chip.relief)
  local advice = ('%d more V, %d more S cost nothing'):format(chip.vgprs.spare, chip.sgprs.spare)
  if relief then
    local wanted = ''
    for _, kind in ipairs({ { 'vgprs', 'V' }, { 'agprs', 'A' }, { 'sgprs', 'S' }, { 'lds', 'bytes of LDS' } }) do
      if (relief[kind[1]] or 0) > 0 then
        local choice = relief.eitherKind and kind[1] == 'agprs'
        local join = wanted == '' and '' or choice and ' or ' or ' and '
        wanted = ('%s%s%d %s'):format(wanted, join, relief[kind[1]], kind[2])
      end
    end
    advice = ('%d waves for %s less; %s'):format(relief.waves, wanted, advice)
  end
  return ('%-10s %2d %s%s %s; %s'):format(
    chip.target,
    chip.waves,
    ('▇'):rep(chip.waves),
    ('░'):rep(chip.ladder[1].waves - chip.waves),
    chip.limiter == 'waves' and 'as many as it can' or 'held back by ' .. chip.limiter,
    advice
  )
end

--- How many registers each number of waves leaves to the code, the rung that it stands
--- on marked.
---@param chip tungsten.ChipCosts
---@return string[]
local function ladder(chip)
  local lines = { 'Waves, and the registers that so many leave to each' }
  for _, step in ipairs(chip.ladder) do
    local here = step.waves == chip.waves
    local scalars = require('tungsten.client').present(step.sgprs)
    local vectors = (chip.totalVgprs or chip.vgprs).used
    local own = here and ('  ← %d V, %d S'):format(vectors, chip.sgprs.used) or ''
    table.insert(
      lines,
      ('%s %2d   %3d V   %s%s'):format(
        here and '▶' or ' ',
        step.waves,
        step.vgprs,
        scalars and ('%3d S'):format(scalars) or '  – S',
        own
      )
    )
  end
  return lines
end

---@param name string
---@param registers tungsten.RegisterCosts
---@return string
local function described(name, registers)
  return ('%-6s %3d used, %3d allocated, %3d needed at once'):format(
    name,
    registers.used,
    registers.allocated,
    registers.peak
  )
end

--- The float's text.
---@param code tungsten.CodeCosts
---@param here integer the cursor's line, from 0
---@return string[]
function M.report(code, here)
  local chip = code.chips[1]
  local lines = {
    ('%s for %s%s'):format(code.name, chip.target, code.state == 'fresh' and '' or ' (' .. code.state .. ')'),
    described('VGPRs', chip.vgprs),
    described('SGPRs', chip.sgprs),
    ('clocks %d of a wave alone (%d at best, %d at worst)'):format(chip.clocks, chip.best, chip.worst),
    ('       %d per wave with %d waves, bound by %s'):format(chip.inverseThroughput, chip.waves, chip.bound),
    '',
    'Waves per SIMD',
  }
  if chip.agprs then
    table.insert(lines, 3, described('AGPRs', chip.agprs))
  end
  if chip.totalVgprs then
    table.insert(lines, 4, described('both', chip.totalVgprs))
  end
  for _, each in ipairs(code.chips) do
    table.insert(lines, rung(each))
  end
  table.insert(lines, '')
  vim.list_extend(lines, ladder(chip))
  if #code.lines > 0 then
    table.insert(lines, '')
    table.insert(lines, 'Vector registers needed, of those allocated')
    vim.list_extend(lines, M.chart(code, here))
  end
  return lines
end

--- Shows it in the middle of the screen: at the cursor there is rarely room for it.
function M.show()
  local code = costs.needed()
  if code == nil then
    return
  end
  local here = vim.api.nvim_win_get_cursor(0)[1] - 1
  local report = M.report(code, here)
  local _, window = vim.lsp.util.open_floating_preview(report, '', {
    border = 'rounded',
    title = ' Tungsten ',
    wrap = false,
  })
  local width, height = 1, math.min(#report, vim.o.lines - 4)
  for _, line in ipairs(report) do
    width = math.max(width, math.min(vim.fn.strdisplaywidth(line), vim.o.columns - 4))
  end
  vim.api.nvim_win_set_config(window, {
    relative = 'editor',
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 2),
    col = math.max(0, math.floor((vim.o.columns - width) / 2) - 1),
    width = width,
    height = height,
  })
end

return M
