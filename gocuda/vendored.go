//go:build vendored

package gocuda

// Nothing is built with this file. `go mod vendor` looks at it, and so takes package rt along, which generated code imports and no other does.
import _ "github.com/gocuda/gocuda/gocuda/rt"
