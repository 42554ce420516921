--- The text of buffers that only the plugin changes.
local M = {}

--- The lines of a text that ends with a line's end or without.
---@param text string
---@return string[]
function M.lines(text)
  local lines = vim.split(text, '\n')
  if lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

--- How many places are changed one by one. Each is told to the server by itself; where
--- more differ, all between the first and the last is one change.
local most_places = 64

--- The places where two texts differ.
---@param before string
---@param now string
---@return { old: integer, old_end: integer, new: integer, new_end: integer }[] lines from 0, ends excluded
local function differences(before, now)
  local places = {}
  for _, place in
    ipairs(vim.diff(before, now, { result_type = 'indices' }) --[[@as integer[][] ]])
  do
    -- Lines from 1; of no lines, the one before them.
    local old = place[2] == 0 and place[1] or place[1] - 1
    local new = place[4] == 0 and place[3] or place[3] - 1
    table.insert(places, { old = old, old_end = old + place[2], new = new, new_end = new + place[4] })
  end
  if #places > most_places then
    local first, last = places[1], places[#places]
    return { { old = first.old, old_end = last.old_end, new = first.new, new_end = last.new_end } }
  end
  return places
end

--- Gives a buffer other lines. Only what differs is replaced: marks, folds and the
--- place that a window shows stay what they are, and the server is told little.
---@param buffer integer
---@param lines string[]
function M.fill(buffer, lines)
  local shown = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local before, now = table.concat(shown, '\n') .. '\n', table.concat(lines, '\n') .. '\n'
  if before == now then
    return
  end
  vim.bo[buffer].modifiable = true
  -- From the end, so that the lines above keep their numbers.
  for _, place in vim.iter(differences(before, now)):rev():enumerate() do
    local replacement = vim.list_slice(lines, place.new + 1, place.new_end)
    vim.api.nvim_buf_set_lines(buffer, place.old, place.old_end, false, replacement)
  end
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
end

return M
