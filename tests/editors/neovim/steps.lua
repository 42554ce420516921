--- Steps of a test, counted, and what they assert.
local M = { passed = 0, failed = 0 }

--- Runs a step. Steps build on each other, so that after a failure the next ones
--- would only say the same again, slowly.
---@param what string
---@param run fun()
function M.step(what, run)
  if M.failed > 0 then
    return
  end
  local began = vim.uv.now()
  local ok, failure = xpcall(run, debug.traceback)
  if ok then
    M.passed = M.passed + 1
    print(('ok %s (%d ms)\n'):format(what, vim.uv.now() - began))
  else
    M.failed = M.failed + 1
    print(('not ok %s\n%s\n'):format(what, failure))
  end
  vim.uv.update_time()
end

---@param seen any
---@param wanted any
---@param what string
function M.equal(seen, wanted, what)
  if not vim.deep_equal(seen, wanted) then
    error(('%s: %s instead of %s'):format(what, vim.inspect(seen), vim.inspect(wanted)), 2)
  end
end

return M
