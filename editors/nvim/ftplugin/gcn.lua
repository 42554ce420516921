vim.bo.commentstring = '; %s'
vim.bo.comments = ':;,://'
vim.bo.iskeyword = '@,48-57,_,.,$'
vim.b.undo_ftplugin = 'setlocal commentstring< comments< iskeyword<'
