module github.com/gocuda/gocuda

go 1.26

require gonum.org/v1/gonum v0.16.0
