package starlark

import (
	"strconv"

	"go.starlark.net/syntax"
)

// ours is a call of one of our functions in the place of an expression that begins at start; at is the position in errors.
func ours(name string, start, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: start, Name: name}, Lparen: at, Args: args, Rparen: at}
}

func number(n int, at syntax.Position) syntax.Expr {
	return &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: strconv.Itoa(n), Value: int64(n)}
}

// expr returns e with all operations in it rewritten; nil is nil. The start of an operand is taken from its rewritten form,
// which has it at hand: in the original, the library would walk through all of a long sum each time.
func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	r.parts++
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		r.arguments(e.Args)
	case *syntax.Comprehension:
		return r.comprehension(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DictExpr:
		r.each(e.List)
		return ours(callMade, e.Lbrace, e.Lbrace, e)
	case *syntax.DictEntry:
		e.Key, e.Value = r.key(e.Key), r.expr(e.Value)
	case *syntax.DotExpr:
		name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.Name.NamePos, Raw: "name", Value: e.Name.Name}
		x := r.expr(e.X)
		return ours(callAttr, syntax.Start(x), e.Dot, x, name)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.key(e.Y)
	case *syntax.LambdaExpr:
		return r.lambda(e)
	case *syntax.ListExpr:
		r.each(e.List)
		return ours(callMade, e.Lbrack, e.Lbrack, e)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.SliceExpr:
		x := r.expr(e.X)
		e.X = ours(callOver, syntax.Start(x), e.Lbrack, x)
		e.Lo, e.Hi, e.Step = r.expr(e.Lo), r.expr(e.Hi), r.expr(e.Step)
	case *syntax.TupleExpr:
		r.each(e.List)
		start := syntax.Start(e)
		return ours(callMade, start, start, e)
	case *syntax.UnaryExpr:
		if e.X = r.expr(e.X); e.Op != syntax.NOT {
			return ours(callUnary+e.Op.String(), e.OpPos, e.OpPos, e.X)
		}
	}
	return e
}

// key is expr for a key: a map reads all of it to hash it.
func (r *rewriter) key(e syntax.Expr) syntax.Expr {
	const short = 100
	if l, ok := e.(*syntax.Literal); ok && len(l.Raw) < short {
		return e
	}
	key := r.expr(e)
	at := syntax.Start(key)
	return ours(callKey, at, at, key)
}

func (r *rewriter) each(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

// binary replaces x op y by a call, except for and and or, which may skip y.
func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	if e.Op == syntax.AND || e.Op == syntax.OR {
		return e
	}
	return ours(callBinary+e.Op.String(), syntax.Start(e.X), e.OpPos, e.X, e.Y)
}

// arguments rewrites the arguments of a call: y, name=y, *y and **y.
func (r *rewriter) arguments(list []syntax.Expr) {
	for i, a := range list {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				a.Y = r.expr(a.Y)
				continue
			}
		case *syntax.UnaryExpr:
			spread := map[syntax.Token]string{syntax.STAR: callSpread, syntax.STARSTAR: callNamed}[a.Op]
			if spread != "" {
				a.X = ours(spread, a.OpPos, a.OpPos, r.expr(a.X))
				continue
			}
		}
		list[i] = r.expr(a)
	}
}

// lambda rewrites a lambda expression.
func (r *rewriter) lambda(e *syntax.LambdaExpr) syntax.Expr {
	r.params(e.Lambda, e.Params)
	before := r.parts
	e.Body = r.expr(e.Body)
	start := syntax.Start(e.Body)
	enter := r.enter(start, r.parts-before+len(e.Params))
	e.Body = &syntax.CondExpr{If: start, Cond: enter, True: e.Body, ElsePos: start, False: number(0, start)}
	return ours(callMade, e.Lambda, e.Lambda, e)
}

// comprehension rewrites one. A map becomes a list of keys and values, so that the keys can be checked before the map is
// made.
func (r *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	pair, ok := e.Body.(*syntax.DictEntry)
	if !ok {
		e.Body = r.expr(e.Body)
		return e
	}
	key, value := r.key(pair.Key), r.expr(pair.Value)
	list := &syntax.Comprehension{Lbrack: e.Lbrack, Body: &syntax.TupleExpr{List: []syntax.Expr{key, value}},
		Clauses: e.Clauses, Rbrack: e.Rbrack}
	return ours(callDict, e.Lbrack, pair.Colon, list)
}
