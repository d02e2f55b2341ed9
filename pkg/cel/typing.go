package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// variable is one of a loop.
type variable struct {
	name  string
	shape *shape
}

// typing counts the work of the checker for an expression, in units of MaxTyping.
func (e *Env) typing(a *ast.AST) (spent int, err error) {
	t := &typing{Env: e, left: MaxTyping}
	t.of(a.Expr())
	for _, s := range t.shapes {
		if t.written(s); t.left < 0 {
			return 0, ErrTypes
		}
	}
	return MaxTyping - t.left, nil
}

// of is the shape of an expression.
func (t *typing) of(e ast.Expr) *shape {
	if t.left < 0 {
		return dynamic
	}
	s := t.find(e)
	t.shapes = append(t.shapes, s)
	return s
}

func (t *typing) find(e ast.Expr) *shape {
	switch e.Kind() {
	case ast.LiteralKind:
		if t, is := e.AsLiteral().Type().(*types.Type); is {
			return shapeOf(t, nil)
		}
	case ast.IdentKind:
		return t.variable(e.AsIdent())
	case ast.SelectKind:
		return t.selected(e.AsSelect())
	case ast.CallKind:
		return t.called(e.AsCall())
	case ast.ListKind:
		return t.listed(e.AsList())
	case ast.MapKind:
		return t.mapped(e.AsMap())
	case ast.StructKind:
		for _, f := range e.AsStruct().Fields() {
			t.of(f.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		return t.looped(e.AsComprehension())
	}
	return dynamic
}

func (t *typing) variable(name string) *shape {
	for i := len(t.scope) - 1; i >= 0; i-- {
		if t.scope[i].name == name {
			return t.scope[i].shape
		}
	}
	if s := t.variables[name]; s != nil {
		return s
	}
	return dynamic
}

// selected is a field. The checker reads the expression before it to find a longer name.
func (t *typing) selected(s ast.SelectExpr) *shape {
	for e := s.Operand(); e.Kind() == ast.SelectKind; e = e.AsSelect().Operand() {
		t.pay(1)
	}
	operand := t.written(t.of(s.Operand()))
	value := t.field(unwrapped(operand))
	switch {
	case s.IsTestOnly():
		return boolean
	case operand.name == optionalName:
		return compound(optionalName, value)
	}
	return value
}

func (t *typing) field(of *shape) *shape {
	if of.name == mapName {
		return t.written(of.parts[1])
	}
	if of.free {
		t.assignable(dynamic, of)
	}
	return dynamic
}

func (t *typing) called(c ast.CallExpr) *shape {
	args := make([]*shape, 0, len(c.Args())+1)
	if c.FunctionName() == operators.OptSelect && len(c.Args()) == 2 {
		return compound(optionalName, unwrapped(t.field(unwrapped(t.written(t.of(c.Args()[0]))))))
	}
	for _, arg := range c.Args() {
		args = append(args, t.of(arg))
	}
	if !c.IsMemberFunction() {
		return t.resolved(c.FunctionName(), false, args)
	}
	if prefix, is := containers.ToQualifiedName(c.Target()); is {
		if name := prefix + "." + c.FunctionName(); t.functions[name] != nil {
			return t.resolved(name, false, args)
		}
	}
	return t.resolved(c.FunctionName(), true, append([]*shape{t.of(c.Target())}, args...))
}

// resolved is the type of a call: that of the matching overloads. The checker tries all of them.
func (t *typing) resolved(name string, member bool, args []*shape) (result *shape) {
	f := t.functions[name]
	if f == nil {
		return dynamic
	}
	if name == operators.LogicalAnd || name == operators.LogicalOr {
		for _, arg := range args {
			t.assignable(arg, boolean)
		}
		return boolean
	}
	for _, o := range f.OverloadDecls() {
		if o.IsMemberFunction() != member {
			continue
		}
		switch made := t.overload(o, args); {
		case made == nil:
		case result == nil:
			result = made
		case result != dynamic && !t.same(result, made):
			result = dynamic
		}
	}
	if result == nil {
		return dynamic
	}
	return result
}

// overload is the result type of an overload for arguments, nil if they do not match.
func (t *typing) overload(o *decls.OverloadDecl, args []*shape) *shape {
	var parameters map[string]*shape
	if names := o.TypeParams(); len(names) > 0 {
		parameters = make(map[string]*shape, len(names))
		for _, name := range names {
			parameters[name] = unknown()
		}
	}
	fit := t.attempt(func() bool {
		t.pay(len(args))
		if len(args) != len(o.ArgTypes()) {
			return false
		}
		for i, want := range o.ArgTypes() {
			if !t.fits(args[i], shapeOf(want, parameters)) {
				return false
			}
		}
		return true
	})
	if !fit {
		return nil
	}
	return t.written(shapeOf(o.ResultType(), parameters))
}
