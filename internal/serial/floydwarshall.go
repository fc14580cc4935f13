package serial

import "math"

// FloydWarshall sets dist to the lengths of shortest paths between all pairs of n nodes, and via,
// unless it is nil, to nodes on them: the reference of [dynprog.FloydWarshall].
func FloydWarshall(n int, dist []float32, via []int32) {
	for at := range via {
		via[at] = int32(at % n)
		if dist[at] > math.MaxFloat32 {
			via[at] = -1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if d := dist[i*n+k] + dist[k*n+j]; d < dist[i*n+j] {
					dist[i*n+j] = d
					if via != nil {
						via[i*n+j] = int32(k)
					}
				}
			}
		}
	}
}
