--- Colours as numbers: mixed, compared, and brought to a terminal's palette.
local M = {}

---@param colour integer
---@return integer[] red, green, blue
local function parts(colour)
  return { bit.rshift(colour, 16), bit.band(bit.rshift(colour, 8), 255), bit.band(colour, 255) }
end

--- A colour that stands over another with some of its strength.
---@param colour integer
---@param ground integer
---@param share number from 0, nothing of it, to 1
---@return integer
function M.mixed(colour, ground, share)
  local below, result = parts(ground), 0
  for place, part in ipairs(parts(colour)) do
    result = result * 256 + math.floor(part * share + below[place] * (1 - share))
  end
  return result
end

--- How light a colour is to the eye, from 0 to 1: the relative luminance of WCAG 2.1.
---@param colour integer
---@return number
function M.luminance(colour)
  local sum, weights = 0, { 0.2126, 0.7152, 0.0722 }
  for place, part in ipairs(parts(colour)) do
    local value = part / 255
    sum = sum + weights[place] * (value <= 0.04045 and value / 12.92 or ((value + 0.055) / 1.055) ^ 2.4)
  end
  return sum
end

--- The nearest colour of a terminal's cube of 216, whose steps are 0, 95, 135, … 255.
---@param colour integer
---@return integer
function M.of_cube(colour)
  local index = 16
  for place, part in ipairs(parts(colour)) do
    local step = part < 48 and 0 or part < 115 and 1 or math.floor((part - 35) / 40)
    index = index + step * 6 ^ (3 - place)
  end
  return index
end

return M
