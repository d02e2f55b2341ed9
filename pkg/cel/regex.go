package cel

import (
	"fmt"
	"regexp"

	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/waybill-dev/waybill/pkg/template"
)

// pattern is a regular expression with its size.
type pattern struct {
	*regexp.Regexp
	states int
}

// matcher is the function matches for patterns that come from arg; a constant one is compiled here,
// once.
func (e *Env) matcher(arg interpreter.InterpretableV2) operation {
	constant, is := arg.(interpreter.InterpretableConst)
	if !is || constant.Value().Type() != types.StringType {
		return e.matches
	}
	p, err := compilePattern(string(constant.Value().(types.String)))
	return func(frame *interpreter.ExecutionFrame, text, _ ref.Val) ref.Val {
		if err != nil {
			return types.WrapErr(err)
		}
		return e.match(frame, p, text)
	}
}

func (e *Env) matches(frame *interpreter.ExecutionFrame, text, expr ref.Val) ref.Val {
	written, is := expr.(types.String)
	if !is {
		return noOverload(overloads.Matches)
	}
	if len(written) <= maxPattern && !pay(frame, 1+2*len(written)) {
		return costs()
	}
	p, err := compilePattern(string(written))
	if err != nil {
		return types.WrapErr(err)
	}
	if !pay(frame, 10*p.states) {
		return costs()
	}
	return e.match(frame, p, text)
}

// match pays for the product of bytes and states.
func (e *Env) match(frame *interpreter.ExecutionFrame, p *pattern, text ref.Val) ref.Val {
	s, is := text.(types.String)
	if !is {
		return noOverload(overloads.Matches)
	}
	cost := p.states * len(s) / perMatch
	if e.options.AtOnce > 0 && cost > MaxCost {
		return types.NewErr("matching %d bytes of text with this regular expression costs more than %d", len(s), MaxCost)
	}
	if cost > 0 && !pay(frame, cost) {
		return costs()
	}
	return types.Bool(p.MatchString(string(s)))
}

func compilePattern(expr string) (*pattern, error) {
	if len(expr) > maxPattern {
		return nil, fmt.Errorf("a regular expression has %d bytes, at most %d are allowed", len(expr), maxPattern)
	}
	re, states, err := template.CompileRegexp(expr, maxStates)
	switch {
	case err != nil:
		return nil, err
	case re == nil:
		return nil, fmt.Errorf("a regular expression has more than %d states when its repetitions are written out", maxStates)
	}
	return &pattern{re, states}, nil
}
