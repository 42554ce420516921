--- `:checkhealth tungsten`.
local M = {}

--- Seconds that a program may take. "tungsten doctor" starts every compiler, driver and
--- host in turn: some seconds, and many on a busy machine.
local PATIENCE = 120
--- The status of a program that took longer.
local TIMED_OUT = 124

--- Runs a program to its end, or for as long as it may take.
---@param command string[]
---@return vim.SystemCompleted?
local function run(command)
  local ok, process = pcall(vim.system, command, { text = true, timeout = PATIENCE * 1000 })
  return ok and process:wait() or nil
end

function M.check()
  local health = vim.health
  health.start('Tungsten')

  if vim.fn.has('nvim-0.10') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.10 or newer is needed')
    return
  end

  local program = require('tungsten.client').command()[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    health.error('the server was not found: ' .. program, {
      'Build it with "cargo build --release" and put "tungsten" on PATH,',
      'or set vim.g.tungsten = { cmd = { "/path/to/tungsten", "lsp" } }.',
    })
    return
  end
  local version = run({ path, '--version' })
  if version and version.code == 0 then
    health.ok(('%s (%s)'):format(vim.trim(version.stdout), path))
    local number = version.stdout:match('%d+%.%d+%.%d+%S*') or '?'
    local mismatch = require('tungsten.status').mismatch(number)
    if mismatch then
      health.warn(mismatch)
    else
      health.ok('the plugin is of the same version')
    end
  else
    health.error(('%s does not answer --version'):format(path))
    return
  end

  local llvm = require('tungsten').options().llvm
  local doctor = run(llvm and { path, 'doctor', '--llvm', llvm } or { path, 'doctor' })
  if doctor and doctor.code == 0 then
    health.ok('what the server found on this machine:\n' .. vim.trim(doctor.stdout))
  elseif doctor and doctor.code == TIMED_OUT then
    health.warn(('"tungsten doctor" did not end within %d seconds; run it in a terminal'):format(PATIENCE))
  else
    health.warn('"tungsten doctor" reports a problem; everything works but what needs machine code of shaders', {
      'Install a libLLVM of version 15 or newer, or name one by vim.g.tungsten.llvm.',
      doctor and vim.trim(doctor.stdout .. doctor.stderr) or 'it could not be run',
    })
  end

  local client = require('tungsten.client').of()
  if client then
    local buffers = vim.tbl_count(client.attached_buffers)
    health.ok(('the server runs for %d buffer%s'):format(buffers, buffers == 1 and '' or 's'))
  else
    health.info('the server does not run; it starts with the first TGSI or GCN file')
  end
end

return M
