--- Tells by a few tests of its text whether a buffer holds a shader: cheap enough for every
--- file that is opened.
local M = {}

local stages = { 'FRAG', 'VERT', 'GEOM', 'COMP', 'TESS_CTRL', 'TESS_EVAL' }

--- What ends a header: an escaped line end, the end of its literal or of its line, a colour.
local ending = '^[ \t]*[\\"\'`\r\n\27]'

--- What a shader begins with, and how far behind its header that is looked for.
local beginnings = { 'DCL ', 'PROPERTY ', 'IMM' }
local farthest = 300

--- Whether a header stands alone at a place of a text, with a shader behind it.
---@param text string
---@param first integer
---@param last integer
---@return boolean
local function is_header(text, first, last)
  if not text:find(ending, last + 1) then
    return false
  end
  local before = text:sub(first - 1, first - 1)
  local escaped = text:sub(first - 2, first - 1) == '\\n'
  if before:find('[%w_]') and not escaped then
    return false
  end
  local behind = text:sub(last + 1, last + farthest)
  return vim.iter(beginnings):any(function(word)
    return behind:find(word, 1, true) ~= nil
  end)
end

--- Whether a buffer holds what looks like a shader.
---@param buffer integer
---@return boolean
function M.holds_shader(buffer)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
  if not (text:find('DCL ', 1, true) and text:find('END', 1, true)) then
    return false
  end
  for _, stage in ipairs(stages) do
    local first, last = text:find(stage, 1, true)
    while first do
      if is_header(text, first, last) then
        return true
      end
      first, last = text:find(stage, last + 1, true)
    end
  end
  return false
end

return M
