-- What begins a comment at a line's start in both dialects: CLRX parts statements by `;`.
vim.bo.commentstring = '# %s'
vim.bo.comments = ':;,://'
vim.bo.iskeyword = '@,48-57,_,.,$'
vim.b.undo_ftplugin = 'setlocal commentstring< comments< iskeyword<'
