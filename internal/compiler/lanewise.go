package compiler

// What has no vector form: one lane after the other.
