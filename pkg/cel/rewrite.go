package cel

import "github.com/google/cel-go/common/ast"

// rewriter wraps parts of an expression in calls of our own functions, which the decorator of guard.go
// finds.
type rewriter struct {
	ast.ExprFactory
	id    int64          // the last one in use
	found map[int64]loop // by the id of the expression
	loops map[int64]loop // by the id of the call of rangeName
}

// rewrite wraps the range of each loop in rangeName and the arguments of functions whose cost is not known
// in paidName. Loops are given by the id of their expression, and returned by
// that of the call.
func rewrite(a *ast.AST, found map[int64]loop) map[int64]loop {
	r := &rewriter{ast.NewExprFactory(), ast.MaxID(a), found, map[int64]loop{}}
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(r.visit))
	return r.loops
}

func (r *rewriter) visit(e ast.Expr) {
	switch e.Kind() {
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		over := r.call(rangeName, c.IterRange())
		r.loops[r.id] = r.found[e.ID()]
		e.SetKindCase(r.NewComprehensionTwoVar(e.ID(), over, c.IterVar(), c.IterVar2(), c.AccuVar(), c.AccuInit(), c.LoopCondition(),
			c.LoopStep(), c.Result()))
	case ast.CallKind:
		if c := e.AsCall(); !known[c.FunctionName()] && c.FunctionName() != rangeName {
			e.SetKindCase(r.paying(e.ID(), c))
		}
	}
}

func (r *rewriter) paying(id int64, c ast.CallExpr) ast.Expr {
	args := make([]ast.Expr, len(c.Args()))
	for i, arg := range c.Args() {
		args[i] = r.call(paidName, arg)
	}
	if c.IsMemberFunction() {
		return r.NewMemberCall(id, c.FunctionName(), r.call(paidName, c.Target()), args...)
	}
	return r.NewCall(id, c.FunctionName(), args...)
}

func (r *rewriter) call(name string, arg ast.Expr) ast.Expr {
	r.id++
	return r.NewCall(r.id, name, arg)
}
