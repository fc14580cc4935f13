module github.com/gocuda/gocuda

go 1.26

require gonum.org/v1/gonum v0.16.0

require (
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/tools v0.48.0
)
