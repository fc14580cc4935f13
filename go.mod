module github.com/gocuda/gocuda

go 1.26

require (
	github.com/stretchr/testify v1.12.1
	golang.org/x/tools v0.48.0
	gonum.org/v1/gonum v0.16.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
)
