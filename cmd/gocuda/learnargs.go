package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// meantCommand is the command that an argument was probably meant to be, or "": it is no folder that exists, has no separator, and is a number,
// which is for check, or a command but for a letter or two.
func meantCommand(arg string) string {
	if _, err := os.Stat(arg); err == nil || strings.ContainsAny(arg, `/\.`) {
		return ""
	}
	if _, err := strconv.Atoi(arg); err == nil {
		return "check " + arg
	}
	for _, c := range learnCommands {
		if distance(arg, c) <= len(c)/5+1 {
			return c
		}
	}
	return ""
}

// distance is the number of letters to insert, delete or replace to make b of a: the edit distance of Levenshtein.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0]++
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
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
