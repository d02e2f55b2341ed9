package starlark

import "go.starlark.net/syntax"

// expr returns e with all operations in it rewritten; nil is nil.
func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		r.arguments(e.Args)
	case *syntax.DotExpr:
		name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.NamePos, Raw: "name", Value: e.Name.Name}
		return call(callAttr, e.NamePos, r.expr(e.X), name)
	case *syntax.SliceExpr:
		e.X = call(callOver, e.Lbrack, r.expr(e.X))
		e.Lo, e.Hi, e.Step = r.expr(e.Lo), r.expr(e.Hi), r.expr(e.Step)
	case *syntax.Comprehension:
		r.comprehension(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DictExpr:
		r.each(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = r.key(e.Key), r.expr(e.Value)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.key(e.Y)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		e.Body = r.expr(e.Body)
	case *syntax.ListExpr:
		r.each(e.List)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.TupleExpr:
		r.each(e.List)
	case *syntax.UnaryExpr:
		e.X = r.expr(e.X)
	}
	return e
}

// key is expr for what is looked up: a map goes over all of it, and what it holds.
func (r *rewriter) key(e syntax.Expr) syntax.Expr {
	if _, short := e.(*syntax.Literal); short {
		return e
	}
	at, _ := e.Span()
	return call(callKey, at, r.expr(e))
}

func (r *rewriter) each(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

// binary makes x op y a call, unless y may not be computed at all.
func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	if e.Op == syntax.AND || e.Op == syntax.OR {
		return e
	}
	return call(callBinary+e.Op.String(), e.OpPos, e.X, e.Y)
}

// arguments rewrites those of a call: y, name=y, *y and **y.
func (r *rewriter) arguments(list []syntax.Expr) {
	for i, a := range list {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				a.Y = r.expr(a.Y)
				continue
			}
			list[i] = r.expr(a)
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				a.X = call(callOver, a.OpPos, r.expr(a.X))
				continue
			}
			list[i] = r.expr(a)
		default:
			list[i] = r.expr(a)
		}
	}
}

func (r *rewriter) comprehension(e *syntax.Comprehension) {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	e.Body = r.expr(e.Body)
}
