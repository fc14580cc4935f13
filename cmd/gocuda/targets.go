package main

import (
	"errors"
	"fmt"
	"slices"
)

// What sanitize, prof and trace run: the tests of packages, or with -run the program of one.

// splitArguments returns the arguments of the command itself, and those behind -- for what it runs.
func splitArguments(args []string) (own, rest []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

// checkTarget returns an error if there is nothing to run, or packages beside the one of -run.
func checkTarget(run string, packages []string) error {
	switch {
	case run == "" && len(packages) == 0:
		return errors.New("no packages")
	case run != "" && len(packages) > 0:
		return fmt.Errorf("unexpected argument %q beside -run", packages[0])
	}
	return nil
}
