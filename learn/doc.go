// Package learn is the course of gocuda learn: the exercises, which are embedded, and their runner.
//
// A Course is a folder of the learner's with one Go package for each exercise. Course.Check builds the package of
// an exercise and judges it: its tests (see package judge), then the same under the race detector.
// Verify judges the exercises themselves, by their stubs, solutions and planted mistakes.
package learn
