# Command marks for zsh, in the outermost shell of a Cotty session (docs/shell-integration.md). Every name begins with __cotty_, and
# nothing is exported. Sets up two hooks and touches nothing else until the first prompt, when all start-up files have been read.

# A mark's text: backslash, semicolon and controls as \xHH, no longer than its reader takes. Sets REPLY.
__cotty_escape() {
  'builtin' 'emulate' '-L' 'zsh' '-o' 'no_xtrace' '-o' 'no_multibyte'
  'builtin' 'local' text=${1[1,4096]} before code
  REPLY=
  text=${text//\\/\\\\}
  text=${text//;/\\x3b}
  while [[ $text == *[$'\x01'-$'\x1f\x7f']* ]]; do
    before=${text%%[$'\x01'-$'\x1f\x7f']*}
    'builtin' 'printf' '-v' code '\\x%02x' "'${text[$#before+1]}"
    REPLY+=$before$code
    text=${text[$#before+2,-1]}
  done
  REPLY+=$text
  if (( $#REPLY > 8000 )); then
    REPLY=${REPLY[1,8000]}
    if [[ ${REPLY[7998,-1]} == *\\* ]]; then REPLY=${REPLY[1,7997]}; fi
  fi
}

__cotty_precmd() {
  'builtin' 'local' __cotty_status=$?
  'builtin' 'emulate' '-L' 'zsh' '-o' 'no_xtrace'
  'builtin' 'local' REPLY out= family=633 theirs= hook=
  if [[ -n $__cotty_eol && ${PROMPT_EOL_MARK-} == $__cotty_eol ]]; then
    if [[ -n $__cotty_had_eol ]]; then PROMPT_EOL_MARK=$__cotty_their_eol; else 'builtin' 'unset' 'PROMPT_EOL_MARK'; fi
  fi
  # Other hooks that came later may still change the prompt after us: next time they do so before us.
  if [[ ${precmd_functions[-1]} != __cotty_precmd && -n $__cotty_moved ]]; then
    precmd_functions=(${precmd_functions:#__cotty_precmd} __cotty_precmd)
  fi
  PS1=${PS1%$__cotty_b}
  if [[ $PS1 == *']633;'[AB]* ]]; then theirs=633; fi
  for hook in ${${(@)precmd_functions:#__cotty_*}} ${${(@)preexec_functions:#__cotty_*}}; do
    # In the other dialect hooks are told apart: the first that is seen counts.
    if [[ ${functions[$hook]-} == *']633;C'* ]]; then theirs=633; fi
  done
  if [[ $PS1 == *']133;'[AB]* ]]; then theirs=133 family=133; fi
  # Marks of the person's own prompt win. What it does not mark is marked in its dialect.
  if [[ -n $theirs ]]; then
    if [[ -z $__cotty_marking || $PS1 != $__cotty_marked_ps1 ]]; then
      __cotty_marked_ps1=$PS1
      __cotty_marking=' '
      for hook in ${(k)functions}; do
        if [[ $hook != __cotty_* ]]; then __cotty_marking+=$functions[$hook]; fi
      done
    fi
    theirs=$PS1$__cotty_marking
  fi
  __cotty_c=$'\e]'$family$';C\a'
  __cotty_b='%{'$'\e]'$family$';B\a''%}'
  __cotty_d=$'\e]'$family';D;'
  if [[ $theirs != *"]$family;D"* ]]; then out=$__cotty_d$__cotty_status$'\a'; fi
  __cotty_escape $PWD
  out+=$'\e]633;P;Cwd='$REPLY$'\a'
  if [[ $theirs != *"]$family;A"* ]]; then out+=$'\e]'$family$';A\a'; fi
  if [[ $theirs == *"]$family;B"* || ! -o prompt_percent ]]; then __cotty_b=; fi
  if [[ $theirs == *"]$family;C"* ]]; then __cotty_c=; fi
  'builtin' 'print' '-rn' '--' $out >|$TTY
  PS1=$PS1$__cotty_b
} 2>/dev/null

__cotty_preexec() {
  'builtin' 'emulate' '-L' 'zsh' '-o' 'no_xtrace'
  'builtin' 'local' REPLY out=
  if [[ $PS1 == *$__cotty_b ]]; then
    # The prompt is the person's own while their commands look at it.
    PS1=${PS1%$__cotty_b}
    __cotty_moved=
  else
    __cotty_moved=1
  fi
  if [[ -n $1 ]]; then
    __cotty_escape $1
    out=$'\e]633;E;'$REPLY';'$__cotty_nonce$'\a'
  fi
  # What zsh shows behind output without a newline stands before the hooks, and is no output: the end is told by it,
  # also where the person's own mark of it follows later.
  if [[ -o prompt_sp && -o prompt_percent && -n $__cotty_d ]]; then
    __cotty_had_eol=${PROMPT_EOL_MARK+1} __cotty_their_eol=${PROMPT_EOL_MARK-}
    __cotty_eol="%{$__cotty_d%?"$'\a'"%}${PROMPT_EOL_MARK-%B%S%#%s%b}"
    PROMPT_EOL_MARK=$__cotty_eol
  fi
  'builtin' 'print' '-rn' '--' $out$__cotty_c >|$TTY
  if (( ! ${precmd_functions[(I)__cotty_precmd]} )); then precmd_functions+=(__cotty_precmd); fi
} 2>/dev/null

'builtin' 'typeset' '-g' __cotty_b= __cotty_c= __cotty_d= __cotty_eol= __cotty_had_eol= __cotty_their_eol= __cotty_moved= __cotty_marked_ps1= __cotty_marking=
'builtin' 'typeset' '-ga' precmd_functions preexec_functions
precmd_functions+=(__cotty_precmd)
preexec_functions+=(__cotty_preexec)
