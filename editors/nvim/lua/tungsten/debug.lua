--- What nvim-dap must know to debug shaders and kernels, where it is installed.
local M = {}

--- The file of inputs beside a kernel, such as `saxpy.inputs.toml`: no line of it names one.
local function inputs_beside()
  local beside = vim.fn.expand('%:p:r') .. '.inputs.toml'
  return vim.bo.filetype == 'gcn' and vim.fn.filereadable(beside) == 1 and beside or nil
end

--- The chip that a shader is compiled for, so that its machine code runs beside it.
local function first_target()
  local targets = require('tungsten').options().targets or {}
  return targets[1] or 'polaris10'
end

---@param name string
---@param more? table
---@return table
local function configuration(name, more)
  return vim.tbl_extend('error', {
    type = 'tungsten',
    request = 'launch',
    name = name,
    program = '${file}',
    inputs = inputs_beside,
    stopOnEntry = true,
  }, more or {})
end

--- Gives nvim-dap the adapter and configurations for each language, unless the user has some.
---@param command string
function M.setup(command)
  local found, dap = pcall(require, 'dap')
  if not found then
    return
  end
  dap.adapters.tungsten = dap.adapters.tungsten
    or function(callback)
      callback({
        type = 'executable',
        command = command,
        args = { 'dap', '--', vim.fn.getcwd(), vim.fn.expand('%:p:h') },
      })
    end
  dap.configurations.gcn = dap.configurations.gcn or { configuration('Debug this file') }
  dap.configurations.tgsi = dap.configurations.tgsi
    or {
      configuration('Debug this file'),
      configuration('Debug this file with its machine code', { target = first_target }),
    }
  require('tungsten.debugged').listen(dap)
end

--- The session of nvim-dap that is ours.
---@return table?
function M.session()
  local found, dap = pcall(require, 'dap')
  local session = found and dap.session()
  if session and session.config.type == 'tungsten' then
    return session
  end
  vim.notify('Tungsten: debug a shader or kernel, and stop it, to ask that', vim.log.levels.WARN)
end

return M
