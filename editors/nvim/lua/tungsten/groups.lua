--- Colours by line group: every source line that became machine code, and that
--- code, in one colour. There are fewer colours than lines, so they repeat; lines
--- that stand together never share one.
local M = {}

local namespace = vim.api.nvim_create_namespace('tungsten.groups')

--- The palette of Okabe and Ito, which people tell apart however they see colours,
--- in an order in which neighbours differ in lightness too.
local palette = { 0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x0072B2, 0xD55E00, 0xCC79A7, 0x999999 }

--- How much of a colour stands against the background.
local share = 0.22

---@param colour integer
---@return integer[] red, green, blue
local function parts(colour)
  return { bit.rshift(colour, 16), bit.band(bit.rshift(colour, 8), 255), bit.band(colour, 255) }
end

--- The nearest colour of a terminal's cube of 216.
---@param colour integer
---@return integer
local function of_cube(colour)
  local index = 16
  for place, part in ipairs(parts(colour)) do
    local step = part < 48 and 0 or part < 115 and 1 or math.floor((part - 35) / 40)
    index = index + step * 6 ^ (3 - place)
  end
  return index
end

--- Tints of the colour scheme's own background, so that its text stays readable.
function M.define_highlights()
  local normal = vim.api.nvim_get_hl(0, { name = 'Normal' })
  local ground = parts(normal.bg or (vim.o.background == 'light' and 0xFFFFFF or 0x101010))
  for number, colour in ipairs(palette) do
    local mixed = 0
    for place, part in ipairs(parts(colour)) do
      mixed = mixed * 256 + math.floor(part * share + ground[place] * (1 - share))
    end
    vim.api.nvim_set_hl(0, 'TungstenGroup' .. number, { bg = mixed, ctermbg = of_cube(mixed), default = true })
  end
end

---@param buffer integer
---@param line integer from 0
---@param group integer
local function mark(buffer, line, group)
  if line < vim.api.nvim_buf_line_count(buffer) then
    vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, {
      line_hl_group = 'TungstenGroup' .. group,
      -- Below the marks of the cursor's line.
      priority = 20,
    })
  end
end

--- Colours a source and all views of it. One question for all of them, so that a
--- line has its colour in each.
---@param source integer
---@param views tungsten.View[]
function M.draw(source, views)
  if vim.api.nvim_buf_is_loaded(source) then
    vim.api.nvim_buf_clear_namespace(source, namespace, 0, -1)
  end
  local wanted = require('tungsten').decorated('line_colours')
  local lines, seen = {}, {}
  for _, view in ipairs(views) do
    if vim.api.nvim_buf_is_loaded(view.buffer) then
      vim.api.nvim_buf_clear_namespace(view.buffer, namespace, 0, -1)
    end
    for _, line in ipairs(wanted and view.code.sourceLines or {}) do
      if type(line) == 'number' and not seen[line] then
        seen[line] = true
        table.insert(lines, line)
      end
    end
  end
  table.sort(lines)
  local groups = {}
  for rank, line in ipairs(lines) do
    groups[line] = (rank - 1) % #palette + 1
    if vim.api.nvim_buf_is_loaded(source) then
      mark(source, line, groups[line])
    end
  end
  for _, view in ipairs(views) do
    for index, line in ipairs(view.code.sourceLines) do
      if groups[line] and vim.api.nvim_buf_is_loaded(view.buffer) then
        mark(view.buffer, index - 1, groups[line])
      end
    end
  end
end

return M
