--- Compilers that are chosen like chips: ACO's code beside LLVM's.
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
  editor:quit()
end
