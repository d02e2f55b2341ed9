package expression

import (
	"cmp"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// rangeName is a function that no expression can name. It stands around what a loop goes through.
const rangeName = "@range"

// meterLoops puts rangeName around what each loop of an expression goes through, and returns how
// large the bodies of the loops are, by the id of the call.
func meterLoops(a *ast.AST) map[int64]int {
	bodies := map[int64]int{}
	factory, id := ast.NewExprFactory(), ast.MaxID(a)
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.ComprehensionKind {
			return
		}
		loop := e.AsComprehension()
		id++
		bodies[id] = sizeOf(loop.LoopCondition()) + sizeOf(loop.LoopStep())
		e.SetKindCase(factory.NewComprehensionTwoVar(e.ID(), factory.NewCall(id, rangeName, loop.IterRange()),
			loop.IterVar(), loop.IterVar2(), loop.AccuVar(), loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result()))
	}))
	return bodies
}

// sizeOf is how many parts of an expression there are to evaluate, long texts counted as many.
func sizeOf(e ast.Expr) (size int) {
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		size++
		if e.Kind() == ast.LiteralKind {
			size += length(e.AsLiteral()) / perUnit
		}
	}))
	return size
}

// loopRange is what a loop goes through: paid for, and the keys of a map in their order, so that the
// first of some labels is the same every time.
type loopRange struct {
	interpreter.InterpretableCall
	over interpreter.InterpretableV2
	body int
}

// Exec implements the library's InterpretableV2.
func (l *loopRange) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	over := l.over.Exec(frame)
	sized, is := over.(traits.Sizer)
	if !is {
		return over // an error, or what the library makes one of
	}
	parts, is := sized.Size().(types.Int)
	if !is || !pay(frame, (1+int(parts))*l.body) {
		return costs()
	}
	if m, is := over.(traits.Mapper); is {
		return sortedKeys(m)
	}
	return over
}

// Eval implements the library's Interpretable.
func (l *loopRange) Eval(vars interpreter.Activation) ref.Val {
	return l.Exec(interpreter.AsFrame(vars))
}

func sortedKeys(m traits.Mapper) traits.Lister {
	var keys []ref.Val
	for all := m.Iterator(); all.HasNext() == types.True; {
		keys = append(keys, all.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return types.NewRefValList(adapter{}, keys)
}

// compareKeys puts keys of one type in order, and types beside each other.
func compareKeys(a, b ref.Val) int {
	if a, is := a.(types.String); is {
		if b, is := b.(types.String); is {
			return cmp.Compare(a, b)
		}
	}
	if byType := cmp.Compare(a.Type().TypeName(), b.Type().TypeName()); byType != 0 {
		return byType
	}
	if a, is := a.(traits.Comparer); is {
		if result, is := a.Compare(b).(types.Int); is {
			return int(result)
		}
	}
	return 0
}
