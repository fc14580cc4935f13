package tasks

// The applications of Ryoo et al., each in a file of its own.

func appTasks() []Task {
	return []Task{tpacfTask, rc5Task, pnsTask}
}
