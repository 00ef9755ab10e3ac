# Command marks for bash 4.4 and later, in the outermost shell of a Cotty session (docs/shell-integration.md). Read as --rcfile, or as
# $ENV of `bash --posix` where bash reads no rc file. It reads the start-up files that bash would have read here, in bash's way, and
# only then hangs marks into PS1, PS0 and PROMPT_COMMAND. Every name begins with __cotty_, and no variable is exported.

if [[ ${COTTY_SHELL_WAY-} != rc ]]; then
  # Started in POSIX mode only so that $ENV is read: what that mode changed goes back.
  set +o posix
  shopt -u inherit_errexit
  if [[ -n ${COTTY_SHELL_ENV+x} ]]; then ENV=$COTTY_SHELL_ENV; else unset ENV; fi
  if [[ ${COTTY_SHELL_GIVEN-} != *HISTFILE* ]]; then HISTFILE=~/.bash_history; fi
  if [[ ${COTTY_SHELL_GIVEN-} != *MAILCHECK* ]]; then MAILCHECK=60; fi
fi
__cotty_way=${COTTY_SHELL_WAY-}
__cotty_rcfile=${COTTY_SHELL_RCFILE-}
__cotty_nonce=${COTTY_SHELL_NONCE-}
unset COTTY_SHELL_WAY COTTY_SHELL_RCFILE COTTY_SHELL_NONCE COTTY_SHELL_ENV COTTY_SHELL_GIVEN

# A mark's text: backslash, semicolon and controls as \xHH, no longer than its reader takes. Sets REPLY.
__cotty_escape() {
  \builtin local LC_ALL=C text="${1:0:4096}" before byte
  text=${text//'\'/'\\'}
  text=${text//';'/'\x3b'}
  text=${text//$'\n'/'\x0a'}
  text=${text//$'\xc2'[$'\x80'-$'\x9f']/'?'}
  REPLY=
  while [[ $text == *[$'\x01'-$'\x1f\x7f']* ]]; do
    before=${text%%[$'\x01'-$'\x1f\x7f']*}
    \builtin printf -v byte '\\x%02x' "'${text:${#before}:1}"
    REPLY+=$before$byte
    text=${text:${#before}+1}
  done
  REPLY+=$text
  if ((${#REPLY} > 8000)); then
    REPLY=${REPLY:0:8000}
    if [[ ${REPLY:7997} == *'\'* ]]; then REPLY=${REPLY:0:7997}; fi
  fi
}

# In a subshell of PS0. The newest entry of the history is this command only if it has the number that the prompt announced: what
# HISTCONTROL or HISTIGNORE kept out, the terminal reads from its screen.
__cotty_preexec() {
  \builtin local status=$?
  \builtin set +exu
  \builtin trap - DEBUG ERR RETURN
  \builtin local REPLY entry
  # Of the command before, where two were pasted at once: bash runs them without a prompt between.
  if [[ -n $__cotty_d ]]; then \builtin printf '%s%s\a' "$__cotty_d" "$status"; fi
  __cotty_escape "$PWD"
  \builtin printf '\e]633;P;Cwd=%s\a' "$REPLY"
  entry=$(HISTTIMEFORMAT='' \builtin history 1)
  if [[ $entry =~ ^\ *([0-9]+)[\ *]\ (.*)$ && ${BASH_REMATCH[1]} == "$__cotty_next" ]]; then
    __cotty_escape "${BASH_REMATCH[2]}"
    \builtin printf '\e]633;E;%s;%s\a' "$REPLY" "$__cotty_nonce"
  fi
  \builtin printf '%s' "$__cotty_c"
}

# First in PROMPT_COMMAND: tells the status before other hooks print something or take their time. Once somebody has put a hook in front
# of it the status is not the command's any more; the one in PS1 always is.
__cotty_first() {
  \builtin local status=$? -
  \builtin set +exu
  if [[ ${PROMPT_COMMAND[0]} == "$__cotty_head"* && -n $__cotty_d ]]; then
    \builtin printf '%s%s\a' "$__cotty_d" "$status" >/dev/tty
  fi
  \builtin return "$status"
}

# Last in PROMPT_COMMAND: the hooks before it have made their prompt. $1: the DEBUG trap, which cannot be seen in here.
__cotty_last() {
  \builtin local -
  \builtin set +exu
  \builtin local REPLY
  __cotty_escape "$PWD"
  \builtin printf '\e]633;P;Cwd=%s\a' "$REPLY" >/dev/tty
  __cotty_hang "${1-}"
}

# Puts the marks into PS1 and PS0 as those are now.
__cotty_hang() {
  \builtin local family=633 theirs='' status=''
  PS1=${PS1//"$__cotty_ps1_head"/}
  PS1=${PS1//"$__cotty_ps1_tail"/}
  PS0=${PS0-}
  PS0=${PS0//"$__cotty_ps0"/}
  if [[ $PS1 == *']633;'[AB]* ]]; then theirs=633; fi
  if [[ $PS1 == *']133;'[AB]* ]]; then theirs=133 family=133; fi
  # Marks of the person's own prompt win. What it does not mark is marked in its dialect.
  if [[ -n $theirs ]]; then
    if [[ $PS1 != "$__cotty_marked_ps1" ]]; then
      __cotty_marked_ps1=$PS1
      __cotty_marking=$PS0${PROMPT_COMMAND[*]-}${1-}$(\builtin declare -f)
    fi
    theirs=$PS1$__cotty_marking
  fi
  __cotty_a=$'\e]'$family$';A\a'
  __cotty_b=$'\e]'$family$';B\a'
  __cotty_c=$'\e]'$family$';C\a'
  __cotty_d=$'\e]'$family$';D;'
  if [[ $theirs == *"]$family;A"* ]]; then __cotty_a=; fi
  if [[ $theirs == *"]$family;B"* ]]; then __cotty_b=; fi
  if [[ $theirs == *"]$family;C"* ]]; then __cotty_c=; fi
  if [[ $theirs == *"]$family;D"* ]]; then __cotty_d=; fi
  if [[ -n $__cotty_d ]]; then status='$__cotty_d$?$__cotty_bel'; fi
  if \builtin shopt -q promptvars; then
    # By name, and in words that every POSIX shell can read: one that inherits the prompt has no such variables, and prints nothing. The
    # number of the command rides in a mark that nobody reads.
    __cotty_ps1_head='${__cotty_on:+$__cotty_hide$__cotty_note$((__cotty_next=\!))$__cotty_bel'$status'$__cotty_a$__cotty_show}'
    __cotty_ps1_tail='${__cotty_on:+$__cotty_hide$__cotty_b$__cotty_show}'
    __cotty_ps0='${__cotty_on:+$({ __cotty_preexec; } 2>/dev/null)${__cotty_on:$((__cotty_next=0)):0}}'
    # Traps that subshells inherit would run in ours.
    if [[ -n ${1-} ]] && { [[ -o functrace ]] || \builtin shopt -q extdebug; }; then __cotty_ps0='${__cotty_on:+$__cotty_c}'; fi
  else
    __cotty_ps1_head='\['${__cotty_a//$'\e'/'\e'}'\]'
    __cotty_ps1_tail='\['${__cotty_b//$'\e'/'\e'}'\]'
    __cotty_ps0=${__cotty_c//$'\e'/'\e'}
  fi
  PS1=$__cotty_ps1_head$PS1$__cotty_ps1_tail
  # The command line is told before the mark that it runs.
  if [[ -n $__cotty_c ]]; then PS0=$PS0$__cotty_ps0; else PS0=$__cotty_ps0$PS0; fi
  __cotty_take_place "${1-}"
}

# Our two places in PROMPT_COMMAND, which stays what it was: a string or an array.
__cotty_take_place() {
  \builtin local head="$__cotty_head" tail="$__cotty_tail" one text kept IFS=' '
  kept=()
  if [[ -n ${bash_preexec_imported-}${__bp_imported-} ]]; then
    # It takes whatever follows its own commands there for something typed; it has a list for hooks.
    if [[ " ${precmd_functions[*]-} " != *' __cotty_last '* ]]; then precmd_functions+=(__cotty_last); fi
    head='' tail=''
  elif [[ -n ${1-} ]]; then
    # A DEBUG trap would run for our commands, where people see it. For a subshell it does not.
    tail=''
    head=$__cotty_quiet_head
    if [[ -o functrace ]] || \builtin shopt -q extdebug; then head=''; fi
  fi
  if [[ -n ${PROMPT_COMMAND+x} && ${PROMPT_COMMAND@a} == *a* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    # Every element finds the command's own status here.
    if [[ ${PROMPT_COMMAND[0]} == "$head" && ${PROMPT_COMMAND[*]: -1} == "$tail" ]]; then return 0; fi
    for one in "${PROMPT_COMMAND[@]}"; do
      case $one in
        "$__cotty_head" | "$__cotty_tail" | "$__cotty_quiet_head") ;;
        *) kept+=("$one") ;;
      esac
    done
    PROMPT_COMMAND=(${head:+"$head"} "${kept[@]}" ${tail:+"$tail"})
    return 0
  fi
  text=${PROMPT_COMMAND-}
  if [[ $text == "$__cotty_settled" && ${1-} == "$__cotty_debug" ]]; then return 0; fi
  for one in "$__cotty_head" "$__cotty_tail" "$__cotty_quiet_head"; do
    text=${text//"$one"$'\n'/}
    text=${text//$'\n'"$one"/}
    text=${text//"$one"/}
  done
  # No command can give the next one the statuses of a pipeline back: then the one in PS1 has to do.
  if [[ -n $text ]]; then
    one=$text$(\builtin declare -f)
    if [[ $one == *PIPE"STATUS"* ]]; then head=''; fi
  fi
  if [[ -n $head ]]; then text=$head${text:+$'\n'$text}; fi
  if [[ -n $tail ]]; then text+=${text:+$'\n'}$tail; fi
  if [[ -n $text || -n ${PROMPT_COMMAND+x} ]]; then PROMPT_COMMAND=$text; fi
  __cotty_settled=$text
  __cotty_debug=${1-}
}

# $1: status of the start-up files, which the first prompt shows; $2: the DEBUG trap.
__cotty_start() {
  \builtin local status="$1" -
  \builtin set +exu
  \builtin unset __cotty_way __cotty_rcfile
  __cotty_on=1 __cotty_next=0
  # What readline is not to count as width, as \[ and \] write it.
  __cotty_hide=$'\1' __cotty_show=$'\2' __cotty_note=$'\e]633;P;Next=' __cotty_bel=$'\a'
  __cotty_ps1_head=$'\3' __cotty_ps1_tail=$'\3' __cotty_ps0=$'\3'
  __cotty_marked_ps1='' __cotty_marking='' __cotty_settled=$'\3' __cotty_debug=''
  __cotty_head='{ __cotty_first && :; } 2>/dev/null'
  __cotty_quiet_head='( __cotty_first ) 2>/dev/null'
  __cotty_tail='{ __cotty_last "$(trap -p DEBUG)"; } 2>/dev/null'
  __cotty_hang "$2"
  \builtin return "$status"
}

if [[ $__cotty_way == rc ]]; then
  if [[ -n $__cotty_rcfile ]]; then
    if [[ -r $__cotty_rcfile ]]; then . "$__cotty_rcfile" && :; fi
  elif [[ -r ~/.bashrc ]]; then
    . ~/.bashrc && :
  fi
elif [[ $__cotty_way == login ]]; then
  if [[ -r /etc/profile ]]; then . /etc/profile && :; fi
  if [[ -r ~/.bash_profile ]]; then
    . ~/.bash_profile && :
  elif [[ -r ~/.bash_login ]]; then
    . ~/.bash_login && :
  elif [[ -r ~/.profile ]]; then
    . ~/.profile && :
  fi
fi
{ __cotty_start "$?" "$(trap -p DEBUG)" && :; } 2>/dev/null
