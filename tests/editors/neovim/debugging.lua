--- nvim-dap with the plugin's adapter. nvim-dap is in no registry: TUNGSTEN_NVIM_DAP names a
--- checkout of it.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local checkout = assert(os.getenv('TUNGSTEN_NVIM_DAP'), 'TUNGSTEN_NVIM_DAP names a checkout of nvim-dap')
  local before = ('vim.opt.rtp:prepend(%q) vim.cmd("runtime plugin/dap.lua")'):format(checkout)
  local editor = context.start('debugging', { targets = { 'vega10' } }, before)
  local folder = vim.fs.dirname(context.example)
  for _, name in ipairs({ 'zero_normal.tgsi', 'zero_normal.inputs.toml' }) do
    assert(vim.uv.fs_copyfile(vim.fs.joinpath(folder, name), vim.fs.joinpath(context.work, name)))
  end
  local file = vim.fs.joinpath(context.work, 'zero_normal.tgsi')

  --- Waits until the run stands on a line, from 1.
  local function stands_on(line)
    editor:eventually('it stands on line ' .. line, function()
      return editor:lua([[
        local session = require('dap').session()
        local frame = session and session.stopped_thread_id and session.current_frame
        return frame and frame.line
      ]]) == line
    end)
  end
  local function dap(call)
    editor:lua('require("dap").' .. call)
  end

  step('a shader is debugged forth and back', function()
    editor:command('cd ' .. vim.fn.fnameescape(context.work))
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:served()
    editor:lua('require("dap").run(require("dap").configurations.tgsi[1])')
    stands_on(11)
    dap('step_over()')
    stands_on(12)
    dap('step_over()')
    stands_on(13)
    dap('step_back()')
    stands_on(12)
    editor:go_to_line(15)
    dap('set_breakpoint("lane == 3 && isnan(TEMP[1].x)")')
    dap('continue()')
    stands_on(15)
    dap('reverse_continue()')
    stands_on(11)
    dap('set_exception_breakpoints({ "nan" })')
    dap('continue()')
    stands_on(14)
    dap('set_exception_breakpoints({})')
    dap('continue()')
    stands_on(15)
    editor:go_to_line(23)
    dap('toggle_breakpoint()')
    dap('continue()')
    stands_on(23)
  end)

  step('the variables of the stopped lane', function()
    local function value(scope, name)
      return editor:lua(
        [[
        local wanted, register = ...
        for _, scope in ipairs(require('dap').session().current_frame.scopes or {}) do
          for _, variable in ipairs(scope.name == wanted and scope.variables or {}) do
            if variable.name == register then
              return variable.value
            end
          end
        end
        return ''
      ]],
        scope,
        name
      )
    end
    editor:eventually('a temporary', function()
      return value('Temporaries', 'TEMP[0]'):find('NaN', 1, true) ~= nil
    end)
    editor:eventually('an output', function()
      return value('Outputs', 'OUT[0]'):find('NaN', 1, true) ~= nil
    end)
  end)

  step('lines show what they left, and what the lane passed by', function()
    local function text(line)
      return editor:lua(
        [[
        local space = vim.api.nvim_create_namespace('tungsten.debugged')
        local at = (...) - 1
        local marks = vim.api.nvim_buf_get_extmarks(0, space, { at, 0 }, { at, -1 }, { details = true })
        return marks[1] and marks[1][4].virt_text[1][1] or ''
      ]],
        line
      )
    end
    editor:eventually('the NaN', function()
      return text(13) == ' TEMP[0].xyz = NaN, NaN, NaN'
    end)
    editor:eventually('the branch', function()
      return text(17) == ' not in this lane'
    end)
  end)

  step(':Tungsten nan goes back to where a NaN was made', function()
    editor:go_to_line(22)
    editor:command('Tungsten nan OUT[0].x')
    local function origins()
      return editor:lua([[
        for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
          if vim.bo[buffer].filetype == 'tungsten-origins' then
            return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
          end
        end
      ]])
    end
    local lines = editor:eventually('the tree', function()
      local all = origins()
      return type(all) == 'table' and #all > 3 and all
    end)
    local made
    for number, line in ipairs(lines) do
      made = made or line:find('line 13: ', 1, true) and number
    end
    assert(made, table.concat(lines, '\n'))
    editor:command('wincmd l')
    editor:go_to_line(made)
    editor:lua([[vim.api.nvim_feedkeys(vim.keycode('<CR>'), 'x', false)]])
    stands_on(13)
    dap('terminate()')
    editor:eventually('the end', function()
      return editor:lua('return require("dap").session() == nil')
    end)
  end)

  step('machine code runs beside a shader', function()
    editor:command('wincmd h')
    dap('clear_breakpoints()')
    editor:lua('require("dap").run(require("dap").configurations.tgsi[2])')
    stands_on(11)
    local frames = editor:lua('return #require("dap").session().threads[1].frames')
    equal(frames, 2, 'frames')
    dap('step_over()')
    stands_on(12)
    dap('terminate()')
  end)
  editor:quit()
end
