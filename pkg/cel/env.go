package cel

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Options are those of one language. The zero Options are CEL's standard library and macros, without
// variables.
type Options struct {
	// Language declares variables and their types, switches, and libraries beyond the standard one.
	// A function of a library is charged for reading all of its arguments once; one that does more work, or
	// returns more than its arguments, must not be declared. The macros optMap and
	// optFlatMap are left out.
	Language []cel.EnvOption
	// Accept may refuse an expression that is well formed and typed.
	Accept func(*cel.Env, *cel.Ast) error
	// AtOnce is how many parts one comparison may read; more is an error of its own, and so is a single match
	// that costs too much. 0: limited by the cost only.
	AtOnce int
	// MaxCost is the limit of the cost of one evaluation. 0: the constant MaxCost. A caller that sets a higher one must
	// limit the cost of all evaluations together.
	MaxCost int
	// Exact keeps whole numbers between int64 and uint64 as they are, as uints, and makes larger ones an error. Else
	// those too large for int64 are doubles.
	Exact bool
}

// Env is a language: the names that expressions can use.
type Env struct {
	options   Options
	cel       *cel.Env
	functions map[string]*decls.FunctionDecl
	variables map[string]*shape
}

// New makes an Env, which takes longer than compiling a hundred expressions.
func New(o Options) (*Env, error) {
	// The library has one value for these errors and writes to it at the first use. After this it only
	// reads, so that Programs may run at the same time.
	types.LabelErrNode(1, types.NoSuchOverloadErr())
	bounds := []cel.EnvOption{cel.CustomTypeAdapter(adapter{o.Exact}), cel.ParserExpressionSizeLimit(MaxLength),
		cel.ParserRecursionLimit(maxDepth)}
	env, err := cel.NewEnv(append(bounds, o.Language...)...)
	if err != nil {
		return nil, err
	}
	if env, err = env.Extend(cel.ClearMacros(), cel.Macros(linear(env.Macros())...)); err != nil {
		return nil, err
	}
	e := &Env{options: o, cel: env, functions: env.Functions(), variables: map[string]*shape{}}
	for _, v := range env.Variables() {
		e.variables[v.Name()] = shapeOf(v.Type(), nil)
	}
	return e, nil
}

// linear are the macros that expand to one copy of their operand. A chain of thirty of the others would
// be an expression of a billion parts.
func linear(all []cel.Macro) []cel.Macro {
	return slices.DeleteFunc(all, func(m cel.Macro) bool { return m.Function() == "optMap" || m.Function() == "optFlatMap" })
}

// Compile parses and checks an expression and makes it ready to run. The type of its results is not
// checked.
func (e *Env) Compile(text string) (*Program, error) {
	parsed, issues := e.cel.Parse(text)
	if err := fault("parse", text, issues); err != nil {
		return nil, err
	}
	if _, err := e.typing(parsed.NativeRep()); err != nil {
		return nil, err
	}
	checked, issues := e.cel.Check(parsed)
	if err := fault("check", text, issues); err != nil {
		return nil, err
	}
	if e.options.Accept != nil {
		if err := e.options.Accept(e.cel, checked); err != nil {
			return nil, err
		}
	}
	w := &weigher{loops: map[int64]loop{}}
	base := w.of(checked.NativeRep().Expr())
	g := guard{env: e, loops: rewrite(checked.NativeRep(), w.loops)}
	program, err := e.cel.Program(checked, cel.CustomDecoratorV2(g.decorate))
	if err != nil {
		return nil, err
	}
	return &Program{program, base, cmp.Or(e.options.MaxCost, MaxCost)}, nil
}

// Program is a compiled expression.
type Program struct {
	program cel.Program
	base    int // its cost without loops
	most    int // the limit of the cost of one evaluation
}

// Eval returns the value of the expression for the variables. It may cost at most limit, or MaxCost of the Options if that
// is less; vars.Spent is the actual cost, after an error, too. An evaluation is short, so that ctx is checked before it
// only. The value is valid until the variables change.
func (p *Program) Eval(ctx context.Context, vars Vars, limit int) (ref.Val, error) {
	limit = min(limit, p.most)
	m := vars.itself()
	*m = Meter{limit: limit, left: limit}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !m.pay(p.base) {
		return nil, ErrCost
	}
	value, _, err := p.program.Eval(vars)
	if m.exhausted { // also when another part of the expression hides the error
		return nil, ErrCost
	}
	return value, err
}
