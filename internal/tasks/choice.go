package tasks

import (
	"flag"
	"fmt"
	"strings"
)

// A choice is a flag that names one of several.
type choice[M fmt.Stringer] struct {
	all []M
	is  M
}

// choose adds a flag that names one of all; the first is the default.
func choose[M fmt.Stringer](fs *flag.FlagSet, name, about string, all ...M) *choice[M] {
	c := &choice[M]{all, all[0]}
	fs.Var(c, name, about+": `one` of "+strings.Join(c.words(), ", "))
	return c
}

// words returns all that the flag may be.
func (c *choice[M]) words() []string {
	var words []string
	for _, m := range c.all {
		words = append(words, word(m))
	}
	return words
}

// word is the name of a method as one word.
func word(m fmt.Stringer) string {
	return strings.NewReplacer(", ", "-", " ", "-").Replace(strings.ToLower(m.String()))
}

func (c *choice[M]) String() string {
	if c == nil || len(c.all) == 0 {
		return "" // as package flag asks for the zero value
	}
	return word(c.is)
}

func (c *choice[M]) Set(s string) error {
	for _, m := range c.all {
		if word(m) == s {
			c.is = m
			return nil
		}
	}
	return fmt.Errorf("there is no %q", s)
}

// A name is a choice of words.
type name string

func (n name) String() string { return string(n) }
