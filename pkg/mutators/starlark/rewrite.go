package starlark

import (
	"fmt"

	"go.starlark.net/syntax"

	"github.com/waybill-dev/waybill/pkg/mutators/starlark/library"
)

// The names that rewritten operations call. A script cannot write them.
const (
	callBinary = "operator "  // with the operator behind it
	callUnary  = "unary "     // likewise
	callAssign = "assign "    // likewise
	callAttr   = "attribute " // x.name
	callOver   = "over "      // x in x[a:b]
	callSpread = "spread "    // x that becomes arguments: *x
	callNamed  = "named "     // likewise: **x
	callKey    = "key "       // x that may be a key: a[x]
	callInto   = "into "      // a in a[x] = y
	callPut    = "put "       // x in a[x] = y
	callMade   = "made "      // a literal list, tuple, map or function
	callDict   = "dict "      // a map from a list of pairs: {x: y for ...}
	callEnter  = "enter "     // the call of a function
)

const (
	// mostFunctions bounds the functions of a script.
	mostFunctions = 1000
	// mostParameters bounds how many names an argument is compared with.
	mostParameters = 255
	// smallFunction is the size up to which a call has no extra price.
	smallFunction = 100
)

// rewrite replaces every operation of file whose price depends on its operands by a call that pays first.
func rewrite(file *syntax.File) error {
	r := &rewriter{}
	r.statements(file.Stmts)
	return r.err
}

// rewriter keeps the first error.
type rewriter struct {
	err       error
	parts     int // expressions so far: a function needs memory for as many values, at most
	functions int
}

func (r *rewriter) fail(at syntax.Position, text string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s", at, text)
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
		r.define(s)
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
		if err := library.Check(s.ModuleName()); err != nil {
			r.fail(s.Load, err.Error())
		}
	}
}

// define rewrites a function. Its first step checks how deep the calls are, and pays for the memory of a large one.
func (r *rewriter) define(s *syntax.DefStmt) {
	r.params(s.Def, s.Params)
	before := r.parts
	r.statements(s.Body)
	enter := r.enter(s.Def, r.parts-before+len(s.Params))
	s.Body = append([]syntax.Stmt{&syntax.ExprStmt{X: enter}}, s.Body...)
}

// enter is the first step of a function of so many parts. It is true.
func (r *rewriter) enter(at syntax.Position, parts int) syntax.Expr {
	if parts <= smallFunction {
		parts = 0
	}
	return ours(callEnter, at, at, number(parts, at))
}

// assign rewrites x = y, and x += y to x += pay(x, y): a list is extended in its place.
func (r *rewriter) assign(s *syntax.AssignStmt) {
	s.RHS = r.expr(s.RHS)
	if s.Op != syntax.EQ {
		if x := r.again(s.LHS); x == nil {
			r.fail(syntax.Start(s), "give the target of "+s.Op.String()+" a name first; it would be computed twice")
		} else {
			start := syntax.Start(x)
			s.RHS = ours(callAssign+s.Op.String(), start, s.OpPos, r.expr(x), s.RHS)
		}
	}
	r.target(s.LHS)
}

// target rewrites the expressions in the target of an assignment.
func (r *rewriter) target(e syntax.Expr) {
	r.parts++
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
		x, y := r.expr(e.X), r.expr(e.Y)
		e.X, e.Y = ours(callInto, syntax.Start(x), e.Lbrack, x), ours(callPut, syntax.Start(y), e.Lbrack, y)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	}
}

// again is a copy of e if e has no side effect and may be computed twice; else nil.
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

// params rewrites the defaults of parameters, and counts the function.
func (r *rewriter) params(at syntax.Position, list []syntax.Expr) {
	if r.functions++; r.functions > mostFunctions {
		r.fail(at, fmt.Sprintf("a script has at most %d functions", mostFunctions))
	}
	if len(list) > mostParameters {
		r.fail(at, fmt.Sprintf("a function has at most %d parameters", mostParameters))
	}
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y)
		}
	}
}
