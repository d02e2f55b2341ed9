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

// Options are what one user of this room has of its own. The zero Options are CEL's standard library
// and macros, and no variables.
type Options struct {
	// Language declares variables and their types, switches, and libraries beyond the standard one.
	// A function of a library is charged for looking at all of its arguments once; one that does more
	// work than that, or makes more than it is given, must not be declared. The macros optMap and
	// optFlatMap are left out.
	Language []cel.EnvOption
	// Accept may refuse an expression that is well formed and typed.
	Accept func(*cel.Env, *cel.Ast) error
	// AtOnce is how many parts one comparison may look at; more is an error that says so, as it is of a
	// single match that is too much. 0: whatever can be paid for.
	AtOnce int
	// MaxCost is what one evaluation may cost at most. 0: the constant MaxCost. Whoever allows more says in turn how
	// much all evaluations together may cost.
	MaxCost int
	// Exact keeps whole numbers between int64 and uint64 as they are, as uints, and makes larger ones an error. Else
	// all that are too large for int64 are doubles.
	Exact bool
}

// Env is a language: what expressions can name.
type Env struct {
	options   Options
	cel       *cel.Env
	functions map[string]*decls.FunctionDecl
	variables map[string]*shape
}

// New makes an Env. It takes longer than a hundred expressions.
func New(o Options) (*Env, error) {
	// The library has one value for all of these errors and writes to it when it is first used.
	// From now on it only reads, so that Programs may run at the same time.
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

// linear are the macros that write down what they are called on once. A chain of thirty of the others
// would be an expression of a billion parts.
func linear(all []cel.Macro) []cel.Macro {
	return slices.DeleteFunc(all, func(m cel.Macro) bool { return m.Function() == "optMap" || m.Function() == "optFlatMap" })
}

// Compile parses and checks an expression and makes it ready to run. What type its results have is
// not looked at.
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
	base    int // what it costs without any loop
	most    int // what one evaluation may cost
}

// Eval returns what the expression makes of the variables. It may cost at most limit, or what
// the Options say if that is less; what it did cost, vars tell, after an error, too. An evaluation is bounded, so
// that ctx is looked at before it and not within. The value holds until the variables change.
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
	if m.exhausted { // even where another part of the expression made up for it
		return nil, ErrCost
	}
	return value, err
}
