--- The highlight groups: links to those of the colour scheme, and colours that are made
--- from its background. Made anew when the scheme changes, light for dark, say; groups
--- that somebody else has set stay as they are.
local M = {}

local colours = require('tungsten.colours')

--- How many steps signs of heat have.
M.heat_steps = 5

local links = {
  TungstenLinked = 'Visual',
  TungstenStale = 'Comment',
  TungstenNotice = 'WarningMsg',
  TungstenCosts = 'Comment',
  TungstenHint = 'Comment',
}

--- The palette of Okabe and Ito, which people tell apart however they see colours,
--- in an order in which neighbours differ in lightness too.
M.palette = { 0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x0072B2, 0xD55E00, 0xCC79A7, 0x999999 }

--- Five steps of the scale viridis, from dark to light: the order is seen without
--- telling hues apart.
local viridis = { 0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725 }

--- How much of a group's colour stands against the background, in turn: lines that stand
--- together differ in lightness too, which every eye sees.
local shares = { 0.14, 0.32 }

---@type table<string, table> what was set here, by name
local own = {}

--- Sets a group, unless somebody else has.
---@param name string
---@param wanted vim.api.keyset.highlight
local function define(name, wanted)
  local now = vim.api.nvim_get_hl(0, { name = name })
  if vim.tbl_isempty(now) or vim.deep_equal(now, own[name]) then
    vim.api.nvim_set_hl(0, name, wanted)
    own[name] = vim.api.nvim_get_hl(0, { name = name })
  end
end

--- Sets all groups for the colour scheme of now.
local function define_all()
  for name, target in pairs(links) do
    define(name, { link = target })
  end
  local light = vim.o.background == 'light'
  for step = 1, M.heat_steps do
    -- What is hot stands out from the background.
    local colour = viridis[light and #viridis + 1 - step or step]
    define('TungstenHeat' .. step, { fg = colour, ctermfg = colours.of_cube(colour) })
  end
  -- Tints of the scheme's own background, so that its text stays readable.
  local ground = vim.api.nvim_get_hl(0, { name = 'Normal' }).bg or (light and 0xFFFFFF or 0x101010)
  for number, colour in ipairs(M.palette) do
    local tint = colours.mixed(colour, ground, shares[number % #shares + 1])
    define('TungstenGroup' .. number, { bg = tint, ctermbg = colours.of_cube(tint) })
  end
end

--- Sets the groups, now and whenever the colour scheme changes.
function M.enable()
  define_all()
  local group = vim.api.nvim_create_augroup('tungsten.highlights', {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = define_all })
  vim.api.nvim_create_autocmd('OptionSet', { group = group, pattern = 'background', callback = define_all })
end

return M
