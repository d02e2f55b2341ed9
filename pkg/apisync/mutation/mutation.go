package mutation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// Mutation is a list of compiled rules. Nil has none.
type Mutation struct {
	at           *field.Path
	spec, status []rule
}

// New compiles the rules of a field; nil for none. An error lists all faults.
func New(config *waybill.PublishedMutation, at *field.Path) (*Mutation, error) {
	if config == nil {
		return nil, nil
	}
	spec, errs := newRules(config.Spec, at.Child("spec"))
	status, more := newRules(config.Status, at.Child("status"))
	if errs = append(errs, more...); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return &Mutation{at, spec, status}, nil
}

func newRules(config []waybill.MutationRule, at *field.Path) (rules []rule, errs field.ErrorList) {
	for i := range config {
		r, err := newRule(&config[i], at.Index(i))
		if err != nil {
			errs = append(errs, err)
		}
		rules = append(rules, r)
	}
	return rules, errs
}

// Empty reports whether there are no rules at all.
func (m *Mutation) Empty() bool { return m == nil || len(m.spec)+len(m.status) == 0 }

// Spec runs the spec rules on a source. Other is the destination, as it is or as it would be created; it may be nil. The
// arguments are not changed; where no rule changes anything, the result is source itself.
func (m *Mutation) Spec(ctx context.Context, source, other []byte) ([]byte, error) {
	if m == nil {
		return source, nil
	}
	return m.change(ctx, m.spec, source, other, ofSpec)
}

// Status runs the status rules on a destination. Other is the source.
func (m *Mutation) Status(ctx context.Context, destination, other []byte) ([]byte, error) {
	if m == nil {
		return destination, nil
	}
	return m.change(ctx, m.status, destination, other, ofStatus)
}

func (m *Mutation) change(ctx context.Context, rules []rule, doc, other []byte, names sides) ([]byte, error) {
	if len(rules) == 0 {
		return doc, nil
	}
	if len(doc) > maxDocument {
		return nil, fmt.Errorf("%s: %w", m.at, errTooLarge)
	}
	if !json.Valid(doc) || !gjson.ParseBytes(doc).IsObject() {
		return nil, fmt.Errorf("%s: the object is not a JSON object", m.at)
	}
	before := string(doc)
	r := &run{doc: before, other: other, left: &text.Allowance{Steps: maxSteps}, sides: names}
	for i := range rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := rules[i].apply(ctx, r); err != nil {
			return nil, fmt.Errorf("%s: at %s: %w", rules[i].at, truncatePath(rules[i].path.text), err)
		}
	}
	if r.doc == before {
		return doc, nil
	}
	if err := r.finish(before); err != nil {
		return nil, fmt.Errorf("%s: %w", m.at, err)
	}
	return []byte(r.doc), nil
}
