package expression

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
)

// environment is made once: it takes longer than a hundred expressions.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	// The library has one value for all of these errors and writes to it when it is first used.
	// From now on it only reads, so that Programs may run at the same time.
	types.LabelErrNode(1, types.NoSuchOverloadErr())
	return cel.NewEnv(
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true),
		cel.ParserExpressionSizeLimit(MaxLength),
		cel.ParserRecursionLimit(maxDepth),
		cel.Variable("repoDefault", cel.StringType),
		cel.Variable("packageDefault", cel.StringType),
		cel.Variable("upstream", cel.DynType),
		cel.Variable("target", cel.DynType),
		cel.Variable("repository", cel.DynType),
	)
})

// Program is a compiled expression.
type Program struct{ program cel.Program }

// Compile checks an expression and makes it ready to run. It refuses one that may cost too much by
// its text alone. Whether the result is a string shows later: the compiler's guess may be wrong.
func Compile(text string) (*Program, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, oneLine(issues)
	}
	estimate, err := env.EstimateCost(ast, sizes{})
	if err != nil {
		return nil, err
	}
	if estimate.Max > maxEstimate {
		return nil, fmt.Errorf("the expression may cost up to %d, at most %d is allowed", estimate.Max, maxEstimate)
	}
	program, err := env.Program(ast, cel.CustomDecoratorV2(guard), cel.CostLimit(MaxCost), cel.CostTracking(prices{}))
	if err != nil {
		return nil, err
	}
	return &Program{program}, nil
}

// maxFaults is how many faults of one expression are told, and maxMessage how many bytes of each:
// some quote all that follows.
const maxFaults, maxMessage = 3, 500

// oneLine is what the compiler found, without its drawings.
func oneLine(issues *cel.Issues) error {
	var lines []string
	for i, e := range issues.Errors() {
		if i == maxFaults {
			lines = append(lines, fmt.Sprintf("and %d more", len(issues.Errors())-i))
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

// sizes guesses what the text of an expression does not tell.
type sizes struct{}

func (sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	switch node.Type().Kind() {
	case types.StringKind, types.BytesKind, types.ListKind, types.MapKind, types.DynKind:
		return &checker.SizeEstimate{Max: assumedSize}
	}
	return nil
}

func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// Eval returns the expression's result and what it cost; the cost is right for errors, too.
func (p *Program) Eval(vars *Vars) (result string, cost uint64, err error) {
	value, details, err := p.program.Eval(vars)
	if details != nil {
		if spent := details.ActualCost(); spent != nil {
			cost = *spent
		}
	}
	if err != nil {
		return "", max(cost, 1), plain(err)
	}
	text, is := value.(types.String)
	switch {
	case !is:
		return "", cost, wrongResult(value.Type().TypeName())
	case len(text) > maxText:
		return "", cost, errTooLong
	}
	return string(text), cost, nil
}

// plain puts an error in our words where the library's are about itself.
func plain(err error) error {
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return fmt.Errorf("the expression costs more than %d", MaxCost)
	}
	return errors.New(firstLine(err.Error()))
}
