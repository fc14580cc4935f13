package compiler

import (
	"fmt"
	"go/token"
	"go/types"
)

// Names of variables in generated code.

// reservedNames returns the names that variables of a kernel may not have.
func reservedNames(root *pkg) map[string]bool {
	m := map[string]bool{"_": true, "gocuda": true, "vec": true, "grid": true, "math": true, "init": true, "main": true}
	for _, n := range types.Universe.Names() {
		m[n] = true
	}
	for _, n := range root.types.Scope().Names() {
		m[n] = true
	}
	for _, q := range root.types.Imports() {
		m[q.Name()] = true
	}
	for _, n := range printerNames {
		m[n] = true
	}
	return m
}

// uniqueName returns a name like the given one that has not been used.
func uniqueName(used map[string]bool, name string) string {
	if name == "" || name == "_" {
		name = "v"
	}
	n := name
	for i := 2; used[n] || token.IsKeyword(n); i++ {
		n = fmt.Sprintf("%s%d", name, i)
	}
	used[n] = true
	return n
}
