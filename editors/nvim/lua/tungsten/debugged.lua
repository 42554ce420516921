--- What a stopped run shows in the text: the values that lines left in the lane, and the lines
--- that the lane passed by.
local M = {}

local marks = require('tungsten.marks').new('tungsten.debugged')

--- The values of a line by register: `TEMP[0].xy = 1.0, 2.0`.
---@param values { name: string, value: string }[]
---@return string
local function shown(values)
  local registers, order = {}, {}
  for _, own in ipairs(values) do
    local register, letter = own.name:match('^(.-)%.(%a)$')
    register = register or own.name
    if registers[register] == nil then
      registers[register] = { letters = '', values = {} }
      order[#order + 1] = register
    end
    local known = registers[register]
    known.letters = known.letters .. (letter or '')
    known.values[#known.values + 1] = own.value
  end
  local parts = vim.tbl_map(function(register)
    local own = registers[register]
    local letters = own.letters == '' and '' or '.' .. own.letters
    return register .. letters .. ' = ' .. table.concat(own.values, ', ')
  end, order)
  return table.concat(parts, '; ')
end

---@param value string the values of a line; `-` where the lane passed it by
---@return vim.api.keyset.set_extmark
local function drawn(value)
  if value == '-' then
    return { line_hl_group = 'Comment', virt_text = { { ' not in this lane', 'Comment' } } }
  end
  return { virt_text = { { ' ' .. value, 'DiagnosticVirtualTextInfo' } } }
end

---@param path string
---@param lines { line: integer, isActive: boolean, values: table[] }[]
local function draw(path, lines)
  local buffer = vim.fn.bufnr(path)
  if buffer == -1 then
    return
  end
  local wanted = {}
  for _, own in ipairs(lines) do
    if not own.isActive then
      wanted[own.line - 1] = '-'
    elseif #own.values > 0 then
      wanted[own.line - 1] = shown(own.values)
    end
  end
  marks:draw(buffer, wanted, drawn)
end

--- Draws at each stop of a session of ours, and takes all away at its end.
---@param dap table
function M.listen(dap)
  local function clear(session)
    if session.config.type == 'tungsten' then
      draw(session.config.program, {})
    end
  end
  dap.listeners.after.scopes['tungsten'] = function(session, failed, _, asked)
    if failed or session.config.type ~= 'tungsten' then
      return
    end
    session:request('tungsten/lineValues', { frameId = asked.frameId }, function(refused, answer)
      if not refused and answer then
        draw(session.config.program, answer.lines)
      end
    end)
  end
  dap.listeners.before.event_terminated['tungsten'] = clear
  dap.listeners.before.disconnect['tungsten'] = clear
end

return M
