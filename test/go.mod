module github.com/gocuda/gocuda/test

go 1.26

require (
	github.com/gocuda/gocuda v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/tools v0.48.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/gocuda/gocuda => ../
