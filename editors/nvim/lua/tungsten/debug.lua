-- What nvim-dap must know to debug shaders and kernels, where it is installed.
local M = {}

-- The file of inputs beside a kernel, such as `saxpy.inputs.toml`: no line of it names one.
local function inputs_beside()
  local beside = vim.fn.expand('%:p:r') .. '.inputs.toml'
  return vim.bo.filetype == 'gcn' and vim.fn.filereadable(beside) == 1 and beside or nil
end

-- Gives nvim-dap the adapter and a configuration for each language, unless the user has one.
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
  for _, language in ipairs({ 'tgsi', 'gcn' }) do
    dap.configurations[language] = dap.configurations[language]
      or {
        {
          type = 'tungsten',
          request = 'launch',
          name = 'Debug this file',
          program = '${file}',
          inputs = inputs_beside,
          stopOnEntry = true,
        },
      }
  end
end

return M
