package tasks

// All returns all tasks, in the order in which the documentation has them.
func All() []Task {
	var all []Task
	for _, some := range [][]Task{arrayTasks(), matrixTasks(), signalTasks(), textureTasks(), transferTasks(), natureTasks(), otherTasks(), appTasks()} {
		all = append(all, some...)
	}
	return all
}
