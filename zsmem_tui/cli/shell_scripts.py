"""Completion scripts. They hold the verbs; what stands behind one they ask the program, which knows the store that is meant.

What the program answers: a line with what of the file system may stand there, then a line for each word, with a tab and what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Final

BASH: Final = Template(
    r"""
_zsmem() {
    local verbs="$verbs"
    local line=$${COMP_LINE:0:COMP_POINT} current=$${COMP_WORDS[COMP_CWORD]} found files word
    if [ "$$COMP_CWORD" = 1 ] && [[ $$current != -* ]]; then
        COMPREPLY=($$(compgen -W "$$verbs" -- "$$current"))
        return
    fi
    found=$$("$${COMP_WORDS[0]}" completion bash --line "$$line" 2>/dev/null) || return
    files=$${found%%$$'\n'*}
    COMPREPLY=()
    while IFS=$$'\t' read -r word _; do
        [ -n "$$word" ] && COMPREPLY+=("$$word")
    done <<<"$${found:$${#files}}"
    local whole=$${COMPREPLY[0]-} breaks=$${COMP_WORDBREAKS//[^:=]/} behind="" rest=() i
    if [ "$${#COMPREPLY[@]}" = 1 ] && [[ $$whole == *[:=] ]]; then compopt -o nospace; fi
    case $$current in
        [\"\']*)
            # inside quotes bash puts in what is answered as it stands: a name must neither end them nor run in them
            local in_double='\"$$`' single="'" ended="'\\''"
            for word in $${COMPREPLY[@]+"$${COMPREPLY[@]}"}; do
                if [[ $$current == \'* ]]; then
                    word=$${word//$$single/$$ended}
                else
                    [[ $$word == *!* ]] && continue
                    for ((i = 0; i < $${#in_double}; i++)); do
                        word=$${word//"$${in_double:i:1}"/"\\$${in_double:i:1}"}
                    done
                fi
                rest+=("$$word")
            done
            COMPREPLY=($${rest[@]+"$${rest[@]}"})
            ;;
        *)
            # bash takes a word apart at colons and equals signs, and puts what is answered behind the last of them
            if [ -n "$$breaks" ]; then
                behind=$${line##*[[:blank:]]}
                behind=$${behind%"$${behind##*[$$breaks]}"}
                [[ $$whole == "$$behind"* ]] || behind=""
            fi
            for i in "$${!COMPREPLY[@]}"; do
                word=$${COMPREPLY[i]#"$$behind"}
                [ -n "$$word" ] && printf -v word %q "$$word" && rest+=("$$word")
            done
            COMPREPLY=($${rest[@]+"$${rest[@]}"})
            ;;
    esac
    case $$files in
        files) compopt -o default; [ "$${#COMPREPLY[@]}" != 0 ] || compopt -o filenames ;;
        folders) compopt -o dirnames; [ "$${#COMPREPLY[@]}" != 0 ] || compopt -o filenames ;;
    esac
}
complete -F _zsmem zsmem zsmem-tui
""".lstrip()
)

ZSH: Final = Template(
    r"""
#compdef zsmem zsmem-tui
_zsmem() {
    local -a verbs found plain shown open
    local answer files line word about
    verbs=(
$described
    )
    if (( CURRENT == 2 )) && [[ $$words[2] != -* ]]; then
        _describe 'verb' verbs
        return
    fi
    answer=$$("$$words[1]" completion zsh --line "$${(j: :)words[1,CURRENT]}" 2>/dev/null) || return
    found=("$${(@f)answer}")
    files=$$found[1]
    for line in "$${(@)found[2,-1]}"; do
        word=$${line%%$$'\t'*} about=$${line#*$$'\t'}
        [[ $$word == *: ]] && open+=("$$word") && continue
        plain+=("$$word")
        shown+=("$$word$${about:+  -- $$about}")
    done
    (( $$#plain )) && compadd -l -d shown -a plain
    (( $$#open )) && compadd -S '' -a open
    case $$files in
        files) _files ;;
        folders) _files -/ ;;
    esac
}
if [ "$$funcstack[1]" = "_zsmem" ]; then _zsmem "$$@"; else compdef _zsmem zsmem zsmem-tui; fi
""".lstrip()
)

FISH: Final = Template(
    r"""
function __zsmem_words
    set -l typed (commandline -cp)
    set -l words (commandline -opc)
    set -l found ($$words[1] completion fish --line "$$typed" 2>/dev/null)
    set -l current (commandline -ct)
    switch "$$found[1]"
        case files
            __fish_complete_path "$$current"
        case folders
            __fish_complete_directories "$$current"
    end
    for line in $$found[2..-1]
        echo $$line
    end
end
function __zsmem_is_first
    test (count (commandline -opc)) = 1
end
for name in zsmem zsmem-tui
    complete -c $$name -f
    complete -c $$name -n 'not __zsmem_is_first; or string match -q -- "-*" (commandline -ct)' -a '(__zsmem_words)'
$described
end
""".lstrip()
)


def script(shell: str, verbs: Mapping[str, str]) -> str:
    """The script for a shell, with these verbs and what each does."""
    match shell:
        case "bash":
            return BASH.substitute(verbs=" ".join(verbs))
        case "zsh":
            rows = (f"        {_quoted(name + ':' + about.replace(':', ','))}" for name, about in verbs.items())
            return ZSH.substitute(described="\n".join(rows))
        case _:
            lines = (f"    complete -c $name -n __zsmem_is_first -a {name} -d {_quoted(about)}" for name, about in verbs.items())
            return FISH.substitute(described="\n".join(lines))


def _quoted(text: str) -> str:
    """One word in every shell: in single quotes, with those inside it in double ones."""
    return "'" + text.replace("'", "'\"'\"'") + "'"
