package compiler

import (
	"fmt"
	"go/constant"
	"strings"
)

// Textual form of the intermediate representation, for `gocuda gen -dump`.

// String prints the statements of a kernel, as they are before fission.
func (k *Kernel) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "kernel %s\n", k.Name)
	printStmts(&out, k.Body, "\t")
	return out.String()
}

// printNodes prints the nodes of a kernel, as they are after fission.
func (k *Kernel) printNodes() string {
	var out strings.Builder
	fmt.Fprintf(&out, "kernel %s\n", k.Name)
	var visit func(list []node, indent string)
	visit = func(list []node, indent string) {
		for _, n := range list {
			head := func(format string, args ...any) { fmt.Fprintf(&out, indent+format+"\n", args...) }
			more := indent + "\t"
			switch n := n.(type) {
			case *region:
				if n.bound != nil {
					head("for each thread with %s", exprText(n.bound.Cond))
				} else {
					head("for each thread")
				}
				printStmts(&out, n.stmts, more)
			case *once:
				head("once")
				printStmts(&out, n.stmts, more)
			case *branch:
				head("if %s", exprText(n.s.Cond))
				visit(n.then, more)
				if len(n.els) > 0 {
					head("else")
					visit(n.els, more)
				}
			case *loop:
				head("for %s", exprText(n.s.Cond))
				visit(n.pre, more)
				visit(n.body, more)
				visit(n.post, more)
			case *scope:
				head("block")
				visit(n.body, more)
			case *leave:
				printStmt(&out, n.s, indent)
			case *meet:
				printStmt(&out, n.s, indent)
			case *syncThreads:
				printStmt(&out, n.s, indent)
			case *alloc:
				printStmt(&out, n.s, indent)
			}
		}
	}
	visit(k.nodes, "\t")
	return out.String()
}

// exprText prints an expression.
func exprText(e Expr) string {
	list := func(all []Expr) string {
		var texts []string
		for _, x := range all {
			texts = append(texts, exprText(x))
		}
		return strings.Join(texts, ", ")
	}
	switch e := e.(type) {
	case nil:
		return "-"
	case *Const:
		if e.Val.Kind() == constant.String {
			return e.Val.ExactString()
		}
		return e.Val.String()
	case *VarRef:
		return e.V.Name
	case *Global:
		if e.Table != nil {
			return "const " + e.Obj.Name()
		}
		return "global"
	case *Index3:
		return index3Names[e.Of] + "." + "XYZ"[e.Axis:e.Axis+1]
	case *Rank:
		return "Rank"
	case *Unary:
		return e.Op.String() + exprText(e.X)
	case *Binary:
		return "(" + exprText(e.X) + " " + e.Op.String() + " " + exprText(e.Y) + ")"
	case *Convert:
		return e.T.String() + "(" + exprText(e.X) + ")"
	case *Index:
		return exprText(e.X) + "[" + exprText(e.I) + "]"
	case *Slice:
		return exprText(e.X) + "[" + exprText(e.Lo) + ":" + exprText(e.Hi) + "]"
	case *Field:
		return exprText(e.X) + "." + e.Name
	case *Deref:
		return "*" + exprText(e.X)
	case *Addr:
		return "&" + exprText(e.X)
	case *Composite:
		return e.T.String() + "{" + list(e.Vals) + "}"
	case *Call:
		if e.Name == "" {
			return exprText(e.Fn) + "(" + list(e.Args) + ")"
		}
		return e.Name + "(" + list(e.Args) + ")"
	case *TypeExpr:
		return e.T.String()
	case *Method:
		return "Thread." + e.Name
	}
	return fmt.Sprintf("%T", e)
}

func printStmts(out *strings.Builder, list []Stmt, indent string) {
	for _, s := range list {
		printStmt(out, s, indent)
	}
}

func printStmt(out *strings.Builder, s Stmt, indent string) {
	line := func(format string, args ...any) { fmt.Fprintf(out, indent+format+"\n", args...) }
	within := func(head string, list []Stmt) {
		if len(list) > 0 || head != "" {
			line("%s", head)
			printStmts(out, list, indent+"\t")
		}
	}
	switch s := s.(type) {
	case *Assign:
		var to []string
		for _, x := range s.L {
			if x == nil {
				to = append(to, "_")
			} else {
				to = append(to, exprText(x))
			}
		}
		op := "="
		if s.Def {
			op = ":="
		}
		line("%s %s %s", strings.Join(to, ", "), op, exprText(s.R))
	case *If:
		within("if "+exprText(s.Cond), s.Then)
		if len(s.Else) > 0 {
			within("else", s.Else)
		}
	case *For:
		head := "for"
		if len(s.Pre) > 0 {
			within("before each round", s.Pre)
		}
		if s.Cond != nil {
			head += " " + exprText(s.Cond)
		}
		within(head, s.Body)
		if len(s.Post) > 0 {
			within("after each round", s.Post)
		}
	case *Block:
		within("block", s.Body)
	case *Exit:
		switch _, isLoop := s.To.(*For); {
		case s.To == nil:
			line("return")
		case s.Continue:
			line("continue")
		case isLoop:
			line("break")
		default:
			line("leave block")
		}
	case *Barrier:
		line("barrier%s %s", s.Kind, exprText(s.Pred))
	case *Warp:
		var args []string
		for _, x := range s.Args {
			args = append(args, exprText(x))
		}
		line("%s(%s)", s.Op, strings.Join(args, ", "))
	case *Alloc:
		line("%s := shared %v of %s", s.Dst.Name, s.Elem, exprText(s.N))
	case *Do:
		line("%s", exprText(s.X))
	case *Panic:
		line("panic %s", exprText(s.X))
	default:
		line("%T", s)
	}
}
