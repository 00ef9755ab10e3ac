# Command marks for fish 3.6 and later, in the outermost shell of a Cotty session (docs/shell-integration.md). Sourced by --init-command,
# which fish runs after its start-up files. Every name begins with __cotty_, and nothing is exported.

set -g __cotty_nonce $COTTY_SHELL_NONCE
set -e COTTY_SHELL_NONCE

# A mark's text: backslash, semicolon and controls as \xHH, no longer than its reader takes.
function __cotty_escape
    set -l text (string sub -l 3000 -- $argv[1] | string collect)
    set text (string replace -a '\\' '\\\\' -- $text | string collect)
    set text (string replace -a ';' '\\x3b' -- $text | string collect)
    set text (string replace -a \t '\\x09' -- $text | string collect)
    set text (string replace -a \n '\\x0a' -- $text)
    string replace -ra '[[:cntrl:]]' '?' -- $text
end

# fish 4 makes the marks A to D itself, where nobody has turned that off; they win. Its C stands before ours.
set -g __cotty_own yes
if string match -qr '^(?:[4-9]|\d\d)' -- $version
    status test-feature mark-prompt 2>/dev/null
    test $status -ne 1; and set __cotty_own no
end
# So do those that hooks of the person's make in our own dialect. In the other one they are told apart: the first that is seen counts.
for __cotty_hook in (functions --handlers-type generic | string replace -rf '^fish_(?:prompt|preexec|postexec) (\S+)$' '$1')
    functions $__cotty_hook | string match -q '*]633;C*'; and set __cotty_own no
end
set -e __cotty_hook

function __cotty_prompt --on-event fish_prompt
    set -l code $status
    if test $__cotty_own = yes
        # Also after a command that ended without fish_postexec.
        printf '\e]633;D;%s\a' $code
    end
    printf '\e]633;P;Cwd=%s\a' (__cotty_escape $PWD)
    test $__cotty_own = yes; or return
    printf '\e]633;A\a'
    # The end of the prompt: the function that draws it is known only now, and may be another one later.
    if functions -q fish_prompt; and not functions fish_prompt | string match -q '*__cotty_drawn*'
        functions -e __cotty_drawn
        functions -c fish_prompt __cotty_drawn
        function fish_prompt
            # fish drops the line break that a prompt ends with; behind one, the mark would stand on a line of its own.
            set -l __cotty_lines (__cotty_drawn)
            set -q __cotty_lines[1]; or set __cotty_lines ''
            set __cotty_lines[-1] $__cotty_lines[-1]\e']633;B'\a
            string join \n -- $__cotty_lines
        end
    end
end

function __cotty_preexec --on-event fish_preexec
    printf '\e]633;E;%s;%s\a' (__cotty_escape $argv[1]) $__cotty_nonce
    test $__cotty_own = yes; and printf '\e]633;C\a'
end

function __cotty_postexec --on-event fish_postexec
    set -l code $status
    test $__cotty_own = yes; and printf '\e]633;D;%s\a' $code
end
