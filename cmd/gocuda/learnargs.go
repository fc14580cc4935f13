package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/internal/cli"
)

// meantCommand is the command that an argument was probably meant to be, or "". An argument that is
// an existing folder or has a separator was meant to be none. A number was meant for check, and a
// word that differs from a command in a letter or two for that command.
func meantCommand(arg string) string {
	if _, err := os.Stat(arg); err == nil || strings.ContainsAny(arg, `/\.`) {
		return ""
	}
	if _, err := strconv.Atoi(arg); err == nil {
		return "check " + arg
	}
	return cli.Nearest(arg, learnCommands)
}

// exerciseNumbers are the arguments that name exercises.
func exerciseNumbers(args []string) (numbers []int, err error) {
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil {
			return nil, fmt.Errorf("%q is not the number of an exercise", a)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
