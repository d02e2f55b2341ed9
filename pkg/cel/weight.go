package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
)

// weights are the costs of calls that take longer than looking up a variable; makeList and makeMap those
// of lists and maps, and makeEntry that of an entry of a map. A variable is looked up in every loop around
// it: perLoop loops cost one unit.
var weights = map[string]int{
	overloads.TypeConvertString: 10, overloads.TypeConvertBytes: 10, overloads.TypeConvertDouble: 10, overloads.TypeConvertInt: 10,
	overloads.TypeConvertUint: 10, overloads.TypeConvertTimestamp: 15, overloads.TypeConvertDuration: 12,
	overloads.Contains: 5, overloads.EndsWith: 3, overloads.StartsWith: 3,
}

const makeList, makeMap, makeEntry, perLoop = 5, 8, 5, 4

// loop is the static information on a loop.
type loop struct {
	body  int  // the cost of one round
	pairs bool // it has a variable for keys and one for values
}

// weigher computes the cost of evaluating every part of an expression once, within so many loops.
type weigher struct {
	within int
	loops  map[int64]loop // those found, by the id of the expression
}

func (w *weigher) of(e ast.Expr) int {
	switch e.Kind() {
	case ast.IdentKind:
		return 1 + w.within/perLoop
	case ast.LiteralKind:
		return 1 + length(e.AsLiteral())/perUnit
	case ast.SelectKind:
		return 1 + w.of(e.AsSelect().Operand())
	case ast.CallKind:
		return w.call(e.AsCall())
	case ast.ListKind:
		return w.list(e.AsList())
	case ast.MapKind:
		return w.entries(e.AsMap().Entries())
	case ast.StructKind:
		return w.entries(e.AsStruct().Fields())
	case ast.ComprehensionKind:
		return w.loop(e.ID(), e.AsComprehension())
	}
	return 1
}

func (w *weigher) all(list ...ast.Expr) (weight int) {
	for _, e := range list {
		weight += w.of(e)
	}
	return weight
}

func (w *weigher) call(c ast.CallExpr) int {
	weight := max(1, weights[c.FunctionName()]) + w.all(c.Args()...)
	if c.IsMemberFunction() {
		weight += w.of(c.Target())
	}
	return weight
}

// list is the weight of a list. One of constants is made when the expression is compiled.
func (w *weigher) list(l ast.ListExpr) int {
	weight, constant := makeList+w.within/perLoop, l.Size() > 0
	for _, e := range l.Elements() {
		weight += w.of(e)
		constant = constant && e.Kind() == ast.LiteralKind
	}
	if constant {
		return 1
	}
	return weight
}

func (w *weigher) entries(entries []ast.EntryExpr) int {
	weight := makeMap + w.within/perLoop
	for _, e := range entries {
		weight += makeEntry
		switch e.Kind() {
		case ast.MapEntryKind:
			weight += w.all(e.AsMapEntry().Key(), e.AsMapEntry().Value())
		case ast.StructFieldKind:
			weight += w.of(e.AsStructField().Value())
		}
	}
	return weight
}

func (w *weigher) loop(id int64, c ast.ComprehensionExpr) int {
	once := loopCost + w.within/perLoop + w.all(c.IterRange(), c.AccuInit())
	w.within++
	body := w.all(c.LoopCondition(), c.LoopStep())
	once += w.of(c.Result())
	w.within--
	w.loops[id] = loop{body, c.HasIterVar2()}
	return once + body
}
