package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/cli"
)

// Completion. A shell asks this program what may follow what has been typed, so it knows of each
// flag of the program that is installed. Where there is nothing to say, the shell completes the
// names of files.

// completeVerb is the argument by which a shell asks. The words that have been typed follow, the
// last one as far as it is there.
const completeVerb = "complete-words"

// shells have what makes them ask.
var shells = []struct{ name, install, script string }{
	{"bash", "source <(gocuda completion bash)", `_gocuda() {
	local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]}
	COMPREPLY=($(compgen -W "$(gocuda ` + completeVerb + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "$word"))
}
complete -o bashdefault -o default -F _gocuda gocuda
`},
	{"zsh", "source <(gocuda completion zsh)   # behind compinit", `#compdef gocuda
_gocuda() {
	local -a answers
	local line
	for line in "${(@f)$(gocuda ` + completeVerb + ` "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] && answers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	if (( ${#answers} )); then
		_describe gocuda answers
	else
		_files
	fi
}
compdef _gocuda gocuda
`},
	{"fish", "gocuda completion fish | source", `function __gocuda_complete
	set -l words (commandline -opc) (commandline -ct)
	gocuda ` + completeVerb + ` $words[2..-1] 2>/dev/null
end
complete -c gocuda -f -n '__gocuda_complete | string length -q' -a '(__gocuda_complete)'
`},
}

func shellNames() (names []string) {
	for _, s := range shells {
		names = append(names, s.name)
	}
	return names
}

// completionCommand prints the script for a shell.
func completionCommand(args []string, stdout, stderr io.Writer) int {
	fs := noFlags("completion")
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: gocuda completion %s\n\nPrints what makes the shell complete gocuda. In its file of settings stands:\n\n", strings.Join(shellNames(), "|"))
		for _, s := range shells {
			fmt.Fprintf(fs.Output(), "  %-5s %s\n", s.name, s.install)
		}
	}
	if status, ok := cli.Parse(fs, args, stdout, stderr); !ok {
		return status
	}
	i := slices.Index(shellNames(), fs.Arg(0))
	if i < 0 || fs.NArg() != 1 {
		fmt.Fprintf(stderr, "gocuda completion: which shell? There are %s\n", strings.Join(shellNames(), ", "))
		return 2
	}
	io.WriteString(stdout, shells[i].script)
	return 0
}

// complete prints what may stand in the place of the last of words: a line each, with what it is
// behind a tab. Of words that end in nothing it prints nothing, for the shell to complete a file.
func complete(words []string, stdout io.Writer) int {
	if len(words) == 0 {
		return 0
	}
	word := words[len(words)-1]
	before := words[:len(words)-1]
	add := func(answer, about string) {
		if strings.HasPrefix(answer, word) {
			about, _, _ = strings.Cut(strings.ReplaceAll(about, "\n", " "), ". ")
			fmt.Fprintf(stdout, "%s\t%s\n", answer, about)
		}
	}
	if len(before) == 0 {
		for _, c := range commands() {
			add(c.name, c.about)
		}
		return 0
	}
	c := findCommand(before[0])
	if c == nil || slices.Contains(before, "--") {
		return 0
	}
	var fs *flag.FlagSet
	if c.flags != nil {
		sub := ""
		if len(before) > 1 {
			sub = before[1]
		}
		fs = c.flags(sub)
	}
	if fs != nil {
		last := strings.TrimLeft(before[len(before)-1], "-")
		if f := fs.Lookup(last); f != nil && last != before[len(before)-1] && !cli.IsSwitch(f) {
			return 0 // its value
		}
		if strings.HasPrefix(word, "-") {
			dashes := word[:len(word)-len(strings.TrimLeft(word, "-"))]
			fs.VisitAll(func(f *flag.Flag) {
				_, about := flag.UnquoteUsage(f)
				add(dashes+f.Name, about)
			})
			return 0
		}
	}
	if c.words != nil && !slices.ContainsFunc(before[1:], func(w string) bool { return slices.Contains(c.words(), w) }) {
		for _, w := range c.words() {
			about := ""
			if sub := findCommand(w); sub != nil && c.name == "help" {
				about = sub.about
			}
			add(w, about)
		}
	}
	return 0
}
