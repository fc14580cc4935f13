// Package learn is the course of gocuda learn: the exercises, which are embedded, and their runner.
//
// A Course is a folder of the learner's with one Go package for each exercise. Course.Check builds
// the package of an exercise and judges it: by its tests (see package judge), by the same under the
// sanitizer, and by exact counts of its accesses. A Watcher does so whenever the learner saves. A
// Class judges a folder of submissions, with limits. Verify judges the exercises themselves, by
// their stubs, solutions and planted mistakes.
package learn
