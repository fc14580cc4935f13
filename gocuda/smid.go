package gocuda

// SMID returns the number of the multiprocessor that runs the thread's block, PTX's %smid: the
// number of the worker among those of the launch, from 0 to NSMID-1, whatever limits the device
// has. As on a GPU it is only good to look at: how blocks are spread changes from launch to launch,
// and in a launch of a graph or of another kernel.
func (t *Thread) SMID() int { return t.b.smid }

// NSMID returns how many multiprocessors may run blocks of the launch, PTX's %nsmid: the device's
// workers, or fewer if grid.Config.Workers says so.
func (t *Thread) NSMID() int { return t.b.launch.maxWorkers }

// SMID returns the number of the multiprocessor that runs the warp's block; see [Thread.SMID].
func (w *Warp) SMID() int { return w.b.smid }

// NSMID returns how many multiprocessors may run blocks of the launch; see [Thread.NSMID].
func (w *Warp) NSMID() int { return w.b.launch.maxWorkers }

// SMID returns the number of the multiprocessor that runs the block; see [Thread.SMID].
func (b *Block) SMID() int { return b.smid }

// NSMID returns how many multiprocessors may run blocks of the launch; see [Thread.NSMID].
func (b *Block) NSMID() int { return b.launch.maxWorkers }
