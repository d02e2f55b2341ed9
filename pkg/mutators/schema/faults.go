package schema

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	invalid "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

var (
	errRefers     = errors.New("a schema of custom resources has no $ref")
	errUnreadable = errors.New("the schema cannot be read")
)

// mostWork is how many fields may be compared with how many parts of custom schemas.
const mostWork = 1 << 31

// mostFaults is how many faults of one object are reported.
const mostFaults = 100

// fault is a message and the path of its field.
type fault struct {
	at      *field.Path
	message string
}

// faults are all faults of o.
func (r *run) faults(o *krm.Object, s *schemaOf) (out []fault) {
	if r.work -= s.size * size(o.Node()); r.work < 0 {
		return []fault{{nil, "the schemas and objects of the package are too large to compare them"}}
	}
	v, err := krm.Value(o.Node())
	switch {
	case err != nil && edit.HoldsSecret(o.Node()):
		return []fault{{nil, "holds a number that JSON cannot hold"}}
	case err != nil:
		return []fault{{nil, err.Error()}}
	}
	object := withoutNulls(v)
	result := r.newValidator(s, s.Schema, "").Validate(object)
	secret := len(result.Errors) > 0 && edit.HoldsSecret(o.Node())
	for _, e := range result.Errors {
		out = append(out, describe(e, secret))
	}
	if r.Strict {
		out = append(out, s.unknown(object, s.Schema, nil)...)
	}
	slices.SortFunc(out, func(a, b fault) int { return strings.Compare(a.at.String()+a.message, b.at.String()+b.message) })
	return out[:min(len(out), mostFaults)]
}

// newValidator makes a validator that follows references one at a time: schemas refer to themselves. Once
// the context has ended everything is valid, so that it ends soon.
func (r *run) newValidator(of *schemaOf, s *spec.Schema, at string) *validate.SchemaValidator {
	s = of.resolve(s)
	if r.ctx.Err() != nil {
		s = &spec.Schema{}
	}
	return validate.NewSchemaValidator(s, nil, at, strfmt.Default, func(o *validate.SchemaValidatorOptions) {
		o.NewValidatorForField = func(
			_ string, s *spec.Schema, _ any, at string, _ strfmt.Registry, _ ...validate.Option,
		) validate.ValueValidator {
			return r.newValidator(of, s, at)
		}
		o.NewValidatorForIndex = func(_ int, s *spec.Schema, _ any, at string, _ strfmt.Registry, _ ...validate.Option) validate.ValueValidator {
			return r.newValidator(of, s, at)
		}
	})
}

// withoutNulls is v without the fields that are null, which API servers drop.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if value == nil {
				delete(v, key)
				continue
			}
			v[key] = withoutNulls(value)
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}

// describe is the message of the library, without the value of a field that may be secret.
func describe(err error, secret bool) fault {
	var v *invalid.Validation
	if !errors.As(err, &v) {
		return fault{nil, "does not fit its schema"}
	}
	at := strings.TrimPrefix(v.Name, ".")
	message := strings.TrimPrefix(strings.TrimPrefix(err.Error(), v.Name), at)
	message = strings.TrimSpace(strings.Replace(message, " in body", "", 1))
	if secret {
		message, _, _ = strings.Cut(message, ": ")
	}
	if at == "" {
		return fault{nil, message}
	}
	return fault{field.NewPath(at), message}
}

// everywhere are the fields of every object, which custom schemas need not name.
var everywhere = []string{"apiVersion", "kind", "metadata"}

// unknown are the fields of v that s does not name.
func (of *schemaOf) unknown(v any, s *spec.Schema, at *field.Path) (out []fault) {
	s = of.resolve(s)
	if keep, _ := s.Extensions.GetBool("x-kubernetes-preserve-unknown-fields"); keep {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			below := at.Child(key)
			known, ok := s.Properties[key]
			switch {
			case ok:
				out = append(out, of.unknown(value, &known, below)...)
			case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
				out = append(out, of.unknown(value, s.AdditionalProperties.Schema, below)...)
			case at == nil && slices.Contains(everywhere, key):
			case len(s.Properties) > 0 && s.AdditionalProperties == nil:
				out = append(out, fault{below, "is not a field of this kind"})
			}
		}
	case []any:
		if s.Items != nil && s.Items.Schema != nil {
			for i, value := range v {
				out = append(out, of.unknown(value, s.Items.Schema, at.Index(i))...)
			}
		}
	}
	return out
}
