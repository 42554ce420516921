--- What the server says of itself: in a float, in a word when something is missing,
--- and the sums of the code at the cursor for a status line.
local M = {}

local client_of = require('tungsten.client')

---@class tungsten.Status
---@field version string
---@field llvm? { path: string, version: string, origin: string }
---@field searching boolean
---@field targets string[]
---@field compiling integer
---@field message? string
---@field assembly { uri: string, message: string }[]
---@field shaders { uri: string, message: string }[]

--- What to say of a server of another version than the plugin's.
---@param version string of the server
---@return string?
function M.mismatch(version)
  local own = require('tungsten.version')
  if version ~= own then
    return ('the server is version %s, the plugin %s: take both from the same release'):format(version, own)
  end
end

--- What is told once is not told again after a restart.
---@type table<string, true>
local told = {}

---@param text string
local function tell_once(text)
  if not told[text] then
    told[text] = true
    vim.notify('Tungsten: ' .. text, vim.log.levels.WARN)
  end
end

--- Looks at what a server says of itself when it has started.
---@param server? { version?: string }
function M.greet(server)
  local mismatch = M.mismatch(server and server.version or 'unknown')
  if mismatch then
    tell_once(mismatch .. '.')
  end
end

--- The server says how it is now: what it lacks is told.
---@param status tungsten.Status
function M.changed(status)
  if status.searching then
    return
  end
  local wanted, llvm = require('tungsten').options(), client_of.present(status.llvm)
  if llvm and wanted.llvm and vim.uv.fs_realpath(wanted.llvm) ~= vim.uv.fs_realpath(llvm.path) then
    tell_once(('%s could not be used; shaders are compiled with %s instead.'):format(wanted.llvm, llvm.path))
  elseif llvm == nil and wanted.compile then
    tell_once(
      (client_of.present(status.message) or 'no libLLVM was found.')
        .. ' Until then nothing is compiled; diagnostics, hovers, completion, formatting and all'
        .. ' that assembly files get work without it. Afterwards: :Tungsten restart.'
    )
  end
end

---@param status tungsten.Status
---@return string[]
local function described(status)
  local llvm = client_of.present(status.llvm)
  local lines = {
    'server    ' .. status.version .. (status.version == require('tungsten.version') and '' or ' (the plugin is not)'),
    'LLVM      '
      .. (
        llvm and ('%s, %s, from %s'):format(llvm.version, llvm.path, llvm.origin)
        or status.searching and 'still searched'
        or 'none'
      ),
    'targets   ' .. table.concat(status.targets, ', '),
    'compiling ' .. (status.compiling == 0 and 'nothing now' or status.compiling .. ' now'),
  }
  if client_of.present(status.message) then
    table.insert(lines, 'note      ' .. status.message:gsub('%s*\n%s*', ' '))
  end
  for _, file in ipairs(vim.list_extend(vim.deepcopy(status.shaders or {}), status.assembly or {})) do
    table.insert(lines, '')
    table.insert(lines, vim.fn.fnamemodify(vim.uri_to_fname(file.uri), ':~:.'))
    table.insert(lines, '  ' .. file.message)
  end
  return lines
end

--- Shows what the server found and does.
function M.show()
  local client = client_of.of()
  if client == nil then
    vim.notify('Tungsten: the server does not run; see :checkhealth tungsten', vim.log.levels.WARN)
    return
  end
  client_of.request(client, 'tungsten/status', nil, function(failure, status)
    if failure == nil then
      vim.lsp.util.open_floating_preview(
        described(status),
        '',
        { border = 'rounded', title = ' Tungsten ', wrap = false }
      )
    end
  end)
end

---@param now integer
---@param before integer?
---@return string
local function change(now, before)
  return before and now ~= before and ('%+d'):format(now - before) or ''
end

--- The sums of the shader or kernel at the cursor, for a status line, each with its
--- change since the file was saved: `polaris10 · 8 waves · V 16+2 · S 22 · 600-4 clk`.
--- Empty where nothing is known; a source of compiled code that is not current ends
--- with `…`.
---@return string
function M.line()
  local code, saved = require('tungsten.costs').at_cursor()
  local chip = code and code.chips[1]
  if chip == nil then
    return ''
  end
  local before = saved and saved[code.number] or {}
  return ('%s · %d%s waves · V %d%s · S %d%s · %d%s clk%s'):format(
    chip.target,
    chip.waves,
    change(chip.waves, before.waves),
    chip.vgprs.used,
    change(chip.vgprs.used, before.vgprs),
    chip.sgprs.used,
    change(chip.sgprs.used, before.sgprs),
    chip.clocks,
    change(chip.clocks, before.clocks),
    code.state == 'fresh' and '' or ' …'
  )
end

return M
