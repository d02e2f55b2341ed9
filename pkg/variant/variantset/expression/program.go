package expression

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

const (
	// MaxLength is the longest expression, in characters.
	MaxLength = celbound.MaxLength
	// MaxCost bounds what one evaluation may really cost: some milliseconds.
	MaxCost = celbound.MaxCost
	// maxResult is the longest result, in bytes.
	maxResult = 64 << 10
	// maxCompared is how many parts one comparison may compare.
	maxCompared = 10_000
)

var environment = sync.OnceValues(func() (*celbound.Env, error) {
	return celbound.New(celbound.Options{
		Language: []cel.EnvOption{
			cel.HomogeneousAggregateLiterals(),
			cel.EagerlyValidateDeclarations(true),
			cel.DefaultUTCTimeZone(true),
			cel.Variable("repoDefault", cel.StringType),
			cel.Variable("packageDefault", cel.StringType),
			cel.Variable("upstream", cel.DynType),
			cel.Variable("target", cel.DynType),
			cel.Variable("repository", cel.DynType),
		},
		Accept: affordable,
		AtOnce: maxCompared,
	})
})

// Program is a compiled expression.
type Program struct{ program *celbound.Program }

// Compile checks an expression and makes it ready to run. It refuses one that may cost too much by
// its text alone. Whether the result is a string shows later: the compiler's guess may be wrong.
func Compile(text string) (*Program, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	program, err := env.Compile(text)
	var fault *celbound.Fault
	if errors.As(err, &fault) {
		return nil, oneLine(fault.Errors)
	}
	if err != nil {
		return nil, err
	}
	return &Program{program}, nil
}

// maxFaults is how many faults of one expression are reported, and maxMessage how many bytes of each:
// some quote the rest of the expression.
const maxFaults, maxMessage = 3, 500

// oneLine is what the compiler found, without the lines that it quotes.
func oneLine(errs []*cel.Error) error {
	var lines []string
	for i, e := range errs {
		if i == maxFaults {
			lines = append(lines, fmt.Sprintf("and %d more", len(errs)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("ERROR: <input>:%d:%d: %s", e.Location.Line(), e.Location.Column()+1, firstLine(e.Message)))
	}
	return errors.New(strings.Join(lines, "; "))
}

func firstLine(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	if len(message) > maxMessage {
		return strings.ToValidUTF8(message[:maxMessage], "") + "..."
	}
	return message
}

func wrongResult(kind string) error {
	return fmt.Errorf("the result of an expression must be a string, got %s", kind)
}

// Eval returns the expression's result and what it cost; the cost is right for errors, too.
func (p *Program) Eval(vars *Vars) (result string, cost uint64, err error) {
	value, err := p.program.Eval(context.Background(), vars, MaxCost)
	cost = uint64(vars.Spent())
	if err != nil {
		return "", max(cost, 1), plain(err)
	}
	text, is := value.(types.String)
	switch {
	case !is:
		return "", cost, wrongResult(value.Type().TypeName())
	case len(text) > maxResult:
		return "", cost, celbound.ErrTooLong
	}
	return string(text), cost, nil
}

// plain replaces the error about cost, which package cel words for all its users.
func plain(err error) error {
	if errors.Is(err, celbound.ErrCost) {
		return fmt.Errorf("the expression costs more than %d", MaxCost)
	}
	return errors.New(firstLine(err.Error()))
}
