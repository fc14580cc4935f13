package compiler

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
)

// The first compute capability with each feature. The sources are, up to 3.5, table 8.1 and section
// 8.1.3 of The CUDA Handbook; for later ones, the CUDA C++ Programming Guide, table "Feature
// Support per Compute Capability", and the notes of the CUDA math API and the PTX manual.

// A feature is a capability that some GPUs lack.
type feature struct {
	since gocuda.Capability
	what  string
}

// methods maps methods of threads, warps, blocks and barrier objects to features.
var methods = map[string]feature{}

// functions maps funcs of package gocuda to features.
var functions = map[string]feature{}

func init() {
	add := func(to map[string]feature, major, minor int, what, names string) {
		for name := range strings.FieldsSeq(names) {
			to[name] = feature{gocuda.Capability{Major: major, Minor: minor}, what}
		}
	}
	add(methods, 1, 2, "warp votes", "AnySync AllSync")
	add(methods, 2, 0, "ballots", "BallotSync ActiveMask ActiveMaskFrom")
	add(methods, 2, 0, "barriers with votes", "SyncThreadsCount SyncThreadsAnd SyncThreadsOr")
	add(methods, 2, 0, "named barriers", "BarSync BarArrive BarRedCount BarRedAnd BarRedOr")
	add(methods, 2, 0, "formatted output", "Printf")
	add(methods, 2, 0, "assertions", "Assert")
	add(methods, 2, 0, "fences of the system", "ThreadfenceSystem")
	add(methods, 2, 0, "masks of lanes", "LanemaskEQ LanemaskLT LanemaskLE LanemaskGT LanemaskGE")
	add(methods, 3, 0, "the global timer", "GlobalTimer")
	add(methods, 3, 5, "launches from kernels", "Launch LaunchFunc LaunchOn NewStream")
	add(methods, 6, 0, "barriers of the grid", "SyncGrid ArriveGrid WaitGrid")
	add(methods, 7, 0, "Nanosleep", "Nanosleep")
	add(methods, 7, 0, "split barriers", "Arrive Wait")

	add(functions, 2, 0, "memory allocated by kernels", "Malloc Free")
	add(functions, 2, 0, "questions about address spaces", "IsGlobal IsShared IsConstant IsLocal")
	add(functions, 3, 0, "shuffles", "ShflSync ShflUpSync ShflDownSync ShflXorSync WarpShfl WarpShflUp WarpShflDown WarpShflXor")
	add(functions, 7, 0, "matches", "MatchAnySync MatchAllSync WarpMatchAny WarpMatchAll")
	add(functions, 8, 0, "reductions of a warp", "ReduceAddSync ReduceMinSync ReduceMaxSync ReduceAndSync ReduceOrSync ReduceXorSync "+
		"WarpReduceAdd WarpReduceMin WarpReduceMax WarpReduceAnd WarpReduceOr WarpReduceXor")
}

// A family is the funcs of a package whose names match a pattern.
type family struct {
	names *regexp.Regexp
	feature
}

func families(list ...any) (all []family) {
	for i := 0; i < len(list); i += 4 {
		all = append(all, family{
			regexp.MustCompile("^(" + list[i].(string) + ")$"),
			feature{gocuda.Capability{Major: list[i+1].(int), Minor: list[i+2].(int)}, list[i+3].(string)},
		})
	}
	return all
}

// deviceFuncs are the funcs of package device; the first family that matches a name counts. Funcs
// of doubles are found by their types.
var deviceFuncs = families(
	`F(add|sub|mul)R[UD]`, 2, 0, "directed rounding",
	`F(div|rcp|sqrt|rsqrt)R[NZUD]`, 2, 0, "division and roots with a rounding mode",
	`FmafR[NZUD]`, 2, 0, "fused multiply-add",
	`PtxBf(e|i|ind)`, 2, 0, "bit fields",
	`PtxPrmt.*`, 2, 0, "PTX's prmt",
	`PtxV(add|sub|absdiff|avrg|min|max|set|shl|shr|mad)`, 2, 0, "scalar video instructions",
	`PtxV(add|sub|absdiff|avrg|min|max|set)[24]`, 3, 0, "vector video instructions",
	`Funnelshift.*`, 3, 5, "funnel shifts",
	`PtxLop3`, 5, 0, "PTX's lop3",
	// conversions, which need no arithmetic of halves
	`Halves2.*|Half.*|Highs?2.*|Hiloint2Double|Hypotf?`, 1, 0, "",
	`H2?[a-z].*`, 5, 3, "arithmetic of halves",
	`Dp[24]a.*`, 6, 1, "dot products of bytes",
	`PtxBmsk.*|PtxSzext.*`, 7, 0, "PTX's bmsk and szext",
	`TanhApproxf`, 7, 5, "the approximate tanh",
	`.*Bfloat16.*`, 8, 0, "bfloat16",
	`Ptx(Min|Max)NaNF32`, 8, 0, "minima and maxima that keep NaN",
	`Ptx(Min|Max)(NaN)?XorsignAbsF32`, 8, 6, "minima and maxima with xorsign",
)

// memFuncs are the funcs of package mem that kernels may call.
var memFuncs = families(
	`Surf.*`, 2, 0, "surfaces",
	`Tex\w*Layered\w*|TexCubemap\w*`, 2, 0, "layered textures and cube maps",
	`Tex2Dgather`, 2, 0, "gathers of texels",
)

// groupFuncs are the funcs and methods of package cg.
var groupFuncs = families(
	`ThisGrid`, 6, 0, "groups of the grid",
	`LabeledPartition|BinaryPartition`, 7, 0, "partitions by a value",
	`.*`, 3, 0, "cooperative groups",
)

// find returns the feature of the first family that matches a name.
func find(list []family, name string) feature {
	for _, f := range list {
		if f.names.MatchString(name) {
			return f.feature
		}
	}
	return feature{}
}

// doubles is arithmetic in double precision.
var doubles = feature{gocuda.Capability{Major: 1, Minor: 3}, "double precision"}

// atomicFeature is the feature that an atomic operation on a value of kind k needs, in shared or in
// global memory.
func atomicFeature(name string, k types.BasicKind, shared bool) feature {
	where := "global memory"
	if shared {
		where = "shared memory"
	}
	at := func(major, minor int, what string) feature {
		return feature{gocuda.Capability{Major: major, Minor: minor}, what + " in " + where}
	}
	simple := name == "Add" || name == "Sub" || name == "Exch" || name == "CAS"
	switch k {
	case types.Float64:
		if name == "Exch" { // an exchange of the bits
			return atomicFeature(name, types.Int64, shared)
		}
		return at(6, 0, "atomic addition of double")
	case types.Float32:
		if name != "Exch" {
			return at(2, 0, "atomic addition of float")
		}
	case types.Int64, types.Uint64, types.Int, types.Uint, types.Uintptr:
		switch {
		case !simple:
			return at(3, 5, "atomic "+strings.ToLower(name)+" of 64 bits")
		case shared:
			return at(2, 0, "atomic operations of 64 bits")
		}
		return at(1, 2, "atomic operations of 64 bits")
	}
	if shared {
		return at(1, 2, "atomic operations")
	}
	return at(1, 1, "atomic operations")
}
