package mutation

import (
	"context"
	"errors"

	"github.com/tidwall/gjson"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// rule is a compiled rule.
type rule struct {
	at   *field.Path
	path *path
	do   func(ctx context.Context, r *run, keys []key, at gjson.Result) error
	// removesAll says that all values to which the path leads are removed; do acts on the first.
	removesAll bool
}

// apply changes the value at the rule's path; nothing where there is no such place. A path with wildcards is the first
// place that they match, and if it is to be removed, all of them.
func (one *rule) apply(ctx context.Context, r *run) error {
	if err := r.left.Draw(1 + len(r.doc)/bytesPerStep); err != nil {
		return err
	}
	if one.removesAll {
		return r.removeAll(one.path)
	}
	keys, at, is := one.path.place(r.doc)
	if !is {
		return nil
	}
	return one.do(ctx, r, keys, at)
}

// newRule compiles a rule, which has exactly one of its fields.
func newRule(config *waybill.MutationRule, at *field.Path) (one rule, fault *field.Error) {
	kinds := 0
	take := func(name, path string, ready func(at *field.Path) *field.Error) {
		if kinds++; fault != nil {
			return
		}
		one.at = at.Child(name)
		var err error
		if one.path, err = parsePlace(path); err != nil {
			fault = invalid(one.at.Child("path"), err)
			return
		}
		fault = ready(one.at)
	}
	if c := config.Delete; c != nil {
		take("delete", c.Path, func(*field.Path) *field.Error {
			one.removesAll = one.path.hasWildcard()
			one.do = func(_ context.Context, r *run, keys []key, _ gjson.Result) error { return r.remove(keys) }
			return nil
		})
	}
	if c := config.Regex; c != nil {
		take("regex", c.Path, func(at *field.Path) *field.Error { return one.regex(c, at) })
	}
	if c := config.Template; c != nil {
		take("template", c.Path, func(at *field.Path) *field.Error { return one.template(c, at) })
	}
	if c := config.CEL; c != nil {
		take("cel", c.Path, func(at *field.Path) *field.Error { return one.cel(c, at) })
	}
	switch {
	case kinds == 0:
		return one, field.Required(at, "a rule has one of delete, regex, template and cel")
	case kinds > 1:
		return one, field.Forbidden(at, "a rule has only one of delete, regex, template and cel; write several rules, in the order that you want")
	}
	return one, fault
}

func invalid(at *field.Path, err error) *field.Error {
	return field.Invalid(at, field.OmitValueType{}, err.Error())
}

// regex replaces what matches in the text of a value, which becomes a string. A missing value counts as "", and stays
// missing if that does not match.
func (one *rule) regex(c *waybill.MutationRegex, at *field.Path) *field.Error {
	if c.Pattern == "" {
		one.do = func(_ context.Context, r *run, keys []key, _ gjson.Result) error {
			return r.writeText(keys, c.Replacement)
		}
		return nil
	}
	pattern, err := text.CompilePattern(c.Pattern)
	if err != nil {
		return invalid(at.Child("pattern"), err)
	}
	one.do = func(_ context.Context, r *run, keys []key, at gjson.Result) error {
		made, matched, err := pattern.Replace(r.left, textOf(at), c.Replacement)
		switch {
		case err != nil:
			return err
		case !matched && (!at.Exists() || at.Type == gjson.String): // it stays as it is written
			return nil
		}
		return r.writeText(keys, made)
	}
	return nil
}

func (r *run) writeText(keys []key, s string) error {
	raw, err := encode(s)
	if err != nil {
		return err
	}
	return r.write(keys, raw)
}

var errMissing = errors.New("the result contains a missing value; use default, or if")

// template writes the result of a template.
func (one *rule) template(c *waybill.MutationTemplate, at *field.Path) *field.Error {
	compiled, err := text.Compile("template", c.Template)
	if err != nil {
		return invalid(at.Child("template"), err)
	}
	one.do = func(ctx context.Context, r *run, keys []key, at gjson.Result) error {
		value, err := valueOf(at)
		if err != nil {
			return err
		}
		self, other, err := r.data()
		if err != nil {
			return err
		}
		got, err := compiled.ExecuteWithin(ctx, r.left, map[string]any{
			"Value": value, "Self": self, "Other": other, r.sides.self: self, r.sides.other: other,
			"LocalObject": self, "RemoteObject": other, // in both kinds of rules
		})
		if err == nil && got.Missing {
			err = errMissing
		}
		if err != nil {
			return err
		}
		return r.writeText(keys, got.Trimmed)
	}
	return nil
}
