package mutation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"github.com/tidwall/gjson"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

// language is created once, because that is expensive.
var language = sync.OnceValues(func() (*celbound.Env, error) {
	return celbound.New(celbound.Options{Exact: true, Language: []cel.EnvOption{
		cel.Variable("self", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("other", cel.DynType), // an object or null
		cel.Variable("value", cel.DynType),
		cel.OptionalTypes(), ext.TwoVarComprehensions(),
	}})
})

// cel writes the result of an expression. An optional without a value removes the field.
func (one *rule) cel(c *waybill.MutationCEL, at *field.Path) *field.Error {
	if strings.TrimSpace(c.Expression) == "" {
		return field.Required(at.Child("expression"), "give an expression")
	}
	env, err := language()
	if err != nil {
		return invalid(at.Child("expression"), err)
	}
	program, err := env.Compile(c.Expression)
	if err != nil {
		return invalid(at.Child("expression"), errors.New(strings.Join(strings.Fields(err.Error()), " ")))
	}
	one.do = func(ctx context.Context, r *run, keys []key, at gjson.Result) error {
		result, err := r.eval(ctx, program, c.Expression, at)
		if err != nil {
			return err
		}
		if optional, is := result.(*types.Optional); is {
			if !optional.HasValue() {
				return r.remove(keys)
			}
			result = optional.GetValue()
		}
		plain, err := celbound.Plain(result)
		if err != nil {
			return fmt.Errorf("the result is not plain data: %w", innermost(err))
		}
		raw, err := encode(plain)
		if err != nil {
			return err
		}
		return r.write(keys, raw)
	}
	return nil
}

func (r *run) eval(ctx context.Context, program *celbound.Program, text string, at gjson.Result) (ref.Val, error) {
	value, err := valueOf(at)
	if err != nil {
		return nil, err
	}
	self, other, err := r.data()
	if err != nil {
		return nil, err
	}
	vars := celbound.NewVars(map[string]any{"self": self, "other": other, "value": value.Plain()})
	result, err := program.Eval(ctx, vars, r.left.Steps)
	if spent := r.left.Draw(vars.Spent()); err == nil {
		err = spent
	}
	if err != nil {
		return nil, publicError(err, text)
	}
	return result, nil
}

// publicMessages are messages of cel-go that contain neither a value nor a key.
var publicMessages = []string{"no such overload", "division by zero", "modulus by zero", "integer overflow", "unsigned integer overflow",
	"double overflow"}

// publicError is the part of an error that may be shown. A key may be shown only if the expression has it: otherwise it is
// part of a value.
func publicError(err error, text string) error {
	message := err.Error()
	for _, limit := range []error{celbound.ErrCost, celbound.ErrTooLong, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, limit) {
			return limit
		}
	}
	if slices.Contains(publicMessages, message) {
		return err
	}
	if key, is := strings.CutPrefix(message, "no such key: "); is && strings.Contains(text, key) {
		return fmt.Errorf("no such key: %s; test for it with has(), or write a ? after the dot", truncatePath(key))
	}
	return errors.New("the expression fails; the cause is not shown, because it may contain a value")
}

// innermost is an error without its place in a value: keys may be secret.
func innermost(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
