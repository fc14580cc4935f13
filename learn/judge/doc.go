// Package judge is what the tests of the exercises of gocuda learn are written with: sizes, inputs,
// devices, and a comparison that says which element is wrong and which thread wrote it.
//
// Run runs one exercise's Check under four names, which are subtests:
//
//   - example: one small size, with one block after another in their natural order;
//   - hidden: in the same way, the awkward sizes, smallest first, up to the first that fails;
//   - order: the blocks side by side, and then one after another in shuffled orders;
//   - checked: on a device of checked mode, which starts shared memory with a poison and compares the places of barriers.
//
// Inputs are random and distinct, so that a kernel that reads a wrong element does not pass by luck.
package judge
