--- Compilers that are chosen like chips: ACO's code beside LLVM's, and GLSL for hosts.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('compilers', { targets = { 'polaris10' }, compilers = { 'llvm', 'aco' } })
  local file = context.copy('compilers.tgsi')

  step('a compiler is offered where a chip is', function()
    editor:compile(file)
    local offered = editor:lua([[return vim.fn.getcompletion('Tungsten compiled aco:', 'cmdline')]])
    equal(offered, { 'aco:polaris10' }, 'builds')
  end)

  step("ACO's code is shown with what its driver states", function()
    editor:command('Tungsten compiled aco:polaris10 beside')
    local window = editor:code('; ACO of Mesa')
    assert(window.text:find('FRAG for polaris10 (gfx803) by ACO', 1, true), window.text)
    assert(window.text:find('\n; Mesa states: SGPRs %d+'), window.text)
    assert(window.text:find('image_sample', 1, true) and window.text:find('s_endpgm', 1, true), 'code')
  end)

  step('it follows the text', function()
    editor:command('wincmd t')
    editor:keys(('%dGOCOS OUT[0].x, TEMP[0].xxxx<Esc>'):format(context.end_line))
    editor:code('v_cos_f32')
  end)

  step('both stand side by side, with the difference', function()
    editor:command('only! | edit! ' .. vim.fn.fnameescape(file))
    editor:command('Tungsten compare aco:polaris10')
    local both = editor:eventually('two compilers', function()
      local found = editor:windows()
      return #found == 2 and found[2].diff and found[2].bar:find('instr') and found
    end)
    assert(both[1].bar:find('^ polaris10  V') and both[2].bar:find('^ aco:polaris10  V'), both[2].bar)
    assert(both[2].bar:find('instr %d+ %([+-]%d+%)'), both[2].bar)
  end)

  step('GLSL is shown for the host that is named, and follows the text', function()
    editor:command('only! | edit! ' .. vim.fn.fnameescape(file))
    editor:command('Tungsten compiled glsl gles30 beside')
    local function glsl(words)
      return editor:window('GLSL with ' .. words, function(window)
        return window.name:find('gles30.compilers.tgsi.0.glsl', 1, true) ~= nil
          and window.text:find(words, 1, true) ~= nil
      end)
    end
    local window = glsl('void main')
    assert(window.text:find('// FRAG for gles30: accepted\n#version 300 es', 1, true), window.text)
    assert(window.bar:find('gles30 · GLSL', 1, true), window.bar)
    editor:command('wincmd t')
    editor:keys(('%dGOCOS OUT[0].x, TEMP[0].xxxx<Esc>'):format(context.end_line))
    glsl('cos(')
  end)

  step('all hosts say what they think of a shader', function()
    editor:command('Tungsten compiled hosts beside')
    local hosts = editor:window('the hosts', function(window)
      return window.text:find('\ngles32 +accepted') ~= nil
    end)
    assert(hosts.bar:find('.tgsi · hosts', 1, true), hosts.bar)
    for _, host in ipairs({ 'gl33', 'gl46', 'gles30' }) do
      assert(hosts.text:find('\n' .. host .. ' +accepted'), hosts.text)
    end
  end)

  step("a host's refusal is a diagnostic of the line that made it", function()
    editor:quit()
    editor = context.start('hosts', { host = 'gles30' })
    local refused = vim.fs.joinpath(context.work, 'refused.tgsi')
    vim.fn.writefile({
      'FRAG',
      'DCL OUT[0], COLOR',
      'DCL TEMP[0]',
      'DCL BUFFER[0]',
      'IMM[0] UINT32 {0, 0, 0, 0}',
      'LOAD TEMP[0], BUFFER[0], IMM[0].xxxx',
      'MOV OUT[0], TEMP[0]',
      'END',
    }, refused)
    editor:command('edit ' .. vim.fn.fnameescape(refused))
    local told = editor:eventually('the refusal', function()
      local found = editor:lua('return vim.diagnostic.get(0)')
      return #found == 1 and found[1]
    end)
    equal({ told.code, told.lnum }, { 'host::refuses', 3 }, 'the refusal')
    assert(told.message:find('the host needs OpenGL ES 3.1', 1, true), told.message)
  end)
  editor:quit()
end
