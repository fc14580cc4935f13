// Package tpacf has the two-point angular correlation function of galaxies, or of any points on the
// sky: how many more pairs there are at an angle than chance would have.
//
// The pairs of a catalogue are counted by their angle, in bins with edges at 10^(k/5) minutes of
// arc for k from 0 to 20. DD are the pairs of the data, RR those of a catalogue of points by
// chance, DR those of one of each. With counts that are divided by the number of all pairs of their
// kind, the correlation at an angle is
//
//	w = (DD - 2 DR + RR) / RR
//
// (Landy and Szalay, Bias and variance of angular correlation functions, 1993). It is 0 where pairs
// are as frequent as chance has them, and 1 where they are twice as frequent. [Correlate] does all
// of it, [AutoPairs] and [CrossPairs] count the pairs, and [LandySzalay] is the formula.
//
// Points are unit vectors. The scalar product of two is the cosine of their angle, and cosines of
// edges are compared with it, so there is no inverse cosine in the loop. One thread has one point
// and goes over all others. There are two ways to count, by [Method]: a binary search over the
// edges for each pair, as the port of Ryoo et al. has it (Optimization Principles and Application
// Performance Evaluation of a Multithreaded GPU Using CUDA, PPoPP 2008), and a comparison with
// every edge, which has no branches and no addresses that depend on the data.
//
// Both work in float32, as the port does, and in float64. A scalar product of float32 is known to 3
// units of 2^-24, and the cosine of a minute of arc is 0.7 such units below 1: angles of less than
// 10 minutes need float64.
//
// [ReadCSV] reads catalogues of right ascensions and declinations in degrees:
//
//	# a part of the sky
//	ra,dec
//	187.70593,12.39112
//	186.26560,12.88698
package tpacf

//go:generate go run ../../../cmd/gocuda-gen .
