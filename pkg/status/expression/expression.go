package expression

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"

	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

const (
	// MaxCost bounds one evaluation: about two milliseconds.
	MaxCost = celbound.MaxCost
	// maxFaults and maxMessage bound, in bytes, the errors of compiling and evaluating: some quote everything.
	maxFaults, maxMessage = 8 << 10, 2 << 10
)

// ErrCost is the error of an evaluation that cost too much.
var ErrCost = celbound.ErrCost

// manifest is the variable that KubeStellar does not have.
const manifest = "manifest"

var (
	environment = sync.OnceValues(func() (*celbound.Env, error) {
		return newEnvironment(cel.Variable(manifest, cel.MapType(cel.StringType, cel.DynType)))
	})
	// kubestellar is the environment with KubeStellar's variables alone.
	kubestellar = sync.OnceValues(func() (*celbound.Env, error) { return newEnvironment() })
)

func newEnvironment(more ...cel.EnvOption) (*celbound.Env, error) {
	return celbound.New(celbound.Options{Language: append(more,
		cel.Variable("obj", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("returned", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("inventory", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("propagation", cel.MapType(cel.StringType, cel.DynType)),
	)})
}

// Expression is a compiled expression.
type Expression struct {
	program       *celbound.Program
	readsManifest bool
}

// Compile parses and checks an expression. It does not check the type of its results.
func Compile(text string) (*Expression, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	program, err := env.Compile(text)
	if err != nil {
		stage := "check"
		var fault *celbound.Fault
		if errors.As(err, &fault) {
			stage = fault.Stage
		}
		return nil, fmt.Errorf("failed to %s expression: %s", stage, shortened(err.Error(), maxFaults))
	}
	asks, err := readsManifest(text)
	return &Expression{program, asks}, err
}

// readsManifest reports whether an expression refers to the variable: without it, the expression is not valid.
func readsManifest(text string) (bool, error) {
	if !strings.Contains(text, manifest) {
		return false, nil
	}
	env, err := kubestellar()
	if err != nil {
		return false, err
	}
	_, err = env.Compile(text)
	return err != nil, nil
}

// ReadsManifest reports whether the expression refers to what a ManifestWork says.
func (e *Expression) ReadsManifest() bool { return e.readsManifest }

// Eval evaluates the expression. It may cost at most limit, or MaxCost if that is less or limit is not positive; Spent is
// what it cost. The value holds until the variables are set again.
func (e *Expression) Eval(vars *Vars, limit int) (ref.Val, error) {
	if limit <= 0 {
		limit = MaxCost
	}
	value, err := e.program.Eval(context.Background(), vars, limit)
	if err != nil {
		return nil, Failed(err)
	}
	return value, nil
}

// Failed is the error of an evaluation.
func Failed(err error) error {
	return errors.New("failed to evaluate expression: " + shortened(err.Error(), maxMessage))
}

func shortened(message string, most int) string {
	if len(message) > most {
		return strings.ToValidUTF8(message[:most], "") + "..."
	}
	return message
}
