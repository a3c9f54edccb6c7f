-- Asks the server whatever Neovim can ask it, and says what came of it, a line for each.
-- Runs in Neovim 0.7 and later: nvim --headless -u NONE -c "luafile neovim.lua"

local function say(text)
  io.stdout:write(text .. "\n")
end

local function run()
  vim.cmd("edit query.cql")
  local id = vim.lsp.start_client({ name = "cql", cmd = { vim.env.CQL, "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  assert(vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20), "no faults are told")
  for _, fault in ipairs(vim.diagnostic.get(0)) do
    say(string.format("fault %d:%d %s", fault.lnum, fault.col, vim.split(fault.message, "\n")[1]))
  end

  local function ask(request, line, column, more)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local params = vim.lsp.util.make_position_params(0, "utf-16")
    params = vim.tbl_extend("force", params, more or {})
    local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. request, params, 30000)
    local answer = answers[id]
    assert(answer.error == nil, vim.inspect(answer.error))
    return answer.result
  end

  local found = ask("completion", 4, 6)
  local labels = vim.tbl_map(function(item) return item.label end, found.items)
  say("proposed " .. tostring(vim.tbl_contains(labels, "passedpawns")) .. " " .. tostring(vim.tbl_contains(labels, "mate")))
  say("hover " .. vim.split(ask("hover", 4, 2).contents.value, "\n")[1])
  local place = ask("definition", 3, 0)
  say("definition " .. place.range.start.line .. ":" .. place.range.start.character)

  vim.lsp.util.apply_workspace_edit(ask("rename", 3, 0, { newName = "number_" }), "utf-16")
  local range = { start = { line = 4, character = 0 }, ["end"] = { line = 4, character = 4 } }
  local actions = ask("codeAction", 5, 0, { range = range, context = { diagnostics = {} } })
  say("action " .. actions[1].title)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  assert(vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end, 20), "there are still faults")

  local options = { options = { tabSize = 2, insertSpaces = true } }
  local edits = ask("formatting", 1, 0, options)
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    say("| " .. line)
  end
  vim.lsp.stop_client(id)
end

local is_well, message = pcall(run)
if not is_well then
  say("failed: " .. tostring(message))
end
vim.cmd("qa!")
