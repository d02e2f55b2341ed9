package starlark

import (
	"errors"
	"fmt"

	"go.starlark.net/syntax"
)

// The names that rewritten operations call. No script can say them.
const (
	callBinary = "operator "  // with the operator behind it
	callAssign = "assign "    // likewise
	callAttr   = "attribute " // x.name
	callOver   = "over "      // x that is gone over: x[a:b], *x, **x
	callKey    = "key "       // x that may be a key: a[x], {x: y}
)

// rewrite makes every operation of file whose price depends on its operands a call that pays first.
func rewrite(file *syntax.File) error {
	r := &rewriter{}
	r.statements(file.Stmts)
	return r.err
}

// rewriter keeps the first error.
type rewriter struct{ err error }

func (r *rewriter) fail(at syntax.Node, text string) {
	if r.err == nil {
		start, _ := at.Span()
		r.err = fmt.Errorf("%s: %w", start, errors.New(text))
	}
}

func (r *rewriter) statements(list []syntax.Stmt) {
	for _, s := range list {
		r.statement(s)
	}
}

func (r *rewriter) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		r.assign(s)
	case *syntax.DefStmt:
		r.params(s.Params)
		r.statements(s.Body)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.statements(s.True)
		r.statements(s.False)
	case *syntax.ForStmt:
		r.target(s.Vars)
		s.X = r.expr(s.X)
		r.statements(s.Body)
	case *syntax.WhileStmt:
		s.Cond = r.expr(s.Cond)
		r.statements(s.Body)
	case *syntax.ReturnStmt:
		s.Result = r.expr(s.Result)
	case *syntax.LoadStmt:
		r.fail(s, "load is not supported")
	}
}

// assign rewrites x = y, and x += y to x += pay(x, y): a list is extended in its place.
func (r *rewriter) assign(s *syntax.AssignStmt) {
	s.RHS = r.expr(s.RHS)
	if s.Op != syntax.EQ {
		if x := r.again(s.LHS); x == nil {
			r.fail(s, "give what stands before "+s.Op.String()+" a name first; it would be computed twice")
		} else {
			s.RHS = call(callAssign+s.Op.String(), s.OpPos, r.expr(x), s.RHS)
		}
	}
	r.target(s.LHS)
}

// target rewrites what is computed on the way to something that is assigned to.
func (r *rewriter) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		r.target(e.X)
	case *syntax.ListExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.TupleExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.key(e.Y)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	}
}

// again is a copy of e when e has no effect, so that it may be computed twice; else nil.
func (r *rewriter) again(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}
	case *syntax.Literal:
		c := *e
		return &c
	case *syntax.ParenExpr:
		return r.again(e.X)
	case *syntax.IndexExpr:
		x, y := r.again(e.X), r.again(e.Y)
		if x != nil && y != nil {
			return &syntax.IndexExpr{X: x, Lbrack: e.Lbrack, Y: y, Rbrack: e.Rbrack}
		}
	}
	return nil
}

// params rewrites the defaults of parameters.
func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y)
		}
	}
}

func call(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}
