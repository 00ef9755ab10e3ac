// What shells ask for the rest of a command with, where nobody changed it (PS2, PROMPT2). Pure.

/** Of sh, bash, dash and zsh; zsh names what is open. */
const continuations =
  /^(?:(?:for|while|until|repeat|if|then|elif|elif-then|else|case|select|function|foreach|cmdsubst|subsh|cursh|quote|dquote|bquote|braceparam|heredocd?|math|mathsubst|array|cond|cmdand|cmdor|pipe|errpipe|nocorrect|always|coproc) ?)*> $/;

/** `line`: the text left of the cursor, before anything is typed on it. */
export function asksForRest(line: string): boolean {
  return continuations.test(line);
}
