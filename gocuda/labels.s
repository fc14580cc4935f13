// Empty: where there is assembly, the compiler accepts the funcs without body of labels.go.
