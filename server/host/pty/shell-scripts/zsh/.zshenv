# Read by zsh because ZDOTDIR names this folder, in the outermost shell of a Cotty session (docs/shell-integration.md). Puts ZDOTDIR back as
# the person has it before anything of theirs is read; all their other start-up files zsh then finds by itself.

if [[ -n ${COTTY_SHELL_ZDOTDIR+x} ]]; then
  'builtin' 'export' ZDOTDIR=$COTTY_SHELL_ZDOTDIR
else
  'builtin' 'unset' 'ZDOTDIR'
fi
'builtin' 'typeset' '-g' __cotty_nonce=${COTTY_SHELL_NONCE-} __cotty_folder=${${(%):-%x}:A:h:h}
'builtin' 'unset' 'COTTY_SHELL_ZDOTDIR' 'COTTY_SHELL_NONCE'
# zsh asks people who have none of its files whether they want some, and has looked for them in the wrong folder.
if [[ -o 'interactive' ]]; then 'builtin' 'zmodload' '-s' 'zsh/newuser' || 'builtin' 'true'; fi
{
  if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    'builtin' 'source' ${ZDOTDIR-$HOME}/.zshenv
  fi
} always {
  if [[ -o 'interactive' && -o 'rcs' && -r $__cotty_folder/cotty.zsh ]]; then
    'builtin' 'source' $__cotty_folder/cotty.zsh
  fi
  'builtin' 'unset' '__cotty_folder'
}
